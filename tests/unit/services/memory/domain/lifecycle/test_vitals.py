"""Retention, reviews and use."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.lifecycle.days import DAY_US, days_between
from anamnesis_memory.domain.lifecycle.memory_vitals import retention_of, vitals_of
from anamnesis_memory.domain.lifecycle.vitals import (
    FETCHED,
    first_vitals,
    retention,
    reviewed,
    used,
)
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Tier

STORED_US = 1_700_000_000_000_000
YEARS = st.integers(0, 5_000 * DAY_US)


@pytest.mark.parametrize(
    ("kind", "stability_days"),
    [(Kind.EPISODIC, 1), (Kind.SEMANTIC, 2), (Kind.LEARNING, 3), (Kind.PROCEDURAL, 3)],
)
def test_a_new_memory_is_warm_never_hit_and_as_stable_as_its_kind(
    kind: Kind, stability_days: float
) -> None:
    vitals = first_vitals("m", kind, STORED_US)
    assert (vitals.tier, vitals.hit_count, vitals.last_hit_us) == (Tier.WARM, 0, None)
    assert vitals.stability_days == stability_days
    assert retention(vitals, STORED_US) == 1
    later_us = STORED_US + round(stability_days * DAY_US)
    assert retention(vitals, later_us) == pytest.approx(1 / math.e)


def test_a_fact_after_a_week_is_as_computed_by_hand() -> None:
    fact = first_vitals("m", Kind.SEMANTIC, STORED_US)
    assert retention(fact, STORED_US + 7 * DAY_US) == pytest.approx(0.030197383)


@pytest.mark.parametrize(("days", "gain"), [(0, 0.5), (0.25, 0.5), (1, 0.5), (3, 1.5), (10, 5.0)])
def test_a_review_adds_half_of_the_days_since_the_last_and_of_one_at_least(
    days: float, gain: float
) -> None:
    now_us = STORED_US + round(days * DAY_US)
    drawer = reviewed(first_vitals("m", Kind.EPISODIC, STORED_US), now_us)
    assert drawer.stability_days == pytest.approx(1 + gain)
    assert drawer.review_us == now_us
    assert retention(drawer, now_us) == 1


def test_a_use_is_hits_a_last_hit_and_one_review() -> None:
    stored = first_vitals("m", Kind.EPISODIC, STORED_US)
    once = used(stored, FETCHED, STORED_US + 4 * DAY_US)
    assert (once.hit_count, once.last_hit_us) == (2, STORED_US + 4 * DAY_US)
    assert once == replace(
        reviewed(stored, STORED_US + 4 * DAY_US), hit_count=2, last_hit_us=once.last_hit_us
    )


def test_a_use_that_arrives_late_counts_and_moves_no_time_back() -> None:
    late = used(
        used(first_vitals("m", Kind.EPISODIC, STORED_US), 1, STORED_US + DAY_US), 1, STORED_US
    )
    assert (late.hit_count, late.stability_days) == (2, 2.0)
    assert late.last_hit_us == late.review_us == STORED_US + DAY_US


@pytest.mark.parametrize("hits", [0, -1])
def test_no_hit_is_no_use(hits: int) -> None:
    with pytest.raises(ValueError, match="no use"):
        used(first_vitals("m", Kind.EPISODIC, STORED_US), hits, STORED_US)


def test_a_clock_that_went_back_ages_nothing() -> None:
    assert days_between(STORED_US, STORED_US - DAY_US) == 0
    assert retention(first_vitals("m", Kind.EPISODIC, STORED_US), STORED_US - DAY_US) == 1


@given(st.sampled_from(Kind), YEARS, YEARS)
def test_retention_falls_with_time_within_its_bounds(
    kind: Kind, one_us: int, other_us: int
) -> None:
    vitals = first_vitals("m", kind, STORED_US)
    sooner, later = sorted((STORED_US + one_us, STORED_US + other_us))
    assert 0 < retention(vitals, later) <= retention(vitals, sooner) <= 1


@given(st.sampled_from(Kind), st.lists(YEARS, min_size=1, max_size=8))
def test_what_was_used_is_never_retained_less(kind: Kind, moments: list[int]) -> None:
    unused = vitals = first_vitals("m", kind, STORED_US)
    for moment in moments:
        vitals = used(vitals, 1, STORED_US + moment)
    end_us = STORED_US + 5_001 * DAY_US
    assert vitals.hit_count == len(moments)
    assert retention(vitals, end_us) >= retention(unused, end_us)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize(("stability_days", "review_us"), [(0.0, 0), (7.5, STORED_US + DAY_US)])
def test_the_retention_of_a_memory_is_that_of_its_vitals(
    kind: Kind, stability_days: float, review_us: int
) -> None:
    source = Provenance(Origin.OBSERVED)
    memory = Memory("m", kind, "text", STORED_US, STORED_US, 1, source)
    memory = replace(memory, stability_days=stability_days, review_us=review_us)
    later_us = STORED_US + 3 * DAY_US
    assert retention_of(memory, later_us) == retention(vitals_of(memory), later_us)
