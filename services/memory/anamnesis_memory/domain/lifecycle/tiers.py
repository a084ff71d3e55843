"""Tiers: the rank of a namespace's active memories by use, and what lies unused too long.

New memories are WARM (`first_vitals`) until the next ranking, which ranks them with the others.
The ranking works on columns: a namespace may hold a million memories.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from anamnesis_memory.domain.lifecycle.days import DAY_US
from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.model.memory import Tier

IntArray = NDArray[np.int64]

HOT_SHARE = 0.1
WARM_SHARE = 0.4
COLD_DAYS = 30
NEVER_US = int(np.iinfo(np.int64).min)
"""Stands in a column of last hits for a memory that was never hit."""

_HOT, _WARM, _COLD = range(3)
_BY_RANK = np.array([Tier.HOT, Tier.WARM, Tier.COLD], dtype=np.object_)


@dataclass(frozen=True, slots=True)
class TierColumns:
    """Active memories of one namespace as columns; ASCII ids in any order, each once.

    Ascending ids, as a store gives them, are ranked twice as fast.

    Args:
        memory_ids: n ids.
        hit_counts: shape (n,).
        last_hits_us: shape (n,); `NEVER_US` where there was none.
    """

    memory_ids: Sequence[str]
    hit_counts: IntArray
    last_hits_us: IntArray


def columns(vitals: Iterable[Vitals]) -> TierColumns:
    """The columns that rank these memories."""
    every = tuple(vitals)
    last_hits_us = (NEVER_US if each.last_hit_us is None else each.last_hit_us for each in every)
    return TierColumns(
        memory_ids=tuple(each.memory_id for each in every),
        hit_counts=np.fromiter((each.hit_count for each in every), np.int64, len(every)),
        last_hits_us=np.fromiter(last_hits_us, np.int64, len(every)),
    )


def tiers(
    ranked: TierColumns, hot_share: float = HOT_SHARE, warm_share: float = WARM_SHARE
) -> dict[str, Tier]:
    """The tier of every memory: most hits first, then the latest hit, then the larger id.

    Ids sort by the time they were made, so of those never hit the newest come first. Both
    shares are of all memories and rounded up: ten records give 1 HOT, 4 WARM and 5 COLD.
    """
    count = len(ranked.memory_ids)
    hot = min(_ceiling(hot_share, count), count)
    warm = min(_ceiling(warm_share, count), count - hot)
    rank = np.full(count, _COLD)
    order = _order(ranked)
    rank[order[:hot]] = _HOT
    rank[order[hot : hot + warm]] = _WARM
    return dict(zip(ranked.memory_ids, _BY_RANK[rank].tolist(), strict=True))


def newly_hot(before: Mapping[str, Tier], after: Mapping[str, Tier]) -> int:
    """Number of memories that a ranking has made HOT."""
    return sum(
        tier is Tier.HOT and before.get(memory_id) is not Tier.HOT
        for memory_id, tier in after.items()
    )


def stale(vitals: Vitals, now_us: int, days: float = COLD_DAYS) -> bool:
    """True if a memory is COLD and was not hit for `days`, counted from its storing if never hit.

    0 days turn this off.
    """
    if days <= 0 or vitals.tier is not Tier.COLD:
        return False
    since_us = vitals.review_us if vitals.last_hit_us is None else vitals.last_hit_us
    return now_us - since_us >= days * DAY_US


def _order(ranked: TierColumns) -> IntArray:
    """Places of the memories from the first rank to the last."""
    by_id = np.argsort(np.array(ranked.memory_ids, dtype=np.bytes_))
    by_use = np.lexsort((ranked.last_hits_us[by_id], ranked.hit_counts[by_id]))
    return by_id[by_use][::-1]


def _ceiling(share: float, count: int) -> int:
    """`share * count` rounded up; a share such as 0.1 has no exact binary form."""
    return math.ceil(round(share * count, 6))
