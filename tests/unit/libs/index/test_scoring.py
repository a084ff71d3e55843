"""The formulas against their definitions."""

import math

import numpy as np
import pytest

from anamnesis_libs.index.scoring import Saturation, best_pieces, inverse_frequency, standardised

NONE_KNOWN = np.zeros(3, bool)


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_saturation_is_bm25_over_the_mean_length() -> None:
    saturation = Saturation(floats(2, 4, 6))
    norms = [0.9 * (0.25 + 0.75 * length / 4) for length in (2, 4, 6)]
    wanted = [count * 1.9 / (count + norm) for count, norm in zip((1, 0, 3), norms, strict=True)]
    assert saturation.of(floats(1, 0, 3)) == pytest.approx(wanted)
    assert saturation.at(np.array([2]), floats(3)) == pytest.approx(wanted[2:])


def test_texts_without_a_term_have_no_length_to_divide_by() -> None:
    assert np.isfinite(Saturation(floats(0, 0)).of(floats(0, 0))).all()


def test_a_term_that_all_have_still_tells_a_little() -> None:
    assert inverse_frequency(10, 10) == pytest.approx(math.log(1 + 0.5 / 10.5))
    assert inverse_frequency(10, 1) > inverse_frequency(10, 2) > inverse_frequency(10, 10) > 0


def test_standardised_has_mean_0_and_deviation_1() -> None:
    scores = standardised(floats(1, 2, 3, 10))
    assert scores.mean() == pytest.approx(0, abs=1e-6)
    assert scores.std() == pytest.approx(1, abs=1e-6)


def test_only_what_is_known_is_standardised() -> None:
    known = np.array([True, False, True])
    assert standardised(floats(1, 99, 3), known).tolist() == [-1, 0, 1]
    assert standardised(floats(1, 2, 3), NONE_KNOWN).tolist() == [0, 0, 0]


def test_differences_within_rounding_tell_nothing() -> None:
    assert standardised(floats(0.5, 0.5 + 6e-8, 0.5)).tolist() == [0, 0, 0]


def test_the_best_of_many_pieces_is_less_than_the_same_alone() -> None:
    values = floats(1, 0, 1)
    odds = np.sqrt(2 * np.log(floats(2, 1)))
    best = best_pieces(values, np.array([0, 2]), odds)
    assert best[1] == 1
    assert best[0] == pytest.approx(1 - 0.5 * values.std() * math.sqrt(2 * math.log(2)))
