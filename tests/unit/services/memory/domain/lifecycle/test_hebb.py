"""Edges between what is used together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.lifecycle.hebb import decayed, faded, pairs, strengthened


def test_a_weight_grows_by_a_tenth_up_to_one() -> None:
    assert strengthened(0) == pytest.approx(0.1)
    assert strengthened(0.55) == pytest.approx(0.65)
    assert strengthened(0.95) == 1
    assert strengthened(1) == 1


def test_a_cycle_takes_a_twentieth() -> None:
    assert decayed(1) == pytest.approx(0.95)
    assert decayed(0.2) == pytest.approx(0.19)


def test_a_single_use_fades_after_forty_five_cycles() -> None:
    weight, cycles = strengthened(0), 0
    while not faded(weight):
        weight, cycles = decayed(weight), cycles + 1
    assert cycles == 45
    assert not faded(0.01)


def test_pairs_are_of_the_memories_fetched_each_once() -> None:
    assert pairs(["b", "a", "b", "c"]) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert pairs(["a", "a"]) == ()
    assert pairs([]) == ()


@given(st.lists(st.text(min_size=1, max_size=3), max_size=40))
def test_pairs_are_bounded_ordered_and_among_the_first(fetched: list[str]) -> None:
    found = pairs(fetched)
    first = list(dict.fromkeys(fetched))[:10]
    assert len(found) == len(set(found)) == len(first) * (len(first) - 1) // 2 <= 45
    assert all(one < other and {one, other} <= set(first) for one, other in found)


@given(st.lists(st.booleans(), max_size=200))
def test_a_weight_stays_within_its_bounds(uses: list[bool]) -> None:
    weight = 0.0
    for use in uses:
        weight = strengthened(weight) if use else decayed(weight)
        assert 0 <= weight <= 1
