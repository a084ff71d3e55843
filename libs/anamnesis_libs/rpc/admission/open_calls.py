"""Streams that need no key, health and reflection: few at once, few of one peer, none for long.

They are counted apart from keyed calls, so that whoever has no key takes nothing from who has one.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import aclosing, contextmanager
from typing import TypeAlias, cast

import grpc
from google.protobuf.message import Message
from grpc import aio
from grpc_status import rpc_status

from anamnesis_libs.errors import AnamnesisError, ResourceExhausted
from anamnesis_libs.rpc.decoding import check_decoded, marking
from anamnesis_libs.rpc.status import to_status

_RETRY_S = 5.0

Context = aio.ServicerContext[Message, Message]
Handler: TypeAlias = "grpc.RpcMethodHandler[Message, Message]"  # generic in its stubs only
Check = Callable[[Message, Context], Awaitable[Message]]
Watch = Callable[[Message, Context], Awaitable[None]]
Reflect = Callable[[AsyncIterator[Message], Context], AsyncGenerator[Message, None]]


class OpenCalls:
    """The running streams without a key, by the machine they come from."""

    def __init__(self, calls_max: int, by_peer_max: int, age_s_max: float) -> None:
        self._calls_max = calls_max
        self._by_peer_max = by_peer_max
        self._age_s_max = age_s_max
        self._running: Counter[str] = Counter()

    @contextmanager
    def call(self, peer: str) -> Iterator[None]:
        """Around one stream of a peer, as gRPC names it: `ipv4:HOST:PORT` or `unix:`.

        Raises:
            ResourceExhausted: there are too many, of this machine or in all.
        """
        host = peer.rpartition(":")[0] or peer
        if self._running[host] >= self._by_peer_max or self._running.total() >= self._calls_max:
            raise ResourceExhausted(
                "too many streams without a key; end some, or ask with Check instead of Watch",
                retry_after_s=_RETRY_S,
            )
        self._running[host] += 1
        try:
            yield
        finally:
            self._running[host] -= 1
            if not self._running[host]:
                del self._running[host]

    def bounded(self, handler: Handler) -> Handler:
        """The handler of health or reflection with few streams, each ended at its age."""
        codecs = (marking(handler.request_deserializer), handler.response_serializer)
        if handler.request_streaming:
            reflect = self._reflecting(cast(Reflect, handler.stream_stream))
            return grpc.stream_stream_rpc_method_handler(reflect, *codecs)
        if handler.response_streaming:
            watch = self._watching(cast(Watch, handler.unary_stream))
            return grpc.unary_stream_rpc_method_handler(watch, *codecs)
        check = _checking(cast(Check, handler.unary_unary))
        return grpc.unary_unary_rpc_method_handler(check, *codecs)

    def _watching(self, serve: Watch) -> Watch:
        """Health's own stream, which writes by itself."""

        async def run(request: Message, context: Context) -> None:
            try:
                check_decoded(request)
                with self.call(context.peer()):
                    async with asyncio.timeout(self._age_s_max):
                        await serve(request, context)
            except TimeoutError:
                return  # whoever still watches opens it again
            except AnamnesisError as refused:
                await context.abort_with_status(rpc_status.to_status(to_status(refused)))

        return run

    def _reflecting(self, serve: Reflect) -> Reflect:
        async def run(
            requests: AsyncIterator[Message], context: Context
        ) -> AsyncGenerator[Message, None]:
            try:
                with self.call(context.peer()):
                    async with (
                        asyncio.timeout(self._age_s_max),
                        aclosing(serve(_decoded(requests), context)) as responses,
                    ):
                        async for response in responses:
                            yield response
            except TimeoutError:
                return
            except AnamnesisError as refused:
                await context.abort_with_status(rpc_status.to_status(to_status(refused)))

        return run


def _checking(serve: Check) -> Check:
    async def run(request: Message, context: Context) -> Message:
        try:
            check_decoded(request)
        except AnamnesisError as refused:
            await context.abort_with_status(rpc_status.to_status(to_status(refused)))
        return await serve(request, context)

    return run


async def _decoded(requests: AsyncIterator[Message]) -> AsyncIterator[Message]:
    async for request in requests:
        check_decoded(request)
        yield request
