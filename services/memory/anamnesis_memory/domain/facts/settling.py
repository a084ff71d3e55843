"""The facts that follow from the tellings that stand on one line.

On a single-valued line a fact ends where the next other object begins, or at its own end if that
comes first:

    told      Porto  |===================================>
              Lyon               |===========>
    settled   Porto  |===========|
              Lyon               |===========>

*Next* is by the beginning alone, never by when it was recorded: an older truth that is told later
gets its end from the next known fact, and the present stays open. No beginning comes before all
that have one. Objects that begin at one instant contradict each other, all are kept, and the next
later one closes them all. On any other line facts are as they were told.

What is told with an end alone ("left Siemens in May") ends, on every line, what says the same and
was open then, in whatever order they are told; both are one fact from there on. It ends what says
the same more narrowly, too: without coffee there is no decaf coffee (`narrowing.py`).

    told      Siemens       |==========================>
              Siemens  ================|
    settled   Siemens       |==========|
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.narrowing import Ends
from anamnesis_memory.domain.facts.versions import FactState, Telling, by_record


def settle(tellings: Iterable[Telling], *, single_valued: bool) -> dict[str, FactState]:
    """The facts of one line by id, in the order of their first telling.

    Takes O(n log n) for n tellings, save for a run of one object that is told n times.
    """
    told: dict[str, list[Telling]] = {}
    for each in by_record(tellings):
        told.setdefault(each.fact_id, []).append(each)
    states = _with_ends({fact_id: _as_told(fact_id, group) for fact_id, group in told.items()})
    if not single_valued:
        return states
    line = _Beginnings.of(states.values())
    return {fact_id: line.ended(state) for fact_id, state in states.items()}


def _as_told(fact_id: str, group: Sequence[Telling]) -> FactState:
    first = group[0]
    return FactState(
        fact_id=fact_id,
        statement=first.statement,
        interval=first.told,
        told_confidence=first.confidence,
        sources=tuple(dict.fromkeys(each.source for each in group)),
        told_us=first.known_from_us,
        first_telling_id=first.telling_id,
    )


def _with_ends(states: dict[str, FactState]) -> dict[str, FactState]:
    """The facts after the ends that were told alone, each of the facts that were open then."""
    ends = Ends()
    for state in states.values():
        if state.interval.from_us is None and state.interval.to_us is not None:
            ends.add(state.statement.object, state.interval.to_us)
    if not ends:
        return states
    closed = {
        fact_id: _ended(state, ends.of(state.statement.object)) for fact_id, state in states.items()
    }
    begun: dict[tuple[str, float], int] = {}
    for state in closed.values():
        if state.interval.from_us is not None:
            place = (state.statement.key, state.interval.end)
            begun[place] = max(state.interval.from_us, begun.get(place, state.interval.from_us))
    return {fact_id: _begun(state, begun) for fact_id, state in closed.items()}


def _ended(state: FactState, ends: Iterable[int]) -> FactState:
    """An open fact, ended by the first end after its beginning."""
    if state.interval.to_us is not None:
        return state
    end = min((each for each in ends if each > state.interval.start), default=None)
    return state if end is None else replace(state, interval=Interval(state.interval.from_us, end))


def _begun(state: FactState, begun: Mapping[tuple[str, float], int]) -> FactState:
    """The state of an end that was told alone, from the beginning of the fact it ended."""
    start = begun.get((state.statement.key, state.interval.end))
    if state.interval.from_us is not None or state.interval.to_us is None or start is None:
        return state
    return replace(state, interval=Interval(start, state.interval.to_us))


@dataclass(frozen=True, slots=True)
class _Beginnings:
    """The beginnings on a single-valued line, and what begins at each: fact ids and their keys."""

    starts: list[float]
    at: dict[float, list[tuple[str, str]]]

    @classmethod
    def of(cls, states: Iterable[FactState]) -> "_Beginnings":
        at: dict[float, list[tuple[str, str]]] = {}
        for state in states:
            at.setdefault(state.interval.start, []).append((state.fact_id, state.statement.key))
        return cls(sorted(at), at)

    def ended(self, state: FactState) -> FactState:
        """The fact with the end and the flag that the others give it."""
        key = state.statement.key
        start = state.interval.start
        contradicted = bool(self._others(start, key))
        after = self._next(start, key)
        if after is None or after >= state.interval.end:
            return replace(state, contradicted=True) if contradicted else state
        interval = Interval(state.interval.from_us, int(after))
        closed_by = self._others(after, key)
        return replace(state, interval=interval, closed_by=closed_by, contradicted=contradicted)

    def _next(self, start: float, key: str) -> float | None:
        """The first later beginning of another object."""
        later = range(bisect_right(self.starts, start), len(self.starts))
        found = (self.starts[place] for place in later if self._others(self.starts[place], key))
        return next(found, None)

    def _others(self, start: float, key: str) -> tuple[str, ...]:
        return tuple(fact_id for fact_id, other in self.at[start] if other != key)
