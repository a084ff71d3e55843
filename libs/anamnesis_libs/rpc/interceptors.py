"""The error edge: the one interceptor that every rpc of the suite passes.

In order: the door (who calls, what they may, how much), the request against its rules, the
servicer, the log line. This is the one place of a request that catches everything: our errors
become their status, whatever else becomes INTERNAL with an incident id, whose stack is in the log
and whose text is nowhere.
Logged are method, namespace, request id, peer, code and duration; contents never.
"""

import asyncio
import logging
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TypeAlias, cast

import grpc
from google.protobuf.message import Message
from grpc import aio
from grpc_status import rpc_status

from anamnesis_libs.errors import AnamnesisError, DeadlineExceeded, Internal, Unimplemented
from anamnesis_libs.logs import Logger, failure_fields
from anamnesis_libs.rpc.admission.door import HEALTH_PREFIX, REFLECTION_PREFIX, Door
from anamnesis_libs.rpc.admission.principal import Principal
from anamnesis_libs.rpc.call_log import host_of_call, level_of, namespace_of, request_id_of
from anamnesis_libs.rpc.decoding import check_decoded, marking
from anamnesis_libs.rpc.status import code_of, from_rpc_error, to_status
from anamnesis_libs.rpc.validation import check_request

Context = aio.ServicerContext[Message, Message]
Handler: TypeAlias = "grpc.RpcMethodHandler[Message, Message]"  # generic in its stubs only
Responses = AsyncGenerator[Message, None]
UnaryUnary = Callable[[Message, Context], Awaitable[Message]]
UnaryStream = Callable[[Message, Context], Responses]
StreamUnary = Callable[[AsyncIterator[Message], Context], Awaitable[Message]]
StreamStream = Callable[[AsyncIterator[Message], Context], Responses]
Continuation: TypeAlias = "Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]]"

# What is read of a stream after it was refused.
_DRAIN_S_MAX = 5.0
_DRAIN_ASKED_S_MAX = 0.25  # of a client that may be waiting for answers
_DRAIN_MESSAGES_MAX = 1_024
_ENDED = "the edge ends every rpc that fails"


@dataclass(frozen=True, slots=True)
class _Route:
    """An rpc by its name, and the principal that calls it; None is an operator."""

    method: str
    principal: Principal | None = None


@dataclass(slots=True)
class _Call:
    """One running rpc: who sends it, and what its first request has named."""

    route: _Route
    peer: str
    namespace: str = ""
    request_id: str = ""

    @property
    def method(self) -> str:
        """The name of the method."""
        return self.route.method


