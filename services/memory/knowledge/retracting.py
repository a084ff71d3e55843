"""Taking a fact back: it is archived, and what it had closed opens again."""

from dataclasses import dataclass

from libs.errors import Conflict, invalid_field
from services.memory.facts.predicates import SingleValued
from services.memory.facts.transitions import Transition, retract
from services.memory.knowledge.board import Board
from services.memory.knowledge.telling import statement_of
from services.memory.model import Caller, Memory
from services.memory.parts import Fact
from services.memory.ports import Decision, Seen, Stamp, Wanted
from services.memory.ports.knowledge import LineWanted
from services.memory.visible import check_etag, visible


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

    def wanted(self) -> Wanted:
        """The memory and its line."""
        return Wanted(memories=(self.memory_id,), lines=(self.line,))

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[Retracted]:
        """Take back every telling of it; a fact that nobody states any more stays as it is.

        Raises:
            MemoryNotFound: there is none that the caller may see.
            InvalidArgument: it is no fact.
            Conflict: it has another etag by now, or stands on another line.
        """
        memory, part = self._checked(seen)
        board = Board(seen, stamp)
        line = board.line(self.line.line_id)
        outcome = retract(line, line.of_fact(part.fact_id), stamp.now_us, self.predicates)
        board.settle(self.line.line_id, outcome)
        if not outcome.tellings:
            return Decision(Retracted(memory))
        after = board.memory_of(part.fact_id)
        assert after is not None, "a fact that was taken back has its memory"
        reopened = board.ids_of(outcome.of(Transition.REOPENED))
        return Decision(Retracted(after, reopened), board.edits())

    def _checked(self, seen: Seen) -> tuple[Memory, Fact]:
        memory = visible(seen, self.memory_id, self.caller)
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
