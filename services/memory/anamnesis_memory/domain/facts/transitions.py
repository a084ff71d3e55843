"""The changes that a telling or a retraction makes on its line: all transitions, in one table.

| transition | a fact that ... |
|---|---|
| `NEW` | was not known, nor any other time of the same statement |
| `RETURNS` | was not known, but has held before: the same statement in an earlier time |
| `BOUNDED` | is told with a later end, or none, than the next known fact leaves it |
| `REINFORCED` | has a further source: more confidence |
| `WEAKENED` | has lost a source, and others still say so |
| `REPEATED` | was told again by a source that had said so |
| `CLOSED` | has got an end, or an earlier one, from what was just told |
| `REOPENED` | has lost the end that something gave it, or got a later one |
| `CONTRADICTED` | has met another object that begins when it does |
| `RECONCILED` | has no such other object any more |
| `RETRACTED` | nobody says any more |

Each row is looked at for each fact of the line, before and after, so one telling can make one fact
and close another, and one fact can be new, bounded and contradicted at once. What no row fits has
not changed. Facts of other lines are never seen here. An empty or backward interval is refused
before it gets here: there is no `Interval` of that kind.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.settling import settle
from anamnesis_memory.domain.facts.versions import FactLine, FactState, FactVersion, Telling
from anamnesis_memory.model.edges import EdgeType

FactEdge = tuple[str, str, EdgeType]
"""An edge between two facts, by their ids."""


class Transition(StrEnum):
    """The transitions of a fact; the table above says what each means."""

    NEW = "new"
    RETURNS = "returns"
    BOUNDED = "bounded"
    REINFORCED = "reinforced"
    WEAKENED = "weakened"
    REPEATED = "repeated"
    CLOSED = "closed"
    REOPENED = "reopened"
    CONTRADICTED = "contradicted"
    RECONCILED = "reconciled"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class _Step:
    """One fact before and after."""

    before: FactState | None
    after: FactState | None
    told: bool
    """True if the fact is the one that was just told."""
    held_before: bool
    """True if the same statement has held in an earlier time."""

    def appears(self) -> bool:
        return self.before is None and self.after is not None

    def disappears(self) -> bool:
        return self.before is not None and self.after is None

    def end_moves(self) -> float:
        """Below 0 if the end is earlier than before, above if later."""
        if self.before is None or self.after is None:
            return 0
        was, now = self.before.interval.end, self.after.interval.end
        return (now > was) - (now < was)

    def sources_more(self) -> int:
        if self.before is None or self.after is None:
            return 0
        return len(self.after.sources) - len(self.before.sources)

    def flags_more(self) -> int:
        was = self.before is not None and self.before.contradicted
        now = self.after is not None and self.after.contradicted
        return int(now) - int(was)


_TABLE: tuple[tuple[Transition, Callable[[_Step], bool]], ...] = (
    (Transition.NEW, lambda step: step.appears() and not step.held_before),
    (Transition.RETURNS, lambda step: step.appears() and step.held_before),
    (Transition.BOUNDED, lambda step: step.appears() and _closed(step.after)),
    (Transition.REINFORCED, lambda step: step.sources_more() > 0),
    (Transition.WEAKENED, lambda step: step.sources_more() < 0),
    (Transition.REPEATED, lambda step: step.told and step.before == step.after),
    (Transition.CLOSED, lambda step: step.end_moves() < 0),
    (Transition.REOPENED, lambda step: step.end_moves() > 0),
    (Transition.CONTRADICTED, lambda step: step.flags_more() > 0),
    (Transition.RECONCILED, lambda step: not step.disappears() and step.flags_more() < 0),
    (Transition.RETRACTED, lambda step: step.disappears()),
)


@dataclass(frozen=True, slots=True)
class FactChange:
    """The change of one fact.

    Args:
        fact_id: the fact.
        transitions: the rows of the table that fit, in its order; empty where only the names in
            `closed_by`, or whose telling is its first, have changed.
        before: the version whose recorded life has ended, `known_to_us` set; None if there was
            none. One that is `void` is to be dropped, not kept.
        after: the version that is current now; None if there is none.
    """

    fact_id: str
    transitions: tuple[Transition, ...]
    before: FactVersion | None
    after: FactVersion | None


@dataclass(frozen=True, slots=True)
class LineEdits:
    """The writes to a line, in one transaction.

    Args:
        line: as it stands now.
        tellings: those that were added or taken back.
        changes: the facts that have changed, and the one that was told first.
    """

    line: FactLine
    tellings: tuple[Telling, ...] = ()
    changes: tuple[FactChange, ...] = ()

    def of(self, transition: Transition) -> tuple[FactChange, ...]:
        """The changes in which a transition occurs."""
        return tuple(change for change in self.changes if transition in change.transitions)


def tell(line: FactLine, telling: Telling, predicates: SingleValued) -> LineEdits:
    """The changes of an assertion; the same telling again changes nothing."""
    if any(each.telling_id == telling.telling_id for each in line.tellings):
        return LineEdits(line)
    now_us = max(telling.known_from_us, line.settled_us)
    told = replace(telling, known_from_us=now_us)
    changes, settled = _settled(line, (*line.tellings, told), predicates, now_us, told.fact_id)
    return LineEdits(settled, (told,), changes)


def retract(
    line: FactLine, telling_ids: Collection[str], recorded_us: int, predicates: SingleValued
) -> LineEdits:
    """The changes of withdrawing tellings; tellings that do not stand change nothing."""
    now_us = max(recorded_us, line.settled_us)
    gone = tuple(each for each in line.tellings if each.telling_id in telling_ids)
    if not gone:
        return LineEdits(line)
    left = tuple(each for each in line.tellings if each.telling_id not in telling_ids)
    changes, settled = _settled(line, left, predicates, now_us)
    return LineEdits(settled, tuple(replace(each, known_to_us=now_us) for each in gone), changes)


def edges(line: FactLine) -> frozenset[FactEdge]:
    """The edges between the line's facts by their ids: what closed what, and what is at odds.

    `SUPERSEDES` leads from the later fact; `CONTRADICTS` has no direction and is given once.
    """
    states = [version.state for version in line.versions]
    closing = {
        (later, state.fact_id, EdgeType.SUPERSEDES) for state in states for later in state.closed_by
    }
    flagged = [state for state in states if state.contradicted]
    at_odds = {
        (one.fact_id, other.fact_id, EdgeType.CONTRADICTS)
        for one in flagged
        for other in flagged
        if one.fact_id < other.fact_id and _tied(one, other)
    }
    return frozenset(closing | at_odds)


def _settled(
    line: FactLine,
    tellings: tuple[Telling, ...],
    predicates: SingleValued,
    now_us: int,
    told: str = "",
) -> tuple[tuple[FactChange, ...], FactLine]:
    """The changes from the line's versions to those of `tellings`, and the line after them."""
    before = {version.state.fact_id: version for version in line.versions}
    after = settle(tellings, single_valued=is_single(tellings, predicates))
    ids = dict.fromkeys([*filter(None, (told,)), *before, *after])
    changes = tuple(
        change
        for fact_id in ids
        if (change := _change(fact_id, before, after, now_us, told=fact_id == told)) is not None
    )
    current = before | {each.fact_id: each.after for each in changes if each.after is not None}
    return changes, FactLine(tellings, tuple(current[fact_id] for fact_id in after), now_us)


