"""Vitals of a memory: what use and sleep change of it, and its retention. Never its text.

A hit is also a review: used memories last longer.
"""

import math
import sys
from dataclasses import dataclass, replace

from anamnesis_memory.domain.lifecycle.days import days_between
from anamnesis_memory.model.memory import Kind, Tier

FETCHED = 2
"""Hits of a memory fetched in full by a caller, or reported as used."""
MERGED = 1
"""Hits of a memory that took in a near duplicate."""
SEARCHED = 1
"""Hits of a memory that appeared in a search: once a memory, session and day."""

STABILITY_GAIN = 0.5
FIRST_STABILITY_DAYS = {
    Kind.EPISODIC: 1.0,
    Kind.SEMANTIC: 2.0,
    Kind.LEARNING: 3.0,
    Kind.PROCEDURAL: 3.0,
    Kind.DOCUMENT: 3.0,
}


@dataclass(frozen=True, slots=True)
class Vitals:
    """The vitals of one memory.

    Args:
        memory_id: whose vitals they are.
        hit_count: how often it was of use, weighted; see `FETCHED`.
        last_hit_us: when it was last of use; None if never.
        stability_days: S, the days in which retention falls to 1/e.
        review_us: the last review; the first is the moment it was stored, never the event's date.
        tier: rank by use.
        centrality: percentile of its PageRank in the namespace, in [0, 1).
    """

    memory_id: str
    hit_count: int
    last_hit_us: int | None
    stability_days: float
    review_us: int
    tier: Tier
    centrality: float


def first_vitals(memory_id: str, kind: Kind, now_us: int) -> Vitals:
    """The vitals of a memory stored at `now_us`."""
    return Vitals(memory_id, 0, None, FIRST_STABILITY_DAYS[kind], now_us, Tier.WARM, 0.0)


def retention(vitals: Vitals, now_us: int) -> float:
    """R = exp(-days / S), days since the last review (Ebbinghaus); in (0, 1].

    Never quite 0, so that what is old can still be compared.
    """
    return retention_since(vitals.review_us, vitals.stability_days, now_us)


def retention_since(review_us: int, stability_days: float, now_us: int) -> float:
    """The retention at `now_us` of what was last reviewed at `review_us`; see `retention`."""
    days = days_between(review_us, now_us)
    return max(math.exp(-days / stability_days), sys.float_info.min)


def reviewed(vitals: Vitals, now_us: int) -> Vitals:
    """The vitals after a review: S grows by 0.5 * max(1, days since the last one).

    A review that arrives late counts, and leaves the time of the later one.
    """
    days = days_between(vitals.review_us, now_us)
    return replace(
        vitals,
        stability_days=vitals.stability_days + STABILITY_GAIN * max(1.0, days),
        review_us=max(vitals.review_us, now_us),
    )


def used(vitals: Vitals, hits: int, now_us: int) -> Vitals:
    """The vitals after `hits` hits (at least 1) at `now_us`, which are one review.

    Raises:
        ValueError: fewer than one hit.
    """
    if hits < 1:
        raise ValueError(f"{hits} hits are no use")
    return replace(
        reviewed(vitals, now_us),
        hit_count=vitals.hit_count + hits,
        last_hit_us=max(vitals.last_hit_us or now_us, now_us),
    )
