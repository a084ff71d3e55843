"""Each form is measured, and agrees with the exact scores as far as it can."""

import numpy as np
import pytest

from anamnesis_libs.index.port import Rows
from benchmarks.index.candidates import FORMS
from benchmarks.index.corpus import Corpus
from benchmarks.index.measure import exact_scores, measure

DIMENSION = 64


def unit_rows(count: int, seed: int) -> Rows:
    rows: Rows = np.random.default_rng(seed).standard_normal((count, DIMENSION), np.float32)
    lengths: Rows = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / lengths


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_measured_against_the_truth(name: str) -> None:
    rows, questions = unit_rows(6_000, 0), unit_rows(30, 1)
    figures = measure(name, FORMS[name], rows, questions, exact_scores(rows, questions))
    assert figures.rows == 6_000
    assert figures.recall > 0.9
    assert figures.error_max < 0.05
    if name == "exact":
        assert figures.recall == 1
    if figures.file_mib is not None:
        assert figures.file_mib < 6_000 * DIMENSION * 4 / 2**20 + 0.1


def test_a_corpus_grows_by_copies_that_are_near_their_originals() -> None:
    corpus = Corpus(unit_rows(50, 0), unit_rows(5, 1))
    grown = corpus.grown(400)
    assert np.array_equal(grown[:50], corpus.texts)
    assert np.linalg.norm(grown, axis=1) == pytest.approx(1, abs=1e-5)
    nearest = (grown[50:] @ corpus.texts.T).max(axis=1)
    assert 0.6 < nearest.min() < nearest.max() < 0.97
    assert np.array_equal(corpus.grown(30), corpus.texts[:30])
