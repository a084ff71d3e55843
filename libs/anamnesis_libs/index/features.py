"""The four features of a query over a scope, one value a document."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.arrangement import Arrangement
from anamnesis_libs.index.port import FeatureWeights, Vector
from anamnesis_libs.index.scoring import best_pieces, inverse_frequency, standardised
from anamnesis_libs.index.vectors import VectorRows
from anamnesis_libs.index.windows import Floats

RELATED_SHARE = 0.3
"""The weight of a word that is only related to the query, beside one of its own."""


@dataclass(frozen=True, slots=True, eq=False)
class Occurrences:
    """A term of the query that the scope has: its weight, and the pieces with their counts."""

    text: str
    weight: float
    places: NDArray[np.int32]
    counts: Floats

    def lighter(self) -> "Occurrences":
        """The occurrences of a term that is only related to the query's."""
        return replace(self, weight=self.weight * RELATED_SHARE)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Standardised over the scope, one value a document.

    Except `cosine`, the best cosine of a document's pieces, and `pieces`, the cosine of each piece
    of the scope.
    """

    text: Floats
    text_window: Floats
    dense: Floats
    dense_window: Floats
    cosine: Floats
    pieces: Floats

    def weighed(self, weights: FeatureWeights) -> NDArray[np.float64]:
        """The weighted sum by which documents are chosen."""
        total: NDArray[np.float64] = (
            weights.text * self.text.astype(np.float64)
            + weights.text_window * self.text_window
            + weights.dense * self.dense
            + weights.dense_window * self.dense_window
        )
        return total


def occurrences(scope: Arrangement, query: Iterable[str]) -> list[Occurrences]:
    """Each term of the query once, in order, less those that the scope has not.

    What a term is worth is counted over the pieces of the scope: documents that the caller
    may not see never show in a score.
    """
    pieces = len(scope.rows)
    found = []
    for term in dict.fromkeys(query):
        places, counts = scope.terms.of(term)
        if len(places):
            weight = inverse_frequency(pieces, len(places))
            found.append(Occurrences(term, weight, places, counts))
    return found


def compute(
    scope: Arrangement, found: list[Occurrences], vectors: VectorRows, vector: Vector | None
) -> Features:
    """All features of a query; those of the vector are 0 where there is none."""
    text, text_window = _text(scope, found)
    if vector is None or not scope.embedded.any():
        nothing = np.zeros(scope.layout.size, np.float32)
        pieces = np.zeros(len(scope.rows), np.float32)
        return Features(text, text_window, nothing, nothing, nothing, pieces)
    return Features(text, text_window, *_dense(scope, vectors, vector))


def _text(scope: Arrangement, found: list[Occurrences]) -> tuple[Floats, Floats]:
    own = np.zeros(len(scope.rows), np.float32)
    for term in found:
        own[term.places] += np.float32(term.weight) * scope.saturation.at(term.places, term.counts)
    best = best_pieces(own, scope.layout.firsts, scope.odds, None, scope.piece_shares)
    held = np.where(scope.paged, _words_held(scope, found), best)
    text = standardised(held, None, scope.shares)
    if not scope.windows.radius:
        return text, text
    return text, _per_document(scope, _window_scores(scope, found))


def _words_held(scope: Arrangement, found: list[Occurrences]) -> Floats:
    """The weight of the terms that each page's passage has in any of its pieces; 0 for others.

    What is asked for in many words stands in several lines of a passage, each word once.
    """
    held = np.zeros(scope.layout.size, np.float32)
    for term in found if scope.paged.any() else ():
        held[np.unique(scope.owners[term.places])] += np.float32(term.weight)
    return held


def _window_scores(scope: Arrangement, found: list[Occurrences]) -> Floats:
    total = np.zeros(len(scope.rows), np.float32)
    counts = np.zeros(len(scope.rows), np.float32)
    for term in found:
        counts[term.places] = term.counts
        summed = scope.windows.sums(counts)
        total += np.float32(term.weight) * scope.window_saturation.of(summed)
        counts[term.places] = 0
    return total


def _dense(
    scope: Arrangement, vectors: VectorRows, vector: Vector
) -> tuple[Floats, Floats, Floats, Floats]:
    """Dense, dense of the window, the raw cosine, and the cosine of each piece."""
    cosines = vectors.cosines(vector, scope.rows)
    dense = _per_embedded_document(scope, cosines)
    raw = np.maximum.reduceat(cosines, scope.layout.firsts)
    if scope.window_norms is None:
        return dense, dense, raw, cosines
    windowed = scope.windows.sums(cosines) / scope.window_norms
    return dense, _per_embedded_document(scope, windowed), raw, cosines


def _per_document(scope: Arrangement, pieces: Floats) -> Floats:
    best = best_pieces(pieces, scope.layout.firsts, scope.odds, None, scope.piece_shares)
    return standardised(best, None, scope.shares)


def _per_embedded_document(scope: Arrangement, pieces: Floats) -> Floats:
    """A document without vectors stands at the mean."""
    best = best_pieces(
        pieces, scope.layout.firsts, scope.odds, scope.embedded_pieces, scope.piece_shares
    )
    return standardised(best, scope.embedded, scope.shares)
