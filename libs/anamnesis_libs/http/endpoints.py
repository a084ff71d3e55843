"""Endpoints of the Connect protocol for every rpc of gRPC services, made from their descriptors."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager

from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import Endpoint
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio

from anamnesis_libs.http.failures import of_call
from anamnesis_libs.rpc.call_log import HTTP_PEER

FORWARDED = ("authorization", "traceparent", "tracestate", "x-request-id")
"""Headers that are handed on as metadata of the call."""

_TOLD = "a failure is told instead"
Context = RequestContext[Message, Message]
AnyEndpoint = Endpoint[Message, Message]


def services_of(names: Iterable[str]) -> list[ServiceDescriptor]:
    """The descriptors of services by their full names; their stubs have been imported."""
    pool = descriptor_pool.Default()
    return [pool.FindServiceByName(name) for name in names]


def path_of(method: MethodDescriptor) -> str:
    """The path of an rpc, the same in gRPC and in Connect."""
    return f"/{method.containing_service.full_name}/{method.name}"


def endpoints_of(
    services: Iterable[ServiceDescriptor], channel: aio.Channel
) -> dict[str, AnyEndpoint]:
    """An endpoint an rpc, by its path; calls go through `channel`."""
    return {
        path_of(method): _endpoint(method, channel)
        for service in services
        for method in service.methods
    }


def _endpoint(method: MethodDescriptor, channel: aio.Channel) -> AnyEndpoint:
    info = _info(method)
    match info.stream_type:
        case StreamType.UNARY:
            return Endpoint.unary(info, _Unary(channel, info))
        case StreamType.SERVER_STREAM:
            return Endpoint.server_stream(info, _Answers(channel, info))
        case StreamType.CLIENT_STREAM:
            return Endpoint.client_stream(info, _Requests(channel, info))
        case StreamType.BIDI_STREAM:
            return Endpoint.bidi_stream(info, _Both(channel, info))


def _info(method: MethodDescriptor) -> MethodInfo[Message, Message]:
    kinds = {
        (False, False): StreamType.UNARY,
        (False, True): StreamType.SERVER_STREAM,
        (True, False): StreamType.CLIENT_STREAM,
        (True, True): StreamType.BIDI_STREAM,
    }
    return MethodInfo(
        name=method.name,
        service_name=method.containing_service.full_name,
        input=GetMessageClass(method.input_type),
        output=GetMessageClass(method.output_type),
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=kinds[method.client_streaming, method.server_streaming],
    )


class _Call:
    """An rpc of the channel: its path, and how its messages are written and read."""

    def __init__(self, channel: aio.Channel, info: MethodInfo[Message, Message]) -> None:
        self._path = f"/{info.service_name}/{info.name}"
        self._channel = channel
        self._write = info.input.SerializeToString
        self._read = info.output.FromString


class _Unary(_Call):
    """One request, one answer."""

    async def __call__(self, request: Message, context: Context) -> Message:
        call = self._channel.unary_unary(self._path, self._write, self._read)
        try:
            return await call(request, timeout=_left_s(context), metadata=_metadata(context))
        except aio.AioRpcError as failed:
            raise of_call(failed) from failed


class _Answers(_Call):
    """One request, a stream of answers."""

    async def __call__(self, request: Message, context: Context) -> AsyncIterator[Message]:
        call = self._channel.unary_stream(self._path, self._write, self._read)
        answers = call(request, timeout=_left_s(context), metadata=_metadata(context))
        async for answer in _streamed(answers):
            yield answer


class _Requests(_Call):
    """A stream of requests, one answer."""

    async def __call__(self, requests: AsyncIterator[Message], context: Context) -> Message:
        call = self._channel.stream_unary(self._path, self._write, self._read)
        sent = _Sent(requests)
        with sent.told():
            try:
                return await call(
                    aiter(sent), timeout=_left_s(context), metadata=_metadata(context)
                )
            except aio.AioRpcError as failed:
                raise of_call(failed) from failed
        raise AssertionError(_TOLD)


class _Both(_Call):
    """A stream of requests, a stream of answers."""

    async def __call__(
        self, requests: AsyncIterator[Message], context: Context
    ) -> AsyncIterator[Message]:
        call = self._channel.stream_stream(self._path, self._write, self._read)
        sent = _Sent(requests)
        answers = call(aiter(sent), timeout=_left_s(context), metadata=_metadata(context))
        with sent.told():
            async for answer in _streamed(answers):
                yield answer


class _Sent:
    """The requests of a stream. gRPC reads them, and cancels the call where that fails."""

    def __init__(self, requests: AsyncIterator[Message]) -> None:
        self._requests = requests
        self._failure: ConnectError | None = None

    async def __aiter__(self) -> AsyncIterator[Message]:
        try:
            async for request in self._requests:
                yield request
        except ConnectError as failure:
            self._failure = failure
            raise

    @contextmanager
    def told(self) -> Iterator[None]:
        """Around the call: what was wrong with its requests is told instead of the cancellation."""
        try:
            yield
        except asyncio.CancelledError:
            if self._failure is None:
                raise
            raise self._failure from None


async def _streamed(
    answers: aio.UnaryStreamCall[Message, Message] | aio.StreamStreamCall[Message, Message],
) -> AsyncIterator[Message]:
    """The answers; a caller that goes away ends the call."""
    try:
        async for answer in answers:
            yield answer
    except aio.AioRpcError as failed:
        raise of_call(failed) from failed
    finally:
        answers.cancel()


def _left_s(context: Context) -> float | None:
    """Seconds until the deadline of a call, if it has one."""
    left_ms = context.timeout_ms
    return None if left_ms is None else max(left_ms, 0.0) / 1000


def _metadata(context: Context) -> aio.Metadata:
    headers = context.request_headers
    peer = (context.client_address or "").rpartition(":")[0]
    handed_on = [(name, headers[name]) for name in FORWARDED if name in headers]
    return aio.Metadata(*handed_on, *([(HTTP_PEER, peer)] if peer else []))
