"""The client for programs without an event loop; threads may share one."""

import functools
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Concatenate, ParamSpec, Self, TypeVar

import grpc
from google.protobuf.message import Message

from anamnesis_client.answers import Change, Learned
from anamnesis_client.client import Client, Place
from anamnesis_client.connection import OPTIONS, to_bytes
from anamnesis_client.errors import AnamnesisError, error_of
from anamnesis_client.operations import Operations
from anamnesis_client.steps import Call, Flow, Pause, Running, told_signature
from anamnesis_client.streams import Item, Learning, Stream, Watch

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def _runs(
    operation: Callable[Concatenate[Operations, Parameters], Flow[Result]],
) -> Callable[Concatenate["Anamnesis", Parameters], Result]:
    """A method that runs an operation, with its arguments and its description."""

    @functools.wraps(operation)
    def method(
        memory: "Anamnesis", /, *args: Parameters.args, **kwargs: Parameters.kwargs
    ) -> Result:
        return memory._run(operation(memory._operations, *args, **kwargs))  # noqa: SLF001

    method.__signature__ = told_signature(operation)  # type: ignore[attr-defined]  # for help()
    return method


class Anamnesis(Client):
    """A memory: remembers and recalls for one user or agent in one namespace.

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

    def learn(self, session: str | None = None) -> Generator[Learned, None, None]:
        """Learns now what sessions teach, and tells each piece of work as it is done.

        Without it the suite learns by itself, from a session that ended or rests. What is not
        done when the iterator is left stays to be done.

        Args:
            session: from this one only; else from all of the namespace.
        """
        return self._iterate(Learning(self._operations.scope, session or ""))

    def watch(self, after: str = "", *, kinds: Sequence[str] = ()) -> Generator[Change, None, None]:
        """Tells each memory that is stored, changed or deleted, for as long as it is asked.

        It goes on behind the last change where the connection breaks.

        Args:
            after: the `revision` of the last change that is known; else from the beginning.
            kinds: only of these, as in `search`; deletions are told of every kind.
        """
        operations = self._operations
        return self._iterate(Watch(operations.scope, operations.patience, after, tuple(kinds)))

    def close(self) -> None:
        """Closes the connection, and ends an embedded suite."""
        self._link.close()

    def __enter__(self) -> Self:
        """The client."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes it."""
        self.close()

    def _connect(self, place: Place) -> None:
        self._link = _Link(place)

    def _run(self, flow: Flow[Result]) -> Result:
        """The result of an operation, after all of its steps."""
        running = Running(flow)
        while (step := running.step) is not None:
            if isinstance(step, Pause):
                time.sleep(step.seconds)
                running.answered(None)
            else:
                self._call(running, step)
        return running.result

    def _call(self, running: Running[Result], call: Call) -> None:
        try:
            answer = self._link.call(call)
        except AnamnesisError as error:
            running.failed(error)
        else:
            running.answered(answer)

    def _iterate(self, stream: Stream[Item]) -> Generator[Item, None, None]:
        while True:
            try:
                for message in self._link.stream(stream.call()):
                    item = stream.take(message)
                    if item is not None:
                        yield item
            except AnamnesisError as error:
                time.sleep(stream.pause_s(error))
            else:
                return


class _Link:
    """The channel to the server, opened at the first call."""

    def __init__(self, place: Place) -> None:
        self._place = place

    @functools.cached_property
    def channel(self) -> grpc.Channel:
        """The channel."""
        to = self._place.connection
        if to.credentials is None:
            return grpc.insecure_channel(to.server, options=OPTIONS)
        return grpc.secure_channel(to.server, to.credentials, options=OPTIONS)

    def call(self, call: Call) -> Message:
        """The answer of a call."""
        rpc = self.channel.unary_unary(
            call.path, request_serializer=to_bytes, response_deserializer=call.answer.FromString
        )
        try:
            return rpc(
                call.request, timeout=call.timeout_s, metadata=self._place.connection.metadata
            )
        except grpc.RpcError as failed:
            raise self._error(failed) from None

    def stream(self, call: Call) -> Iterator[Message]:
        """The answers of a call; it is cancelled when no more are asked for."""
        rpc = self.channel.unary_stream(
            call.path, request_serializer=to_bytes, response_deserializer=call.answer.FromString
        )
        answers = rpc(
            call.request, timeout=call.timeout_s, metadata=self._place.connection.metadata
        )
        try:
            yield from answers
        except grpc.RpcError as failed:
            raise self._error(failed) from None
        finally:
            answers.cancel()

    def close(self) -> None:
        """Closes the channel, if it was opened, and ends the suite, if it is ours."""
        if "channel" in self.__dict__:
            self.channel.close()
        self._place.close()

    def _error(self, failed: grpc.RpcError) -> AnamnesisError:
        return error_of(
            failed.code(),
            failed.details() or "",
            ((each.key, each.value) for each in failed.trailing_metadata() or ()),
            self._place.connection.server,
        )
