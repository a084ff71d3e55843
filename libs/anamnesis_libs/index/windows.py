"""A piece with its neighbours in the session: sums over pieces p-r to p+r.

Pieces stand in canonical order, so a window is a run of places, cut at the ends of the
session. What a scope leaves out is no neighbour: those around it close up.
"""

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.port import RowNumbers
from anamnesis_libs.index.vectors import VectorRows

Floats = NDArray[np.float32]
Runs = NDArray[np.int32]


class Windows:
    """Windows of one radius over pieces; `runs` numbers the session of each."""

    def __init__(self, radius: int, runs: Runs) -> None:
        self.radius = radius
        self._runs = runs
        self._same = [self._together(lag).astype(np.float32) for lag in range(radius + 1)]

    def sums(self, values: Floats) -> Floats:
        """Over each window; shape and order of `values`."""
        total = values.copy()
        for lag in range(1, self.radius + 1):
            self._add(total, values, lag)
            self._add(total, values, -lag)
        return total

    def norms(self, vectors: VectorRows, rows: RowNumbers) -> Floats:
        """Length of the sum vector of each window.

        From the inner products of the pairs in it, since |a + b|^2 = aa + 2 ab + bb.
        """
        squares = np.zeros(len(rows), np.float32)
        for lag in range(2 * self.radius + 1):
            products = self._pair_products(vectors, rows, lag) * np.float32(2 if lag else 1)
            for offset in range(-self.radius, self.radius - lag + 1):
                self._add(squares, products, offset)
        return np.sqrt(np.maximum(squares, 0))

    def renew_norms(
        self, norms: Floats, vectors: VectorRows, rows: RowNumbers, first: int, end: int
    ) -> None:
        """Put the lengths of the windows that reach into pieces `first` to `end` anew."""
        nearby, part, changed, inside = self._nearby(len(norms), first, end)
        norms[changed] = nearby.norms(vectors, rows[part])[inside]

    def renew_sums(self, sums: Floats, values: Floats, first: int, end: int) -> None:
        """Put the sums of the windows that reach into pieces `first` to `end` anew."""
        nearby, part, changed, inside = self._nearby(len(sums), first, end)
        sums[changed] = nearby.sums(values[part])[inside]

    def _nearby(self, count: int, first: int, end: int) -> "tuple[Windows, slice, slice, slice]":
        """Windows around some pieces: of which part, whose change, and those within the part."""
        reach = self.radius
        start = max(first - 2 * reach, 0)
        part = slice(start, end + 2 * reach)
        changed = slice(max(first - reach, 0), min(end + reach, count))
        inside = slice(changed.start - start, changed.stop - start)
        return Windows(reach, self._runs[part]), part, changed, inside

    def _pair_products(self, vectors: VectorRows, rows: RowNumbers, lag: int) -> Floats:
        """The product of each piece with the one `lag` places on; 0 in another session."""
        products = np.zeros(len(rows), np.float32)
        count = max(len(rows) - lag, 0)
        found = vectors.neighbour_products(rows[:count], rows[lag:], lag)
        products[:count] = found * self._together(lag)
        return products

    def _together(self, lag: int) -> NDArray[np.bool_]:
        """True for each piece that is of one session with the piece `lag` places on."""
        count = max(len(self._runs) - lag, 0)
        together: NDArray[np.bool_] = self._runs[:count] == self._runs[lag:]
        return together

    def _add(self, total: Floats, values: Floats, offset: int) -> None:
        """Add to each piece the value of the piece `offset` places on, in its session."""
        lag = abs(offset)
        count = max(len(values) - lag, 0)
        if offset >= 0:
            total[:count] += values[lag:] * self._same[lag]
        else:
            total[lag:] += values[:count] * self._same[lag]
