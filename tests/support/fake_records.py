"""The records of one namespace in plain dicts: what the fake store applies its edits to.

Nothing in here awaits, so what one call does is whole before the next begins.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from libs.errors import InvalidArgument
from services.memory.assign import scope_of
from services.memory.ledger import Event, Session, Wing
from services.memory.model import Change, Memory, MemoryFilter, Status, Topic, Vectors
from services.memory.port_upkeep import Binding, Deletion
from services.memory.ports import Edits, RequestKey, Seen, Stamp, TopicMember, Wanted
from services.memory.stubs import EventStub, Stub, expired_places, stub_mark
from services.memory.uploads import NewUpload
from tests.support.fake_work import PipelineRecords

REQUEST_LIFETIME_US = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """The stored answer to a request, and the memories it stored."""

    key: RequestKey
    answer: bytes
    revision: int
    create_time_us: int
    memory_ids: Collection[str]


@dataclass(slots=True)
class Records:
    """One namespace. `places` numbers memories in the order in which they were stored."""

    revision: int = 0
    topics_revision: int = 0
    assigned_revision: int = 0
    last_place: int = 0
    wings: dict[str, Wing] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)
    events: dict[tuple[str, int], Event] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    vectors: dict[str, Vectors] = field(default_factory=dict)
    deletions: dict[str, Deletion] = field(default_factory=dict)
    topics: dict[str, Topic] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    bound: Binding | None = None
    staged_binding: Binding | None = None
    staged: dict[str, Vectors] = field(default_factory=dict)
    pipeline: PipelineRecords = field(default_factory=PipelineRecords)
    stubs: dict[tuple[str, int], EventStub] = field(default_factory=dict)
    uploads: dict[str, NewUpload] = field(default_factory=dict)

    def seen(self, wanted: Wanted) -> Seen:
        """What a write may look at."""
        seen = Seen(
            sessions={key: self.sessions[key] for key in wanted.sessions if key in self.sessions},
            events={key: self.events[key] for key in wanted.events if key in self.events},
            wings={key: self.wings[key] for key in wanted.wings if key in self.wings},
            next_wing=len(self.wings) + 1,
            memories={key: self.memories[key] for key in wanted.memories if key in self.memories},
            topics_revision=self.topics_revision,
            stubs=self._stubs(wanted),
            uploads={
                key: self.uploads[key].upload for key in wanted.uploads if key in self.uploads
            },
        )
        stored = sorted(self.memories.values(), key=lambda one: self.places[one.memory_id])
        return self.pipeline.see(wanted, seen, self.sessions, stored)

    def known_answer(self, key: RequestKey, now_us: int) -> Answer | None:
        """The answer that a request got within a day.

        Raises:
            InvalidArgument: its id was used for another request.
        """
        known = self.answers.get((key.method, key.request_id))
        if known is None or now_us - known.create_time_us > REQUEST_LIFETIME_US:
            return None
        if known.key.digest != key.digest:
            raise InvalidArgument(
                "this request_id was used for another request", reason="REQUEST_ID_REUSED"
            )
        return known

    def apply(self, edits: Edits, stamp: Stamp) -> None:
        """Put and remove what the edits name."""
        self.wings.update((wing.key, wing) for wing in edits.wings)
        self.sessions.update((session.session_id, session) for session in edits.sessions)
        self.events.update(((event.session_id, event.index), event) for event in edits.events)
        for memory in edits.memories:
            self.put_memory(memory)
        self.vectors.update(edits.embeddings)
        for memory_id in edits.archived_memories:
            self._archive(memory_id, stamp)
        left = {self._delete(memory_id, stamp) for memory_id in edits.deleted_memories}
        joined = {place for member in edits.topic_members for place in self._join(member, stamp)}
        touched = (left | joined) - {""}
        self._renew_topics(touched, stamp)
        if touched or edits.topic_members:
            self.topics_revision = stamp.revision
        if edits.any:
            self.revision = stamp.revision
        if edits.assigned_revision is not None:
            self.assigned_revision = edits.assigned_revision
        self.pipeline.apply(edits)
        for expiry in edits.expired:
            self._expire(expiry.session_id, expiry.before_index)
        self.uploads.update((new.upload.upload_id, new) for new in edits.uploads)

    def _stubs(self, wanted: Wanted) -> dict[tuple[str, int], Stub]:
        asked = expired_places(wanted.stubs, self.sessions)
        secret = self.pipeline.tombstone_key
        return {
            (name, index): Stub(left.memory_id, left.mark == stub_mark(secret, name, index, digest))
            for name, index, digest in asked
            if (left := self.stubs.get((name, index)))
        }

    def _expire(self, session_id: str, before_index: int) -> None:
        for place, event in tuple(self.events.items()):
            if event.session_id == session_id and event.index < before_index:
                del self.events[place]
                mark = stub_mark(self.pipeline.tombstone_key, *place, event.digest)
                self.stubs[place] = EventStub(*place, event.memory_id, mark)

    def put_memory(self, memory: Memory) -> None:
        """Put a memory; vectors staged of what it was before go."""
        self.staged.pop(memory.memory_id, None)
        if memory.memory_id not in self.memories:
            self.last_place += 1
            self.places[memory.memory_id] = self.last_place
        self.memories[memory.memory_id] = memory

    def _archive(self, memory_id: str, stamp: Stamp) -> None:
        memory = self.memories.get(memory_id)
        if memory is not None and memory.status is not Status.ARCHIVED:
            self.memories[memory_id] = replace(
                memory,
                status=Status.ARCHIVED,
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )

    def _delete(self, memory_id: str, stamp: Stamp) -> str:
        """Remove a memory with all that speaks of it; answers the topic that it leaves, if any."""
        memory = self.memories.pop(memory_id, None)
        if memory is None:
            return ""
        del self.places[memory_id]
        self.vectors.pop(memory_id, None)
        self.staged.pop(memory_id, None)
        self.deletions[memory_id] = Deletion(memory_id, stamp.revision, scope_of(memory))
        self.pipeline.forget(memory_id)
        for key, event in self.events.items():
            if event.memory_id == memory_id:
                self.events[key] = replace(event, memory_id="", content="")
        for place, stub in self.stubs.items():
            if stub.memory_id == memory_id:
                self.stubs[place] = replace(stub, memory_id="")
        for name, answer in tuple(self.answers.items()):
            if memory_id in answer.memory_ids:
                del self.answers[name]
        return self.members.pop(memory_id, "")

    def _join(self, member: TopicMember, stamp: Stamp) -> tuple[str, ...]:
        """Put a memory that has vectors into a topic; answers the topics whose members changed."""
        before = self.members.get(member.memory_id, "")
        topic = self.topics.get(member.topic_id) or _founded(member, stamp)
        mixes = topic.scope != member.scope
        if member.memory_id not in self.vectors or before == member.topic_id or mixes:
            return ()
        self.members[member.memory_id] = member.topic_id
        self.topics[member.topic_id] = topic
        return before, member.topic_id

    def _renew_topics(self, topic_ids: Iterable[str], stamp: Stamp) -> None:
        """Compute topics from their members; one without members is gone."""
        for topic_id in topic_ids:
            means = [
                self.vectors[memory_id].mean(axis=0)
                for memory_id, place in self.members.items()
                if place == topic_id
            ]
            topic = self.topics.pop(topic_id)
            if means:
                self.topics[topic_id] = replace(
                    topic,
                    member_count=len(means),
                    centroid=np.mean(means, axis=0, dtype=np.float32),
                    update_time_us=stamp.now_us,
                    revision=stamp.revision,
                )

    def log(self, after: int) -> list[Change]:
        """All that changed behind a revision, in order."""
        put = [
            Change(memory.revision, memory.memory_id, deleted=False, kind=memory.kind)
            for memory in self.memories.values()
        ]
        deleted = [
            Change(one.revision, one.memory_id, deleted=True, kind=None, scope=one.scope)
            for one in self.deletions.values()
        ]
        log = [change for change in deleted + put if change.revision > after]
        return sorted(log, key=lambda change: change.revision)


def _founded(member: TopicMember, stamp: Stamp) -> Topic:
    return Topic(
        topic_id=member.topic_id,
        label=member.label,
        scope=member.scope,
        member_count=0,
        centroid=np.zeros(0, dtype=np.float32),
        create_time_us=stamp.now_us,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
    )


def passes(memory: Memory, where: MemoryFilter) -> bool:
    """Whether a memory holds to every field of a filter that is set."""
    asked: Sequence[tuple[str, Collection[str]]] = (
        (memory.kind, where.kinds),
        (memory.category, where.categories),
        (memory.session_id, where.session_ids),
        (memory.provenance.origin, where.origins),
    )
    return (
        (where.include_archived or memory.status is Status.ACTIVE)
        and all(value in allowed for value, allowed in asked if allowed)
        and where.agent_id in ("", memory.agent_id)
        and where.user_id in ("", memory.user_id)
        and memory.importance >= where.min_importance
        and (not where.tags or _share_a_name(memory.tags, where.tags))
        and (not where.entities or _share_a_name(memory.entities, where.entities))
        and _within(memory.event_time_us, where.start_time_us, where.end_time_us)
    )


def _share_a_name(names: Iterable[str], asked: Iterable[str]) -> bool:
    """Whether two lists share a name, whatever its case."""
    return not {name.casefold() for name in names}.isdisjoint(name.casefold() for name in asked)


def _within(moment_us: int | None, start_us: int | None, end_us: int | None) -> bool:
    """Whether a time is known and in the span; a span without ends holds everything."""
    if moment_us is None:
        return start_us is None and end_us is None
    return (start_us is None or moment_us >= start_us) and (end_us is None or moment_us < end_us)
