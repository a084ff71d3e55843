"""A server that speaks the OpenAI API over a real socket, and fails on demand.

    async with openai_server() as server:
        server.faults += [status(429, retry_after_s=0), cut]   # the next two requests
        server.chat.answer("extract_facts", {"facts": []})      # see openai_chat_script
        client = AsyncOpenAI(base_url=server.base_url, api_key="key")

Answers are deterministic, tokens are counted. A further API is a function from the request's
JSON to the answer's, entered in `OpenAIServer.apis` under its path.
"""

import asyncio
import hashlib
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import numpy as np

from anamnesis_libs.models.chat import ChatUsage
from tests.support.openai_chat_script import ChatScript, Unscripted, purpose_of, tokens_of
from tests.support.openai_wire import (
    Answer,
    Api,
    Fault,
    Json,
    Refused,
    Request,
    body,
    completion_in,
    cut,
    dripping,
    embeddings_of,
    hung_up,
    read,
    silence,
    stalled,
    status,
    streamed,
    truncated_json,
    written,
)

__all__ = [
    "DIMENSION",
    "Answer",
    "Fault",
    "Json",
    "OpenAIServer",
    "Request",
    "body",
    "cut",
    "dripping",
    "embeddings_of",
    "hung_up",
    "openai_server",
    "silence",
    "stalled",
    "status",
    "truncated_json",
    "vector_of",
]

DIMENSION = 64


def embeddings(request: Json) -> Json:
    """/v1/embeddings: a vector drawn from the hash of each text."""
    given = request["input"]
    texts = [str(text) for text in given] if isinstance(given, list) else [str(given)]
    dimension = int(str(request.get("dimensions", DIMENSION)))
    tokens = sum(tokens_of(text) for text in texts)
    return {
        "object": "list",
        "model": request["model"],
        "data": [
            {"object": "embedding", "index": at, "embedding": vector_of(text, dimension)}
            for at, text in enumerate(texts)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def vector_of(text: str, dimension: int = DIMENSION) -> list[float]:
    """The vector this server makes of a text; not of unit length."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    drawn: list[float] = np.random.default_rng(seed).normal(size=dimension).tolist()
    return drawn


class OpenAIServer:
    """See `openai_server`."""

    def __init__(self) -> None:
        self.chat = ChatScript()
        self.apis: dict[str, Api] = {
            "/v1/embeddings": embeddings,
            "/v1/chat/completions": self.chat.complete,
        }
        self.faults: deque[Fault] = deque()
        """One for each coming request; without any, answers are right."""
        self.requests: list[Request] = []
        self.unscripted: list[str] = []
        """Prompts that no answer was scripted for, by their first words."""
        self.spent: dict[str, ChatUsage] = {}
        """Calls and tokens by purpose: what this server would put on a bill."""
        self.at_once_max = 0
        """Most requests that were worked on at the same time."""
        self.base_url = ""
        self._at_once = 0
        self._arrival = asyncio.Event()
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
            request = await read(reader)
            answer = await self._worked_on(request)
            await _send(writer, answer)
            await asyncio.sleep(answer.stall_s)
        except (ConnectionError, asyncio.IncompleteReadError):
            return  # the client has left
        finally:
            writer.close()

    async def arrived(self, count: int) -> None:
        """Return once so many requests have come."""
        while len(self.requests) < count:
            self._arrival.clear()
            await self._arrival.wait()

    async def _worked_on(self, request: Request) -> Answer:
        self.requests.append(request)
        self._arrival.set()
        self._at_once += 1
        self.at_once_max = max(self.at_once_max, self._at_once)
        try:
            answer = self._faulty(request, self._answer(request))
            await asyncio.sleep(answer.delay_s)
            return answer
        finally:
            self._at_once -= 1

    def _answer(self, request: Request) -> Answer:
        api = self.apis.get(request.path)
        if api is None:
            return status(404)(Answer())
        try:
            return Answer(body=json.dumps(api(request.json)).encode())
        except Unscripted as error:
            self.unscripted.append(str(error))
            return status(404, message=str(error))(Answer())
        except Refused as error:
            return status(error.code, message=str(error))(Answer())

    def _faulty(self, request: Request, right: Answer) -> Answer:
        """What is sent in place of the right answer, entered into the bill."""
        faults = self.chat.faults_of(request.json) if "messages" in request.json else deque()
        fault = faults.popleft() if faults else self.faults.popleft() if self.faults else None
        answer = fault(right) if fault else right
        self._bill(request, completion_in(answer) or completion_in(right) or {}, answer.code)
        return streamed(answer) if request.json.get("stream") else answer

    def _bill(self, request: Request, completion: Json, code: int) -> None:
        """A request costs its tokens when it was worked on, whether or not the answer arrives."""
        told = completion.get("usage")
        usage = ChatUsage(1)
        if code == 200 and isinstance(told, dict):
            usage += ChatUsage(0, told["prompt_tokens"], told.get("completion_tokens", 0))
        purpose = purpose_of(request.json)
        self.spent[purpose] = self.spent.get(purpose, ChatUsage()) + usage


async def _send(writer: asyncio.StreamWriter, answer: Answer) -> None:
    content = written(answer)
    size = 1 if answer.byte_every_s else max(1, len(content))
    for at in range(0, len(content), size):
        writer.write(content[at : at + size])
        await writer.drain()
        await asyncio.sleep(answer.byte_every_s)


@asynccontextmanager
async def openai_server() -> AsyncIterator[OpenAIServer]:
    """A server that listens while the `async with` block runs."""
    server = OpenAIServer()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
