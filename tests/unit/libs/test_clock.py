"""Tests of clock.py."""

from datetime import timedelta

from anamnesis_libs.clock import SystemClock


def test_now_is_utc_and_says_so() -> None:
    assert SystemClock().now().utcoffset() == timedelta(0)


def test_monotonic_time_does_not_go_back() -> None:
    clock = SystemClock()
    first = clock.monotonic_s()
    assert clock.monotonic_s() >= first
