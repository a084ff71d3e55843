"""The vectors of pieces: rows by number, and inner products with them.

A row is written once and never changes; a vector that is replaced gets a new row. Rows are held
exactly until there are more of them than a bound, quantised from then on: see
docs/adr/004-quantised-vectors.md for what was measured.
"""

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.listed_rows import TRAINED_ON_A_LIST, DrawnRows, lists_for
from anamnesis_libs.index.port import RECALL_ASKED, NearRows, RowNumbers, Rows, Training, Vector
from anamnesis_libs.index.vector_forms import (
    Codes,
    ExactRows,
    QuantisedRows,
    VectorForm,
)

NO_ROW = -1
LAGS = 5
"""Pairs up to this distance (0 to 4) meet in one window of radius 2."""
STRANGER = LAGS
"""In place of a distance: of a pair that only chance put together."""
_REMEMBERED = LAGS + 1

EXACT_MAX = 60_000
"""Rows held exactly, unless told otherwise."""

# A query over less than this share of the rows gathers them instead of scoring all.
_GATHER_SHARE = 0.3
_CHUNK_ROWS = 2048
_OUTGROWN = 4
_NEAREST = 10


class VectorRows:
    """Vectors by row number, with the inner products of neighbours remembered."""

    def __init__(self, dimension: int, exact_max: int = EXACT_MAX) -> None:
        self._form: VectorForm = ExactRows(dimension)
        self._dimension = dimension
        self._exact_max = exact_max
        self.near: NearRows | None = None
        """Finds rows without scoring all, once it is trained."""
        self._trained_on = 0
        self._generation = 0
        self._partners = np.full((0, _REMEMBERED), NO_ROW, np.int32)
        self._products = np.zeros((0, _REMEMBERED), np.float32)

    @property
    def count(self) -> int:
        """Rows ever added, those no longer used included."""
        return self._form.count

    @property
    def quantised(self) -> bool:
        """True if rows are held as 8-bit numbers; there is no way back."""
        return isinstance(self._form, QuantisedRows)

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, without what FAISS holds in reserve."""
        near = 0 if self.near is None else self.near.nbytes
        return self._form.nbytes + self._partners.nbytes + self._products.nbytes + near

    def at(self, numbers: RowNumbers) -> Rows:
        """The rows at these numbers, as near to the added ones as they are held."""
        return self._form.at(numbers)

    def add(self, vectors: Rows) -> int:
        """Append rows; the number of the first."""
        first = self.count
        self._form.add(vectors)
        self._quantise_many()
        if self.near is not None:
            self.near.add(vectors)
        return first

    def holds(self, numbers: RowNumbers, vectors: Rows) -> bool:
        """True if the rows at these numbers hold these vectors, in the form that is used now."""
        return self._form.holds(numbers, vectors)

    def cosines(self, vector: Vector, rows: RowNumbers) -> Vector:
        """The inner product of a vector with each row; 0 for NO_ROW."""
        if not self.count:
            return np.zeros(len(rows), np.float32)
        if len(rows) < _GATHER_SHARE * self.count:
            values = self._form.scores_at(rows, vector)
        else:
            values = self._form.scores(vector)[rows]
        values[rows == NO_ROW] = 0.0
        return values

    def neighbour_products(self, left: RowNumbers, right: RowNumbers, lag: int) -> Vector:
        """Inner products of pairs of rows that stand `lag` apart; 0 where one is NO_ROW.

        `lag` is a distance, or STRANGER.
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
        self._form = self._form.kept(alive)
        self._generation += 1
        if self.near is not None:
            self.near.keep(alive)
        self._forget_products()

    def outgrown(self, rows_min: int) -> bool:
        """True if there are more rows than that, and too many for what was trained, if anything."""
        grown = self.near is None or self.count > _OUTGROWN * self._trained_on
        return grown and self.count > rows_min

    def training(self) -> DrawnRows:
        """Rows to train on, drawn at even distances."""
        count = min(self.count, lists_for(self.count) * TRAINED_ON_A_LIST)
        return DrawnRows(self.at(_spread(count, self.count)), self.count, self._generation)

    def fill(self, near: NearRows) -> bool:
        """Add the next rows to what was trained; True while there are more."""
        start, end = near.count, min(near.count + _CHUNK_ROWS, self.count)
        near.add(self.at(np.arange(start, end, dtype=np.int32)))
        return end < self.count

    def nearest(self, number: int) -> tuple[Vector, RowNumbers]:
        """One of the rows by which recall is measured, and the exact nearest to it."""
        asked: Vector = self.at(_spread(RECALL_ASKED, self.count)[[number]])[0]
        scores = self._form.scores(asked)
        wanted = min(_NEAREST, self.count)
        best = np.argpartition(scores, -wanted)[-wanted:].astype(np.int32)
        return asked, best

    def adopt(self, near: NearRows, training: Training) -> bool:
        """Find rows by it from now on; False if they were numbered anew since the training."""
        if training.generation != self._generation:
            return False
        while near.count < self.count:
            self.fill(near)
        self.near, self._trained_on = near, training.count
        return True

    def dump(self) -> tuple[Rows, Codes, Vector]:
        """Exact rows, codes and scales: what `restore` takes. Rows or codes are empty."""
        if isinstance(self._form, QuantisedRows):
            return ExactRows(self._dimension).rows, self._form.codes, self._form.scales
        nothing = QuantisedRows(self._dimension)
        assert isinstance(self._form, ExactRows)
        return self._form.rows, nothing.codes, nothing.scales

    def restore(self, rows: Rows, codes: Codes, scales: Vector) -> None:
        """Take what was dumped, into nothing."""
        if len(codes):
            form = QuantisedRows(self._dimension)
            form.add_codes(codes, scales)
            self._form = form
        else:
            self.add(rows)

    def _quantise_many(self) -> None:
        """Products of exact rows are forgotten, for they would depend on when they were made."""
        if isinstance(self._form, ExactRows) and self.count > self._exact_max:
            self._form = QuantisedRows.of(self._form)
            self._forget_products()

    def _remember(
        self, left: RowNumbers, right: RowNumbers, pairs: NDArray[np.intp], lag: int
    ) -> None:
        ours, theirs = left[pairs], right[pairs]
        self._products[ours, lag] = np.vecdot(self.at(ours), self.at(theirs))
        self._partners[ours, lag] = theirs

    def _make_room(self) -> None:
        """Room for every row; the array is doubled so that growing costs little."""
        if len(self._partners) >= self.count:
            return
        missing = max(2 * self.count, 64) - len(self._partners)
        unpaired = np.full((missing, _REMEMBERED), NO_ROW, np.int32)
        self._partners = np.concatenate([self._partners, unpaired])
        nothing = np.zeros((missing, _REMEMBERED), np.float32)
        self._products = np.concatenate([self._products, nothing])

    def _forget_products(self) -> None:
        self._partners = self._partners[:0]
        self._products = self._products[:0]


def _spread(count: int, held: int) -> RowNumbers:
    """So many numbers of those held, at even distances."""
    return np.linspace(0, held - 1, count).astype(np.int32)
