"""Creating memories that callers state: all of a batch, or none."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.dedup.check import Check
from anamnesis_memory.knowledge.intake import KnowledgeRules
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.duplicates import Intake
from anamnesis_memory.model.edges import source_ids
from anamnesis_memory.model.expiry import check_expiry
from anamnesis_memory.model.memory import Kind, Memory, Vectors, Work
from anamnesis_memory.model.visibility import narrowed
from anamnesis_memory.model.work import WorkItem, WorkKey, made_due
from anamnesis_memory.ports import CommitStamp, Decision, IndexRecord, ReadSet, ReadView

CLUSTER: WorkKey = (Work.CLUSTER, "")


@dataclass(frozen=True, slots=True)
class CreateMemories:
    """The write behind `CreateMemory` and `BatchCreateMemories`.

    Memories come redacted and summarised, with their ids; times and revision are
    the commit's. `check` says what lessons are compared with besides those that say exactly
    the same. `path` is the request's field that states them, with `{}` for the place in it.
    """

    memories: Sequence[Memory]
    vectors: Sequence[Vectors | None]
    check: Check = field(default_factory=Check)
    knowledge: KnowledgeRules = field(default_factory=KnowledgeRules)
    path: str = "memory"

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of memory that come in."""
        return frozenset(memory.kind for memory in self.memories)

    def wanted(self) -> ReadSet:
        """The work that lessons make due, what memories are from, what lessons may be one with."""
        sources = dict.fromkeys(one for memory in self.memories for one in source_ids(memory))
        work = (CLUSTER,) if Kind.LEARNING in self.kinds else ()
        wanted = self.check.adding(ReadSet(work=work, memories=tuple(sources)), self.memories)
        return self.knowledge.adding(wanted, self.memories)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[tuple[Created, ...]]:
        """Stamp each memory; none is seen more widely than what it is from.

        A lesson that says what another says is merged into it.

        Raises:
            InvalidArgument: no visibility is as narrow as all sources of a memory, or one has
                expired.
        """
        for place, memory in enumerate(self.memories):
            field = ".".join(filter(None, (self.path.format(place), "expire_time")))
            check_expiry(memory.expire_time_us, stamp.now_us, field)
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


def lessons_due(
    stored: Sequence[Memory], seen: ReadView, stamp: CommitStamp
) -> tuple[WorkItem, ...]:
    """Clustering becomes due where a lesson was stored; needs the CLUSTER work."""
    if all(memory.kind is not Kind.LEARNING for memory in stored):
        return ()
    now_us = stamp.now_us
    return (made_due(seen.work.get(CLUSTER), CLUSTER, now_us, now_us, seen.next_token),)
