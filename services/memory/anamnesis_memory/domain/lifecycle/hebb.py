"""Hebb's rule for `CO_RECALLED` edges: what is used together is linked, and unused links fade.

Used together are memories that were fetched in full after one search.
"""

from collections.abc import Sequence
from itertools import combinations

GAIN = 0.1
KEPT_SHARE = 0.95
WEIGHT_MIN = 0.01
TOGETHER_MAX = 10


def pairs(fetched: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The edges between memories fetched after one search, smaller id first, each once.

    Only the first `TOGETHER_MAX` memories count, in the order given: at most 45 pairs.
    """
    together = sorted(tuple(dict.fromkeys(fetched))[:TOGETHER_MAX])
    return tuple(combinations(together, 2))


def strengthened(weight: float) -> float:
    """The weight, in [0, 1], after another use of both ends; a new edge starts from 0."""
    return min(1.0, weight + GAIN)


def decayed(weight: float) -> float:
    """The weight after a cycle of sleep."""
    return weight * KEPT_SHARE


def faded(weight: float) -> bool:
    """True if the edge is too weak to be kept."""
    return weight < WEIGHT_MIN
