"""The decision on a lesson beside its nearest one; pure."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from anamnesis_libs.index.port import Rows
from anamnesis_memory.dedup.difference import Difference
from anamnesis_memory.dedup.thresholds import Thresholds


class DuplicateVerdict(StrEnum):
    """NEW and CANDIDATE are stored, the latter marked as a pair; KEPT_APART is linked as well."""

    NEW = "new"
    MERGE = "merge"
    KEPT_APART = "kept_apart"
    CANDIDATE = "candidate"


@dataclass(frozen=True, slots=True)
class Nearness:
    """The cosine of two lessons, and the differences that the guard sees between them."""

    cosine: float
    differences: tuple[Difference, ...]


def verdict(near: Nearness, thresholds: Thresholds) -> DuplicateVerdict:
    """Decide over two lessons that are not identical; a threshold belongs to what is above it."""
    if near.cosine < thresholds.candidate:
        return DuplicateVerdict.NEW
    if near.differences:
        return DuplicateVerdict.KEPT_APART
    return DuplicateVerdict.MERGE if near.cosine >= thresholds.merge else DuplicateVerdict.CANDIDATE


def nearest(a: Rows, b: Rows) -> float:
    """Cosine of two memories, -1 to 1, by the mean of the rows of each.

    Not by their nearest pieces: two long lessons that share one piece are not the same.

    Args:
        a: unit rows of the pieces of one memory, shape (pieces, dimension), at least one.
        b: the same of the other memory; the same dimension.
    """
    return float(np.clip(mean_of(a) @ mean_of(b), -1.0, 1.0))


def mean_of(rows: Rows) -> Rows:
    """One unit vector of a memory in pieces; the first row where the mean has no direction."""
    mean: Rows = rows.mean(axis=0)
    norm = np.float32(np.linalg.norm(mean))
    unit: Rows = rows[0] if norm == 0 else mean / norm
    return unit
