"""What the memory service needs from a store, whatever database is behind it.

A write is a value with a pure decision: the store loads what the write says it
wants, asks it to decide, and applies the changes it names, all in one
transaction and at one revision. So the rules of the domain are written once, and
a backend holds only loading and applying. `Stores` opens namespaces;
`NamespaceStore` is one of them; `Catalogue` knows them all.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from services.memory.ledger import Event, Session, Wing
from services.memory.model import (
    Caller,
    Changes,
    Memory,
    MemoryFilter,
    Namespace,
    StoreCounts,
    Topic,
    Vectors,
    Work,
)
from services.memory.port_upkeep import Upkeep

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a write needs to see before it decides."""

    sessions: tuple[str, ...] = ()
    events: tuple[tuple[str, int], ...] = ()
    wings: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    topics: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What the store found; what is missing is absent from the mappings."""

    sessions: Mapping[str, Session] = field(default_factory=dict)
    events: Mapping[tuple[str, int], Event] = field(default_factory=dict)
    wings: Mapping[str, Wing] = field(default_factory=dict)
    next_wing: int = 1
    memories: Mapping[str, Memory] = field(default_factory=dict)
    topics_revision: int = 0


@dataclass(frozen=True, slots=True)
class Stamp:
    """The revision a write takes if it changes anything, and the time."""

    revision: int
    now_us: int


@dataclass(frozen=True, slots=True)
class TopicMember:
    """One memory's place in a topic; the topic is founded if it is not there."""

    memory_id: str
    topic_id: str
    label: str
    scope: str


@dataclass(frozen=True, slots=True)
class Edits:
    """Records to put and to remove, applied together or not at all.

    `assigned_revision` moves a cursor; it is no change that takes a revision.
    """

    sessions: tuple[Session, ...] = ()
    events: tuple[Event, ...] = ()
    wings: tuple[Wing, ...] = ()
    memories: tuple[Memory, ...] = ()
    embeddings: Mapping[str, Vectors] = field(default_factory=dict)
    archived_memories: tuple[str, ...] = ()
    deleted_memories: tuple[str, ...] = ()
    topic_members: tuple[TopicMember, ...] = ()
    assigned_revision: int | None = None

    @property
    def any(self) -> bool:
        """Whether there is any change that takes a revision."""
        return bool(
            self.sessions
            or self.events
            or self.wings
            or self.memories
            or self.archived_memories
            or self.deleted_memories
            or self.topic_members
        )


@dataclass(frozen=True, slots=True)
class Decision(Generic[R_co]):
    """What a write came to: its result, and the edits that make it true."""

    result: R_co
    edits: Edits = Edits()


class Write(Protocol[R_co]):
    """A write of the domain."""

    def wanted(self) -> Wanted:
        """Name what has to be loaded."""
        ...

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[R_co]:
        """Decide, without any I/O.

        Raises:
            AnamnesisError: the write is refused; nothing is changed.
        """
        ...


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Names a request, so that a retry gets the first answer."""

    method: str
    request_id: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Remember(Generic[R]):
    """How to keep the answer to a request: `encode(result, revision)` in the same commit."""

    key: RequestKey
    encode: Callable[[R, int], bytes]


@dataclass(frozen=True, slots=True)
class Committed(Generic[R]):
    """A durable write; `replayed` is the stored answer where the request was known."""

    revision: int
    result: R | None = None
    replayed: bytes | None = None


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """What the index keeps of one memory; no vectors means not embedded yet."""

    memory: Memory
    vectors: Vectors | None


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """Some records in order; `next_after` resumes behind the last, None at the end."""

    items: Sequence[T]
    next_after: int | str | None


class NamespaceStore(Upkeep, Protocol):
    """The records of one namespace. Reads see committed state only."""

    @property
    def revision(self) -> int:
        """The latest revision that is known here to be committed; reads see all of it."""
        ...

    async def refresh(self, at_least: int = 0) -> int:
        """Learn of commits of other replicas, `at_least` if it was given; answers `revision`."""
        ...

    async def commit(self, write: Write[R], remember: Remember[R] | None = None) -> Committed[R]:
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

    async def session(self, session_id: str) -> Session | None:
        """Read one session."""
        ...

    async def list_sessions(
        self, caller: Caller, agent_id: str, user_id: str, after: str, limit: int
    ) -> Listing[Session]:
        """List sessions by id."""
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


class Catalogue(Protocol):
    """All namespaces, and what is due in them, without opening any."""

    async def get(self, name: str) -> Namespace | None:
        """Read one namespace."""
        ...

    async def create(self, namespace: Namespace) -> Namespace:
        """Make a namespace, or answer the one that was there first."""
        ...

    async def replace(self, namespace: Namespace, incarnation: str) -> bool:
        """Put a namespace in place of this incarnation of its name, or of none (empty).

        Returns:
            Whether it was that incarnation, or none; if not, nothing is changed.
        """
        ...

    async def list(self, after: str, limit: int, due: Work | None) -> Listing[Namespace]:
        """List namespaces by name."""
        ...

    async def set_due(self, name: str, work: Work, due: bool) -> None:
        """Say that work is due in a namespace, or done."""
        ...

    async def close(self) -> None:
        """Let go of files and connections."""
        ...


class Stores(Protocol):
    """Opens namespaces of one backend."""

    @property
    def catalogue(self) -> Catalogue:
        """All namespaces."""
        ...

    async def open(self, namespace: Namespace) -> NamespaceStore:
        """Open one namespace, making its store on the first time."""
        ...

    async def discard(self, namespace: Namespace) -> None:
        """Remove the store of a closed namespace; one that the catalogue names stays."""
        ...

    async def close(self) -> None:
        """Close the catalogue."""
        ...
