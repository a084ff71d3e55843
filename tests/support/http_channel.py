"""A channel that speaks the Connect protocol in JSON, so that stubs of gRPC call over HTTP.

It is what a caller would write by the protocol's page: `urllib`, and envelopes for streams.
"""

import asyncio
import json
import struct
import urllib.error
import urllib.request
from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from google.protobuf import json_format
from google.protobuf.message import Message

LAST = 0b10
"""The flag of the envelope that ends a stream."""
Read = Callable[[bytes], Message]
TIMEOUT_S = 60


class HttpRefusedError(Exception):
    """An error in the shape of the Connect protocol."""

    def __init__(self, status: int, told: Mapping[str, object]) -> None:
        super().__init__(told)
        self.status = status
        self.code = str(told["code"])
        self.message = str(told.get("message", ""))
        details = told.get("details", [])
        assert isinstance(details, list)
        self.details = {one["type"].rpartition(".")[2]: one.get("debug", {}) for one in details}

    @property
    def reason(self) -> str:
        """The reason of the suite."""
        return str(self.details.get("ErrorInfo", {}).get("reason", ""))

    @property
    def fields(self) -> list[str]:
        """The violated fields."""
        return [
            one["field"] for one in self.details.get("BadRequest", {}).get("fieldViolations", [])
        ]


@dataclass(frozen=True, slots=True)
class HttpChannel:
    """The rpcs of a server at a URL; `headers` go with each call."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def unary_unary(
        self, path: str, *, response_deserializer: Read, **_more: object
    ) -> "HttpUnary":
        """An rpc with one request and one answer."""
        return HttpUnary(self, path, _kind(response_deserializer))

    def unary_stream(
        self, path: str, *, response_deserializer: Read, **_more: object
    ) -> "HttpStreams":
        """An rpc with one request and many answers."""
        return HttpStreams(self, path, _kind(response_deserializer))

    def stream_unary(
        self, path: str, *, response_deserializer: Read, **_more: object
    ) -> "HttpRequests":
        """An rpc with many requests and one answer."""
        return HttpRequests(self, path, _kind(response_deserializer))

    def stream_stream(self, path: str, *_: object, **_more: object) -> str:
        """Both streams at once want HTTP/2, which is not spoken here."""
        return path

    async def close(self) -> None:
        """Holds nothing open."""

    async def post(self, path: str, kind: str, body: bytes) -> bytes:
        """The body of an answer.

        Raises:
            HttpRefusedError: it is an error.
        """
        return await asyncio.to_thread(self._post, path, kind, body)

    def _post(self, path: str, kind: str, body: bytes) -> bytes:
        headers = {"Content-Type": kind, **self.headers}
        request = urllib.request.Request(self.url + path, body, headers)  # noqa: S310  # http
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
                return bytes(answer.read())
        except urllib.error.HTTPError as error:
            raise HttpRefusedError(error.code, json.loads(error.read())) from error


@dataclass(frozen=True, slots=True)
class HttpUnary:
    """One request, one answer."""

    channel: HttpChannel
    path: str
    kind: type[Message]

    async def __call__(self, request: Message, **_more: object) -> Message:
        body = json_format.MessageToJson(request).encode()
        answer = await self.channel.post(self.path, "application/json", body)
        return json_format.Parse(answer, self.kind())


@dataclass(frozen=True, slots=True)
class HttpStreams:
    """One request, many answers."""

    channel: HttpChannel
    path: str
    kind: type[Message]

    def __call__(self, request: Message, **_more: object) -> "HttpAnswers":
        return HttpAnswers(self, enveloped(request))


@dataclass(frozen=True, slots=True)
class HttpAnswers:
    """A stream of answers, read to its end."""

    rpc: HttpStreams
    body: bytes

    async def __aiter__(self) -> AsyncIterator[Message]:
        """The answers, in order."""
        kind = "application/connect+json"
        for told in answers_in(await self.rpc.channel.post(self.rpc.path, kind, self.body)):
            yield json_format.ParseDict(told, self.rpc.kind())

    async def read(self) -> Message | None:
        """The first answer."""
        return await anext(aiter(self), None)


@dataclass(frozen=True, slots=True)
class HttpRequests:
    """Many requests, one answer."""

    channel: HttpChannel
    path: str
    kind: type[Message]

    async def __call__(self, requests: AsyncIterable[Message], **_more: object) -> Message:
        body = b"".join([enveloped(request) async for request in requests])
        answer = await self.channel.post(self.path, "application/connect+json", body)
        (told,) = answers_in(answer)
        return json_format.ParseDict(told, self.kind())


def enveloped(request: Message) -> bytes:
    """A message of a stream: a flag, its length, its JSON."""
    body = json_format.MessageToJson(request).encode()
    return struct.pack(">BI", 0, len(body)) + body


def answers_in(body: bytes) -> list[dict[str, object]]:
    """The messages of a stream that has ended.

    Raises:
        HttpRefusedError: it ended with an error.
    """
    answers = []
    while body:
        flags, length = struct.unpack(">BI", body[:5])
        told = json.loads(body[5 : 5 + length])
        body = body[5 + length :]
        if not flags & LAST:
            answers.append(told)
        elif "error" in told:
            raise HttpRefusedError(200, told["error"])
    return answers


def _kind(read: Read) -> type[Message]:
    """The class whose `FromString` a stub hands over."""
    return type(read(b""))
