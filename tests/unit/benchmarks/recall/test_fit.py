"""Tests of benchmarks/recall/fit.py: weights learn from what answers, near those by hand."""

import numpy as np
import pytest

from anamnesis_retrieval.model import Candidate, CandidateSet, ConversationKind, Mode, ScopeShape
from anamnesis_retrieval.ranking.rank import rank
from benchmarks.recall.fit import BY_HAND, Asked, fit, found_first, left_out

NAMES = list(BY_HAND)
SESSION = NAMES.index("session")


def asked(conversation: str, seed: int) -> Asked:
    """Ten candidates of which the one in the best session answers."""
    values = np.random.default_rng(seed).normal(size=(10, len(NAMES)))
    answer = int(np.argmax(values[:, SESSION]))
    return Asked(conversation, values, np.arange(10) == answer)


def test_a_term_that_answers_have_gains_weight() -> None:
    some = [asked("a", seed) for seed in range(40)]
    weights = fit(some)
    assert weights[SESSION] == max(weights - list(BY_HAND.values())) > 0.3
    assert found_first(some, weights, 1) > found_first(some, np.array(list(BY_HAND.values())), 1)


def test_a_question_without_an_answer_teaches_nothing() -> None:
    some = [asked("a", seed) for seed in range(5)]
    silent = Asked("a", some[0].values, np.zeros(10, bool))
    assert fit([*some, silent]) == pytest.approx(fit(some))


def test_a_conversation_is_ranked_by_weights_of_the_others() -> None:
    misleading = Asked("b", -asked("b", 1).values, asked("b", 1).answers)
    some = [*(asked("a", seed) for seed in range(40)), misleading]
    own = found_first([misleading], fit([one for one in some if one.conversation == "a"]), 1)
    others = found_first(some[:-1], fit([misleading]), 1)
    assert left_out(some, 1) == pytest.approx((40 * others + own) / 41)


def test_the_terms_fitted_are_those_of_talk_between_people() -> None:
    people = ScopeShape(size=9, kind=ConversationKind.PEOPLE, names=("Ann", "Bea"))
    (ranked,) = rank("Who?", CandidateSet([Candidate("m", token_match=0.5)], people), Mode.AUTO)
    assert [factor.name for factor in ranked.factors] == NAMES
