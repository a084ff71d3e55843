"""Small steps every embedder takes with its rows: to unit length, and many windows to one."""

from collections.abc import Sequence

import numpy as np

from anamnesis_libs.models.ports import Matrix

NORM_MIN = 1e-9
"""A row shorter than this has no direction."""


def unit_rows(rows: Matrix) -> Matrix:
    """Every row at unit length; a row without a direction stays as it is. Shape (n, dimension)."""
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Matrix = (rows / np.where(norms < NORM_MIN, 1.0, norms)).astype(np.float32)
    return scaled


def joined_windows(rows: Matrix, counts: Sequence[int]) -> Matrix:
    """One row a text from the rows of its windows: their mean, at unit length.

    Args:
        rows: unit rows of all windows, in the order of the texts.
        counts: how many windows each text has, at least one.
    """
    if len(rows) == len(counts):
        return rows
    starts = np.cumsum([0, *counts[:-1]])
    sums: Matrix = np.add.reduceat(rows, starts, axis=0)
    return unit_rows(sums)