class ErrorEdge(aio.ServerInterceptor):
    """Guards every handler of a server, of all four arities."""

    def __init__(self, door: Door, stream_idle_s_max: float, logger: Logger) -> None:
        self._door = door
        self._stream_idle_s_max = stream_idle_s_max
        self._logger = logger

    async def intercept_service(  # type: ignore[override]  # the base is generic in its messages
        self, continuation: Continuation, details: grpc.HandlerCallDetails
    ) -> "Handler | None":
        """The guarded handler of the rpc, or one that refuses the call."""
        handler = await continuation(details)
        try:
            principal = self._door.principal(details)
        except AnamnesisError as error:
            return self._refusing(details.method, error, handler)
        if details.method.startswith((HEALTH_PREFIX, REFLECTION_PREFIX)):
            return handler and self._door.open_calls.bounded(handler)
        if handler is None:
            return self._refusing(details.method, _unknown(details.method))
        return self._guarded(_Route(details.method, principal), handler)

    def guarded(self, method: str, serve: UnaryUnary) -> UnaryUnary:
        """A handler of one request and one answer, guarded, for calls of this process's own."""
        return self._unary_unary(_Route(method), serve)

    def _refusing(
        self, method: str, error: AnamnesisError, asked: "Handler | None" = None
    ) -> Handler:
        """A handler for any arity: nothing but a status ever goes out."""

        async def refuse(requests: AsyncIterator[Message], context: Context) -> Message:
            if asked is not None and asked.request_streaming:
                await _drain(requests, _DRAIN_ASKED_S_MAX)
            self._log(
                _Call(_Route(method), host_of_call(context)), code_of(error), time.perf_counter()
            )
            await context.abort_with_status(rpc_status.to_status(to_status(error)))

        return grpc.stream_unary_rpc_method_handler(refuse)

    def _guarded(self, route: _Route, handler: Handler) -> Handler:
        codecs = (marking(handler.request_deserializer), handler.response_serializer)
        match handler.request_streaming, handler.response_streaming:
            case False, False:
                one_one = self._unary_unary(route, cast(UnaryUnary, handler.unary_unary))
                return grpc.unary_unary_rpc_method_handler(one_one, *codecs)
            case False, True:
                one_many = self._unary_stream(route, cast(UnaryStream, handler.unary_stream))
                return grpc.unary_stream_rpc_method_handler(one_many, *codecs)
            case True, False:
                many_one = self._stream_unary(route, cast(StreamUnary, handler.stream_unary))
                return grpc.stream_unary_rpc_method_handler(many_one, *codecs)
            case _:
                many_many = self._stream_stream(route, cast(StreamStream, handler.stream_stream))
                return grpc.stream_stream_rpc_method_handler(many_many, *codecs)

    def _unary_unary(self, route: _Route, serve: UnaryUnary) -> UnaryUnary:
        async def run(request: Message, context: Context) -> Message:
            async with self._edge(route, context) as call:
                self._check(call, request)
                return await serve(request, context)
            raise AssertionError(_ENDED)

        return run

    def _unary_stream(self, route: _Route, serve: UnaryStream) -> UnaryStream:
        async def run(request: Message, context: Context) -> Responses:
            async with self._edge(route, context) as call:
                self._check(call, request)
                async with aclosing(serve(request, context)) as responses:
                    async for response in responses:
                        yield response

        return run

    def _stream_unary(self, route: _Route, serve: StreamUnary) -> StreamUnary:
        async def run(requests: AsyncIterator[Message], context: Context) -> Message:
            async with self._edge(route, context) as call:
                try:
                    return await serve(self._checked(call, requests), context)
                except AnamnesisError:
                    await _drain(requests, _DRAIN_S_MAX)
                    raise
            raise AssertionError(_ENDED)

        return run

    def _stream_stream(self, route: _Route, serve: StreamStream) -> StreamStream:
        async def run(requests: AsyncIterator[Message], context: Context) -> Responses:
            async with self._edge(route, context) as call:
                try:
                    async with aclosing(serve(self._checked(call, requests), context)) as responses:
                        async for response in responses:
                            yield response
                except AnamnesisError:
                    await _drain(requests, _DRAIN_ASKED_S_MAX)
                    raise

        return run

    async def _checked(
        self, call: _Call, requests: AsyncIterator[Message]
    ) -> AsyncIterator[Message]:
        rest = aiter(requests)
        while True:
            try:
                async with asyncio.timeout(self._stream_idle_s_max):
                    request = await anext(rest)
            except StopAsyncIteration:
                return
            except TimeoutError as error:
                raise DeadlineExceeded(
                    f"nothing came for {self._stream_idle_s_max:g} s; open the stream again"
                ) from error
            self._check(call, request)
            yield request

    def _check(self, call: _Call, request: Message) -> None:
        check_decoded(request)
        call.namespace = call.namespace or namespace_of(request)
        call.request_id = call.request_id or request_id_of(request)
        self._door.check(call.route.principal, call.method, request, call.namespace)
        check_request(request)

    @asynccontextmanager
    async def _edge(self, route: _Route, context: Context) -> AsyncIterator[_Call]:
        """Around one rpc: whatever ends it becomes a status and a line in the log."""
        call = _Call(route, host_of_call(context))
        started_s = time.perf_counter()
        code = grpc.StatusCode.CANCELLED
        failure: AnamnesisError | None = None
        try:
            with self._door.call(route.principal):
                yield call
            code = grpc.StatusCode.OK
        except (asyncio.CancelledError, GeneratorExit, aio.AbortError):
            raise
        except Exception as error:
            failure = self._failure(call, error)
            code = code_of(failure)
        finally:
            self._log(call, code, started_s)
        if failure is not None:
            await context.abort_with_status(rpc_status.to_status(to_status(failure)))

    def _failure(self, call: _Call, error: Exception) -> AnamnesisError:
        match error:
            case AnamnesisError():
                return error
            case aio.AioRpcError():
                return from_rpc_error(error, "a peer")
            case NotImplementedError():  # what generated servicers raise
                return _unknown(call.method)
            case _:
                return self._incident(call, error)

    def _incident(self, call: _Call, error: Exception) -> Internal:
        incident_id = uuid.uuid4().hex
        self._logger.error(
            "rpc.incident",
            incident_id=incident_id,
            method=call.method,
            namespace=call.namespace,
            **failure_fields(error, with_text=self._logger.is_enabled_for(logging.DEBUG)),
        )
        return Internal(
            f"internal error; the server's log has it as incident {incident_id}",
            metadata={"incident_id": incident_id},
        )

    def _log(self, call: _Call, code: grpc.StatusCode, started_s: float) -> None:
        self._logger.log(
            level_of(call.method, code),
            "rpc",
            method=call.method,
            namespace=call.namespace,
            **({"request_id": call.request_id} if call.request_id else {}),
            peer=call.peer,
            code=code.name,
            ms=round((time.perf_counter() - started_s) * 1000, 2),
        )


async def _drain(requests: AsyncIterator[Message], s_max: float) -> None:
    """Reads, within bounds, what the client of a refused stream still sends.

    A Python client that is still writing when the status comes reports its own write's failure
    instead (grpc issue 36066).
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(s_max):
            read = 0
            async for _ in requests:
                read += 1
                if read == _DRAIN_MESSAGES_MAX:
                    return


def _unknown(method: str) -> Unimplemented:
    return Unimplemented(
        f"this server has no {method}; `grpcurl ADDRESS list` shows what it has",
        metadata={"method": method},
    )
