"""Taking a fact back: it is archived, and what it had closed opens again."""

from dataclasses import dataclass

from anamnesis_libs.errors import Conflict, invalid_field
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.transitions import Transition, retract
from anamnesis_memory.knowledge.assert_fact import statement_of
from anamnesis_memory.knowledge.workspace import FactWorkspace
from anamnesis_memory.model.access import check_etag, visible
from anamnesis_memory.model.memory import Caller, Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView
from anamnesis_memory.ports.knowledge import LineWanted


@dataclass(frozen=True, slots=True)
class Retracted:
    """The fact as it is kept, and the memories of the facts that have a later end now."""

    memory: Memory
    reopened: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RetractFact:
    """The write behind `KnowledgeService.RetractFact`; `line` is that of the memory as read."""

    memory_id: str
    caller: Caller
    etag: str
    line: LineWanted
    predicates: SingleValued

    def wanted(self) -> ReadSet:
        """The memory and its line."""
        return ReadSet(memories=(self.memory_id,), lines=(self.line,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Retracted]:
        """Withdraw every telling of the fact; a fact that nobody asserts any more stays as it is.

        Raises:
            MemoryNotFound: there is no such memory that the caller may see.
            InvalidArgument: the memory is no fact.
            Conflict: the memory has another etag by now, or stands on another line.
        """
        memory, part = self._checked(seen)
        board = FactWorkspace(seen, stamp)
        line = board.line(self.line.line_id)
        outcome = retract(line, line.of_fact(part.fact_id), stamp.now_us, self.predicates)
        board.settle(self.line.line_id, outcome)
        if not outcome.tellings:
            return Decision(Retracted(memory))
        after = board.memory_of(part.fact_id)
        assert after is not None, "a fact that was taken back has its memory"
        reopened = board.ids_of(outcome.of(Transition.REOPENED))
        return Decision(Retracted(after, reopened), board.edits())

    def _checked(self, seen: ReadView) -> tuple[Memory, Fact]:
        memory = visible(seen.memories, self.memory_id, self.caller)
        part = memory.part
        if not isinstance(part, Fact) or not part.fact_id:
            raise invalid_field("memory_id", "is no fact with subject, predicate and object")
        check_etag(memory, self.etag)
        if statement_of(memory, part).line_id != self.line.line_id:
            raise Conflict(
                f"memory {self.memory_id} has changed meanwhile; read it again",
                metadata={"resource": "memory"},
            )
        return memory, part
