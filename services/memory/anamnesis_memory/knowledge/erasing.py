"""Facts lose tellings: with the memory that holds them, or with what somebody had added to it.

What else stands on a line settles anew, as if what goes had never been told (see `facts.erasing`).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from anamnesis_memory.domain.entities.names import Mention
from anamnesis_memory.domain.facts.erasing import erase, history
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.review import Ground
from anamnesis_memory.domain.facts.versions import FactState
from anamnesis_memory.knowledge.assert_fact import source_of, statement_of
from anamnesis_memory.knowledge.entity_resolution import names_of
from anamnesis_memory.knowledge.workspace import FactWorkspace, as_known
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted


def fact_of(memory: Memory) -> Fact | None:
    """The part of a memory that holds a fact with others beside it; None of any other."""
    part = memory.part
    return part if isinstance(part, Fact) and part.fact_id else None


def stands_on(memory: Memory, lines: Iterable[LineWanted]) -> bool:
    """True if a memory holds no fact, or one of these lines is its fact's."""
    part = fact_of(memory)
    return part is None or statement_of(memory, part).line_id in {one.line_id for one in lines}


def still_named(
    memory: Memory,
    copies: Iterable[Copy],
    mentions: Iterable[Mention],
    scope: str,
    stored_us: Collection[int] = (),
) -> tuple[Mention, ...]:
    """The mentions of a memory that what is left of it makes, in a scope.

    They are the names in its texts, and those that were told beside one of them (aliases, names
    of a kind): at a time at which nothing was stored but texts that are left, `stored_us`. A name
    that was told beside one that goes, too, and later, is taken for its, as it is not known any
    more who else told it: unless a text has it, it goes as well.

    Args:
        memory: as it is left, with its own text.
        copies: what was added to it and is left.
        mentions: of the memory before.
        scope: who sees it now.
        stored_us: see `stored_alone`.
    """
    texts = (memory, *(copy.memory for copy in copies))
    names = {one.name for text in texts for one in names_of(text)}
    return tuple(
        replace(one, scope=scope)
        for one in mentions
        if one.spelling.name in names or one.time_us in stored_us
    )


def stored_alone(memory: Memory, copies: Iterable[Copy], left: Collection[str]) -> frozenset[int]:
    """The times at which a memory stored only texts that are left.

    Args:
        memory: before it lost something.
        copies: all that had been added to it.
        left: the ids of those that are left, and the memory's if its own text is.
    """
    stored = [(memory.memory_id, memory.create_time_us)]
    stored += [
        (one.copy_id, one.create_time_us) for one in copies if one.role is CopyRole.CONTRIBUTION
    ]
    gone_us = {time_us for text_id, time_us in stored if text_id not in left}
    return frozenset(time_us for text_id, time_us in stored if text_id in left) - gone_us


