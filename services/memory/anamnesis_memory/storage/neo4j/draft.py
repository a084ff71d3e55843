"""A transaction while it is decided: what was loaded, and what the writes so far have made of it.

Many writes share one transaction. Each must see what those before it did, as if it had read it
from the database; what they came to is then put there in a few statements.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.domain.lifecycle.memory_vitals import with_vitals
from anamnesis_memory.model.documents import Document, DocumentKey
from anamnesis_memory.model.memory import Memory, Status, Vectors
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import expired_places
from anamnesis_memory.model.work import WorkItem, WorkKey
from anamnesis_memory.ports import CommitStamp, ReadSet, ReadView, RequestKey, WriteSet
from anamnesis_memory.storage.answers import Mentioned
from anamnesis_memory.storage.neo4j.knowledge import KnowledgeDraft
from anamnesis_memory.storage.neo4j.life import LifeDraft
from anamnesis_memory.storage.neo4j.work import PipelineDraft

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class LoadedAnswer:
    """The stored answer to a request, and what it speaks of."""

    key: RequestKey
    answer: bytes
    revision: int
    create_time_us: int = 0
    mentions: Mentioned = field(default_factory=lambda: Mentioned((), ()))


@dataclass(slots=True)
class Clock:
    """The counters of a namespace."""

    revision: int
    topics_revision: int
    assigned_revision: int
    last_memory_no: int
    last_wing: int
    last_token: int = 0
    tombstone_key: bytes = b""


@dataclass(slots=True)
class Loaded:
    """The records that the writes of a batch want, as the database holds them."""

    sessions: dict[str, Session] = field(default_factory=dict)
    events: dict[tuple[str, int], Event] = field(default_factory=dict)
    wings: dict[str, Wing] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    answers: dict[tuple[str, str], LoadedAnswer] = field(default_factory=dict)
    work: dict[WorkKey, WorkItem] = field(default_factory=dict)
    documents: dict[DocumentKey, Document] = field(default_factory=dict)


@dataclass(slots=True)
class Draft:
    """Edits over what was loaded. Later ones replace earlier ones of the same record."""

    clock: Clock
    loaded: Loaded
    sessions: dict[str, Session] = field(default_factory=dict)
    founded: set[str] = field(default_factory=set)
    events: dict[tuple[str, int], Event] = field(default_factory=dict)
    grown_from: dict[str, int] = field(default_factory=dict)
    displaced: list[str] = field(default_factory=list)
    wings: dict[str, Wing] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    vectors: dict[str, Vectors] = field(default_factory=dict)
    archived: dict[str, CommitStamp] = field(default_factory=dict)
    doomed: list[str] = field(default_factory=list)
    answers: list[LoadedAnswer] = field(default_factory=list)
    pipeline: PipelineDraft = field(default_factory=PipelineDraft)
    life: LifeDraft = field(default_factory=LifeDraft)
    knowledge: KnowledgeDraft = field(default_factory=KnowledgeDraft)

    @property
    def size(self) -> int:
        """Records to be put."""
        memories = len(self.memories) + len(self.archived)
        apart = self.pipeline.size + self.life.size + self.knowledge.size
        vectors = len(self.vectors.keys() - self.memories)
        return len(self.events) + memories + len(self.sessions) + apart + vectors

    def seen(self, wanted: ReadSet) -> ReadView:
        """The view of a write."""
        now = self.loaded
        return ReadView(
            sessions=_of(now.sessions, wanted.sessions),
            events=_of(now.events, wanted.events),
            wings=_of(now.wings, wanted.wings),
            next_wing=self.clock.last_wing + 1,
            memories=_of(now.memories, wanted.memories),
            topics_revision=self.clock.topics_revision if wanted.topics else 0,
            work=_of(now.work, wanted.work),
            next_token=self.clock.last_token + 1,
            documents=_of(now.documents, wanted.documents),
        )

    def expired(self, wanted: ReadSet) -> list[tuple[str, int, bytes]]:
        """Places a write asks about where the ledger has expired."""
        return list(expired_places(wanted.stubs, self.loaded.sessions))

    def known_answer(self, key: RequestKey) -> LoadedAnswer | None:
        """The answer that a request got before.

        Raises:
            InvalidArgument: the id was used for another request.
        """
        known = self.loaded.answers.get((key.method, key.request_id))
        if known is not None and known.key.digest != key.digest:
            raise InvalidArgument(
                f"request_id {key.request_id!r} was used for another request; choose a new one",
                reason="REQUEST_ID_REUSED",
                metadata={"request_id": key.request_id},
            )
        return known

    def take(self, edits: WriteSet, stamp: CommitStamp) -> None:
        """Take over the records of one write; deletions and topics are done behind it."""
        for session in edits.sessions:
            self._take_session(session)
        for event in edits.events:
            self._take_event(event)
        for wing in edits.wings:
            self._take_wing(wing)
            self.clock.last_wing = max(self.clock.last_wing, wing.wing)
        for memory in edits.memories:
            self.archived.pop(memory.memory_id, None)
            self.memories[memory.memory_id] = self.loaded.memories[memory.memory_id] = memory
        self.doomed += edits.deleted_memories
        self.vectors.update(edits.embeddings)
        for memory_id in edits.archived_memories:
            self._archive(memory_id, stamp)
        if edits.assigned_revision is not None:
            self.clock.assigned_revision = edits.assigned_revision
        self.pipeline.take(edits)
        for item in edits.work:
            self.loaded.work[item.key] = item
            self.clock.last_token = max(self.clock.last_token, item.token)
        self.knowledge.take(edits)
        self.take_life(edits)

    def take_life(self, edits: WriteSet) -> None:
        """Take over what a write says of the life of memories, and its documents."""
        self.life.take(edits)
        for vitals in edits.vitals:
            if known := self.loaded.memories.get(vitals.memory_id):
                self.loaded.memories[vitals.memory_id] = with_vitals(known, vitals)
        for key in edits.removed_documents:
            self.loaded.documents.pop(key, None)
        self.loaded.documents.update((one.key, one) for one in edits.documents)

    def remember(self, answer: LoadedAnswer) -> None:
        """Take over the answer to a request."""
        self.answers.append(answer)
        self.loaded.answers[answer.key.method, answer.key.request_id] = answer

    def _take_wing(self, wing: Wing) -> None:
        """Take over a wing; nobody finds it by a name that it had before."""
        for wings in (self.wings, self.loaded.wings):
            for key in [key for key, one in wings.items() if one.wing == wing.wing]:
                del wings[key]
            wings[wing.key] = wing

    def _take_session(self, session: Session) -> None:
        """Take over a session, noting where it ended before."""
        name = session.session_id
        before = self.loaded.sessions.get(name)
        if before is None:
            self.founded.add(name)
        self.grown_from.setdefault(name, before.next_index if before else 0)
        self.sessions[name] = self.loaded.sessions[name] = session

    def _take_event(self, event: Event) -> None:
        """Take over an event; a drawer that lost its place is noted."""
        place = (event.session_id, event.index)
        before = self.loaded.events.get(place)
        if before is not None and before.memory_id:
            self.displaced.append(before.memory_id)
        self.events[place] = self.loaded.events[place] = event

    def _archive(self, memory_id: str, stamp: CommitStamp) -> None:
        """Archive a memory, once."""
        known = self.loaded.memories.get(memory_id)
        if known is not None:
            if known.status is Status.ARCHIVED:
                return
            self.loaded.memories[memory_id] = replace(
                known,
                status=Status.ARCHIVED,
                archive_time_us=stamp.now_us,
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )
        self.archived.setdefault(memory_id, stamp)


def all_wanted(wants: Sequence[ReadSet]) -> ReadSet:
    """The union of several read sets, each thing once."""
    return ReadSet(
        sessions=_once(name for wanted in wants for name in wanted.sessions),
        events=tuple(dict.fromkeys(place for wanted in wants for place in wanted.events)),
        wings=_once(key for wanted in wants for key in wanted.wings),
        memories=_once(memory_id for wanted in wants for memory_id in wanted.memories),
        work=tuple(dict.fromkeys(key for wanted in wants for key in wanted.work)),
        documents=tuple(dict.fromkeys(key for wanted in wants for key in wanted.documents)),
    )


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _of(held: Mapping[K, V], keys: Iterable[K]) -> dict[K, V]:
    """The records of some keys, where there are any."""
    return {key: held[key] for key in keys if key in held}
