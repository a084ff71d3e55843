"""Where the rows of a large scope stand in it: those that a search may find, as bits."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.index.port import RowBits, RowNumbers


class RowPlaces:
    """The rows of a scope's pieces, by row; worked out when they are first asked for."""

    def __init__(self, rows: RowNumbers, count: int) -> None:
        """Of the row of each piece, NO_ROW for none; of `count` rows that are held."""
        self._rows = rows
        self._count = count

    @cached_property
    def places(self) -> NDArray[np.int32]:
        """The place of each row's piece; -1 for the rows of others."""
        places = np.full(self._count + 1, -1, np.int32)
        places[self._rows] = np.arange(len(self._rows), dtype=np.int32)
        return places[: self._count]

    @cached_property
    def among(self) -> RowBits:
        """A bit a row, set for those of the scope."""
        return np.packbits(self.places >= 0, bitorder="little")

    @cached_property
    def share(self) -> float:
        """The scope's part of all rows."""
        return np.count_nonzero(self.places >= 0) / max(self._count, 1)
