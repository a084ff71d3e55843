"""The writes that tests of the port make up.

One is of tests only: the port puts memories again that are there, if no rpc does so today.
"""

from dataclasses import dataclass, replace

from services.memory.append import Appended, AppendEvents
from services.memory.assign import AssignTopicMembers
from services.memory.create import CreateMemories
from services.memory.cut import Cut, ReplaceSegments, UpdateSegment
from services.memory.delete import DeleteMemory
from services.memory.learn import Learned, PromoteEpisodes, RecordLearned
from services.memory.model import Memory
from services.memory.ports import Decision, Edits, Seen, Stamp, Wanted
from services.memory.report_usage import ReportUsage
from services.memory.retention import ExpireSession
from services.memory.segments import Segment
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


RecordWrite = AppendEvents | CreateMemories | DeleteMemory | AssignTopicMembers | Relabel
WorkWrite = ClaimWork | RenewWork | CompleteWork | FailWork | RetryWork
LearningWrite = ReplaceSegments | UpdateSegment | RecordLearned | PromoteEpisodes | ExpireSession
AnyWrite = RecordWrite | WorkWrite | LearningWrite | ReportUsage | Put
Result = (
    Appended
    | tuple[Memory, ...]
    | Claims
    | Renewed
    | WorkItem
    | Cut
    | Segment
    | Learned
    | int
    | None
)
