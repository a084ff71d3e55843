"""The figures of the segmentation benchmark, on made-up boundaries."""

import pytest

from benchmarks.segmentation.metrics import Judged, figures, window_diff


def test_what_is_found_exactly_is_perfect() -> None:
    found = figures([Judged(12, (0, 4, 8), (0, 4, 8))])
    assert (found.precision, found.recall, found.f1, found.window_diff) == (1, 1, 1, 0)


def test_boundaries_count_over_all_conversations_together() -> None:
    found = figures([Judged(12, (0, 4, 8), (0, 4, 5, 6)), Judged(10, (0, 5), (0,))])
    assert found.precision == pytest.approx(1 / 3)
    assert found.recall == pytest.approx(1 / 3)
    assert found.f1 == pytest.approx(1 / 3)


def test_the_given_start_is_neither_hit_nor_miss() -> None:
    found = figures([Judged(10, (0,), (0,))])
    assert (found.precision, found.recall, found.f1, found.window_diff) == (0, 0, 0, 0)


def test_window_diff_forgives_a_near_miss_more_than_a_far_one() -> None:
    near = window_diff(Judged(20, (0, 10), (0, 11)))
    far = window_diff(Judged(20, (0, 10), (0, 17)))
    missed = window_diff(Judged(20, (0, 10), (0,)))
    assert 0 < near < missed <= far


def test_window_diff_by_hand() -> None:
    # Width 2 over positions 1..4 of 6 events: places start at 1, 2, 3, 4.
    assert window_diff(Judged(6, (0, 3), (0,))) == pytest.approx(2 / 4)
