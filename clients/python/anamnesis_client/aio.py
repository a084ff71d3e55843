"""The client for asyncio; each event loop that calls has a channel of its own."""

import asyncio
import functools
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from typing import Concatenate, ParamSpec, Self, TypeVar
from weakref import WeakKeyDictionary

from google.protobuf.message import Message
from grpc import aio

from anamnesis_client.answers import Change, Learned
from anamnesis_client.client import Client, Place
from anamnesis_client.connection import OPTIONS, Connection, to_bytes
from anamnesis_client.errors import AnamnesisError, error_of
from anamnesis_client.operations import Operations
from anamnesis_client.steps import Call, Flow, Pause, Running, told_signature
from anamnesis_client.streams import Item, Learning, Stream, Watch

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _runs(
    operation: Callable[Concatenate[Operations, Parameters], Flow[Result]],
) -> Callable[Concatenate["AsyncAnamnesis", Parameters], Coroutine[None, None, Result]]:
    """A coroutine method that runs an operation, with its arguments and its description."""

    @functools.wraps(operation)
    async def method(
        memory: "AsyncAnamnesis", /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        return await memory._run(operation(memory._operations, *args, **kwargs))  # noqa: SLF001

    method.__signature__ = told_signature(operation)  # type: ignore[attr-defined]  # for help()
    return method


class AsyncAnamnesis(Client):
    """A memory for asyncio: `Anamnesis` with methods to await.

    Errors are those of `anamnesis_client.errors`. Reads see what this client wrote before; a
    namespace that is not there is empty, and made by its first write.
    """

    add = _runs(Operations.add)
    note = _runs(Operations.note)
    end_session = _runs(Operations.end_session)
    truncate = _runs(Operations.truncate)
    search = _runs(Operations.search)
    context = _runs(Operations.context)
    facts = _runs(Operations.facts)
    profile = _runs(Operations.profile)
    timeline = _runs(Operations.timeline)
    events = _runs(Operations.events)
    get = _runs(Operations.get)
    forget = _runs(Operations.forget)
    assert_fact = _runs(Operations.assert_fact)
    retract_fact = _runs(Operations.retract_fact)
    lesson = _runs(Operations.lesson)
    update = _runs(Operations.update)
    put_documents = _runs(Operations.put_documents)
    get_documents = _runs(Operations.get_documents)
    list_documents = _runs(Operations.list_documents)
    list_document_paths = _runs(Operations.list_document_paths)
    search_documents = _runs(Operations.search_documents)
    touch_documents = _runs(Operations.touch_documents)

    def learn(self, session: str | None = None) -> AsyncGenerator[Learned, None]:
        """Learns now what sessions teach, as `Anamnesis.learn` does.

        Args:
            session: from this one only; else from all of the namespace.
        """
        return self._iterate(Learning(self._operations.scope, session or ""))

    def watch(self, after: str = "", *, kinds: Sequence[str] = ()) -> AsyncGenerator[Change, None]:
        """Tells each memory that is stored, changed or deleted, as `Anamnesis.watch` does.

        Args:
            after: the `revision` of the last change that is known; else from the beginning.
            kinds: only of these, as in `search`; deletions are told of every kind.
        """
        operations = self._operations
        return self._iterate(Watch(operations.scope, operations.patience, after, tuple(kinds)))

    async def close(self) -> None:
        """Closes the connection, and ends an embedded suite."""
        await self._link.close()

    async def __aenter__(self) -> Self:
        """The client."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Closes it."""
        await self.close()

    def _connect(self, place: Place) -> None:
        self._link = _Link(place)

    async def _run(self, flow: Flow[Result]) -> Result:
        """The result of an operation, after all of its steps."""
        running = Running(flow)
        while (step := running.step) is not None:
            if isinstance(step, Pause):
                await asyncio.sleep(step.seconds)
                running.answered(None)
            else:
                await self._call(running, step)
        return running.result

    async def _call(self, running: Running[Result], call: Call) -> None:
        try:
            answer = await self._link.call(call)
        except AnamnesisError as error:
            running.failed(error)
        else:
            running.answered(answer)

    async def _iterate(self, stream: Stream[Item]) -> AsyncGenerator[Item, None]:
        while True:
            try:
                async with aclosing(self._link.stream(stream.call())) as messages:
                    async for message in messages:
                        item = stream.take(message)
                        if item is not None:
                            yield item
            except AnamnesisError as error:
                await asyncio.sleep(stream.pause_s(error))
            else:
                return


class _Link:
    """The channel to the server, opened at the first call."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._channels: WeakKeyDictionary[asyncio.AbstractEventLoop, aio.Channel] = (
            WeakKeyDictionary()
        )

    async def call(self, call: Call) -> Message:
        """The answer of a call."""
        channel = await self._open()
        rpc = channel.unary_unary(
            call.path, request_serializer=to_bytes, response_deserializer=call.answer.FromString
        )
        try:
            return await rpc(
                call.request, timeout=call.timeout_s, metadata=self._place.connection.metadata
            )
        except aio.AioRpcError as failed:
            raise self._error(failed) from None

    async def stream(self, call: Call) -> AsyncGenerator[Message, None]:
        """The answers of a call; it is cancelled when no more are asked for."""
        channel = await self._open()
        rpc = channel.unary_stream(
            call.path, request_serializer=to_bytes, response_deserializer=call.answer.FromString
        )
        answers = rpc(
            call.request, timeout=call.timeout_s, metadata=self._place.connection.metadata
        )
        try:
            async for answer in answers:
                yield answer
        except aio.AioRpcError as failed:
            raise self._error(failed) from None
        finally:
            answers.cancel()

    async def close(self) -> None:
        """Closes the channel of this loop, if it was opened, and ends the suite, if it is ours."""
        channel = self._channels.pop(asyncio.get_running_loop(), None)
        if channel is not None:
            await channel.close()
        await asyncio.to_thread(self._place.close)

    async def _open(self) -> aio.Channel:
        """The channel; a suite of one's own is waited for without holding up the loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._channels:
            to = await asyncio.to_thread(lambda: self._place.connection)
            self._channels.setdefault(loop, _channel_to(to))
        return self._channels[loop]

    def _error(self, failed: aio.AioRpcError) -> AnamnesisError:
        return error_of(
            failed.code(),
            failed.details() or "",
            failed.trailing_metadata() or (),
            self._place.connection.server,
        )


def _channel_to(to: Connection) -> aio.Channel:
    if to.credentials is None:
        return aio.insecure_channel(to.server, options=OPTIONS)
    return aio.secure_channel(to.server, to.credentials, options=OPTIONS)
