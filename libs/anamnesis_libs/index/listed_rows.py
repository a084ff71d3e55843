"""Rows near to a vector in lists around centres, by FAISS: few lists are looked through.

Rows are held once more, as 8-bit numbers beside their own; what is found is scored by the index's
own rows. Filters are bits that FAISS looks at inside its search, so that a limit of k gives k.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import faiss
import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.port import RowBits, RowNumbers, Rows, Vector

TRAINED_ON_A_LIST = 64
"""Rows that a list is trained on."""
LISTS_MAX = 4096
PROBES_MIN = 8
RECALL_WANTED = 0.97
"""Of the nearest ten of a row itself, in the lists that are looked through; probes grow to it."""


@dataclass(frozen=True, slots=True)
class DrawnRows:
    """A `Training` on rows drawn from an index that holds `count`."""

    drawn: Rows
    count: int
    generation: int
    """Rows have been numbered anew so often before; see `VectorRows.adopt`."""

    def run(self) -> "ListedRows":
        """Train; seconds of one core, and FAISS lets others run meanwhile."""
        faiss.omp_set_num_threads(1)
        return ListedRows.trained(self.drawn, lists_for(self.count))


def lists_for(count: int) -> int:
    """The number of lists for so many rows: about their square root."""
    return int(min(max(math.sqrt(count), 1), LISTS_MAX))


class ListedRows:
    """Rows in lists around centres, by FAISS, as 8-bit numbers. Few lists are looked through."""

    def __init__(self, index: faiss.IndexIVFScalarQuantizer) -> None:
        self._index = index
        self.probes = min(PROBES_MIN, int(index.nlist))
        self.recall = 1.0

    @classmethod
    def trained(cls, drawn: Rows, lists: int) -> "ListedRows":
        """Trained, and empty."""
        dimension = drawn.shape[1]
        centres = faiss.IndexFlatIP(dimension)
        index = faiss.IndexIVFScalarQuantizer(
            centres,
            dimension,
            lists,
            faiss.ScalarQuantizer.QT_8bit,
            faiss.METRIC_INNER_PRODUCT,
        )
        index.by_residual = False
        index.cp.niter = 8
        index.cp.min_points_per_centroid = 1
        index.train(np.ascontiguousarray(drawn, np.float32))
        return cls(index)

    @property
    def count(self) -> int:
        """Rows held."""
        return int(self._index.ntotal)

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken: codes, numbers, centres."""
        each = int(self._index.code_size) + 8
        return self.count * each + int(self._index.nlist * self._index.d) * 4

    def add(self, rows: Rows) -> None:
        """Append rows."""
        faiss.omp_set_num_threads(1)
        self._index.add(np.ascontiguousarray(rows, np.float32))

    def keep(self, alive: RowNumbers) -> None:
        """Forget the other rows' codes, list by list, and number the rest anew."""
        moved = np.full(self.count, -1, np.int64)
        held = alive[alive < self.count]
        moved[held] = np.arange(len(held))
        lists = self._index.invlists
        assert lists is not None, "trained"
        for number in range(int(self._index.nlist)):
            _keep_in_list(lists, number, moved)
        self._index.ntotal = len(held)

    def find(self, vector: Vector, among: RowBits, share: float, limit: int) -> RowNumbers:
        """See `NearRows`. Of a small share more lists are looked through."""
        probes = min(math.ceil(self.probes / max(share, 1e-3)), int(self._index.nlist))
        selector = faiss.IDSelectorBitmap(among)  # type: ignore[call-arg,arg-type]  # of arrays
        wanted = faiss.SearchParametersIVF(sel=selector, nprobe=probes)  # type: ignore[call-arg]
        _, found = self._index.search(vector[np.newaxis], limit, params=wanted)
        numbers = found[0]
        rows: RowNumbers = numbers[numbers >= 0].astype(np.int32)
        return rows

    def measure(self, asked: Rows, exact: Sequence[RowNumbers]) -> None:
        """Look through as many lists as the wanted recall takes; `exact` are the nearest of each.

        What is reached with an eighth of all lists is what there is.
        """
        most = max(int(self._index.nlist) // 8, 1)
        self.recall = self._recall(asked, exact)
        while self.recall < RECALL_WANTED and self.probes < most:
            self.probes = min(self.probes * 2, most)
            self.recall = self._recall(asked, exact)

    def _recall(self, asked: Rows, exact: Sequence[RowNumbers]) -> float:
        among = bits_of(np.arange(self.count, dtype=np.int32), self.count)
        pairs = zip(asked, exact, strict=True)
        found = ((self.find(one, among, 1.0, len(best)), best) for one, best in pairs)
        shared = sum(len(np.intersect1d(near, best)) for near, best in found)
        return shared / max(sum(map(len, exact)), 1)


def bits_of(rows: RowNumbers, count: int) -> RowBits:
    """The bits of some of `count` rows; NO_ROW has none."""
    mask = np.zeros(count, np.bool_)
    mask[rows[rows >= 0]] = True
    return np.packbits(mask, bitorder="little")


def _keep_in_list(lists: faiss.InvertedLists, number: int, moved: NDArray[np.int64]) -> None:
    size = int(lists.list_size(number))
    if not size:
        return
    width = int(lists.code_size)
    ids = faiss.rev_swig_ptr(lists.get_ids(number), size)
    codes = faiss.rev_swig_ptr(lists.get_codes(number), size * width).reshape(size, width)
    renumbered = moved[ids]
    alive = renumbered >= 0
    kept = int(alive.sum())
    ids[:kept] = renumbered[alive]
    codes[:kept] = codes[alive]
    lists.resize(number, kept)
