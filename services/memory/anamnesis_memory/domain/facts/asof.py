"""Facts as of a time: reads of what held when, and of what was known of it when."""

from collections.abc import Iterable
from dataclasses import replace

from anamnesis_memory.domain.facts.versions import FactState, FactVersion


def known(versions: Iterable[FactVersion], known_at_us: int | None = None) -> list[FactState]:
    """The facts that were known at an instant (None: those that are current), whenever they hold.

    What says the same of the same interval is one fact, with all its sources. Two facts become so
    where one was told with an end and the other got it from what closed it.
    """
    one: dict[tuple[str, str, float, float], FactState] = {}
    seen = [version.state for version in versions if version.known_at(known_at_us)]
    for state in sorted(seen, key=lambda each: (each.told_us, each.first_telling_id)):
        place = (state.statement.scope, state.statement.key, *_bounds(state))
        one[place] = _united(one[place], state) if place in one else state
    return list(one.values())


def holding(
    versions: Iterable[FactVersion], as_of_us: int, known_at_us: int | None = None
) -> list[FactState]:
    """The facts that held at `as_of_us`, as far as was known at `known_at_us` (None: today)."""
    every = known(versions, known_at_us)
    return [state for state in every if state.interval.holds_at(as_of_us)]


def timeline(versions: Iterable[FactVersion], known_at_us: int | None = None) -> list[FactState]:
    """All facts, open and closed, as far as was known: by beginning, then end, then id."""
    return sorted(known(versions, known_at_us), key=lambda each: (*_bounds(each), each.fact_id))


def _bounds(state: FactState) -> tuple[float, float]:
    return state.interval.start, state.interval.end


def _united(first: FactState, other: FactState) -> FactState:
    """One fact of two; the first keeps its id, its words and its confidence."""
    return replace(
        first,
        sources=tuple(dict.fromkeys((*first.sources, *other.sources))),
        closed_by=tuple(dict.fromkeys((*first.closed_by, *other.closed_by))),
    )
