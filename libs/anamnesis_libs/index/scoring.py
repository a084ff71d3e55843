"""The formulas: BM25, the best piece of a document, and what a score is worth in its scope."""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]

K1 = 0.9
B = 0.75
LUCK = 0.5
"""Share of the expected gain of the best of n draws that is taken off; measured on BEAM."""

SPREAD_MIN = 1e-6
"""A smaller deviation is rounding: such a feature tells nothing and is 0 everywhere."""


class Saturation:
    """The part of BM25 that depends on lengths: tf (k1 + 1) / (tf + k1 (1 - b + b l / mean l)).

    Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009.
    """

    def __init__(self, lengths: Floats, mean: float | None = None) -> None:
        """`mean` is that of all texts, where these are only some."""
        self.lengths = lengths
        self._mean = float(lengths.mean(dtype=np.float64)) if mean is None else mean
        self._all: Floats | None = None

    def chosen(self, places: NDArray[np.int32]) -> "Saturation":
        """Of some of the texts; their mean length stays that of all."""
        return Saturation(self.lengths[places], self._mean)

    def of(self, counts: Floats) -> Floats:
        """The saturated counts of a term in every text."""
        if self._all is None:
            self._all = self._norms(self.lengths)
        saturated: Floats = counts * np.float32(K1 + 1) / (counts + self._all)
        return saturated

    def at(self, places: NDArray[np.int32], counts: Floats) -> Floats:
        """The saturated counts of a term in some texts only."""
        saturated: Floats = (
            counts * np.float32(K1 + 1) / (counts + self._norms(self.lengths[places]))
        )
        return saturated

    def _norms(self, lengths: Floats) -> Floats:
        mean = max(self._mean, SPREAD_MIN)
        return (K1 * (1 - B + B * lengths / mean)).astype(np.float32)


def inverse_frequency(texts: int, texts_with_term: int) -> float:
    """The weight of a term: ln(1 + (n - df + 0.5) / (df + 0.5)); never negative."""
    return math.log(1 + (texts - texts_with_term + 0.5) / (texts_with_term + 0.5))


def standardised(values: Floats, known: Mask | None = None, shares: Floats | None = None) -> Floats:
    """Minus the mean, over the deviation, of those known; 0 for the others.

    `shares` says how many each value stands for: those of a sample for others too.
    """
    if known is None or known.all():
        return _standardised(values, shares)
    scores = np.zeros_like(values)
    if known.any():
        scores[known] = _standardised(values[known], None if shares is None else shares[known])
    return scores


def best_pieces(
    values: Floats,
    firsts: NDArray[np.int32],
    odds: Floats,
    known: Mask | None = None,
    shares: Floats | None = None,
) -> Floats:
    """The best value among the pieces of each document, less the luck of having many.

    The best of n draws lies sqrt(2 ln n) deviations (`odds`) above the mean, roughly. The
    deviation is that of the pieces known.
    """
    if len(firsts) == len(values):
        return values
    if known is not None:
        deviation = _deviation(values[known], None if shares is None else shares[known])
    else:
        deviation = _deviation(values, shares)
    best: Floats = np.maximum.reduceat(values, firsts) - np.float32(LUCK * deviation) * odds
    return best


def _standardised(values: Floats, shares: Floats | None = None) -> Floats:
    deviation = _deviation(values, shares)
    if deviation < SPREAD_MIN:
        return np.zeros_like(values)
    mean = _mean(values, shares)
    scores: Floats = ((values - mean) / deviation).astype(np.float32)
    return scores


def _mean(values: Floats, shares: Floats | None) -> float:
    if shares is None or not shares.any():
        return float(values.mean(dtype=np.float64))
    return float(np.average(values, weights=shares))


def _deviation(values: Floats, shares: Floats | None = None) -> float:
    if not len(values):
        return 0.0
    if shares is None or not shares.any():
        return float(values.std(dtype=np.float64))
    return math.sqrt(_mean((values - _mean(values, shares)) ** 2, shares))
