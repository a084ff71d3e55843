"""The two forms in which vectors are held: exact, and quantised to 8 bits.

Both give a row the same score wherever it lies and whatever came before it, so that equal texts
score equal. That rules out quantisers that are trained on what an index happens to hold: a
quantised row has a scale of its own.
"""

from typing import Protocol

import faiss
import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.growing import Growing
from anamnesis_libs.index.port import RowNumbers, Rows, Vector

Codes = NDArray[np.int8]

CODE_MAX = 127

# What is decoded at once stays in the processor's own cache: 512 rows of 384 numbers are 768 KiB.
_CHUNK_ROWS = 512


class VectorForm(Protocol):
    """Rows by number; a row is written once and never changes."""

    @property
    def count(self) -> int:
        """Rows held."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken."""
        ...

    def add(self, vectors: Rows) -> None:
        """Append rows."""
        ...

    def at(self, numbers: RowNumbers) -> Rows:
        """The rows at these numbers, as near to the added ones as the form holds them."""
        ...

    def scores(self, vector: Vector) -> Vector:
        """The inner product of a vector with every row, in order."""
        ...

    def scores_at(self, numbers: RowNumbers, vector: Vector) -> Vector:
        """The inner product of a vector with some rows; the same values as `scores` gives."""
        ...

    def holds(self, numbers: RowNumbers, vectors: Rows) -> bool:
        """True if the rows at these numbers are this form of the vectors."""
        ...

    def kept(self, numbers: RowNumbers) -> "VectorForm":
        """The form with these rows only, in this order."""
        ...


class ExactRows:
    """Rows as they came: 4 bytes a number, in a FAISS flat index."""

    def __init__(self, dimension: int) -> None:
        self._index = faiss.IndexFlatIP(dimension)
        self._dimension = dimension

    @property
    def count(self) -> int:
        """Rows held."""
        return int(self._index.ntotal)

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, without what FAISS holds in reserve."""
        return self.count * self._dimension * 4

    @property
    def rows(self) -> Rows:
        """All rows: a read-only view of FAISS's storage, good until the next `add`."""
        count = self.count
        if not count:
            return np.zeros((0, self._dimension), np.float32)
        held: Rows = faiss.rev_swig_ptr(self._index.get_xb(), count * self._dimension)
        held.flags.writeable = False
        return held.reshape(count, self._dimension)

    def add(self, vectors: Rows) -> None:
        """Append rows."""
        self._index.add(np.ascontiguousarray(vectors, np.float32))

    def at(self, numbers: RowNumbers) -> Rows:
        """The rows at these numbers."""
        rows: Rows = self.rows[numbers]
        return rows

    def scores(self, vector: Vector) -> Vector:
        """One inner product a row: a matrix product would be faster, and depend on the place."""
        products: Vector = np.vecdot(self.rows, vector)
        return products

    def scores_at(self, numbers: RowNumbers, vector: Vector) -> Vector:
        """The inner product of a vector with some rows."""
        products: Vector = np.vecdot(self.rows[numbers], vector)
        return products

    def holds(self, numbers: RowNumbers, vectors: Rows) -> bool:
        """True if the rows at these numbers equal the vectors."""
        return np.array_equal(self.rows[numbers], vectors)

    def kept(self, numbers: RowNumbers) -> "ExactRows":
        """The form with these rows only."""
        kept = ExactRows(self._dimension)
        kept.add(self.rows[numbers])
        return kept


class QuantisedRows:
    """Rows as 8-bit numbers with one scale each: a quarter of the memory.

    A row is its codes times its scale; the codes span the row's largest number, and the scale
    gives the row its own length back.
    """

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._codes = Growing(np.int8, (dimension,))
        self._scales = Growing(np.float32)

    @classmethod
    def of(cls, exact: ExactRows) -> "QuantisedRows":
        """The quantised form of exact rows."""
        made = cls(exact.rows.shape[1])
        made.add(exact.rows)
        return made

    @property
    def count(self) -> int:
        """Rows held."""
        return self._codes.size

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, room to grow included."""
        return self._codes.nbytes + self._scales.nbytes

    @property
    def codes(self) -> Codes:
        """All codes: a view, good until the next `add`."""
        codes: Codes = self._codes.rows.view(np.int8)
        return codes

    @property
    def scales(self) -> Vector:
        """The scale of each row: a view, good until the next `add`."""
        scales: Vector = self._scales.rows.view(np.float32)
        return scales

    def add(self, vectors: Rows) -> None:
        """Append rows."""
        for start in range(0, len(vectors), _CHUNK_ROWS):
            self.add_codes(*quantised(vectors[start : start + _CHUNK_ROWS]))

    def add_codes(self, codes: Codes, scales: Vector) -> None:
        """Append rows that are quantised."""
        self._codes.append(codes)
        self._scales.append(scales)

    def at(self, numbers: RowNumbers) -> Rows:
        """The rows at these numbers, decoded from their 8-bit form."""
        rows: Rows = self.codes[numbers] * self.scales[numbers, np.newaxis]
        return rows

    def scores(self, vector: Vector) -> Vector:
        """The inner product of a vector with every row."""
        return _products(self.codes, vector) * self.scales

    def scores_at(self, numbers: RowNumbers, vector: Vector) -> Vector:
        """The inner product of a vector with some rows."""
        return _products(self.codes[numbers], vector) * self.scales[numbers]

    def holds(self, numbers: RowNumbers, vectors: Rows) -> bool:
        """True if the rows at these numbers are the quantised vectors."""
        codes, scales = quantised(vectors)
        return np.array_equal(self.codes[numbers], codes) and np.array_equal(
            self.scales[numbers], scales
        )

    def kept(self, numbers: RowNumbers) -> "QuantisedRows":
        """The form with these rows only."""
        kept = QuantisedRows(self._dimension)
        kept.add_codes(self.codes[numbers], self.scales[numbers])
        return kept


def quantised(vectors: Rows) -> tuple[Codes, Vector]:
    """Codes (rows, dimension) and scales (rows,) of vectors; of nothing but themselves.

    A row of zeros has scale 0.
    """
    rows = np.ascontiguousarray(vectors, np.float32)
    largest = np.abs(rows).max(axis=1, keepdims=True)
    steps = np.divide(CODE_MAX, largest, out=np.zeros_like(largest), where=largest > 0)
    spread = np.rint(rows * steps)
    squares = np.vecdot(spread, spread)
    ratios = np.divide(
        np.vecdot(rows, rows), squares, out=np.zeros_like(squares), where=squares > 0
    )
    return spread.astype(np.int8), np.sqrt(ratios)


def _products(codes: Codes, vector: Vector) -> Vector:
    """Inner products of a vector with codes, decoded by chunks that stay in the cache."""
    products = np.empty(len(codes), np.float32)
    decoded = np.empty((min(len(codes), _CHUNK_ROWS), codes.shape[1]), np.float32)
    for start in range(0, len(codes), _CHUNK_ROWS):
        chunk = codes[start : start + _CHUNK_ROWS]
        part = decoded[: len(chunk)]
        np.copyto(part, chunk)
        np.vecdot(part, vector, out=products[start : start + len(chunk)])
    return products
