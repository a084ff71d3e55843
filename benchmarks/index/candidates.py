"""The forms that are measured: those of the suite, and FAISS's own quantisers beside them.

FAISS has no call that scores every row of a quantised index, which the suite's ranking needs. Of
the two ways round, a range search without a lower bound is the slower (5 times, at 100,000 rows),
so its codes are decoded by chunks here.
"""

from collections.abc import Callable, Mapping
from typing import cast

import faiss
import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.port import RowNumbers, Rows, Vector
from anamnesis_libs.index.vector_forms import ExactRows, QuantisedRows, VectorForm

TRAINED_ON_MAX = 20_000
_CHUNK_ROWS = 512


class FaissScalar:
    """Rows in a FAISS scalar quantiser, trained on the first that are added."""

    def __init__(self, dimension: int, kind: int) -> None:
        self._index = faiss.IndexScalarQuantizer(dimension, kind, faiss.METRIC_INNER_PRODUCT)
        self._dimension = dimension
        self._kind = kind

    @property
    def count(self) -> int:
        """Rows held."""
        return int(self._index.ntotal)

    @property
    def nbytes(self) -> int:
        """Bytes of codes."""
        return self.count * int(self._index.code_size)

    def add(self, vectors: Rows) -> None:
        """Append rows."""
        if not self._index.is_trained:
            self._index.train(vectors[:TRAINED_ON_MAX])
        self._index.add(vectors)

    def at(self, numbers: RowNumbers) -> Rows:
        """The rows at these numbers, decoded."""
        rows: Rows = self._index.sa_decode(self._codes[numbers])
        return rows

    def scores(self, vector: Vector) -> Vector:
        """Decode and multiply, by chunks."""
        products = np.empty(self.count, np.float32)
        decoded = np.empty((_CHUNK_ROWS, self._dimension), np.float32)
        codes = self._codes
        for start in range(0, self.count, _CHUNK_ROWS):
            chunk = codes[start : start + _CHUNK_ROWS]
            part = decoded[: len(chunk)]
            self._index.sa_decode(chunk, part)
            np.vecdot(part, vector, out=products[start : start + len(chunk)])
        return products

    def scores_at(self, numbers: RowNumbers, vector: Vector) -> Vector:
        """The scores of the rows at these numbers."""
        products: Vector = np.vecdot(self.at(numbers), vector)
        return products

    def holds(self, numbers: RowNumbers, vectors: Rows) -> bool:
        """True if the rows at these numbers are the encoded vectors."""
        return np.array_equal(self._index.sa_encode(vectors), self._codes[numbers])

    def kept(self, numbers: RowNumbers) -> "FaissScalar":
        """These rows only; the training is kept."""
        kept = FaissScalar(self._dimension, self._kind)
        kept._index = cast(faiss.IndexScalarQuantizer, faiss.clone_index(self._index))
        kept._index.reset()
        kept._index.add_sa_codes(self._codes[numbers], None)
        return kept

    @property
    def _codes(self) -> NDArray[np.uint8]:
        held = faiss.rev_swig_ptr(self._index.codes.data(), self._index.codes.size())
        codes: NDArray[np.uint8] = held.reshape(self.count, -1)
        return codes


FORMS: Mapping[str, Callable[[int], VectorForm]] = {
    "exact": ExactRows,
    "8-bit rows": QuantisedRows,
    "FAISS SQ8": lambda dimension: FaissScalar(dimension, faiss.ScalarQuantizer.QT_8bit),
    "FAISS fp16": lambda dimension: FaissScalar(dimension, faiss.ScalarQuantizer.QT_fp16),
}
