"""The vectors of pieces: rows of a FAISS flat index, and inner products with them.

A row is written once and never changes; a vector that is replaced gets a new row. All
rows of a scope are scored through a view of FAISS's own storage, without a copy, one
inner product a row: unlike a matrix product that gives a row the same value wherever
it lies, so that equal texts score equal whatever the order they came in.
"""

import faiss
import numpy as np
from numpy.typing import NDArray

from libs.index.port import Rows, Vector

RowNumbers = NDArray[np.int32]

NO_ROW = -1
LAGS = 5
"""Pairs up to this distance (0 to 4) meet in one window of radius 2."""

# A query over less than this share of the rows gathers them instead of scoring all.
_GATHER_SHARE = 0.1
_CHUNK_ROWS = 2048


class VectorRows:
    """Vectors by row number, with the inner products of neighbours remembered."""

    def __init__(self, dimension: int) -> None:
        self._index = faiss.IndexFlatIP(dimension)
        self._dimension = dimension
        self._partners = np.full((0, LAGS), NO_ROW, np.int32)
        self._products = np.zeros((0, LAGS), np.float32)

    @property
    def count(self) -> int:
        """Rows ever added, those no longer used included."""
        return int(self._index.ntotal)

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, without what FAISS holds in reserve."""
        return self.count * self._dimension * 4 + self._partners.nbytes + self._products.nbytes

    @property
    def rows(self) -> Rows:
        """All rows: a read-only view of FAISS's storage, good until the next `add`."""
        count = self.count
        if not count:
            return np.zeros((0, self._dimension), np.float32)
        held: Rows = faiss.rev_swig_ptr(self._index.get_xb(), count * self._dimension)
        held.flags.writeable = False
        return held.reshape(count, self._dimension)

    def add(self, vectors: Rows) -> int:
        """Append rows; the number of the first."""
        first = self.count
        self._index.add(np.ascontiguousarray(vectors, np.float32))
        return first

    def cosines(self, vector: Vector, rows: RowNumbers) -> Vector:
        """The inner product of a vector with each row; 0 for NO_ROW."""
        held = self.rows
        if not len(held):
            return np.zeros(len(rows), np.float32)
        if len(rows) < _GATHER_SHARE * len(held):
            values: Vector = np.vecdot(held[rows], vector)
        else:
            values = np.vecdot(held, vector)[rows]
        values[rows == NO_ROW] = 0.0
        return values

    def neighbour_products(self, left: RowNumbers, right: RowNumbers, lag: int) -> Vector:
        """Inner products of pairs of rows that stand `lag` apart; 0 where one is NO_ROW.

        The last partner of a row at each lag is remembered with the product, so after a
        write only the pairs that are new cost anything.
        """
        if not self.count:
            return np.zeros(len(left), np.float32)
        self._make_room()
        known = self._partners[left, lag] == right
        there = (left != NO_ROW) & (right != NO_ROW)
        fresh = np.flatnonzero(there & ~known)
        for start in range(0, len(fresh), _CHUNK_ROWS):
            self._remember(left, right, fresh[start : start + _CHUNK_ROWS], lag)
        return np.where(there, self._products[left, lag], np.float32(0))

    def keep(self, alive: RowNumbers) -> None:
        """Hold only these rows, numbered from 0 in this order."""
        kept = self.rows[alive]
        self._index = faiss.IndexFlatIP(self._dimension)
        self._index.add(kept)
        self._partners = self._partners[:0]
        self._products = self._products[:0]

    def _remember(
        self, left: RowNumbers, right: RowNumbers, pairs: NDArray[np.intp], lag: int
    ) -> None:
        rows = self.rows
        ours, theirs = left[pairs], right[pairs]
        self._products[ours, lag] = np.vecdot(rows[ours], rows[theirs])
        self._partners[ours, lag] = theirs

    def _make_room(self) -> None:
        """Room for every row; the array is doubled so that growing costs little."""
        if len(self._partners) >= self.count:
            return
        missing = max(2 * self.count, 64) - len(self._partners)
        unpaired = np.full((missing, LAGS), NO_ROW, np.int32)
        self._partners = np.concatenate([self._partners, unpaired])
        nothing = np.zeros((missing, LAGS), np.float32)
        self._products = np.concatenate([self._products, nothing])
