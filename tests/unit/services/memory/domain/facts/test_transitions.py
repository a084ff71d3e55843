"""Each row of the table of transitions, and what is kept of it."""

import pytest

from anamnesis_memory.domain.facts.asof import holding, known, timeline
from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.transitions import (
    LineEdits,
    Transition,
    edges,
    tell,
)
from anamnesis_memory.domain.facts.versions import FactLine, Telling
from anamnesis_memory.model.edges import EdgeType
from tests.support.fact_lines import Lines

T = Transition


class Told:
    """Lives in short: the telling's id is its number, which is also when it is recorded."""

    def __init__(self) -> None:
        self.lines = Lines()
        self.tellings: dict[int, Telling] = {}

    def __call__(
        self,
        number: int,
        home: str,
        from_us: int | None = None,
        to_us: int | None = None,
        *,
        source: str = "chat",
        predicate: str = "lives_in",
        single_valued: bool = False,
    ) -> LineEdits:
        telling = Telling(
            telling_id=str(number),
            statement=Statement("shared", "Nadia", predicate, home),
            told=Interval(from_us, to_us),
            source=source,
            confidence=0.8,
            known_from_us=number,
            single_valued=single_valued,
        )
        self.tellings[number] = telling
        return self.lines.tell(telling)

    def id(self, number: int) -> str:
        return self.tellings[number].fact_id

    def line(self) -> FactLine:
        (line,) = self.lines.lines.values()
        return line

    def now(self) -> list[tuple[str, int | None, int | None]]:
        return [
            (state.statement.object, state.interval.from_us, state.interval.to_us)
            for state in timeline(self.lines.versions)
        ]

    def transitions(self, outcome: LineEdits) -> dict[str, tuple[Transition, ...]]:
        names = {telling.fact_id: telling.statement.object for telling in self.tellings.values()}
        return {names[each.fact_id]: each.transitions for each in outcome.changes}


@pytest.fixture
def told() -> Told:
    return Told()


def test_a_new_object_closes_the_old_fact(told: Told) -> None:
    told(1, "Rotterdam", 10)
    outcome = told(2, "Utrecht", 20)
    assert told.transitions(outcome) == {"Utrecht": (T.NEW,), "Rotterdam": (T.CLOSED,)}
    assert told.now() == [("Rotterdam", 10, 20), ("Utrecht", 20, None)]
    (closed,) = outcome.of(T.CLOSED)
    assert closed.after is not None
    assert closed.after.state.closed_by == (told.id(2),)
    assert edges(told.line()) == {(told.id(2), told.id(1), EdgeType.SUPERSEDES)}


def test_before_it_was_recorded_nothing_was_closed(told: Told) -> None:
    told(1, "Rotterdam", 10)
    told(5, "Utrecht", 20)
    versions = told.lines.versions
    assert [each.statement.object for each in holding(versions, 30, 4)] == ["Rotterdam"]
    assert [each.statement.object for each in holding(versions, 30, 5)] == ["Utrecht"]
    assert holding(versions, 30, 0) == []
    assert len(versions) == 3


def test_an_older_truth_told_later_leaves_the_present_open(told: Told) -> None:
    told(1, "Utrecht", 20)
    outcome = told(2, "Rotterdam", 10)
    assert told.transitions(outcome) == {"Rotterdam": (T.NEW, T.BOUNDED)}
    assert told.now() == [("Rotterdam", 10, 20), ("Utrecht", 20, None)]


def test_one_told_between_closes_one_and_is_bounded_by_another(told: Told) -> None:
    told(1, "Qingdao", 10)
    told(2, "Dalian", 18)
    outcome = told(3, "Yantai", 15)
    assert told.transitions(outcome) == {"Yantai": (T.NEW, T.BOUNDED), "Qingdao": (T.CLOSED,)}
    assert told.now() == [("Qingdao", 10, 15), ("Yantai", 15, 18), ("Dalian", 18, None)]


