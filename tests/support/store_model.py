"""What a namespace must look like after a run of writes: lists, and rules said plainly.

Written from the docstrings of the port and of the writes, and sharing no code with what decides
or stores: a write is taken as its caller states it. Slow, and small enough to be believed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from anamnesis_libs.errors import Conflict, InvalidArgument
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.knowledge.write_outcome import Created, CreateOutcome
from anamnesis_memory.ledger.append import Appended, AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import LoggedChange as LogEntry
from anamnesis_memory.model.memory import Memory, Topic, Vectors, Visibility
from anamnesis_memory.ports import Committed, IdempotentAnswer
from tests.support.learning_model import LearningModel
from tests.support.ledger_model import LedgerModel
from tests.support.life import Put
from tests.support.life_model import LifeModel, after
from tests.support.merging_model import merged, twin_of
from tests.support.pipeline_model import PipelineModel
from tests.support.store_rules import sees
from tests.support.store_writes import AnyWrite, Relabel, RemoveMemory, Result

DAY_US = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class Answered:
    """A request that was answered, and the memories that it put."""

    remember: IdempotentAnswer[Result]
    answer: bytes
    revision: int
    time_us: int
    memory_ids: tuple[str, ...]


@dataclass(slots=True)
class StoreModel(LearningModel):
    """One namespace. `stored` names every memory ever stored, in order, those deleted too.

    `now_us` is the time, for those who plan what to write.
    """

    ledger: LedgerModel = field(default_factory=LedgerModel)
    revision: int = 0
    topics_revision: int = 0
    assigned_revision: int = 0
    stored: list[str] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    vectors: list[tuple[str, Vectors]] = field(default_factory=list)
    deletions: list[LogEntry] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    members: list[tuple[str, str]] = field(default_factory=list)
    answered: list[Answered] = field(default_factory=list)
    pipeline: PipelineModel = field(default_factory=PipelineModel)
    life: LifeModel = field(default_factory=LifeModel)
    now_us: int = 0
    _put: list[str] = field(default_factory=list)

    def commit(
        self, write: AnyWrite, remember: IdempotentAnswer[Result] | None, now_us: int
    ) -> Committed[Result]:
        """What a commit must answer; it raises where the write is refused.

        Raises:
            AnamnesisError: as the port and the write say.
        """
        known = self._known(remember, now_us) if remember else None
        if known is not None:
            return Committed(known.revision, replayed=known.answer)
        self._put = []
        result = self._write(write, self.revision + 1, now_us)
        if remember:
            answer = remember.encode(result, self.revision)
            ids = tuple(self._put)
            self.answered.append(Answered(remember, answer, self.revision, now_us, ids))
        return Committed(self.revision, result=result)

    def put_embeddings(self, embeddings: Mapping[str, Vectors]) -> None:
        """Keep vectors; takes no revision, and memories that are gone are passed over."""
        for memory_id, vectors in embeddings.items():
            if self.memory(memory_id) is not None:
                self.vectors = [pair for pair in self.vectors if pair[0] != memory_id]
                self.vectors.append((memory_id, vectors))

    def memory(self, memory_id: str) -> Memory | None:
        """One memory."""
        return next((one for one in self.memories if one.memory_id == memory_id), None)

    def vectors_of(self, memory_id: str) -> Vectors | None:
        """The vectors of one memory."""
        return next((vectors for known, vectors in self.vectors if known == memory_id), None)

    def pending(self) -> list[str]:
        """Memories without vectors, oldest first."""
        ids = [memory.memory_id for memory in self.memories]
        return [memory_id for memory_id in ids if self.vectors_of(memory_id) is None]

    def members_of(self, topic_id: str) -> list[str]:
        """The members of a topic in the order in which they were stored."""
        return [one for one in self.stored if (one, topic_id) in self.members]

    def log(self, after: int) -> list[LogEntry]:
        """The last change of each memory, as far as it lies behind a revision."""
        entries = [
            LogEntry(memory.revision, memory.memory_id, deleted=False, kind=memory.kind)
            for memory in self.memories
        ] + self.deletions
        behind = [entry for entry in entries if entry.revision > after]
        return sorted(behind, key=lambda entry: (entry.revision, entry.memory_id))

    def _known(self, remember: IdempotentAnswer[Result], now_us: int) -> Answered | None:
        """An answer is kept for a day; its request_id is of use for the same request only."""
        ours = remember.key
        for answered in self.answered:
            theirs = answered.remember.key
            same_id = (theirs.method, theirs.request_id) == (ours.method, ours.request_id)
            if same_id and now_us - answered.time_us <= DAY_US:
                if theirs.digest != ours.digest:
                    raise InvalidArgument("used for another request", reason="REQUEST_ID_REUSED")
                return answered
        return None

    def _write(self, write: AnyWrite, revision: int, now_us: int) -> Result:
        """Do what a write says; who changes anything takes the revision."""
        match write:
            case AppendEvents():
                return self._append(write, revision, now_us)
            case CreateMemories():
                return self._create(write, revision, now_us)
            case RemoveMemory():
                self._delete(write, revision, now_us)
                return None
            case AssignTopicMembers():
                return self._assign(write, revision, now_us)
            case Relabel() | Put():
                return self._write_of_tests(write, revision, now_us)
            case _:
                return self._learning_write(write, revision, now_us)

    def _append(self, write: AppendEvents, revision: int, now_us: int) -> Appended:
        """New drawers are stored; those that lost their place are archived."""
        appended, drawers, displaced = self.ledger.append(write, revision, now_us)
        for drawer in drawers:
            self._store(drawer)
        given = {event.memory_id: event.vectors for event in write.events}
        for drawer in drawers:
            if (vectors := given[drawer.memory_id]) is not None:
                self.vectors.append((drawer.memory_id, vectors))
        self._archive(displaced, revision, now_us)
        if appended.session.revision == revision:
            self.pipeline.work.appended(appended.session, write.idle_us, now_us)
            self.revision = revision
        return appended

    def _create(self, write: CreateMemories, revision: int, now_us: int) -> tuple[Created, ...]:
        """Each is stored with the revision and the time of the commit, or merged into its twin."""
        taken = []
        for memory, vectors in zip(write.memories, write.vectors, strict=True):
            made = replace(memory, create_time_us=now_us, update_time_us=now_us, revision=revision)
            taken.append(self._take_in(made, vectors, revision, now_us))
        self._lessons_came(write.memories, now_us)
        self.revision = revision if taken else self.revision
        final = {one.memory_id: one for one in self.memories}
        return tuple(replace(one, memory=final[one.memory.memory_id]) for one in taken)

    def _take_in(
        self, memory: Memory, vectors: Vectors | None, revision: int, now_us: int
    ) -> Created:
        """Store a memory; a lesson that says what another says counts for that one."""
        twin = twin_of(memory, self.memories)
        if twin is not None:
            known, copy = merged(twin, memory, revision, now_us)
            self.memories[self.memories.index(twin)] = known
            self.life.copies.append(copy)
            self._put.append(known.memory_id)
            return Created(known, CreateOutcome.MERGED)
        self._store(memory)
        if vectors is not None:
            self.vectors.append((memory.memory_id, vectors))
        return Created(memory)

    def _store(self, memory: Memory) -> None:
        self.memories.append(memory)
        self.stored.append(memory.memory_id)
        self._put.append(memory.memory_id)

    def _write_of_tests(self, write: Relabel | Put, revision: int, now_us: int) -> int | None:
        if isinstance(write, Relabel):
            self._relabel(write, revision, now_us)
            return None
        self.memories = [after(write.edits, memory) for memory in self.memories]
        self.life.put(write.edits, [memory.memory_id for memory in self.memories])
        return revision

    def _relabel(self, write: Relabel, revision: int, now_us: int) -> None:
        """The memory keeps its place."""
        if self.memory(write.memory_id) is None:
            return
        self.memories = [
            write.of(memory, revision, now_us) if memory.memory_id == write.memory_id else memory
            for memory in self.memories
        ]
        self._put.append(write.memory_id)
        self.revision = revision

    def _delete(self, write: RemoveMemory, revision: int, now_us: int) -> None:
        """Record, vector, membership, event text and answers go; the log keeps the id."""
        gone = write.memory_id
        memory = self.memory(gone)
        if memory is None or not sees(write.caller, memory):
            raise MemoryNotFound(gone)
        if write.etag not in ("", memory.etag):
            raise Conflict("it has another etag by now")
        topics = {topic_id for member, topic_id in self.members if member == gone}
        self.memories = [one for one in self.memories if one.memory_id != gone]
        self.vectors = [pair for pair in self.vectors if pair[0] != gone]
        self.members = [pair for pair in self.members if pair[0] != gone]
        self.answered = [one for one in self.answered if gone not in one.memory_ids]
        self.ledger.forget(gone)
        self.life.forget(gone)
        self.pipeline.forget(memory)
        entry = LogEntry(revision, gone, deleted=True, kind=None, scope=_scope_of(memory))
        self.deletions.append(entry)
        self.revision = revision
        if topics:
            self._renew_topics(topics, revision, now_us)

    def _assign(self, write: AssignTopicMembers, revision: int, now_us: int) -> int:
        """A memory named twice goes where it is named last; without vectors it goes nowhere."""
        if write.assignments and write.expected_topics_revision != self.topics_revision:
            raise Conflict("topics have changed")
        result = self.revision
        places = {one.memory_id: one for one in write.assignments if self.memory(one.memory_id)}
        touched = set()
        for memory_id, one in places.items():
            before = [topic_id for member, topic_id in self.members if member == memory_id]
            if before == [one.topic_id] or self.vectors_of(memory_id) is None:
                continue
            if self._mixes(one):
                continue
            touched |= {*before, one.topic_id}
            self.members = [pair for pair in self.members if pair[0] != memory_id]
            self.members.append((memory_id, one.topic_id))
            if one.topic_id not in [topic.topic_id for topic in self.topics]:
                self.topics.append(self._founded(one, revision, now_us))
        if places:
            self._renew_topics(touched, revision, now_us)
            self.revision = revision
        if write.assigned_revision is not None:
            self.assigned_revision = write.assigned_revision
        return result

    def _founded(self, one: Assignment, revision: int, now_us: int) -> Topic:
        """Who sees a topic are those who see the memory that founded it."""
        memory = self.memory(one.memory_id)
        assert memory is not None
        scope = _scope_of(memory)
        nowhere = np.zeros(0, dtype=np.float32)
        return Topic(one.topic_id, one.label, scope, 0, nowhere, now_us, now_us, revision)

    def _mixes(self, one: Assignment) -> bool:
        """Whether a memory is seen by others than the topic that it is to join."""
        memory = self.memory(one.memory_id)
        assert memory is not None
        scopes = [topic.scope for topic in self.topics if topic.topic_id == one.topic_id]
        return scopes not in ([], [_scope_of(memory)])

    def _renew_topics(self, touched: set[str], revision: int, now_us: int) -> None:
        """The centroid is the mean of the members' means; a topic without members is gone."""
        self.topics_revision = revision
        topics: list[Topic] = []
        for topic in self.topics:
            held = [self.vectors_of(member) for member in self.members_of(topic.topic_id)]
            means = [vectors.mean(axis=0) for vectors in held if vectors is not None]
            if topic.topic_id not in touched:
                topics.append(topic)
            elif means:
                centroid = np.mean(means, axis=0)
                topics.append(
                    replace(
                        topic,
                        member_count=len(means),
                        centroid=centroid,
                        update_time_us=now_us,
                        revision=revision,
                    )
                )
        self.topics = topics


def _scope_of(memory: Memory) -> str:
    return {
        Visibility.SHARED: "shared",
        Visibility.PRIVATE_TO_AGENT: f"agent:{memory.agent_id}",
        Visibility.PRIVATE_TO_USER: f"user:{memory.user_id}",
    }[memory.visibility]
