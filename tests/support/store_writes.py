"""The writes that tests of the port make up.

Two are of tests only: they put memories again that are there, and take away one memory alone,
where the rpcs look at what else that means.
"""

from dataclasses import dataclass, replace

from libs.absent import MemoryNotFound
from libs.errors import Conflict
from services.memory.assign import AssignTopicMembers
from services.memory.create import CreateMemories
from services.memory.created import Created
from services.memory.learn import Learned, PromoteEpisodes, RecordLearned, tombstone_of
from services.memory.ledger.append import Appended, AppendEvents
from services.memory.ledger.cut import Cut, ReplaceSegments, UpdateSegment
from services.memory.ledger.retention import ExpireSession
from services.memory.ledger.segments import Segment
from services.memory.model import Caller, Kind, Memory
from services.memory.ports import Decision, Edits, Seen, Stamp, Wanted
from services.memory.report_usage import ReportUsage
from services.memory.work import WorkItem
from services.memory.work_writes import (
    Claims,
    ClaimWork,
    CompleteWork,
    FailWork,
    Renewed,
    RenewWork,
    RetryWork,
)
from tests.support.life import Put


@dataclass(frozen=True, slots=True)
class RemoveMemory:
    """A write of tests: one memory goes, and what rests on it stays."""

    memory_id: str
    caller: Caller
    etag: str = ""

    def wanted(self) -> Wanted:
        """The memory."""
        return Wanted(memories=(self.memory_id,))

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[None]:
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
        return Decision(None, Edits(deleted_memories=(self.memory_id,), tombstones=learned))


@dataclass(frozen=True, slots=True)
class Relabel:
    """A write of tests: puts a memory again that is there, with other labels."""

    memory_id: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    importance: float

    def wanted(self) -> Wanted:
        """The memory."""
        return Wanted(memories=(self.memory_id,))

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[None]:
        """Put the memory, if it is there."""
        memory = seen.memories.get(self.memory_id)
        if memory is None:
            return Decision(None)
        return Decision(None, Edits(memories=(self.of(memory, stamp.revision, stamp.now_us),)))

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
    | Cut
    | Segment
    | Learned
    | int
    | None
)
