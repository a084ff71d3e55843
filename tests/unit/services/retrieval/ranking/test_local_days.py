"""The times that a question names, on the clock of who asks."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis_libs.clock import LAST_US, YEAR_ONE_US, micros
from anamnesis_retrieval.ranking.named_time import (
    named_times,
    nearness,
    time_asked_of,
    window_of,
)

SHANGHAI, BERLIN = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/Berlin")
MORNING = datetime(2026, 1, 6, 7, 0, tzinfo=SHANGHAI)


def utc(written: str) -> datetime:
    return datetime.fromisoformat(written)


@pytest.mark.parametrize("query", ["What did I do yesterday?", "我昨天做了什么？"])
def test_yesterday_is_a_day_of_the_clock(query: str) -> None:
    window = window_of(query, MORNING)
    assert window is not None
    assert window.since == utc("2026-01-04T16:00:00Z")
    assert window.until == utc("2026-01-05T16:00:00Z")


def test_one_moment_is_of_many_zones() -> None:
    """Moments are equal wherever they are; what they are asked for is not."""
    for _ in range(2):
        here = named_times("What did I do yesterday?", MORNING)
        there = named_times("What did I do yesterday?", MORNING.astimezone(UTC))
        assert here[0].since == utc("2026-01-04T16:00:00Z")
        assert there[0].since == utc("2026-01-04T00:00:00Z")


@pytest.mark.parametrize(
    ("query", "since", "until"),
    [
        ("What did I do yesterday?", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("What did I do last week?", "2026-03-22T23:00:00Z", "2026-03-29T22:00:00Z"),
        ("What did I do last month?", "2026-01-31T23:00:00Z", "2026-02-28T23:00:00Z"),
        ("我上个月做了什么？", "2026-01-31T23:00:00Z", "2026-02-28T23:00:00Z"),
        ("What was at 2026-03-01T10:00Z?", "2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z"),
    ],
)
def test_each_end_has_the_offset_of_then(query: str, since: str, until: str) -> None:
    """On Sunday 29 March the clocks went forward; it is the Monday after."""
    window = window_of(query, datetime(2026, 3, 30, 8, 0, tzinfo=BERLIN))
    assert window is not None
    assert (window.since, window.until) == (utc(since), utc(until))


@pytest.mark.parametrize(
    ("said", "near"),
    [
        ("2025-12-31T16:30:00Z", 1.0),  # 1 January, half past midnight there
        ("2025-12-31T15:30:00Z", 0.0),
        ("2026-01-01T15:30:00Z", 1.0),
        ("2026-01-01T16:30:00Z", 0.65),
        ("2018-12-31T16:30:00Z", 1.0),
    ],
)
def test_a_date_of_any_year_is_one_there(said: str, near: float) -> None:
    times = named_times("What did we talk about on 1 January?", MORNING)
    assert nearness(times, micros(utc(said))) == near


def test_a_state_is_asked_of_the_calendar_as_facts_are() -> None:
    window = time_asked_of("Where did I live on 8 May 2024?", MORNING)
    assert window is not None
    assert window.until == utc("2024-05-09T00:00:00Z")
    window = time_asked_of("Where did I live yesterday?", MORNING)
    assert window is not None
    assert window.until == utc("2026-01-06T00:00:00Z")


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/New_York", "UTC"])
@pytest.mark.parametrize("year", [1, 9999])
def test_the_edges_of_the_calendar_are_no_fault(zone: str, year: int) -> None:
    asked_at = datetime(year, 12 if year > 1 else 1, 31 if year > 1 else 1, tzinfo=ZoneInfo(zone))
    for query in ("What did I do yesterday?", "on 1 January", "in 9999", "last year", "in 0001"):
        times = named_times(query, asked_at)
        for moment_us in (YEAR_ONE_US, LAST_US):
            nearness(times, moment_us)
        window_of(query, asked_at)
