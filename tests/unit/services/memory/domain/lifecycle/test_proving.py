"""Procedures by their runs, lessons by their outcomes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.lifecycle.proving import (
    lesson_rank,
    matchable,
    procedure_rank,
    recorded,
    status_after,
    tag_share,
    validated,
)
from anamnesis_memory.model.memory_details import ProcedureStatus

DRAFT, ACTIVE, DEPRECATED = ProcedureStatus


def _run(outcomes: list[bool], status: ProcedureStatus = DRAFT) -> tuple[int, float, str]:
    runs, rate = 0, 0.0
    for success in outcomes:
        runs, rate = recorded(runs, rate, success)
        status = status_after(status, runs, rate)
    return runs, rate, status


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_the_success_rate_is_the_mean_of_all_runs(outcomes: list[bool]) -> None:
    runs, rate, _ = _run(outcomes)
    assert runs == len(outcomes)
    assert rate == sum(outcomes) / len(outcomes)


@pytest.mark.parametrize(
    ("outcomes", "before", "after"),
    [
        ([], DRAFT, DRAFT),
        ([False], DRAFT, DRAFT),
        ([True], DRAFT, ACTIVE),
        ([False, True], DRAFT, ACTIVE),
        ([False], ACTIVE, ACTIVE),
        ([False] * 4, ACTIVE, ACTIVE),
        ([False] * 5, DRAFT, DEPRECATED),
        ([True] + [False] * 3, DRAFT, ACTIVE),
        ([True] + [False] * 4, DRAFT, DEPRECATED),
        ([True, True] + [False] * 3, DRAFT, ACTIVE),
        ([False] * 5 + [True] * 5, DRAFT, DEPRECATED),
        ([True] * 3 + [False] * 7, DRAFT, ACTIVE),
        ([True] * 3 + [False] * 8, DRAFT, DEPRECATED),
        ([True], DEPRECATED, DEPRECATED),
    ],
)
def test_a_procedure_proves_itself_or_is_given_up(
    outcomes: list[bool], before: ProcedureStatus, after: ProcedureStatus
) -> None:
    assert _run(outcomes, before)[2] is after


@pytest.mark.parametrize(
    ("runs", "rate", "rank"),
    [(0, 0, 0), (1, 1, 0.1), (5, 0.8, 0.4), (10, 0.9, 0.9), (50, 0.9, 0.9)],
)
def test_a_procedure_ranks_by_success_and_runs(runs: int, rate: float, rank: float) -> None:
    assert procedure_rank(runs, rate) == pytest.approx(rank)


def test_a_lesson_gains_a_tenth_and_loses_more() -> None:
    assert validated(0.5, was_validated=False, success=True) == (0.6, True)
    assert validated(0.5, was_validated=False, success=False) == (0.35, False)
    assert validated(0.5, was_validated=True, success=False) == (0.35, True)
    assert validated(0.95, was_validated=False, success=True) == (1, True)
    assert validated(0.1, was_validated=True, success=False) == (0, True)


@given(st.floats(0, 1), st.lists(st.booleans(), max_size=50))
def test_confidence_stays_within_its_bounds(confidence: float, outcomes: list[bool]) -> None:
    ever = False
    for success in outcomes:
        confidence, ever = validated(confidence, ever, success)
        assert 0 <= confidence <= 1
    assert ever is any(outcomes)


def test_a_lesson_is_shown_from_three_tenths_of_confidence() -> None:
    assert lesson_rank(0.8, 0.5) == pytest.approx(0.4)
    assert matchable(0.3)
    assert not matchable(0.29)
    confidence = 0.6
    for _ in range(2):
        confidence, _ever = validated(confidence, was_validated=False, success=False)
    assert matchable(confidence)


@pytest.mark.parametrize(
    ("asked", "has", "share"),
    [
        (["Python", "tests"], ["python", "TESTS", "ci"], 1),
        (["python", "rust"], ["Python"], 0.5),
        (["python", "PYTHON"], ["python"], 1),
        (["straße"], ["STRASSE"], 1),
        (["go"], ["golang"], 0),
        (["go"], [], 0),
        ([], ["go"], 0),
    ],
)
def test_tags_match_by_the_share_of_those_asked_for(
    asked: list[str], has: list[str], share: float
) -> None:
    assert tag_share(asked, has) == share
