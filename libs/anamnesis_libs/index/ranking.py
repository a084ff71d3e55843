"""Choosing the best of many, the same ones every time."""

import heapq
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.intp]
Values = NDArray[np.float64] | NDArray[np.int64]


def choose_best(
    scores: NDArray[np.float64],
    times_of: Callable[[Places], NDArray[np.int64]],
    id_of: Callable[[int], str],
    limit: int,
) -> list[int]:
    """Places of the highest scores, best first; of equals the earliest, then by id.

    Times and ids are asked for of those alone whose place depends on them.
    """
    if limit <= 0:
        return []
    places = np.arange(len(scores))
    surely, tied = _lowest(-scores, places, limit)
    earlier, simultaneous = _lowest(times_of(tied), tied, limit - len(surely))
    open_places = limit - len(surely) - len(earlier)
    drawn = heapq.nsmallest(open_places, simultaneous.tolist(), key=id_of)
    kept = np.array([*surely.tolist(), *earlier.tolist(), *drawn], np.intp)
    numbers = kept.tolist()
    times_us = times_of(kept).tolist()
    keys = zip((-scores[kept]).tolist(), times_us, map(id_of, numbers), numbers, strict=True)
    return [place for *_, place in sorted(keys)]


def _lowest(values: Values, places: Places, count: int) -> tuple[Places, Places]:
    """The places that are surely among the `count` lowest, and those tied for the rest.

    `values` are those of the places.
    """
    if count >= len(places):
        return places, places[:0]
    if not count:
        return places[:0], places[:0]
    border = np.partition(values, count - 1)[count - 1]
    return places[values < border], places[values == border]
