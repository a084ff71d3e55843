"""The port for an operator's work: all of a namespace at once, and what is derived.

Every other port method serves one request of a user. These methods serve embedding, exports,
imports, verification and the change of an embedding model, and are part of `NamespaceStore`.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Memory, Topic, Vectors
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import EventStub
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem


class RecordType(StrEnum):
    """The types of a namespace's records, in the order of export; embeddings go with memories."""

    WINGS = "wings"
    SESSIONS = "sessions"
    SEGMENTS = "segments"
    MEMORIES = "memories"
    EMBEDDINGS = "embeddings"
    STUBS = "stubs"
    EVENTS = "events"
    TOPICS = "topics"
    TOPIC_MEMBERS = "topic_members"
    DELETIONS = "deletions"
    ACTIVITIES = "activities"
    WORK = "work"
    TOMBSTONES = "tombstones"
    USAGES = "usages"
    UPLOADS = "uploads"
    EDGES = "edges"
    COPIES = "copies"
    DOCUMENTS = "documents"
    ENTITIES = "entities"
    MENTIONS = "mentions"
    TELLINGS = "tellings"
    FACT_VERSIONS = "fact_versions"
    REASONS = "reasons"


@dataclass(frozen=True, slots=True)
class Binding:
    """The embedding model that vectors are of: its fingerprint, and numbers in one vector."""

    model: str
    dimension: int


@dataclass(frozen=True, slots=True)
class KeptMemory:
    """A memory with its vectors, and of a lesson the digest of what it says, where it is known.

    `pending` says that it waits for vectors; it is ignored by an import.
    """

    memory: Memory
    vectors: Vectors | None
    pending: bool = False
    digest: bytes = b""


@dataclass(frozen=True, slots=True)
class TopicPlace:
    """One memory is in one topic; `held` where a person put it there to stay."""

    memory_id: str
    topic_id: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class Deletion:
    """The record of a deleted memory, for those who follow the change log; see `Change`."""

    memory_id: str
    revision: int
    scope: str = ""


@dataclass(frozen=True, slots=True)
class TombstoneKey:
    """The key of the marks of stubs and tombstones; goes before the first, if there is one."""

    key: bytes


@dataclass(frozen=True, slots=True)
class Tombstone:
    """The keyed digest of what was deleted and must not be learned again."""

    mark: bytes


@dataclass(frozen=True, slots=True)
class Cursors:
    """The namespace's clock: its revision, when topics changed, what has been assigned."""

    revision: int
    topics_revision: int
    assigned_revision: int


Learned = Segment | Activity | WorkItem | TombstoneKey | Tombstone | HourUsage
"""The records of the pipeline."""
Kept = EventStub | NewUpload | Edge | Copy | Document
"""The records of retention, of the raw archive, and of what hangs on memories."""
Derived = Topic | TopicPlace | Deletion | Cursors
Known = KnownEntity | Mention | Telling | FactVersion | ReviewReason
"""The records of knowledge; entities come without names, which their mentions tell."""
Record = Wing | Session | KeptMemory | Event | Derived | Learned | Kept | Known
Counts = Mapping[RecordType, int]


@dataclass(frozen=True, slots=True)
class Export:
    """A namespace as of one revision.

    `pages` gives every record once: types in the order of `RecordType`, memories in the
    order in which they were stored, `Cursors` last. An event that has a drawer comes
    without its text, which is the drawer's. Pages are bounded by bytes where there are uploads.
    `counts` is what the store counts by itself,
    apart from the pages, so that the two can be compared; `binding` is as `Upkeep.binding`,
    as of this revision.
    """

    revision: int
    counts: Counts
    binding: Binding | None
    pages: AsyncIterator[Sequence[Record]]


class Upkeep(Protocol):
    """The part of `NamespaceStore` that serves operators, and the loops that embed."""

    async def put_embeddings(
        self, embeddings: Mapping[str, Vectors], made_of: Mapping[str, int] | None = None
    ) -> frozenset[str]:
        """Keep vectors of memories that had none. Takes no revision.

        `made_of` says of which revision of a memory the text was read: one that has changed since
        is passed over and goes on waiting, as one that is gone is passed over.

        Returns:
            The memories that have them now.
        """
        ...

    async def note_embedding_failures(self, memory_ids: Sequence[str], reason: str) -> None:
        """Keep memories in the pending set, with the reason."""
        ...

    async def pending_embeddings(self, limit: int) -> Sequence[str]:
        """Ids of memories that wait for an embedding, oldest first."""
        ...

    def export(self) -> AbstractAsyncContextManager[Export]:
        """Read everything as of one revision, in bounded memory, while writes go on."""
        ...

    async def import_batch(self, records: Sequence[Record]) -> None:
        """Put records as they are, with their revisions, times and order, durably.

        For a namespace that nobody uses yet. Batches come in the order of an export;
        memories without vectors go into the pending set, and what is claimed waits
        (`work.moved`). What hangs on a record that is not there is passed over. Putting
        the same again changes nothing.
        """
        ...

    async def requeue_embeddings(self, memory_ids: Sequence[str]) -> None:
        """Let go of vectors and put the memories into the pending set; takes no revision."""
        ...

    async def repair_topics(self, topic_ids: Sequence[str]) -> None:
        """Compute counts and centroids anew from the members; one without members goes.

        Takes a revision, for topics have changed.
        """
        ...

    async def binding(self) -> Binding | None:
        """The model of the vectors in use, where a switch has changed it; else None."""
        ...

    async def stage_embeddings(self, binding: Binding, embeddings: Mapping[str, Vectors]) -> None:
        """Keep vectors of another model beside those in use; memories gone are passed over.

        What was staged for a third model is let go of. Staged vectors go with their
        memory when it is deleted or changed.
        """
        ...

    async def unstaged(self, binding: Binding, limit: int) -> Sequence[str]:
        """Ids of memories that have no vectors staged of this model, oldest first."""
        ...

    async def switch_embeddings(self, binding: Binding) -> int:
        """Put the staged vectors in place of all in use, at once, and bind to their model.

        Topics get new centroids, copies let go of theirs; memories that have none staged go into
        the pending set. Takes a revision, which is returned.

        Raises:
            Conflict: a memory that has vectors in use has none staged; nothing is changed.
        """
        ...
