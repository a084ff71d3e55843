"""Contexts judged by their text."""

import pytest

from benchmarks.everyday.judging import Count, Verdict, figures, judge
from benchmarks.everyday.questions import Question

OVEN = Question("Which oven?", ("gas", "Bosch"), ("gas", "electric"))


def _told(*, told: bool, first: bool) -> Verdict:
    return Verdict(told=told, newer_first=first)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("user: now a GAS oven by Bosch\nuser: my electric oven", _told(told=True, first=True)),
        ("user: my electric oven\nuser: now a gas oven by Bosch", _told(told=True, first=False)),
        ("user: now a gas oven", _told(told=False, first=True)),
        ("user: my electric oven", _told(told=False, first=False)),
        ("", _told(told=False, first=False)),
    ],
)
def test_an_answer_is_told_whole_and_what_holds_comes_first(text: str, verdict: Verdict) -> None:
    assert judge(OVEN, text) == verdict
    assert verdict.is_right is (verdict == _told(told=True, first=True))


def test_a_question_that_nothing_answers_wants_silence() -> None:
    haiku = Question("Write a haiku", silent=True)
    assert judge(haiku, "") == Verdict(silent=True)
    assert not judge(haiku, "user: my oven").is_right


def test_figures_count_only_what_was_asked() -> None:
    counted = figures([_told(told=True, first=False), Verdict(told=False), Verdict(silent=True)])
    assert (counted.told, counted.newer_first, counted.silent) == (
        Count(1, 2),
        Count(0, 1),
        Count(1, 1),
    )
    assert str(counted.told) == "1 of 2"
    assert str(Count(0, 0)) == "-"