def test_what_comes_back_opens_a_new_interval(told: Told) -> None:
    told(1, "Rotterdam", 10)
    told(2, "Utrecht", 20)
    outcome = told(3, "rotterdam", 30)
    assert told.transitions(outcome) == {"rotterdam": (T.RETURNS,), "Utrecht": (T.CLOSED,)}
    assert told.id(1) != told.id(3)
    assert told.now() == [("Rotterdam", 10, 20), ("Utrecht", 20, 30), ("rotterdam", 30, None)]


def test_an_earlier_time_of_a_known_statement_is_new(told: Told) -> None:
    told(1, "Rotterdam", 30)
    assert told.transitions(told(2, "Rotterdam", 10, 20)) == {"Rotterdam": (T.NEW,)}


def test_an_end_at_the_next_beginning_is_no_closing(told: Told) -> None:
    told(1, "Rotterdam", 10, 20)
    assert told.transitions(told(2, "Utrecht", 20)) == {"Utrecht": (T.NEW,)}
    assert edges(told.line()) == frozenset()


def test_another_source_reinforces_and_the_same_one_does_not(told: Told) -> None:
    told(1, "Rotterdam", 10)
    assert told.transitions(told(2, "Rotterdam", 10, source="mail")) == {
        "Rotterdam": (T.REINFORCED,)
    }
    repeated = told(3, "Rotterdam", 10, source="mail")
    assert told.transitions(repeated) == {"Rotterdam": (T.REPEATED,)}
    assert [each.telling_id for each in repeated.tellings] == ["3"]
    (state,) = known(told.lines.versions)
    assert state.sources == ("chat", "mail")
    assert state.confidence == pytest.approx(0.85)
    (then,) = known(told.lines.versions, 1)
    assert then.confidence == pytest.approx(0.8)


def test_confidence_ends_at_one(told: Told) -> None:
    for number in range(10):
        told(number, "Rotterdam", 10, source=f"source {number}")
    (state,) = known(told.lines.versions)
    assert state.confidence == 1


def test_a_supporter_that_is_taken_back_weakens(told: Told) -> None:
    told(1, "Rotterdam", 10)
    told(2, "Rotterdam", 10, source="mail")
    outcome = told.lines.retract("1", 3)
    assert told.transitions(outcome) == {"Rotterdam": (T.WEAKENED,)}
    (state,) = known(told.lines.versions)
    assert (state.fact_id, state.sources) == (told.id(1), ("mail",))


def test_one_beginning_of_two_objects_is_a_contradiction(told: Told) -> None:
    told(1, "Rotterdam", 10)
    outcome = told(2, "Utrecht", 10)
    assert told.transitions(outcome) == {
        "Utrecht": (T.NEW, T.CONTRADICTED),
        "Rotterdam": (T.CONTRADICTED,),
    }
    assert [state.contradicted for state in known(told.lines.versions)] == [True, True]
    one, other = sorted([told.id(1), told.id(2)])
    assert edges(told.line()) == {(one, other, EdgeType.CONTRADICTS)}
    both = told(3, "Delft", 20)
    assert len(both.of(T.CLOSED)) == 2
    calm = told.lines.retract("2", 4)
    assert told.transitions(calm) == {"Rotterdam": (T.RECONCILED,), "Utrecht": (T.RETRACTED,)}


def test_what_was_closed_opens_when_that_is_taken_back(told: Told) -> None:
    told(1, "Rotterdam", 10)
    told(2, "Utrecht", 20)
    outcome = told.lines.retract("2", 3)
    assert told.transitions(outcome) == {"Rotterdam": (T.REOPENED,), "Utrecht": (T.RETRACTED,)}
    assert told.now() == [("Rotterdam", 10, None)]
    assert [each.statement.object for each in holding(told.lines.versions, 30, 2)] == ["Utrecht"]
    assert edges(told.line()) == frozenset()


