"""The one order of all documents, whatever the order they came in.

By session, position in it, time of storing, id: neighbours in a session stand next to
each other, and sums and samples over a scope always run in the same sequence.
"""

from bisect import bisect_left

import numpy as np
from numpy.typing import NDArray

Order = NDArray[np.int32]

# Up to this share of new documents, placing each is cheaper than sorting all.
_PLACE_SHARE = 0.005
# Fewer than this share of the documents are sorted by themselves, and the rest is left alone.
_SORT_SHARE = 0.05


class CanonicalOrder:
    """Slots of the living documents in order, brought up to date when asked for."""

    def __init__(self) -> None:
        self._order: Order = np.zeros(0, np.int32)
        self._pending: list[int] = []

    def add(self, slot: int) -> None:
        """Note a new document."""
        self._pending.append(slot)

    def restart(self, slots: int) -> None:
        """Start anew with so many documents, in slots 0 and up."""
        self._order = np.zeros(0, np.int32)
        self._pending = list(range(slots))

    def of(self, slots: Order, table: NDArray[np.void]) -> Order:
        """Living slots in order: sorted among themselves if they are few of all."""
        if len(slots) < _SORT_SHARE * len(table):
            return in_order(slots, table)
        wanted = np.zeros(len(table), np.bool_)
        wanted[slots] = True
        order = self.settled(table)
        return order[wanted[order]]

    def settled(self, table: NDArray[np.void]) -> Order:
        """The living documents in order; O(documents), little more than a copy."""
        if len(self._pending) <= _PLACE_SHARE * len(self._order):
            self._place(table)
        else:
            self._order = in_order(np.append(self._order, np.array(self._pending, np.int32)), table)
        self._pending.clear()
        self._order = self._order[table["alive"][self._order]]
        return self._order

    def _place(self, table: NDArray[np.void]) -> None:
        """Put each new document in its place by binary search."""
        if not self._pending:
            return
        new = in_order(np.array(self._pending, np.int32), table)
        places = [place_of(slot, self._order, table) for slot in new]
        self._order = np.insert(self._order, places, new)


def place_of(slot: int, order: Order, table: NDArray[np.void]) -> int:
    """The place of a document among documents in order, or the one that it would have."""
    return bisect_left(order, _key(table, slot), key=lambda other: _key(table, other))


def in_order(slots: Order, table: NDArray[np.void]) -> Order:
    """Documents in order."""
    held = table[slots]
    keys = (held["id_key"], held["create_time_us"], held["position"], held["session_key"])
    return slots[np.lexsort(keys)]


def _key(table: NDArray[np.void], slot: int) -> tuple[int, int, int, int]:
    row = table[slot]
    return row["session_key"], row["position"], row["create_time_us"], row["id_key"]
