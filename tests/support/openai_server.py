"""A server that speaks the OpenAI API over a real socket, and fails on demand.

    async with openai_server() as server:
        server.faults += [status(429, retry_after_s=0), cut]   # the next two requests
        client = AsyncOpenAI(base_url=server.base_url, api_key="key")

Answers are deterministic. A further API is a function from the request's JSON to the
answer's, entered in `OpenAIServer.apis` under its path.
"""

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import numpy as np

Json = dict[str, object]
Api = Callable[[Json], Json]

DIMENSION = 64


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came."""

    path: str
    headers: dict[str, str]
    json: Json


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes out: the body may be cut, and the line may stay silent first."""

    code: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    sent_share: float = 1.0
    delay_s: float = 0.0


Fault = Callable[[Answer], Answer]
"""Makes of the right answer the one that is sent."""


def status(code: int, retry_after_s: float | None = None) -> Fault:
    """An error in OpenAI's form, with a `Retry-After` if one is given."""
    body = json.dumps({"error": {"message": f"injected {code}", "type": "injected"}}).encode()
    headers = {} if retry_after_s is None else {"Retry-After": f"{retry_after_s:g}"}
    return lambda _: Answer(code, body, headers)


def silence(delay_s: float) -> Fault:
    """The right answer, late."""
    return lambda right: Answer(right.code, right.body, delay_s=delay_s)


def body(content: bytes) -> Fault:
    """Another body under a 200."""
    return lambda _: Answer(200, content)


def embeddings_of(*vectors: list[float]) -> Fault:
    """These vectors, whatever was asked."""
    data = [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]
    return body(json.dumps({"data": data}).encode())


def cut(right: Answer) -> Answer:
    """The connection ends in the middle of the body."""
    return Answer(right.code, right.body, sent_share=0.5)


def hung_up(right: Answer) -> Answer:
    """The connection ends without an answer."""
    return Answer(right.code, b"", sent_share=0.0)


def truncated_json(right: Answer) -> Answer:
    """A whole answer that holds half a document."""
    return Answer(right.code, right.body[: len(right.body) // 2])


def embeddings(request: Json) -> Json:
    """/v1/embeddings: a vector drawn from the hash of each text, and a count of words."""
    given = request["input"]
    texts = [str(text) for text in given] if isinstance(given, list) else [str(given)]
    dimension = int(str(request.get("dimensions", DIMENSION)))
    words = sum(len(text.split()) for text in texts)
    return {
        "object": "list",
        "model": request["model"],
        "data": [
            {"object": "embedding", "index": at, "embedding": vector_of(text, dimension)}
            for at, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": words, "total_tokens": words},
    }


def vector_of(text: str, dimension: int = DIMENSION) -> list[float]:
    """The vector this server makes of a text; not of unit length."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    drawn: list[float] = np.random.default_rng(seed).normal(size=dimension).tolist()
    return drawn


class OpenAIServer:
    """See `openai_server`."""

    def __init__(self) -> None:
        self.apis: dict[str, Api] = {"/v1/embeddings": embeddings}
        self.faults: deque[Fault] = deque()
        """One for each coming request; without any, answers are right."""
        self.requests: list[Request] = []
        self.base_url = ""
        self._conversations: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen on a free port of this machine."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"http://127.0.0.1:{port}/v1"

    async def stop(self) -> None:
        """Stop listening, and drop the conversations that go on."""
        self._server.close()
        for conversation in self._conversations:
            conversation.cancel()
        await asyncio.gather(*self._conversations, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._conversations.add(task)
        task.add_done_callback(self._conversations.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, one answer, and the line is closed."""
        try:
            request = await _read(reader)
            self.requests.append(request)
            answer = self._answer(request)
            if self.faults:
                answer = self.faults.popleft()(answer)
            await asyncio.sleep(answer.delay_s)
            writer.write(_written(answer))
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            return  # the client has left
        finally:
            writer.close()

    def _answer(self, request: Request) -> Answer:
        api = self.apis.get(request.path)
        if api is None:
            return status(404)(Answer())
        return Answer(body=json.dumps(api(request.json)).encode())


@asynccontextmanager
async def openai_server() -> AsyncIterator[OpenAIServer]:
    """A server that listens while the `async with` block runs."""
    server = OpenAIServer()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    lines = (line.partition(":") for line in head[1:] if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in lines}
    content = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(head[0].split()[1], headers, json.loads(content or b"{}"))


def _written(answer: Answer) -> bytes:
    if not answer.sent_share:
        return b""
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(answer.body)),
        "Connection": "close",
        **answer.headers,
    }
    lines = [f"HTTP/1.1 {answer.code} Status", *(f"{k}: {v}" for k, v in headers.items())]
    head = "\r\n".join(lines).encode() + b"\r\n\r\n"
    return head + answer.body[: int(len(answer.body) * answer.sent_share)]