def test_an_undone_closing_leaves_the_next_one(told: Told) -> None:
    told(1, "Rotterdam", 10)
    told(2, "Utrecht", 20)
    told(3, "Delft", 15)
    told.lines.retract("3", 4)
    assert told.now() == [("Rotterdam", 10, 20), ("Utrecht", 20, None)]
    (first, _) = timeline(told.lines.versions)
    assert first.closed_by == (told.id(2),)


def test_it_may_be_told_again_after_it_was_taken_back(told: Told) -> None:
    told(1, "Rotterdam", 10)
    told.lines.retract("1", 2)
    outcome = told(3, "Rotterdam", 10)
    assert told.transitions(outcome) == {"Rotterdam": (T.NEW,)}
    assert [bool(known(told.lines.versions, at)) for at in (1, 2, 3)] == [True, False, True]


def test_its_own_end_wins_if_it_comes_first(told: Told) -> None:
    told(1, "Rotterdam", 10, 12)
    assert told.transitions(told(2, "Utrecht", 20)) == {"Utrecht": (T.NEW,)}
    assert told.now() == [("Rotterdam", 10, 12), ("Utrecht", 20, None)]
    assert edges(told.line()) == frozenset()


def test_disjoint_intervals_of_one_text_stay_two(told: Told) -> None:
    told(1, "Rotterdam", 10, 12)
    told(2, "Rotterdam", 20, 25)
    assert told.now() == [("Rotterdam", 10, 12), ("Rotterdam", 20, 25)]
    assert {state.sources for state in known(told.lines.versions)} == {("chat",)}


def test_one_interval_told_in_two_ways_is_read_as_one(told: Told) -> None:
    told(8, "Rotterdam", 10)
    told(9, "Utrecht", 20)
    told(10, "Rotterdam", 10, 20, source="mail")
    assert told.now() == [("Rotterdam", 10, 20), ("Utrecht", 20, None)]
    (state,) = holding(told.lines.versions, 15)
    assert (state.fact_id, state.sources) == (told.id(8), ("chat", "mail"))
    told.lines.retract("9", 11)
    assert told.now() == [("Rotterdam", 10, 20), ("Rotterdam", 10, None)]


def test_other_predicates_hold_many_objects(told: Told) -> None:
    told(1, "herring", 10, predicate="likes")
    outcome = told(2, "tea", 20, predicate="likes")
    assert told.transitions(outcome) == {"tea": (T.NEW,)}
    assert told.now() == [("herring", 10, None), ("tea", 20, None)]


def test_the_teller_may_say_that_it_is_single_valued(told: Told) -> None:
    told(1, "Postgres 13", 10, predicate="uses")
    told(2, "Postgres 16", 20, predicate="uses", single_valued=True)
    assert told.now() == [("Postgres 13", 10, 20), ("Postgres 16", 20, None)]


def test_the_same_telling_again_changes_nothing(told: Told) -> None:
    told(1, "Rotterdam", 10)
    outcome = tell(told.line(), told.tellings[1], SingleValued())
    assert outcome == LineEdits(told.line())
    assert told.lines.retract("1", 2).changes
    line = told.line()
    assert told.lines.retract("1", 3) == LineEdits(line)


def test_a_clock_that_went_back_stands_still(told: Told) -> None:
    told(5, "Rotterdam", 10)
    outcome = told(3, "Utrecht", 20)
    assert [each.known_from_us for each in outcome.tellings] == [5]
    assert told.line().settled_us == 5
    (ended,) = [each.before for each in outcome.changes if each.before]
    assert ended.void
    assert [version.known_from_us for version in told.lines.versions] == [5, 5]


def test_all_tellings_of_a_fact_are_found(told: Told) -> None:
    told(1, "Rotterdam", 10)
    told(2, "Rotterdam", 10, source="mail")
    told(3, "Utrecht", 20)
    assert told.line().of_fact(told.id(1)) == ("1", "2")
