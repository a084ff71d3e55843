"""Tests of ranking/relevance.py: what is evidence for a hit."""

import pytest

from anamnesis_retrieval.model import Candidate, Mode, Ranked, ScopeShape
from anamnesis_retrieval.ranking.relevance import coverage, with_evidence

SCOPE = ScopeShape(size=100, term_weights=(3.0, 1.0))
SPARSE = ScopeShape(size=100, term_weights=(3.0, 1.0), absent=("a", "b", "c"))


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
        (set(), ScopeShape(), 0.0),
    ],
)
def test_coverage_weighs_words_by_rarity(terms: set[int], scope: ScopeShape, share: float) -> None:
    assert coverage(Candidate("m", matched_terms=frozenset(terms)), scope) == share


def test_words_that_the_scope_lacks_count_against_it() -> None:
    hit = Candidate("m", matched_terms=frozenset({0, 1}))
    assert coverage(hit, SPARSE) == pytest.approx(4 / (4 + 3 * 5.308), abs=1e-3)