class FactErasure(FactWorkspace):
    """Gathers the tellings that go, then lets the lines settle without them."""

    def __init__(self, seen: ReadView, stamp: CommitStamp, predicates: SingleValued) -> None:
        """`seen` has the lines of all memories that lose something."""
        super().__init__(seen, stamp)
        self._predicates = predicates
        self._going: defaultdict[str, set[str]] = defaultdict(set)
        self._staying: dict[str, tuple[Memory, Memory]] = {}
        self._removed: dict[str, str] = {}

    def remove(self, memory: Memory) -> None:
        """Remove a memory, and all tellings of its fact."""
        if part := fact_of(memory):
            self._lose(memory, part, self._standing(memory, part))

    def ending_nothing(self, memories: Iterable[Memory]) -> list[Memory]:
        """Return the memories that give an end to no fact but each other's."""
        going = list(memories)
        while True:
            ids = {part.fact_id for one in going if (part := fact_of(one))}
            left = [one for one in going if not self._ends_any(one, ids)]
            if len(left) == len(going):
                return left
            going = left

    def keep(self, memory: Memory, remains: Memory, told: Collection[str]) -> None:
        """Keep a memory that goes on as another; these tellings of its fact stay."""
        if part := fact_of(memory):
            self._lose(memory, part, self._standing(memory, part).difference(told))
            self._staying[part.fact_id] = (memory, remains)
            self._removed[part.fact_id] = statement_of(memory, part).line_id

    def lose(self, memory: Memory, remains: Memory, telling_ids: Iterable[str]) -> None:
        """A memory stays, and loses what was told with these."""
        if part := fact_of(memory):
            going = self._standing(memory, part).intersection(telling_ids)
            self.keep(memory, remains, self._standing(memory, part) - going)

    def stay(self, memory: Memory, remains: Memory) -> None:
        """A memory stays with all that was told, and reads otherwise."""
        if part := fact_of(memory):
            self._staying[part.fact_id] = (memory, remains)

    def settled(self) -> WriteSet:
        """Erase the gathered tellings; return the edits that follow."""
        for line_id, telling_ids in self._going.items():
            self._erase(line_id, telling_ids)
        for fact_id, (memory, remains) in self._staying.items():
            self._remain(fact_id, memory, remains)
        for fact_id, line_id in self._removed.items():
            self._retell(fact_id, line_id)
        return replace(self.edits(), removed_facts=tuple(self._removed))

    def _ends_any(self, memory: Memory, but: Collection[str]) -> bool:
        """True if the memory's fact gives its end to a fact that is not excepted."""
        part = fact_of(memory)
        if part is None:
            return False
        states = (one.state for one in self.line(statement_of(memory, part).line_id).versions)
        return any(part.fact_id in one.closed_by and one.fact_id not in but for one in states)

    def _standing(self, memory: Memory, part: Fact) -> set[str]:
        return set(self.line(statement_of(memory, part).line_id).of_fact(part.fact_id))

    def _lose(self, memory: Memory, part: Fact, telling_ids: Collection[str]) -> None:
        self._going[statement_of(memory, part).line_id] |= set(telling_ids)

    def _erase(self, line_id: str, telling_ids: Collection[str]) -> None:
        erasure = erase(self.line(line_id), telling_ids, self._stamp.now_us, self._predicates)
        self.settle(line_id, erasure.outcome)

    def _retell(self, fact_id: str, line_id: str) -> None:
        """Nothing is kept of a fact but what follows from the tellings that still stand."""
        tellings = self.line(line_id).tellings
        self._tellings.update({one.telling_id: one for one in tellings if one.fact_id == fact_id})
        before = [key for key in self._versions if key[0] == fact_id]
        for key in before:
            del self._versions[key]
        for one in history(fact_id, tellings, self._predicates):
            self._versions[fact_id, one.known_from_us] = one

    def _remain(self, fact_id: str, memory: Memory, remains: Memory) -> None:
        """Put a memory that stays with what is known of its fact now."""
        part = fact_of(memory)
        assert part is not None, "only facts are kept here"
        held = replace(remains, part=_carried(part, remains))
        if part.retracted:
            self.put(fact_id, held)
            return
        state = self._state(statement_of(memory, part).line_id, fact_id)
        if state is None:
            self._shaken.append(Ground(memory.memory_id, None))
        self.put(fact_id, as_known(held, state, self._stamp))

    def _state(self, line_id: str, fact_id: str) -> FactState | None:
        current = (one.state for one in self.line(line_id).versions)
        return next((one for one in current if one.fact_id == fact_id), None)


def _carried(part: Fact, remains: Memory) -> Fact:
    """The part of what remains, with the identity and the state of the fact that it still is."""
    own = remains.part
    assert isinstance(own, Fact), "what was added to a fact is one"
    return replace(
        own,
        fact_id=part.fact_id,
        source=source_of(remains, own),
        valid_from_us=part.valid_from_us,
        valid_to_us=part.valid_to_us,
        time_precision=own.time_precision or part.time_precision,
        superseded=part.superseded,
        contradicted=part.contradicted,
        retracted=part.retracted,
    )
