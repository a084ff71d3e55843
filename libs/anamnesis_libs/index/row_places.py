"""Where the rows of a large scope stand in it: the rows that a search may find, as bits."""

from dataclasses import dataclass

import numpy as np

from anamnesis_libs.index.listed_rows import bits_of
from anamnesis_libs.index.port import RowBits, RowNumbers


@dataclass(frozen=True, slots=True, eq=False)
class RowPlaces:
    """The rows of a scope's pieces: a bit each, their share of all rows, the place of each."""

    among: RowBits
    share: float
    places: RowNumbers

    @classmethod
    def of(cls, rows: RowNumbers, count: int) -> "RowPlaces":
        """Of the row of each piece, NO_ROW for none; of `count` rows that are held."""
        with_row = np.flatnonzero(rows >= 0).astype(np.int32)
        places = np.full(count, -1, np.int32)
        places[rows[with_row]] = with_row
        return cls(bits_of(rows, count), len(with_row) / max(count, 1), places)
