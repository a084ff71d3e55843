"""Tests of services/retrieval/relevance.py: what is evidence, and what makes a context."""

import pytest

from services.retrieval.model import Candidate, Mode, Ranked, Scope
from services.retrieval.relevance import coverage, is_answerable, with_evidence

SCOPE = Scope(size=100, term_weights=(3.0, 1.0), absent_terms=0)
SPARSE = Scope(size=100, term_weights=(3.0, 1.0), absent_terms=3)
ENGLISH, CHINESE = "Where does she live?", "她住在哪裡"


def kept(candidate: Candidate, mode: Mode) -> bool:
    return bool(with_evidence([Ranked(candidate)], mode))


@pytest.mark.parametrize(
    ("candidate", "mode", "shown"),
    [
        (Candidate("m", matched_terms=frozenset({1})), Mode.AUTO, True),
        (Candidate("m", text_window=0.01), Mode.HYBRID, True),
        (Candidate("m", cosine=0.3), Mode.AUTO, True),
        (Candidate("m", cosine=0.29, text_window=-0.1, dense=4.0), Mode.AUTO, False),
        (Candidate("m"), Mode.AUTO, False),
        (Candidate("m", matched_terms=frozenset({1}), text_window=9), Mode.SEMANTIC, False),
        (Candidate("m", cosine=0.31), Mode.SEMANTIC, True),
    ],
)
def test_a_hit_needs_something_that_speaks_for_it(
    candidate: Candidate, mode: Mode, shown: bool
) -> None:
    assert kept(candidate, mode) is shown


@pytest.mark.parametrize(
    ("terms", "scope", "share"),
    [
        ({0, 1}, SCOPE, 1.0),
        ({0}, SCOPE, 0.75),
        (set(), SCOPE, 0.0),
        ({0, 7}, SCOPE, 0.75),
        (set(), Scope(), 0.0),
    ],
)
def test_coverage_weighs_words_by_rarity(terms: set[int], scope: Scope, share: float) -> None:
    assert coverage(Candidate("m", matched_terms=frozenset(terms)), scope) == share


def test_words_that_the_scope_lacks_count_against_it() -> None:
    hit = Candidate("m", matched_terms=frozenset({0, 1}))
    assert coverage(hit, SPARSE) == pytest.approx(4 / (4 + 3 * 5.308), abs=1e-3)


@pytest.mark.parametrize(
    ("query", "hit", "scope", "mode", "answerable"),
    [
        (ENGLISH, Candidate("m", cosine=0.36), SCOPE, Mode.AUTO, True),
        (ENGLISH, Candidate("m", cosine=0.34), SCOPE, Mode.AUTO, False),
        (ENGLISH, Candidate("m", matched_terms=frozenset({0})), SCOPE, Mode.AUTO, True),
        (ENGLISH, Candidate("m", matched_terms=frozenset({0, 1})), SPARSE, Mode.AUTO, False),
        (ENGLISH, Candidate("m", matched_terms=frozenset({0})), SCOPE, Mode.SEMANTIC, False),
        (ENGLISH, Candidate("m", cosine=0.36), SCOPE, Mode.SEMANTIC, True),
        (CHINESE, Candidate("m", cosine=0.9), SCOPE, Mode.AUTO, False),
        (CHINESE, Candidate("m", cosine=0.9), SCOPE, Mode.SEMANTIC, True),
        (CHINESE, Candidate("m", matched_terms=frozenset({0})), SPARSE, Mode.AUTO, True),
        (CHINESE, Candidate("m", matched_terms=frozenset({1})), SPARSE, Mode.AUTO, False),
    ],
)
def test_a_context_needs_an_answer(
    query: str, hit: Candidate, scope: Scope, mode: Mode, answerable: bool
) -> None:
    assert is_answerable(query, [hit], scope, mode) is answerable


def test_nothing_answers_nothing() -> None:
    assert not is_answerable(ENGLISH, [], Scope(), Mode.AUTO)
