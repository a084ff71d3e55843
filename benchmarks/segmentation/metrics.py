"""Distance of found task boundaries from the true ones.

A boundary is the position of a task's first event; that of the first task is given and not
counted. Precision, recall and F1 count boundaries that are found exactly, over all conversations
together. WindowDiff (Pevzner and Hearst, 2002) forgives near misses: a window of half the mean
true task slides over each conversation, and wrong is each place of it where the numbers of true
and found boundaries inside differ; the mean over conversations, 0 is best.
"""

from collections.abc import Sequence
from dataclasses import dataclass

Starts = Sequence[int]


@dataclass(frozen=True, slots=True)
class Figures:
    """One method on one part of the set; a precision without any found boundary is 0."""

    precision: float
    recall: float
    f1: float
    window_diff: float


@dataclass(frozen=True, slots=True)
class Judged:
    """One conversation: its length, and where tasks start and were found to start."""

    length: int
    true: Starts
    found: Starts


def figures(judged: Sequence[Judged]) -> Figures:
    """Return the figures of several conversations, at least one."""
    hits = sum(len(_inner(each.true) & _inner(each.found)) for each in judged)
    true = sum(len(_inner(each.true)) for each in judged)
    found = sum(len(_inner(each.found)) for each in judged)
    window = sum(window_diff(each) for each in judged) / len(judged)
    return Figures(_share(hits, found), _share(hits, true), _share(2 * hits, found + true), window)


def window_diff(judged: Judged) -> float:
    """Return the share of window places with another number of boundaries, 0 to 1."""
    width = max(2, round(judged.length / len(judged.true) / 2))
    true, found = _inner(judged.true), _inner(judged.found)
    places = range(1, judged.length - width + 1)
    wrong = sum(_within(true, at, width) != _within(found, at, width) for at in places)
    return _share(wrong, len(places))


def _within(starts: frozenset[int], at: int, width: int) -> int:
    return sum(at <= start < at + width for start in starts)


def _inner(starts: Starts) -> frozenset[int]:
    return frozenset(start for start in starts if start)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
