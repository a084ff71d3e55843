"""The writes that tests of the port make up.

Two are of tests only: they put memories again that are there, and take away one memory alone,
where the rpcs look at what else that means.
"""

from dataclasses import dataclass, replace

from anamnesis_libs.errors import Conflict
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.ledger.append import Appended, AppendEvents
from anamnesis_memory.ledger.cut import CutResult, ReplaceSegments, UpdateSegment
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.ledger.work import (
    Claims,
    ClaimWork,
    CompleteWork,
    FailWork,
    Renewed,
    RenewWork,
    RetryWork,
)
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.learn import (
    LearnedSegment,
    PromoteEpisodes,
    RecordLearned,
    tombstone_of,
)
from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.memories.topics import AssignTopicMembers
from anamnesis_memory.model.memory import Caller, Kind, Memory
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet
from tests.support.life import Put


@dataclass(frozen=True, slots=True)
class RemoveMemory:
    """A write of tests: one memory goes, and what rests on it stays."""

    memory_id: str
    caller: Caller
    etag: str = ""

    def wanted(self) -> ReadSet:
        """The memory."""
        return ReadSet(memories=(self.memory_id,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Take away what the caller may see.

        Raises:
            MemoryNotFound: there is none.
            Conflict: it has another etag by now.
        """
        memory = seen.memories.get(self.memory_id)
        if memory is None or not self.caller.sees(
            memory.visibility, memory.agent_id, memory.user_id
        ):
            raise MemoryNotFound(self.memory_id)
        if self.etag and self.etag != memory.etag:
            raise Conflict("it has another etag by now", metadata={"resource": "memory"})
        learned = () if memory.kind is Kind.EPISODIC else (tombstone_of(memory),)
        return Decision(None, WriteSet(deleted_memories=(self.memory_id,), tombstones=learned))


@dataclass(frozen=True, slots=True)
class Relabel:
    """A write of tests: puts a memory again that is there, with other labels."""

    memory_id: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    importance: float

    def wanted(self) -> ReadSet:
        """The memory."""
        return ReadSet(memories=(self.memory_id,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Put the memory, if it is there."""
        memory = seen.memories.get(self.memory_id)
        if memory is None:
            return Decision(None)
        return Decision(None, WriteSet(memories=(self.of(memory, stamp.revision, stamp.now_us),)))

    def of(self, memory: Memory, revision: int, now_us: int) -> Memory:
        """The memory with these labels."""
        return replace(
            memory,
            tags=self.tags,
            entities=self.entities,
            importance=self.importance,
            update_time_us=now_us,
            revision=revision,
        )


RecordWrite = AppendEvents | CreateMemories | RemoveMemory | AssignTopicMembers | Relabel
WorkWrite = ClaimWork | RenewWork | CompleteWork | FailWork | RetryWork
LearningWrite = ReplaceSegments | UpdateSegment | RecordLearned | PromoteEpisodes | ExpireSession
AnyWrite = RecordWrite | WorkWrite | LearningWrite | ReportUsage | Put
Result = (
    Appended
    | tuple[Created, ...]
    | Claims
    | Renewed
    | WorkItem
    | CutResult
    | Segment
    | LearnedSegment
    | int
    | None
)
