"""Creating memories that callers state: all of a batch, or none."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from services.memory.created import Created
from services.memory.dedup.check import Check
from services.memory.dedup.intake import Intake
from services.memory.edges import source_ids
from services.memory.knowledge.intake import Knowledge
from services.memory.model import Kind, Memory, Vectors, Work
from services.memory.narrowing import narrowed
from services.memory.ports import Decision, IndexRecord, Seen, Stamp, Wanted
from services.memory.work import WorkItem, WorkKey, made_due

CLUSTER: WorkKey = (Work.CLUSTER, "")


@dataclass(frozen=True, slots=True)
class CreateMemories:
    """The write behind `CreateMemory` and `BatchCreateMemories`.

    Memories come redacted and summarised, with their ids; times and revision are
    the commit's. `check` says what lessons are compared with besides those that say exactly
    the same.
    """

    memories: Sequence[Memory]
    vectors: Sequence[Vectors | None]
    check: Check = field(default_factory=Check)
    knowledge: Knowledge = field(default_factory=Knowledge)

    @property
    def kinds(self) -> frozenset[Kind]:
        """What kinds of memory come in."""
        return frozenset(memory.kind for memory in self.memories)

    def wanted(self) -> Wanted:
        """The work that lessons make due, what memories are from, what lessons may be one with."""
        sources = dict.fromkeys(one for memory in self.memories for one in source_ids(memory))
        work = (CLUSTER,) if Kind.LEARNING in self.kinds else ()
        wanted = self.check.adding(Wanted(work=work, memories=tuple(sources)), self.memories)
        return self.knowledge.adding(wanted, self.memories)

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[tuple[Created, ...]]:
        """Stamp each memory; none is seen more widely than what it is from.

        A lesson that says what another says is merged into it.

        Raises:
            InvalidArgument: no visibility is as narrow as all sources of a memory.
        """
        incoming = [
            IndexRecord(
                replace(
                    narrowed(memory, seen.memories),
                    create_time_us=stamp.now_us,
                    update_time_us=stamp.now_us,
                    revision=stamp.revision,
                ),
                rows,
            )
            for memory, rows in zip(self.memories, self.vectors, strict=True)
        ]
        intake = Intake(self.check, self.knowledge, seen, stamp, incoming)
        taken = [intake.take(one) for one in incoming]
        edits = intake.edits()
        put = {memory.memory_id: memory for memory in edits.memories}
        made = tuple(
            replace(one, memory=put.get(one.memory.memory_id, one.memory)) for one in taken
        )
        return Decision(made, replace(edits, work=lessons_due(edits.memories, seen, stamp)))


def lessons_due(stored: Sequence[Memory], seen: Seen, stamp: Stamp) -> tuple[WorkItem, ...]:
    """Clustering becomes due where a lesson was stored; needs the CLUSTER work."""
    if all(memory.kind is not Kind.LEARNING for memory in stored):
        return ()
    now_us = stamp.now_us
    return (made_due(seen.work.get(CLUSTER), CLUSTER, now_us, now_us, seen.next_token),)
