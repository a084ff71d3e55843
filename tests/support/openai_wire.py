"""What goes over the line of the OpenAI test server: requests, answers, and ways they fail."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

Json = dict[str, object]
Api = Callable[[Json], Json]


class Refused(Exception):
    """The server does not take the request: a status and a message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


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
    stall_s: float = 0.0
    """How long the line stays open and silent after what was sent."""
    byte_every_s: float = 0.0
    """Pause after each byte; 0: all at once."""


Fault = Callable[[Answer], Answer]
"""Makes of the right answer the one that is sent."""


def status(code: int, retry_after_s: float | None = None, message: str = "") -> Fault:
    """An error in OpenAI's form, with a `Retry-After` if one is given."""
    told = message or f"injected {code}"
    body = json.dumps({"error": {"message": told, "type": "injected"}}).encode()
    headers = {} if retry_after_s is None else {"Retry-After": f"{retry_after_s:g}"}
    return lambda _: Answer(code, body, headers)


def silence(delay_s: float) -> Fault:
    """The right answer, late."""
    return lambda right: Answer(right.code, right.body, delay_s=delay_s)


def stalled(stall_s: float) -> Fault:
    """The line falls silent in the middle of the body, and stays open."""
    return lambda right: Answer(right.code, right.body, sent_share=0.5, stall_s=stall_s)


def dripping(byte_every_s: float) -> Fault:
    """The right answer, a byte at a time."""
    return lambda right: replace(right, byte_every_s=byte_every_s)


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


async def read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    lines = (line.partition(":") for line in head[1:] if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in lines}
    content = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(head[0].split()[1], headers, json.loads(content or b"{}"))


def written(answer: Answer) -> bytes:
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


def completion_in(answer: Answer) -> Json | None:
    """The document of a right answer; none where a fault has left no whole one."""
    try:
        found: Json = json.loads(answer.body)
    except ValueError:
        return None
    return found if answer.code == 200 and "usage" in found else None


def streamed(answer: Answer) -> Answer:
    """The same completion as server-sent events, a few characters each, then its usage.

    What is no completion goes out as it is.
    """
    whole = completion_in(answer)
    if whole is None:
        return answer
    assert isinstance(whole["choices"], list)
    common = {key: whole[key] for key in ("id", "created", "model")}
    common["object"] = "chat.completion.chunk"
    chunks: list[Json] = []
    for choice in whole["choices"]:
        text = choice["message"]["content"] or ""
        parts = (text[at : at + 7] for at in range(0, len(text), 7))
        chunks += [_chunk(common, {"content": part}, None) for part in parts]
        chunks.append(_chunk(common, {}, choice["finish_reason"]))
    chunks.append({**common, "choices": [], "usage": whole["usage"]})
    events = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    content = "".join([*events, "data: [DONE]\n\n"]).encode()
    return replace(answer, body=content, headers={"Content-Type": "text/event-stream"})


def _chunk(common: Json, delta: Json, finish_reason: str | None) -> Json:
    choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {**common, "choices": [choice], "usage": None}
