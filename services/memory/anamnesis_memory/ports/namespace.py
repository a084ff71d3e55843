"""The records of one namespace: what a store reads, and how it commits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from anamnesis_memory.model.memory import (
    Caller,
    Changes,
    Memory,
    MemoryFilter,
    StoreCounts,
    Topic,
    Vectors,
)
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.ports.knowledge import KnowledgeReads
from anamnesis_memory.ports.life import LifeReads
from anamnesis_memory.ports.pipeline import PipelineReads
from anamnesis_memory.ports.upkeep import Upkeep
from anamnesis_memory.ports.uploads import UploadReads
from anamnesis_memory.ports.writes import Committed, IdempotentAnswer, IndexRecord, Write

R = TypeVar("R")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """Some records in order; `next_after` resumes behind the last, None at the end."""

    items: Sequence[T]
    next_after: int | str | None


class NamespaceStore(Upkeep, PipelineReads, UploadReads, LifeReads, KnowledgeReads, Protocol):
    """The records of one namespace. Reads see committed state only."""

    @property
    def revision(self) -> int:
        """The latest revision that is known here to be committed; reads see all of it."""
        ...

    async def refresh(self, at_least: int = 0) -> int:
        """Learn of commits of other replicas, `at_least` if it was given; answers `revision`."""
        ...

    async def commit(
        self, write: Write[R], remember: IdempotentAnswer[R] | None = None
    ) -> Committed[R]:
        """Load, decide and apply a write in one transaction; durable when it returns.

        Raises:
            AnamnesisError: as decided, or QUEUE_FULL, or STORE_UNAVAILABLE.
        """
        ...

    async def memories(self, memory_ids: Sequence[str], caller: Caller | None) -> list[Memory]:
        """Read memories by id in the order asked for; None as caller sees all."""
        ...

    async def list_memories(
        self, where: MemoryFilter, caller: Caller | None, after: int, limit: int
    ) -> Listing[Memory]:
        """List memories in the order in which they were stored; None as caller sees all."""
        ...

    async def embeddings(self, memory_ids: Sequence[str]) -> Mapping[str, Vectors]:
        """Read vectors; memories without are left out."""
        ...

    async def session(self, session_id: str, caller: Caller | None = None) -> Session | None:
        """Read one session; a `caller` reads none that it may not see."""
        ...

    async def list_sessions(
        self, caller: Caller | None, agent_id: str, user_id: str, after: str, limit: int
    ) -> Listing[Session]:
        """List sessions by id; None as caller sees all."""
        ...

    async def list_events(self, session_id: str, after: int, limit: int) -> Listing[Event]:
        """List events by index."""
        ...

    async def changes(self, after: int, limit: int) -> Changes:
        """Read the change log behind a revision, whole revisions only."""
        ...

    async def index_records(self, memory_ids: Sequence[str]) -> Sequence[IndexRecord]:
        """Read what the index keeps; memories that are gone are left out."""
        ...

    async def topics(
        self, topic_id: str, caller: Caller | None, after: str, limit: int
    ) -> Listing[Topic]:
        """List topics by id with their centroids; None as caller sees all."""
        ...

    async def topic_progress(self) -> tuple[int, int]:
        """The revision at which topics last changed, and the one up to which all is assigned."""
        ...

    async def list_topic_members(self, topic_id: str, after: int, limit: int) -> Listing[str]:
        """List the ids of a topic's members in the order in which they were stored."""
        ...

    async def counts(self) -> StoreCounts:
        """Count what the namespace holds."""
        ...

    async def close(self) -> None:
        """Finish what was accepted, then let go of files and connections."""
        ...
