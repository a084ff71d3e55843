"""Calls between services of one process: straight to the handler, with no socket in between.

An rpc of one request and one answer runs in its caller's task, behind the same error edge and
under the same deadline as one that comes over a socket. Its messages are handed over as they are,
neither written nor read: whoever answers keeps none of them and changes none. Streams take the
private socket, whose flow control they need; so does what was refused as UNAVAILABLE, which the
channel's policy tries again.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NoReturn, Protocol, TypeAlias, cast

import grpc
from google.protobuf.message import Message
from grpc import aio

from anamnesis_libs.rpc.interceptors import Context, ErrorEdge, UnaryUnary

Handlers: TypeAlias = "Mapping[str, grpc.RpcMethodHandler[Message, Message]]"
Serialize = Callable[[Message], bytes]
Deserialize = Callable[[bytes], Message]

_OWN_PEER = "unix:"


class Rpc(Protocol):
    """An rpc of one request and one answer, as a stub has it."""

    def __call__(self, request: Message, *, timeout: float | None = None) -> Awaitable[Message]:
        """Start the call."""
        ...


class DirectHandlers:
    """The handlers of one server of this process, each behind the error edge, by their paths."""

    def __init__(self, server: aio.Server, edge: ErrorEdge) -> None:
        self._server = server
        self._edge = edge
        self._handlers: dict[str, UnaryUnary] = {}

    @property
    def registrar(self) -> aio.Server:
        """The server as generated code knows one: by the two methods that add handlers."""
        return cast("aio.Server", self)

    def add_generic_rpc_handlers(self, handlers: "Sequence[grpc.GenericRpcHandler]") -> None:
        """Serve them over the socket."""
        self._server.add_generic_rpc_handlers(handlers)

    def add_registered_method_handlers(self, service: str, handlers: Handlers) -> None:
        """Serve those of one request and one answer directly; the socket serves all by now."""
        for name, handler in handlers.items():
            if handler.unary_unary is not None:
                path = f"/{service}/{name}"
                serve = cast(UnaryUnary, handler.unary_unary)
                self._handlers[path] = self._edge.guarded(path, serve)

    def of(self, path: str) -> UnaryUnary | None:
        """The handler of an rpc; None where it streams, or is not known."""
        return self._handlers.get(path)


class DirectChannel:
    """A channel to a server of this process, as stubs use one."""

    def __init__(self, handlers: DirectHandlers, socket: aio.Channel) -> None:
        """`socket` carries what cannot be called directly."""
        self._handlers = handlers
        self._socket = socket
        self.unary_stream = socket.unary_stream
        self.stream_unary = socket.stream_unary
        self.stream_stream = socket.stream_stream
        self.close = socket.close

    def unary_unary(
        self,
        method: str,
        request_serializer: Serialize | None = None,
        response_deserializer: Deserialize | None = None,
        _registered_method: bool = False,
    ) -> Rpc:
        """The rpc of a path."""
        over_socket = self._socket.unary_unary(method, request_serializer, response_deserializer)
        serve = self._handlers.of(method)
        return over_socket if serve is None else _DirectRpc(serve, over_socket)


class _DirectRpc:
    """An rpc that is run where it is called."""

    def __init__(self, serve: UnaryUnary, over_socket: Rpc) -> None:
        self._serve = serve
        self._over_socket = over_socket

    async def __call__(self, request: Message, *, timeout: float | None = None) -> Message:
        """The answer within the time.

        Raises:
            grpc.aio.AioRpcError: it was refused, or was not in time.
        """
        loop = asyncio.get_running_loop()
        until_s = None if timeout is None else loop.time() + timeout
        context = _DirectContext(loop, until_s)
        try:
            async with asyncio.timeout_at(until_s):
                return await self._serve(request, cast(Context, context))
        except TimeoutError:
            raise _failed(grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded") from None
        except _Refused as refused:
            status = refused.status
            if status.code is not grpc.StatusCode.UNAVAILABLE:
                raise _failed(status.code, status.details, status.trailing_metadata) from None
        return await self._over_socket(request, timeout=context.time_remaining())


class _DirectContext:
    """The context of a call, as far as handlers ask for it."""

    def __init__(self, loop: asyncio.AbstractEventLoop, until_s: float | None) -> None:
        self._loop = loop
        self._until_s = until_s

    def time_remaining(self) -> float | None:
        """Seconds until the deadline; None where there is none."""
        return None if self._until_s is None else max(0.0, self._until_s - self._loop.time())

    def peer(self) -> str:
        """This process."""
        return _OWN_PEER

    def invocation_metadata(self) -> tuple[()]:
        """Nothing."""
        return ()

    async def abort_with_status(self, status: grpc.Status) -> NoReturn:
        """End the call with a status."""
        raise _Refused(status)


class _Refused(Exception):
    """The end of a call by a status."""

    def __init__(self, status: grpc.Status) -> None:
        super().__init__(status.details)
        self.status = status


def _failed(
    code: grpc.StatusCode, details: str, trailing: "Sequence[tuple[str, str | bytes]]" = ()
) -> aio.AioRpcError:
    return aio.AioRpcError(code, aio.Metadata(), aio.Metadata(*(trailing or ())), details)
