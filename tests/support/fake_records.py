"""The records of one namespace in plain dicts: what the fake store applies its edits to.

Nothing in here awaits, so what one call does is whole before the next begins.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.model.memory import LoggedChange, Memory, Status, Topic, Vectors
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import EventStub, Stub, expired_places, stub_mark
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.ports import (
    CommitStamp,
    ReadSet,
    ReadView,
    RequestKey,
    TopicLabel,
    TopicMember,
    WriteSet,
)
from anamnesis_memory.ports.upkeep import Binding, Deletion
from anamnesis_memory.storage.answers import REQUEST_LIFETIME_US, Mentioned
from anamnesis_memory.storage.knowledge_rows import fact_id_of
from tests.support.fake_knowledge_records import KnowledgeRecords
from tests.support.fake_life_records import LifeRecords, with_vitals
from tests.support.fake_work import PipelineRecords
from tests.support.store_rules import within


@dataclass(frozen=True, slots=True)
class Answer:
    """The stored answer to a request, and what it speaks of."""

    key: RequestKey
    answer: bytes
    revision: int
    create_time_us: int
    mentions: Mentioned


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
    held: set[str] = field(default_factory=set)
    answers: dict[tuple[str, str], Answer] = field(default_factory=dict)
    bound: Binding | None = None
    staged_binding: Binding | None = None
    staged: dict[str, Vectors] = field(default_factory=dict)
    pipeline: PipelineRecords = field(default_factory=PipelineRecords)
    stubs: dict[tuple[str, int], EventStub] = field(default_factory=dict)
    uploads: dict[str, NewUpload] = field(default_factory=dict)
    life: LifeRecords = field(default_factory=LifeRecords)
    knowledge: KnowledgeRecords = field(default_factory=KnowledgeRecords)

    def seen(self, wanted: ReadSet) -> ReadView:
        """What a write may look at."""
        seen = ReadView(
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
        seen = self.pipeline.see(wanted, seen, self.sessions, stored)
        seen = self.life.see(wanted, seen, stored, self.vectors)
        return self.knowledge.see(wanted, seen, self.memories)

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

    def apply(self, edits: WriteSet, stamp: CommitStamp) -> None:
        """Put and remove what the edits name."""
        put = {wing.wing for wing in edits.wings}
        kept = {key: wing for key, wing in self.wings.items() if wing.wing not in put}
        self.wings = kept | {wing.key: wing for wing in edits.wings}
        self.sessions.update((session.session_id, session) for session in edits.sessions)
        self.events.update(((event.session_id, event.index), event) for event in edits.events)
        left = self._apply_memories(edits, stamp)
        moves = [self._join(member, stamp) for member in edits.topic_members]
        touched = (left | {place for move in moves for place in move}) - {""}
        self._renew_topics(touched, left | {move[0] for move in moves if move}, stamp)
        self._name_topics(edits.topic_labels, stamp)
        if touched or edits.topic_members or edits.topic_labels:
            self.topics_revision = stamp.revision
        if edits.any:
            self.revision = stamp.revision
        if edits.assigned_revision is not None:
            self.assigned_revision = edits.assigned_revision
        self.pipeline.apply(edits)
        for expiry in edits.expired:
            self._expire(expiry.session_id, expiry.before_index)
        self.uploads.update((new.upload.upload_id, new) for new in edits.uploads)
        for session_id in edits.erased_sessions:
            self._erase(session_id)
        for session_id, first_index in edits.truncated:
            self._truncate(session_id, first_index)
        forgotten = edits.forgotten_readers
        unnamed = [key for key, one in self.deletions.items() if within(one.scope, forgotten)]
        self.deletions |= {key: replace(self.deletions[key], scope="erased") for key in unnamed}
        self.memories |= with_vitals(self.memories, edits.vitals)
        self.life.apply(edits, self.memories)
        for memory_id in self.knowledge.apply(edits, self.memories, self.life.edges.values()):
            self._mark(memory_id, stamp)

    def _truncate(self, session_id: str, first_index: int) -> None:
        for place in [one for one in self.events if one[0] == session_id]:
            if place[1] >= first_index:
                del self.events[place]

    def _apply_memories(self, edits: WriteSet, stamp: CommitStamp) -> set[str]:
        """Put, archive and remove memories; answers the topics that they leave."""
        left = {self._let_go_of_vectors(memory_id) for memory_id in edits.stale_embeddings}
        for memory in edits.memories:
            self.put_memory(memory, edits.digests.get(memory.memory_id))
        self.vectors.update(edits.embeddings)
        for memory_id in edits.forgotten_answers:
            self._forget_answers(memory_id)
        for memory_id in edits.archived_memories:
            self._archive(memory_id, stamp)
        return left | {self._delete(memory_id, stamp) for memory_id in edits.deleted_memories}

    def _stubs(self, wanted: ReadSet) -> dict[tuple[str, int], Stub]:
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

    def put_memory(self, memory: Memory, digest: bytes | None = None) -> None:
        """Put a memory; what was staged of it goes, and so does the digest of another text."""
        self.staged.pop(memory.memory_id, None)
        before = self.memories.get(memory.memory_id)
        if digest is not None:
            self.life.digests[memory.memory_id] = digest
        elif before is not None and before.content != memory.content:
            self.life.digests.pop(memory.memory_id, None)
        if memory.memory_id not in self.memories:
            self.last_place += 1
            self.places[memory.memory_id] = self.last_place
        self.memories[memory.memory_id] = memory

    def _mark(self, memory_id: str, stamp: CommitStamp) -> None:
        """Mark a memory for review while it has a reason."""
        memory = self.memories[memory_id]
        needed = any(one.memory_id == memory_id for one in self.knowledge.reasons)
        if memory.needs_review != needed:
            self.memories[memory_id] = replace(
                memory,
                needs_review=needed,
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )

    def _archive(self, memory_id: str, stamp: CommitStamp) -> None:
        memory = self.memories.get(memory_id)
        if memory is not None and memory.status is not Status.ARCHIVED:
            self.memories[memory_id] = replace(
                memory,
                status=Status.ARCHIVED,
                archive_time_us=stamp.now_us,
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )

    def _delete(self, memory_id: str, stamp: CommitStamp) -> str:
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
        self.life.forget(memory_id)
        if fact_id_of(memory) not in map(fact_id_of, self.memories.values()):
            self.knowledge.forget_fact(fact_id_of(memory) or "", ())
        self._forget_answers(memory_id)
        self.held.discard(memory_id)
        return self.members.pop(memory_id, "")

    def _let_go_of_vectors(self, memory_id: str) -> str:
        """Vectors, place in a topic and answers go; answers the topic that is left, if any."""
        if memory_id not in self.memories:
            return ""
        self.vectors.pop(memory_id, None)
        self.staged.pop(memory_id, None)
        self._forget_answers(memory_id)
        self.held.discard(memory_id)
        return self.members.pop(memory_id, "")

    def _forget_answers(self, name: str) -> None:
        """Let go of answers that speak of a memory or session."""
        for key, answer in tuple(self.answers.items()):
            if name in (*answer.mentions.memory_ids, *answer.mentions.session_ids):
                del self.answers[key]

    def _erase(self, session_id: str) -> None:
        """Remove a session with all that names it, but for memories."""
        self.sessions.pop(session_id, None)
        self.events = {key: one for key, one in self.events.items() if key[0] != session_id}
        self.stubs = {key: one for key, one in self.stubs.items() if key[0] != session_id}
        self.uploads = {
            key: new for key, new in self.uploads.items() if new.upload.session_id != session_id
        }
        self.pipeline.erase(session_id)
        self.life.erase(session_id)
        self._forget_answers(session_id)

    def _join(self, member: TopicMember, stamp: CommitStamp) -> tuple[str, ...]:
        """Put a memory that has vectors into a topic; answers the topics whose members changed."""
        before = self.members.get(member.memory_id, "")
        topic = self.topics.get(member.topic_id) or _founded(member, stamp)
        mixes = topic.scope != member.scope
        passed_over = member.memory_id in self.held and member.held is None
        if member.memory_id not in self.vectors or mixes or passed_over:
            return ()
        self.held = self.held - {member.memory_id} | ({member.memory_id} if member.held else set())
        if before == member.topic_id:
            return ()
        self.members[member.memory_id] = member.topic_id
        self.topics[member.topic_id] = topic
        return before, member.topic_id

    def _name_topics(self, labels: Mapping[str, TopicLabel], stamp: CommitStamp) -> None:
        """Give topics other labels; those gone are passed over."""
        for topic_id in labels.keys() & self.topics.keys():
            self.topics[topic_id] = replace(
                self.topics[topic_id],
                label=labels[topic_id].text,
                label_model=labels[topic_id].model,
                label_member_count=labels[topic_id].member_count,
                update_time_us=stamp.now_us,
                revision=stamp.revision,
            )

    def _renew_topics(
        self, topic_ids: Iterable[str], left: Collection[str], stamp: CommitStamp
    ) -> None:
        """Compute topics from their members; `left` names those that a member has left."""
        for topic_id in topic_ids:
            means = [
                self.vectors[memory_id].mean(axis=0)
                for memory_id, place in self.members.items()
                if place == topic_id and memory_id in self.vectors
            ]
            topic = self.topics.pop(topic_id)
            grew = topic_id not in left
            if means:
                self.topics[topic_id] = replace(
                    topic,
                    member_count=len(means),
                    label_member_count=topic.label_member_count if grew else 0,
                    centroid=np.mean(means, axis=0, dtype=np.float32),
                    update_time_us=stamp.now_us,
                    revision=stamp.revision,
                )

    def log(self, after: int) -> list[LoggedChange]:
        """All that changed behind a revision, in order."""
        put = [
            LoggedChange(memory.revision, memory.memory_id, deleted=False, kind=memory.kind)
            for memory in self.memories.values()
        ]
        deleted = [
            LoggedChange(one.revision, one.memory_id, deleted=True, kind=None, scope=one.scope)
            for one in self.deletions.values()
        ]
        log = [change for change in deleted + put if change.revision > after]
        return sorted(log, key=lambda change: change.revision)


def _founded(member: TopicMember, stamp: CommitStamp) -> Topic:
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
