"""Tiers by rank, and what lies unused."""

import math
from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.lifecycle.days import DAY_US
from anamnesis_memory.domain.lifecycle.tiers import (
    NEVER_US,
    TierColumns,
    columns,
    newly_hot,
    stale,
    tiers,
)
from anamnesis_memory.domain.lifecycle.vitals import Vitals, first_vitals, used
from anamnesis_memory.model.memory import Kind, Tier

NOW_US = 1_700_000_000_000_000


def _vitals(memory_id: str, hits: int = 0, last_hit_us: int | None = None) -> Vitals:
    stored = first_vitals(memory_id, Kind.EPISODIC, NOW_US)
    return replace(stored, hit_count=hits, last_hit_us=last_hit_us)


def test_of_ten_one_is_hot_four_are_warm_and_five_cold() -> None:
    ranked = columns(_vitals(f"m{hits}", hits, NOW_US) for hits in range(10))
    found = tiers(ranked)
    assert [found[f"m{hits}"] for hits in range(9, -1, -1)] == (
        [Tier.HOT] + [Tier.WARM] * 4 + [Tier.COLD] * 5
    )


@pytest.mark.parametrize(
    ("count", "sizes"),
    [(0, (0, 0, 0)), (1, (1, 0, 0)), (2, (1, 1, 0)), (3, (1, 2, 0)), (5, (1, 2, 2)),
     (11, (2, 5, 4)), (30, (3, 12, 15)), (70, (7, 28, 35)), (1000, (100, 400, 500))],
)  # fmt: skip
def test_shares_are_rounded_up(count: int, sizes: tuple[int, int, int]) -> None:
    found = Counter(tiers(columns(_vitals(f"m{n}") for n in range(count))).values())
    assert (found[Tier.HOT], found[Tier.WARM], found[Tier.COLD]) == sizes


def test_of_equal_hits_the_latest_leads_and_then_the_memory_made_last() -> None:
    memories = [
        _vitals("a", 3, NOW_US - 1),
        _vitals("b", 3, NOW_US),
        _vitals("c"),
        _vitals("d"),
        _vitals("e", 0, NOW_US - 2),
    ]
    found = tiers(columns(memories))
    assert found == {
        "b": Tier.HOT,
        "a": Tier.WARM,
        "e": Tier.WARM,
        "d": Tier.COLD,
        "c": Tier.COLD,
    }
    assert tiers(columns(memories[2:4])) == {"d": Tier.HOT, "c": Tier.WARM}


def test_the_newly_hot_are_counted() -> None:
    memories = [_vitals(f"m{n}", n, NOW_US) for n in range(20)]
    before = tiers(columns(memories))
    assert newly_hot({}, before) == 2
    assert newly_hot(before, before) == 0
    after = tiers(columns([used(memories[0], 40, NOW_US), *memories[1:]]))
    assert newly_hot(before, after) == 1


@given(
    st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 5)), min_size=1, max_size=60),
    st.randoms(use_true_random=False),
)
def test_a_ranking_is_a_partition_by_use_whatever_the_order(
    uses: list[tuple[int, int | None]], shuffler: Random
) -> None:
    memories = [_vitals(f"m{n:03}", hits, last) for n, (hits, last) in enumerate(uses)]
    found = tiers(columns(memories))
    shuffled = list(memories)
    shuffler.shuffle(shuffled)
    assert tiers(columns(shuffled)) == found
    sizes = Counter(found.values())
    assert sizes[Tier.HOT] == math.ceil(len(uses) / 10)
    assert sizes[Tier.HOT] + sizes[Tier.WARM] <= len(uses) == len(found)
    by_use = sorted(memories, key=_use, reverse=True)
    assert [list(Tier).index(found[each.memory_id]) for each in by_use] == sorted(
        list(Tier).index(tier) for tier in found.values()
    )


def _use(vitals: Vitals) -> tuple[int, int, str]:
    last_hit_us = -1 if vitals.last_hit_us is None else vitals.last_hit_us
    return vitals.hit_count, last_hit_us, vitals.memory_id


@pytest.mark.slow
def test_a_million_memories_are_ranked() -> None:
    count = 1_000_000
    generator = np.random.default_rng(7)
    ranked = TierColumns(
        memory_ids=[f"{n:032x}" for n in generator.permutation(count)],
        hit_counts=generator.integers(0, 5, count),
        last_hits_us=np.full(count, NEVER_US),
    )
    assert Counter(tiers(ranked).values()) == {
        Tier.HOT: 100_000,
        Tier.WARM: 400_000,
        Tier.COLD: 500_000,
    }


@pytest.mark.parametrize(
    ("tier", "hit_days_ago", "days", "expected"),
    [
        (Tier.COLD, 30, 30, True),
        (Tier.COLD, 29.9, 30, False),
        (Tier.COLD, 3000, 0, False),
        (Tier.WARM, 3000, 30, False),
        (Tier.HOT, 3000, 30, False),
        (Tier.COLD, 7, 7, True),
    ],
)
def test_stale_is_cold_and_not_hit_for_so_long(
    tier: Tier, hit_days_ago: float, days: float, expected: bool
) -> None:
    hit_us = NOW_US - round(hit_days_ago * DAY_US)
    vitals = replace(_vitals("m", 1, hit_us), tier=tier)
    assert stale(vitals, NOW_US, days) is expected


def test_what_was_never_hit_is_stale_by_the_time_it_was_stored() -> None:
    vitals = replace(_vitals("m"), tier=Tier.COLD)
    assert not stale(vitals, NOW_US + 29 * DAY_US)
    assert stale(vitals, NOW_US + 30 * DAY_US)
