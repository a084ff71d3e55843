"""An end that is told alone: it closes what says the same, in any order."""

import pytest

from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.domain.facts.settling import settle
from anamnesis_memory.domain.facts.versions import Telling

WORKS = Statement("shared", "mara", "works_at", "Feedzai")
OTHER = Statement("shared", "mara", "works_at", "Ocado")


def telling(name: str, recorded: int, told: Interval, statement: Statement = WORKS) -> Telling:
    return Telling(name, statement, told, name, 0.9, recorded)


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("end_first", [True, False])
def test_an_end_closes_the_open_fact(*, single: bool, end_first: bool) -> None:
    begun = telling("begun", 2 if end_first else 1, Interval(10))
    ended = telling("ended", 1 if end_first else 2, Interval(None, 50))
    states = settle([begun, ended], single_valued=single)
    assert {state.interval for state in states.values()} == {Interval(10, 50)}


def test_a_return_after_the_end_stays_open() -> None:
    tellings = [
        telling("begun", 1, Interval(10)),
        telling("ended", 2, Interval(None, 50)),
        telling("back", 3, Interval(70)),
    ]
    states = settle(tellings, single_valued=False)
    assert sorted(state.interval.first_us for state in states.values()) == [10, 10, 70]
    assert states[tellings[2].fact_id].interval == Interval(70)


def test_an_end_touches_no_other_object() -> None:
    tellings = [
        telling("begun", 1, Interval(10), OTHER),
        telling("ended", 2, Interval(None, 50)),
    ]
    states = settle(tellings, single_valued=False)
    assert states[tellings[0].fact_id].interval == Interval(10)


def test_an_end_without_a_beginning_is_kept_as_told() -> None:
    ended = telling("ended", 1, Interval(None, 50))
    assert settle([ended], single_valued=False)[ended.fact_id].interval == Interval(None, 50)


@pytest.mark.parametrize(
    ("told", "ended", "closed"),
    [
        ("decaf coffee", "coffee", True),
        ("jazz from the fifties", "jazz", True),
        ("playing baseball video games", "baseball video games", True),
        ("the golf", "golf", True),
        ("jazz clubs", "jazz", False),
        ("coffee", "decaf coffee", False),
        ("services on AWS", "AWS", False),
        ("喝咖啡", "咖啡", False),
    ],
)
def test_an_end_closes_what_says_the_same_more_narrowly(
    told: str, ended: str, *, closed: bool
) -> None:
    likes = telling("likes", 1, Interval(10), Statement("shared", "mara", "likes", told))
    over = telling("over", 2, Interval(None, 50), Statement("shared", "mara", "likes", ended))
    states = settle([likes, over], single_valued=False)
    assert states[likes.fact_id].interval == Interval(10, 50 if closed else None)
