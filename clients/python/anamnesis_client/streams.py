"""Streams that a driver turns into iterators: which call opens one, what its messages say."""

from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from google.protobuf.message import Message

from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest, RunPipelineResponse
from anamnesis.memory.v1.memory_pb2 import MemoryKind
from anamnesis.memory.v1.memory_service_pb2 import WatchMemoriesRequest, WatchMemoriesResponse
from anamnesis_client import methods
from anamnesis_client.answers import Change, Learned
from anamnesis_client.convert import change_of, learned_of
from anamnesis_client.errors import AnamnesisError
from anamnesis_client.scope import Scope
from anamnesis_client.steps import Call, Patience
from anamnesis_client.words import value_of

_NOT_THERE = "NAMESPACE_NOT_FOUND"
_FIRST_WRITE_PAUSE_S = 1.0

Item = TypeVar("Item", covariant=True)


class Stream(Protocol[Item]):
    """A stream, as its driver needs it."""

    def call(self) -> Call:
        """The call that opens it, or goes on where it broke."""
        ...

    def take(self, message: Message) -> Item | None:
        """The item that a message tells, if it tells one."""
        ...

    def pause_s(self, error: AnamnesisError) -> float:
        """The seconds to wait before it is opened again; raises the error where it is not."""
        ...


@dataclass(slots=True)
class Watch:
    """Changes after a revision, and as they happen; goes on behind the last one if it breaks."""

    scope: Scope
    patience: Patience
    after: str = ""
    kinds: tuple[str, ...] = ()
    _failures: int = field(default=0, init=False)

    def call(self) -> Call:
        """The call for what follows the last change."""
        request = WatchMemoriesRequest(
            namespace=self.scope.namespace,
            caller=self.scope.caller,
            after_revision=self.after,
            kinds=[value_of(MemoryKind, kind, "kinds") for kind in self.kinds],
        )
        return Call(methods.WATCH_MEMORIES.path, request, methods.WATCH_MEMORIES.answer, None)

    def take(self, message: Message) -> Change | None:
        """The change that a message tells; None for the news that there are no more now."""
        assert isinstance(message, WatchMemoriesResponse)
        self.after = message.revision
        self._failures = 0
        return change_of(message)

    def pause_s(self, error: AnamnesisError) -> float:
        """The seconds to wait; raises what will not pass, and what has not passed for too long.

        A namespace that is not there is one in which nothing has changed yet.
        """
        if error.reason == _NOT_THERE:
            return _FIRST_WRITE_PAUSE_S
        self._failures += 1
        if self._failures > self.patience.retries:
            raise error
        return self.patience.pause_s(error, self._failures)


@dataclass(slots=True)
class Learning:
    """The work of learning that is done now, piece by piece; what broke off is not begun again."""

    scope: Scope
    session: str = ""

    def call(self) -> Call:
        """The call that does it."""
        request = RunPipelineRequest(namespace=self.scope.namespace, session_id=self.session)
        return Call(methods.RUN_PIPELINE.path, request, methods.RUN_PIPELINE.answer, None)

    def take(self, message: Message) -> Learned:
        """The piece of work that a message tells."""
        assert isinstance(message, RunPipelineResponse)
        return learned_of(message)

    def pause_s(self, error: AnamnesisError) -> float:
        """Raises the error."""
        raise error
