"""Spans of a text, asked in O(log spans) if one shares a character with another span."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate


class Overlaps:
    """Spans [start, end) of a text, to be asked again and again."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._furthest = list(accumulate((end for _, end in ordered), max))

    def any_with(self, start: int, end: int) -> bool:
        """True if one of the spans shares a character with [start, end)."""
        before = bisect_left(self._starts, end)
        return before > 0 and self._furthest[before - 1] > start