def _change(
    fact_id: str,
    before: dict[str, FactVersion],
    after: dict[str, FactState],
    now_us: int,
    *,
    told: bool,
) -> FactChange | None:
    """The change of one fact; None if nothing happened to it."""
    was, now = before.get(fact_id), after.get(fact_id)
    state = None if was is None else was.state
    if state == now and not told:
        return None
    held = was is None and now is not None and _held_before(now, before.values())
    step = _Step(state, now, told, held)
    fits = tuple(transition for transition, applies in _TABLE if applies(step))
    if state == now:
        return FactChange(fact_id, fits, None, was)
    ended = None if was is None else replace(was, known_to_us=now_us)
    begun = None if now is None else FactVersion(now, now_us)
    return FactChange(fact_id, fits, ended, begun)


def is_single(tellings: Iterable[Telling], predicates: SingleValued) -> bool:
    """True if the line is single-valued: any standing telling may say so."""
    every = list(tellings)
    said = any(each.single_valued for each in every)
    return bool(every) and predicates.decide(every[0].statement.predicate, said)


def _held_before(state: FactState, versions: Iterable[FactVersion]) -> bool:
    return any(
        other.state.statement.key == state.statement.key
        and other.state.interval.end <= state.interval.start
        for other in versions
    )


def _closed(state: FactState | None) -> bool:
    return state is not None and bool(state.closed_by)


def _tied(one: FactState, other: FactState) -> bool:
    same = one.statement.key == other.statement.key
    return not same and one.interval.start == other.interval.start
