"""Random lives: the kept versions say at any point what the naive model says of the entries."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.facts.asof import holding, known
from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.transitions import Transition, edges
from anamnesis_memory.domain.facts.versions import FactState, Telling
from tests.support.drawing import drawn
from tests.support.fact_lines import Lines
from tests.support.naive_facts import (
    BEGINNING,
    NEVER,
    SHARED,
    Entry,
    Held,
    Retracted,
    Told,
    facts,
    folded,
    refused,
)

SINGLE = {"lives_in"}
DAY = timedelta(days=1)
START = datetime(2020, 1, 1, tzinfo=UTC)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAYS = 5

days = st.integers(0, DAYS)
assertions = st.fixed_dictionaries(
    {
        "subject": st.sampled_from(["Ann", "ann ", "ＡＮＮ", "Bo"]),
        "predicate": st.sampled_from(["lives_in", "lives_in", "lives_in", "likes"]),
        "object": st.sampled_from(["Oslo", "OSLO", "Rome", "Lima"]),
        "start": st.none() | days,
        "end": st.none() | days,
        "source": st.sampled_from(["chat", "mail", "cv"]),
        "scope": st.sampled_from([SHARED, SHARED, SHARED, "lin"]),
        "confidence": st.sampled_from([0.5, 0.8, 0.97]),
    }
)
retractions = st.fixed_dictionaries({"of": st.integers(0, 30)})
entries_drawn = assertions | assertions | assertions | retractions
lives = st.lists(st.tuples(st.integers(0, 1), entries_drawn), min_size=5, max_size=24)


def _at(day: int | None, otherwise: datetime) -> datetime:
    return otherwise if day is None else START + day * DAY


def _entries(drawn: list[tuple[int, dict[str, object]]]) -> list[Entry]:
    """The entries of a drawn life: some are recorded in one instant, some intervals are empty."""
    found: list[Entry] = []
    told: list[Told] = []
    recorded = START
    for number, (later, row) in enumerate(drawn):
        recorded += later * DAY
        if "of" in row:
            if told:
                of = told[int(str(row["of"])) % len(told)]
                found.append(Retracted(f"r{number:02}", recorded, of.id))
            continue
        fields = {name: row[name] for name in row if name not in {"start", "end"}}
        start, end = row["start"], row["end"]
        assert start is None or isinstance(start, int)
        assert end is None or isinstance(end, int)
        entry = Told(
            id=f"t{99 - (recorded - START).days:02}-{number:02}",
            recorded=recorded,
            start=_at(start, BEGINNING),
            end=_at(end, NEVER),
            **fields,  # type: ignore[arg-type]
        )
        found.append(entry)
        told += [] if refused(entry) else [entry]
    return found


def _us(moment: datetime) -> int | None:
    if moment in {BEGINNING, NEVER}:
        return None
    return (moment - EPOCH) // timedelta(microseconds=1)


def _telling(told: Told) -> Telling:
    recorded_us = _us(told.recorded)
    assert recorded_us is not None
    return Telling(
        telling_id=told.id,
        statement=Statement(told.scope, told.subject, told.predicate, told.object),
        told=Interval(_us(told.start), _us(told.end)),
        source=told.source,
        confidence=told.confidence,
        known_from_us=recorded_us,
    )


def _kept(entries: list[Entry]) -> Lines:
    """What is kept of a life; each step is held to what it may touch."""
    lines = Lines(SingleValued(added=frozenset(SINGLE)))
    for entry in entries:
        if isinstance(entry, Retracted):
            recorded_us = _us(entry.recorded)
            assert recorded_us is not None
            lines.retract(entry.of, recorded_us)
        elif not refused(entry):
            _tell(lines, entry)
    return lines


def _tell(lines: Lines, entry: Told) -> None:
    telling = _telling(entry)
    line_id = telling.statement.line_id
    others = {each: line for each, line in lines.lines.items() if each != line_id}
    outcome = lines.tell(telling)
    for change in outcome.changes:
        states = [each.state for each in (change.before, change.after) if each is not None]
        assert {state.statement.line_id for state in states} == {line_id}
        assert Transition.RETRACTED not in change.transitions
    assert {each: line for each, line in lines.lines.items() if each != line_id} == others
    ends_alone = entry.start == BEGINNING and entry.end != NEVER
    if folded(entry.predicate) not in SINGLE and not ends_alone:
        assert outcome.of(Transition.CLOSED) == outcome.of(Transition.CONTRADICTED) == ()


def _said(state: FactState) -> tuple[object, ...]:
    statement, interval = state.statement, state.interval
    line = statement.scope, folded(statement.subject), folded(statement.predicate)
    bounds = interval.from_us, interval.to_us
    confidence = round(state.confidence, 9)
    return line, statement.object, bounds, confidence, state.contradicted, bool(state.closed_by)


def _meant(held: Held) -> tuple[object, ...]:
    bounds = _us(held.start), _us(held.end)
    confidence = round(held.confidence, 9)
    return held.line, held.object, bounds, confidence, held.contradicts, bool(held.closed_by)


@pytest.mark.slow
@drawn(300)
@given(lives, st.integers(0, 24), days)
def test_the_same_as_the_naive_model(
    drawn: list[tuple[int, dict[str, object]]], known_day: int, as_of_day: int
) -> None:
    entries = _entries(drawn)
    versions = _kept(entries).versions
    known_at, as_of = START + known_day * DAY, START + as_of_day * DAY
    meant = facts(entries, SINGLE, known_at)
    assert sorted(map(repr, map(_said, known(versions, _us(known_at))))) == sorted(
        map(repr, map(_meant, meant))
    )
    as_of_us = _us(as_of)
    assert as_of_us is not None
    held = [fact for fact in meant if fact.start <= as_of < fact.end]
    assert sorted(map(repr, map(_said, holding(versions, as_of_us, _us(known_at))))) == sorted(
        map(repr, map(_meant, held))
    )


@drawn(150)
@given(lives)
def test_a_fact_has_one_version_at_a_time(drawn: list[tuple[int, dict[str, object]]]) -> None:
    versions = _kept(_entries(drawn)).versions
    instants = {each.known_from_us for each in versions}
    for at_us in instants:
        ids = [each.state.fact_id for each in versions if each.known_at(at_us)]
        assert len(ids) == len(set(ids))
    assert not any(version.void for version in versions)


@pytest.mark.slow
@drawn(150)
@given(lives)
def test_taking_everything_back_leaves_nothing(
    drawn: list[tuple[int, dict[str, object]]],
) -> None:
    entries = _entries(drawn)
    lines = _kept(entries)
    for line in list(lines.lines.values()):
        for telling in line.tellings:
            lines.retract(telling.telling_id, line.settled_us + 1)
    assert known(lines.versions) == []
    assert all(edges(line) == frozenset() for line in lines.lines.values())
