"""Facts whose scope changes: each leaves its line, and is told on the line of those who see it now.

Where it was, it was never told: who may not see it any more must not read that it once held there.
Where it comes, it is told with all that was told of it and may be seen there, as of when that was
recorded; to those who see more now than before, as of now.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from anamnesis_libs.errors import invalid_field
from anamnesis_memory.domain.entities.names import Mention
from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.review import Ground
from anamnesis_memory.domain.facts.transitions import tell
from anamnesis_memory.domain.facts.versions import Telling, by_record
from anamnesis_memory.knowledge.assert_fact import lines_wanted, statement_of
from anamnesis_memory.knowledge.erasing import (
    FactErasure,
    fact_of,
    stands_on,
    still_named,
    stored_alone,
)
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted


@dataclass(frozen=True, slots=True)
class Move:
    """A memory before and after a change of its visibility."""

    before: Memory
    after: Memory


def lines_of_moves(moves: Iterable[Move], predicates: SingleValued) -> tuple[LineWanted, ...]:
    """The lines that facts leave, and those that they come to."""
    told = [one for one in moves if fact_of(one.before)]
    coming = [each for one in told for each in _comings(one.after)]
    return lines_wanted([*(one.before for one in told), *coming], predicates)


def within(moves: Iterable[Move], lines: Iterable[LineWanted]) -> bool:
    """True if the moving facts stand on these lines, and go to these lines."""
    there = list(lines)
    return all(stands_on(one.before, there) and stands_on(one.after, there) for one in moves)


def moved_names(moves: Iterable[Move], seen: ReadView) -> tuple[Mention, ...]:
    """The mentions of moved memories, in the scopes that see them now.

    A wider scope gets no name that only texts outside that scope have spelled.
    """
    mentions: list[Mention] = []
    for one in moves:
        memory, scope = one.after, scope_of(one.after)
        named = seen.mentions.get(memory.memory_id, ())
        if memory.visibility is Visibility.SHARED:
            copies = seen.copies.get(memory.memory_id, ())
            left = _seen_in(scope, copies)
            ids = {memory.memory_id, *(copy.copy_id for copy in left)}
            stored_us = stored_alone(one.before, copies, ids)
            mentions += still_named(memory, left, named, scope, stored_us)
        else:
            mentions += (replace(each, scope=scope) for each in named)
    return tuple(mentions)


class FactMoves(FactErasure):
    """Moves facts, one after another, and gathers the edits that come of it."""

    def __init__(self, seen: ReadView, stamp: CommitStamp, predicates: SingleValued) -> None:
        """`seen` has the lines that `lines_of_moves` names."""
        super().__init__(seen, stamp, predicates)
        self._copies: Mapping[str, tuple[Copy, ...]] = seen.copies

    def move(self, moves: Iterable[Move]) -> WriteSet:
        """Move facts; all else is passed over.

        Raises:
            InvalidArgument: the same fact is known already where one comes to.
        """
        facts = [(one, part) for one in moves if (part := fact_of(one.before))]
        told = [self._leave(one, part) for one, part in facts]
        self.settled()
        for (one, part), tellings in zip(facts, told, strict=True):
            self._arrive(one, part, tellings)
        return replace(self.edits(), removed_facts=tuple(self._removed))

    def _leave(self, move: Move, part: Fact) -> list[Telling]:
        """Take a fact from its old line; return its tellings for the new one."""
        line_id = statement_of(move.before, part).line_id
        standing = by_record(
            one for one in self.line(line_id).tellings if one.fact_id == part.fact_id
        )
        self.remove(move.before)
        self._removed[part.fact_id] = line_id
        scope = scope_of(move.after)
        hidden = {
            copy.copy_id
            for copy in self._copies.get(move.before.memory_id, ())
            if copy.role is CopyRole.CONTRIBUTION and copy not in _seen_in(scope, [copy])
        }
        seen = [one for one in standing if one.telling_id not in hidden]
        return [self._retold(one, move.after) for one in seen or standing[:1]]

    def _retold(self, telling: Telling, after: Memory) -> Telling:
        statement = replace(telling.statement, scope=scope_of(after))
        if after.visibility is Visibility.SHARED:
            return replace(telling, statement=statement, known_from_us=self._stamp.now_us)
        return replace(telling, statement=statement)

    def _arrive(self, move: Move, part: Fact, tellings: list[Telling]) -> None:
        """Tell a fact on its new line; a fact without tellings is kept by its text alone."""
        if not tellings:
            self.put(part.fact_id, replace(move.after, part=replace(part, fact_id="")))
            return
        fact_id, line_id = tellings[0].fact_id, tellings[0].statement.line_id
        known = self.memory_of(fact_id)
        if known is not None:
            raise invalid_field(
                "change.visibility",
                f"would show memory {move.before.memory_id} to callers who see the same fact as "
                f"memory {known.memory_id}; delete or retract one of the two",
            )
        self.put(fact_id, replace(move.after, part=replace(part, fact_id=fact_id)))
        for telling in tellings:
            self.settle(line_id, tell(self.line(line_id), telling, self._predicates))
        self._review(part, self.memory_of(fact_id))

    def _review(self, part: Fact, after: Memory | None) -> None:
        """Mark what was derived from the fact if the fact ends earlier; unmark it if later."""
        assert after is not None, "it was just put"
        assert isinstance(after.part, Fact), "it is a fact still"
        was = Interval(None, part.valid_to_us).end
        end_us = after.part.valid_to_us
        now = Interval(None, end_us).end
        if now != was:
            grounds = self._lifted if now > was else self._shaken
            grounds.append(Ground(after.memory_id, end_us))


def _seen_in(scope: str, copies: Iterable[Copy]) -> list[Copy]:
    """The copies whose scope is seen in this one."""
    return [one for one in copies if scope_of(one.memory) in ("shared", scope)]


def _comings(after: Memory) -> list[Memory]:
    """A moved fact as its new line may know it already: with its end, or as told without."""
    part = after.part
    assert isinstance(part, Fact), "only facts stand on lines"
    ends = dict.fromkeys((part.valid_to_us, None))
    return [replace(after, part=replace(part, fact_id="", valid_to_us=one)) for one in ends]
