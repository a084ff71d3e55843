"""The values between a write and its store: the read set, the view, and the decision.

Use the names from `ports`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from anamnesis_memory.domain.entities.names import KnownEntity, Mention, NameKeys
from anamnesis_memory.domain.facts.review import Ground, ReviewReason
from anamnesis_memory.domain.facts.versions import FactLine, FactVersion, Telling
from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey
from anamnesis_memory.model.memory import Memory, Vectors
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import Expiry, Stub
from anamnesis_memory.model.uploads import NewUpload, Upload
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import Claimable, WorkItem, WorkKey
from anamnesis_memory.ports.knowledge import LineWanted

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class IndexRecord:
    """The index's record of one memory; no vectors means not embedded yet."""

    memory: Memory
    vectors: Vectors | None


@dataclass(frozen=True, slots=True)
class ReadSet:
    """The read set of a write: the records it needs to see before it decides.

    `stubs` asks for what is left of events at indices before `expired_before_index` of a session,
    and whether they had these digests. `digests` asks for the active lessons that say exactly
    this and for documents of this name (see `dedup.digests`), `fresh_after` for the lessons that
    were put behind a revision, which an index may not know yet. `edges_of`, `copies_of` and
    `mentions_of` ask for all that hang on these memories. `names` finds the entities that names may
    mean; with each of them, and of those in `entities`, comes all that it is one with: what it is
    part of, and the parts of that.
    """

    sessions: tuple[str, ...] = ()
    events: tuple[tuple[str, int], ...] = ()
    wings: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()
    topics: bool = False
    work: tuple[WorkKey, ...] = ()
    claimable: Claimable | None = None
    segments_of: tuple[str, ...] = ()
    tombstones: tuple[bytes, ...] = ()
    stubs: tuple[tuple[str, int, bytes], ...] = ()
    uploads: tuple[str, ...] = ()
    digests: tuple[bytes, ...] = ()
    fresh_after: int | None = None
    embeddings: tuple[str, ...] = ()
    edges_of: tuple[str, ...] = ()
    copies_of: tuple[str, ...] = ()
    documents: tuple[DocumentKey, ...] = ()
    lines: tuple[LineWanted, ...] = ()
    names: NameKeys | None = None
    entities: tuple[str, ...] = ()
    mentions_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadView:
    """The view that a store gives a write; what is missing is absent from the mappings.

    `claimable` comes with the sessions it is about; `next_ready_us` is when more of its kind
    is ready that is not yet. `segments` are in order, by session; `learned` names, by segment
    id, the active memories that carry its tag. `next_token` was never given out. `by_digest` has
    the oldest lesson of each digest, which is in `memories` too; `fresh` are lessons in the order
    in which they were stored, `copies` by memory, the oldest first.

    Of each line that is wanted there are the standing tellings and the current versions, and
    `settled_us` of the latest change among them, what has ended since included; the memories of
    these facts, and of those asked for, are in `memories`, and `by_fact` has their ids. `entities`
    come with all their names.
    """

    sessions: Mapping[str, Session] = field(default_factory=dict)
    events: Mapping[tuple[str, int], Event] = field(default_factory=dict)
    wings: Mapping[str, Wing] = field(default_factory=dict)
    next_wing: int = 1
    memories: Mapping[str, Memory] = field(default_factory=dict)
    topics_revision: int = 0
    work: Mapping[WorkKey, WorkItem] = field(default_factory=dict)
    claimable: tuple[WorkItem, ...] = ()
    next_ready_us: int | None = None
    next_token: int = 1
    segments: Mapping[str, tuple[Segment, ...]] = field(default_factory=dict)
    learned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tombstones: frozenset[bytes] = frozenset()
    stubs: Mapping[tuple[str, int], Stub] = field(default_factory=dict)
    uploads: Mapping[str, Upload] = field(default_factory=dict)
    by_digest: Mapping[bytes, str] = field(default_factory=dict)
    fresh: tuple[IndexRecord, ...] = ()
    embeddings: Mapping[str, Vectors] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    copies: Mapping[str, tuple[Copy, ...]] = field(default_factory=dict)
    documents: Mapping[DocumentKey, Document] = field(default_factory=dict)
    lines: Mapping[str, FactLine] = field(default_factory=dict)
    by_fact: Mapping[str, str] = field(default_factory=dict)
    entities: Mapping[str, KnownEntity] = field(default_factory=dict)
    mentions: Mapping[str, tuple[Mention, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CommitStamp:
    """The revision a write takes if it changes anything, and the time."""

    revision: int
    now_us: int


@dataclass(frozen=True, slots=True)
class TopicMember:
    """One memory's place in a topic; the topic is founded if it is not there.

    A person's move says with `held` whether the memory is held there; without it, the memory is
    passed over where it is held.
    """

    memory_id: str
    topic_id: str
    label: str
    scope: str
    held: bool | None = None


@dataclass(frozen=True, slots=True)
class TopicLabel:
    """The label of a topic from now on.

    `model` worded it, empty where terms make it; `member_count` members were there when a model
    was last asked for a label, 0 where none was.
    """

    text: str
    model: str = ""
    member_count: int = 0


@dataclass(frozen=True, slots=True)
class WriteSet:
    """Records to put and to remove, applied together or not at all.

    `assigned_revision` moves a cursor, `work` is about work and not about what is kept,
    `usages` are added to what is there, `uploads` are an archive: none is a change that takes
    a revision. `tombstones` are digests of what must not be learned again; a store keeps them
    under a key of its own, so that nobody can find out by guessing what they were. So it does
    with the digests of events that have `expired`, of which it keeps stubs in their place.

    Nor do vitals, edges, copies and documents take one, but for the policy, of which other
    replicas hear by it. `vitals` of a memory that is gone are
    passed over, and so is an edge that lacks an end. `stale_embeddings` are let go of and made
    anew. `erased_sessions` go with their events, segments, stubs, uploads, work, activities, and
    with the copies and documents that name them; their drawers are deleted memories. Of a session
    that is `truncated` the events from an index on go, and no more. `digests` are those of the
    lessons among `memories`.

    `tellings` are put by their ids, `fact_versions` by fact and the beginning of their recorded
    life; one that is `void` goes. All that is kept of a fact goes with the memory that holds it,
    and with `removed_facts`; one that no memory holds then is named in no `closed_by` on its line
    either, of whatever time. A ground in `shaken` gives all that is derived from that memory,
    directly or through others, a reason for review (see `facts.review`; the store walks, within
    its bounds, over `DERIVED_FROM` as it is after this write); one in `lifted` takes away the
    reasons that its end undoes, `reviewed` all of a memory's, before `reasons` are put. A memory
    says `needs_review` while it has a reason, and takes the revision when that changes; one that is
    put when its ground is deleted says so itself.

    Tellings and versions of a fact that no memory holds after this write are passed over, and so is
    what lacks the memory or entity that it speaks of.

    `mentions` are put by memory, entity and name, after all that `unmentioned` memories name has
    gone; names are counted by them, and an entity goes with the last of its names. What was part of
    it is then part of what it was part of itself, or of the eldest of those parts.

    An activity that is there is put with another topic. `topic_labels` name topics anew, those
    gone are passed over; `forgotten_answers` lets go of stored answers that mention these
    memories, as their deletion does. `forgotten_readers` are scopes as `scopes_of` names them: no
    deletion says any more that it was for one of those to know, or for several with one of them
    ("erased" stands there instead).
    """

    sessions: tuple[Session, ...] = ()
    events: tuple[Event, ...] = ()
    wings: tuple[Wing, ...] = ()
    memories: tuple[Memory, ...] = ()
    embeddings: Mapping[str, Vectors] = field(default_factory=dict)
    archived_memories: tuple[str, ...] = ()
    deleted_memories: tuple[str, ...] = ()
    topic_members: tuple[TopicMember, ...] = ()
    segments: tuple[Segment, ...] = ()
    removed_segments: tuple[str, ...] = ()
    activities: tuple[Activity, ...] = ()
    tombstones: tuple[bytes, ...] = ()
    assigned_revision: int | None = None
    work: tuple[WorkItem, ...] = ()
    usages: tuple[HourUsage, ...] = ()
    expired: tuple[Expiry, ...] = ()
    uploads: tuple[NewUpload, ...] = ()
    digests: Mapping[str, bytes] = field(default_factory=dict)
    stale_embeddings: tuple[str, ...] = ()
    vitals: tuple[Vitals, ...] = ()
    edges: tuple[Edge, ...] = ()
    removed_edges: tuple[EdgeKey, ...] = ()
    copies: tuple[Copy, ...] = ()
    removed_copies: tuple[str, ...] = ()
    documents: tuple[Document, ...] = ()
    removed_documents: tuple[DocumentKey, ...] = ()
    erased_sessions: tuple[str, ...] = ()
    truncated: tuple[tuple[str, int], ...] = ()
    topic_labels: Mapping[str, TopicLabel] = field(default_factory=dict)
    forgotten_answers: tuple[str, ...] = ()
    forgotten_readers: tuple[str, ...] = ()
    tellings: tuple[Telling, ...] = ()
    removed_tellings: tuple[str, ...] = ()
    fact_versions: tuple[FactVersion, ...] = ()
    removed_facts: tuple[str, ...] = ()
    shaken: tuple[Ground, ...] = ()
    lifted: tuple[Ground, ...] = ()
    reviewed: tuple[str, ...] = ()
    reasons: tuple[ReviewReason, ...] = ()
    entities: tuple[KnownEntity, ...] = ()
    mentions: tuple[Mention, ...] = ()
    unmentioned: tuple[str, ...] = ()

    @property
    def any(self) -> bool:
        """True if there is any change that takes a revision."""
        return bool(
            self.sessions
            or self.events
            or self.wings
            or self.memories
            or self.archived_memories
            or self.deleted_memories
            or self.topic_members
            or self.topic_labels
            or self.segments
            or self.removed_segments
            or self.activities
            or self.expired
            or self.erased_sessions
            or self.truncated
            or self.tellings
            or self.removed_tellings
            or self.fact_versions
            or self.removed_facts
            or self.shaken
            or self.lifted
            or self.reviewed
            or self.reasons
            or self.entities
            or self.mentions
            or self.unmentioned
            or any(one.collection is Collection.POLICY for one in self.documents)
        )


@dataclass(frozen=True, slots=True)
class Decision(Generic[R_co]):
    """The decision of a write: its result, and the edits that make it true."""

    result: R_co
    edits: WriteSet = WriteSet()


class Write(Protocol[R_co]):
    """A write of the domain."""

    def wanted(self) -> ReadSet:
        """Name what has to be loaded."""
        ...

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[R_co]:
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
class IdempotentAnswer(Generic[R]):
    """The answer to keep for a request: `encode(result, revision)` runs in the same commit.

    One that `tells_memories` goes with a memory that its write put; another is kept all its day.
    """

    key: RequestKey
    encode: Callable[[R, int], bytes]
    tells_memories: bool = True


@dataclass(frozen=True, slots=True)
class Committed(Generic[R]):
    """A durable write; `replayed` is the stored answer where the request was known."""

    revision: int
    result: R | None = None
    replayed: bytes | None = None
