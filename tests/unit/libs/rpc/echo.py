"""A service of all four arities without a proto of its own, served by a real server."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
from grpc import aio

from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.peers import connect
from anamnesis_libs.rpc.server import bind, new_server
from anamnesis_libs.settings import Security, Server

SERVICE = "test.Echo"
KEY = "a-key-of-the-tests-0001"
BYTES_MAX = 64 * 1024
TIMEOUT_S = 5.0
ARITIES = ("one_one", "one_many", "many_one", "many_many")

Context = aio.ServicerContext[MemoryFilter, MemoryFilter]


async def nothing(_: MemoryFilter) -> None:
    """Lets the request pass."""


@dataclass
class Echo:
    """Answers with what it is given; `before` may raise, `seen` counts what got through."""

    before: Callable[[MemoryFilter], Awaitable[None]] = nothing
    seen: list[MemoryFilter] = field(default_factory=list)

    async def one_one(self, request: MemoryFilter, _: Context) -> MemoryFilter:
        await self._take(request)
        return request

    async def one_many(self, request: MemoryFilter, _: Context) -> AsyncIterator[MemoryFilter]:
        yield request
        await self._take(request)
        yield request

    async def many_one(self, requests: AsyncIterator[MemoryFilter], _: Context) -> MemoryFilter:
        async for request in requests:
            await self._take(request)
        return self.seen[-1]

    async def many_many(
        self, requests: AsyncIterator[MemoryFilter], _: Context
    ) -> AsyncIterator[MemoryFilter]:
        async for request in requests:
            await self._take(request)
            yield request

    async def _take(self, request: MemoryFilter) -> None:
        await self.before(request)
        self.seen.append(request)

    def register(self, server: aio.Server) -> None:
        """Adds the service to a server."""
        codecs = (MemoryFilter.FromString, MemoryFilter.SerializeToString)
        handlers = {
            "OneOne": grpc.unary_unary_rpc_method_handler(self.one_one, *codecs),
            "OneMany": grpc.unary_stream_rpc_method_handler(self.one_many, *codecs),
            "ManyOne": grpc.stream_unary_rpc_method_handler(self.many_one, *codecs),
            "ManyMany": grpc.stream_stream_rpc_method_handler(self.many_many, *codecs),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        server.add_registered_method_handlers(SERVICE, handlers)


class EchoStub:
    """The client side of Echo."""

    def __init__(self, channel: aio.Channel) -> None:
        codecs = (MemoryFilter.SerializeToString, MemoryFilter.FromString)
        self.one_one = channel.unary_unary(f"/{SERVICE}/OneOne", *codecs)
        self.one_many = channel.unary_stream(f"/{SERVICE}/OneMany", *codecs)
        self.many_one = channel.stream_unary(f"/{SERVICE}/ManyOne", *codecs)
        self.many_many = channel.stream_stream(f"/{SERVICE}/ManyMany", *codecs)
        self.absent = channel.unary_unary(f"/{SERVICE}/Absent", *codecs)

    async def call(self, arity: str, *requests: MemoryFilter) -> list[MemoryFilter]:
        """One call of an arity, with a deadline; unary ones take the first request."""
        match arity:
            case "one_one":
                return [await self.one_one(requests[0], timeout=TIMEOUT_S)]
            case "one_many":
                return [each async for each in self.one_many(requests[0], timeout=TIMEOUT_S)]
            case "many_one":
                return [await self.many_one(iter(requests), timeout=TIMEOUT_S)]
            case _:
                return [each async for each in self.many_many(iter(requests), timeout=TIMEOUT_S)]


@asynccontextmanager
async def serving(echo: Echo, security: Security | None = None) -> AsyncIterator[str]:
    """The address of a server of Echo, behind the error edge."""
    security = security or Security()
    server = new_server(Server(message_bytes_max=BYTES_MAX), security, logger("test"))
    echo.register(server)
    address = bind(server, "127.0.0.1:0", security)
    await server.start()
    try:
        yield address
    finally:
        await server.stop(None)


@asynccontextmanager
async def calling(address: str, key: str = "") -> AsyncIterator[EchoStub]:
    """A stub on a channel to the address."""
    async with connect(address, message_bytes_max=BYTES_MAX, key=key) as channel:
        yield EchoStub(channel)
