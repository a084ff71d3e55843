"""A numpy array that grows at its end, at amortised constant cost a row."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_ROWS_MIN = 64

Number = TypeVar("Number", bound=np.generic)


class Growing:
    """Rows of one dtype, structured or not, with one shape each."""

    def __init__(
        self,
        dtype: np.dtype[np.void] | type,
        shape: tuple[int, ...] = (),
        rows_min: int = _ROWS_MIN,
    ) -> None:
        """An array with room for `rows_min` rows at first."""
        self._held: NDArray[np.void] = np.zeros((rows_min, *shape), dtype)
        self.size = 0

    @property
    def rows(self) -> NDArray[np.void]:
        """The rows held: a view, good until the next `append`."""
        return self._held[: self.size]

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, room to grow included."""
        return self._held.nbytes

    def append(self, rows: NDArray[np.generic]) -> None:
        """Add rows at the end."""
        end = self.size + len(rows)
        if end > len(self._held):
            room = np.zeros((max(end, 2 * self.size), *self._held.shape[1:]), self._held.dtype)
            room[: self.size] = self.rows
            self._held = room
        self._held[self.size : end] = rows
        self.size = end

    def replace(self, rows: NDArray[np.void]) -> None:
        """Hold these rows instead."""
        self._held = np.zeros((max(len(rows), _ROWS_MIN), *rows.shape[1:]), self._held.dtype)
        self._held[: len(rows)] = rows
        self.size = len(rows)


def put_in(column: NDArray[Number], at: Sequence[int], values: NDArray[Number]) -> NDArray[Number]:
    """The column with values put in, each before what stands at its place; places ascend."""
    bounds = [0, *at, len(column)]
    parts = [column[: bounds[1]]]
    for number in range(len(at)):
        parts += [values[number : number + 1], column[bounds[number + 1] : bounds[number + 2]]]
    return np.concatenate(parts)
