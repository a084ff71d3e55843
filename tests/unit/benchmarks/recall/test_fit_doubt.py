"""Tests of benchmarks/recall/fit_doubt.py: what is fitted tells answers apart, by the others."""

import numpy as np

from anamnesis_retrieval.context.doubt import FEATURES
from benchmarks.recall.fit_doubt import Judged, fit, least_told, left_out


def some(conversation: str, seed: int, sign: float = 1.0) -> list[Judged]:
    """Questions whose first feature is higher where they are answerable."""
    rows = np.random.default_rng(seed).normal(size=(80, len(FEATURES)))
    rows[:40, 0] += 3 * sign
    return [
        Judged(conversation, number < 40, tuple(map(float, row))) for number, row in enumerate(rows)
    ]


def test_a_feature_of_answers_gains_weight_and_the_others_little() -> None:
    fitted = fit(some("a", 1))
    assert fitted.weights[0] > 4 * np.abs(fitted.weights[1:]).max()


def test_so_many_answers_are_below_the_least_that_is_told() -> None:
    asked = some("a", 1)
    odds = fit(asked).odds(asked)
    assert np.mean(odds[:40] < least_told(odds, asked, 0.1)) == 0.1


def test_a_conversation_is_judged_by_the_others() -> None:
    alike = left_out([*some("a", 1), *some("b", 2)], 0.05)
    unlike = left_out([*some("a", 1), *some("b", 2, sign=-1)], 0.05)
    assert alike[True] < 15 < 70 < alike[False]
    assert unlike[True] > 90
