"""Facts as they are shown: what says the same in the same time is one, as it was known then.

    rows of a store, in order             shown
    Oslo  [2020, 2021)  told with it      Oslo [2020, 2021), with both sources
    Oslo  [2020, 2021)  closed by Rome
    Rome  [2021, ...)                     Rome [2021, ...)

A store gives one row a fact and time of knowing. Rows that are one stand side by side, so a page
reads on until it has them all, and its token names the last fact that it shows: the next page
begins with the rows of that one again, and leaves out what was shown.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from anamnesis_memory.domain.facts.asof import known
from anamnesis_memory.domain.facts.key import folded
from anamnesis_memory.domain.facts.versions import FactState, FactVersion
from anamnesis_memory.knowledge.finding import entities_of_name
from anamnesis_memory.knowledge.workspace import part_of
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.scopes import is_in_scopes, scope_of
from anamnesis_memory.ports.knowledge import FactPlace, FactWhere, KnowledgeReads


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact as it was known at a time.

    Args:
        memory: what holds it, with the interval, the confidence and the flags of that time.
        place: where it stands in a list.
        sources: who said so by then, each once, the first one first.
        known_from_us: from when all this was known.
        known_to_us: until when; None while it is.
        closed_by: memories of the facts that gave it its end, where they are still there.
        contradicted: another object of its predicate began when it did.
        superseded: something later gave it its end.
        retracted: nobody says it any more today.
    """

    memory: Memory
    place: FactPlace
    sources: tuple[str, ...]
    known_from_us: int
    known_to_us: int | None
    closed_by: tuple[str, ...]
    contradicted: bool
    superseded: bool
    retracted: bool


@dataclass(frozen=True, slots=True)
class _One:
    """Rows that belong to one fact."""

    state: FactState
    known_from_us: int
    known_to_us: int | None

    @property
    def place(self) -> FactPlace:
        return place_of(self.state)


async def list_known(
    store: KnowledgeReads,
    where: FactWhere,
    scopes: Collection[str] | None,
    after: FactPlace | None,
    limit: int,
) -> list[KnownFact]:
    """List at most `limit` facts behind a place, by beginning, end, statement and id."""
    start = None if after is None else replace(after, fact_id="")
    rows: list[FactVersion] = []
    while True:
        found = await store.list_facts(where, scopes, start, limit + 1)
        rows += found
        ended = len(found) <= limit
        ones = [
            one
            for one in _united(rows, where.known_at_us, ended=ended)
            if after is None or one.place > after
        ]
        if ended or len(ones) >= limit:
            return await _shown(store, ones[:limit], scopes)
        start = place_of(rows[-1].state)


async def subjects_named(
    store: KnowledgeReads, names: Iterable[str], scopes: Collection[str] | None
) -> tuple[str, ...]:
    """The subjects, folded, that names ask for: themselves, and all names of who has one."""
    asked = dict.fromkeys(filter(None, map(folded, names)))
    groups = [one for name in asked for one in await entities_of_name(store, name, scopes)]
    called = (name.spelling.name for group in groups for name in group.names)
    return tuple(asked | dict.fromkeys(map(folded, called)))


def place_of(state: FactState) -> FactPlace:
    """The place of a fact in a list."""
    interval = state.interval
    return FactPlace(interval.first_us, interval.after_us, state.statement.key, state.fact_id)


def shown(memory: Memory, version: FactVersion, closed_by: tuple[str, ...] = ()) -> KnownFact:
    """One fact with the memory that holds it; `closed_by` are memories."""
    one = _One(version.state, version.known_from_us, version.known_to_us)
    return _known(memory, one, closed_by)


def _united(rows: Sequence[FactVersion], known_at_us: int | None, *, ended: bool) -> list[_One]:
    """The facts of whole runs of rows in one time; more rows may follow those of the last."""
    runs = [list(run) for _, run in groupby(rows, key=_run_of)]
    ones = [one for run in (runs if ended else runs[:-1]) for one in _ones(run, known_at_us)]
    return sorted(ones, key=lambda one: one.place)


def _run_of(row: FactVersion) -> tuple[int, int, str]:
    place = place_of(row.state)
    return place.from_us, place.to_us, place.key


def _ones(run: Sequence[FactVersion], known_at_us: int | None) -> Iterable[_One]:
    """The facts of one run: one for each scope."""
    scope_of_row = {row.state.statement.scope for row in run}
    for scope in sorted(scope_of_row):
        rows = [row for row in run if row.state.statement.scope == scope]
        ends = [row.known_to_us for row in rows if row.known_to_us is not None]
        for state in known(rows, known_at_us):
            yield _One(state, max(row.known_from_us for row in rows), min(ends, default=None))


async def _shown(
    store: KnowledgeReads, ones: Sequence[_One], scopes: Collection[str] | None
) -> list[KnownFact]:
    """The facts with their memories; one whose memory has just gone, or is hidden, is left out."""
    ids = dict.fromkeys(one.state.fact_id for one in ones)
    ids |= dict.fromkeys(closer for one in ones for closer in one.state.closed_by)
    found = await store.fact_memories(list(ids)) if ids else {}
    memories = {
        fact_id: memory
        for fact_id, memory in found.items()
        if scopes is None or is_in_scopes(scope_of(memory), scopes)
    }
    return [
        _known(
            memories[one.state.fact_id],
            one,
            tuple(memories[each].memory_id for each in one.state.closed_by if each in memories),
        )
        for one in ones
        if one.state.fact_id in memories
    ]


def _known(memory: Memory, one: _One, closed_by: tuple[str, ...]) -> KnownFact:
    part, state = memory.part, one.state
    assert isinstance(part, Fact), "a fact is held in a memory with a fact"
    return KnownFact(
        memory=replace(memory, part=part_of(part, state), confidence=state.confidence),
        place=one.place,
        sources=state.sources,
        known_from_us=one.known_from_us,
        known_to_us=one.known_to_us,
        closed_by=closed_by,
        contradicted=state.contradicted,
        superseded=bool(state.closed_by),
        retracted=part.retracted,
    )
