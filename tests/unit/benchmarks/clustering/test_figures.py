"""Tests of figures.py: purity and the adjusted Rand index, by hand and at random."""

import random

import pytest

from benchmarks.clustering.figures import purity, rand_index


def test_the_same_groups_by_other_names_are_perfect() -> None:
    assert rand_index("aabb", "yyxx") == 1.0
    assert purity("aabb", "yyxx") == 1.0


def test_figures_by_hand() -> None:
    """Of 15 pairs 4 are together by label, 4 as found, 2 by both; expected are 16 / 15."""
    labels, found = "aaabbc", "xxyyyz"
    assert purity(labels, found) == pytest.approx(5 / 6)
    assert rand_index(labels, found) == pytest.approx((2 - 16 / 15) / (4 - 16 / 15))


def test_groups_at_random_are_worth_nothing() -> None:
    chance = random.Random(1)
    labels = [chance.randrange(10) for _ in range(2000)]
    assert abs(rand_index(labels, [chance.randrange(10) for _ in labels])) < 0.01


def test_one_lesson_a_group_is_pure_and_worth_nothing() -> None:
    assert (purity("aabb", "wxyz"), rand_index("aabb", "wxyz")) == (1.0, 0.0)
