"""Centroids: means of members' vectors that stay exact however many members join and leave.

A mean is moved in double precision and kept in single, so that each move rounds it once. Leaving
magnifies what was rounded before by the ratio of the counts; hence the mean is computed anew from
the members whenever the count falls to a power of two, and for few members always. Between two such
counts nothing is magnified more than twice, and a topic of n members is read in full once in n / 2
removals rather than at each.
"""

from collections.abc import Sequence

import numpy as np

from anamnesis_memory.model.memory import Vectors

FEW = 16
"""Up to so many members are read rather than subtracted from."""


def mean_of(vectors: Sequence[Vectors]) -> Vectors:
    """The exact mean, rounded once."""
    return np.asarray(np.mean(vectors, axis=0, dtype=np.float64), dtype=np.float32)


def joined(centroid: Vectors, count: int, vector: Vectors) -> Vectors:
    """The mean of `count` members and one more; of none it is the vector."""
    if not count:
        return vector.astype(np.float32)
    mean = centroid.astype(np.float64)
    return (mean + (vector - mean) / (count + 1)).astype(np.float32)


def left(centroid: Vectors, count: int, gone: Sequence[Vectors]) -> Vectors | None:
    """The mean of `count` members without these; None where it is to be computed from the rest."""
    rest = count - len(gone)
    passes_power = rest.bit_length() != count.bit_length() or rest & (rest - 1) == 0
    if rest <= FEW or passes_power:
        return None
    total = centroid.astype(np.float64) * count - np.sum(gone, axis=0, dtype=np.float64)
    return (total / rest).astype(np.float32)
