"""Inverted lists: where a key occurs, and how often.

Slots are numbers given once and only growing, so a list is always in order. What was
taken out stays listed until `keep`, and readers pass over slots that are not theirs.
"""

from array import array
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Slots = NDArray[np.int32]

_NOWHERE = np.zeros((0, 2), np.int32)
# A key's Python objects: the string, its place in the dict, the array's head.
_KEY_BYTES = 220
_ENTRY_BYTES = 8


class Postings:
    """Keys with the slots that have them. One `array` a key holds slot, count, slot, count."""

    def __init__(self) -> None:
        self._lists: dict[str, array[int]] = {}
        self.entries = 0

    @property
    def nbytes(self) -> int:
        """Bytes of memory taken, estimated."""
        return len(self._lists) * _KEY_BYTES + self.entries * _ENTRY_BYTES

    @property
    def keys(self) -> Iterable[str]:
        """All keys, those of slots that were taken out too."""
        return self._lists.keys()

    def add(self, slot: int, counts: Mapping[str, int]) -> None:
        """List a slot, higher than all before, under its keys."""
        for key, count in counts.items():
            self._lists.setdefault(key, array("i")).extend((slot, count))
        self.entries += len(counts)

    def list_of(self, key: str) -> Slots:
        """Rows of (slot, count), ascending; shape (occurrences, 2). A copy."""
        held = self._lists.get(key)
        return _NOWHERE if held is None else np.array(held, np.int32).reshape(-1, 2)

    def keep(self, moved: Slots) -> None:
        """Drop what went and renumber the rest: `moved[slot]` is the new slot, or -1."""
        kept: dict[str, array[int]] = {}
        for key, held in self._lists.items():
            rows = np.frombuffer(held, np.int32).reshape(-1, 2)
            slots = moved[rows[:, 0]]
            alive = np.stack([slots, rows[:, 1]], 1)[slots >= 0]
            if len(alive):
                kept[key] = array("i", alive.tobytes())
        self._replace(kept)

    def dump(self) -> tuple[list[str], Slots, Slots]:
        """Keys, the number of occurrences of each, and all lists one after another."""
        sizes = np.array([len(held) // 2 for held in self._lists.values()], np.int32)
        joined = b"".join(held.tobytes() for held in self._lists.values())
        return list(self._lists), sizes, np.frombuffer(joined, np.int32).reshape(-1, 2)

    def restore(self, keys: Iterable[str], sizes: Slots, joined: Slots) -> None:
        """Take what `dump` gave."""
        ends = np.cumsum(sizes)
        parts = (joined[end - size : end] for size, end in zip(sizes, ends, strict=True))
        lists = {k: array("i", part.tobytes()) for k, part in zip(keys, parts, strict=True)}
        self._replace(lists)

    def _replace(self, lists: "dict[str, array[int]]") -> None:
        self._lists = lists
        self.entries = sum(map(len, lists.values())) // 2
