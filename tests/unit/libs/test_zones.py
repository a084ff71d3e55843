"""Zones by name, offsets, and the days of moments on a clock."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from anamnesis_libs.clock import LAST_US, YEAR_ONE_US, micros
from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.zones import (
    checked_zone,
    day_of_fact,
    day_on_clock,
    in_zone,
    minutes_at,
    moment_beside_facts,
    off_clock,
    on_clock,
    stated_minutes,
    zone_of,
)

EVENING = datetime(2026, 1, 5, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "minutes"),
    [
        *(("UTC", 0), ("Asia/Shanghai", 480), ("Asia/Kathmandu", 345), ("America/St_Johns", -210)),
        *(("+08:00", 480), ("+0800", 480), ("-03:30", -210), ("+00:00", 0), ("+14:00", 840)),
    ],
)
def test_a_zone_has_an_offset(name: str, minutes: int) -> None:
    assert minutes_at(zone_of(name), micros(EVENING)) == minutes


def test_daylight_saving_goes_by_the_moment() -> None:
    berlin = zone_of("Europe/Berlin")
    for written, minutes in {
        "2026-03-29T00:59:59Z": 60,
        "2026-03-29T01:00:00Z": 120,
        "2026-10-25T00:59:59Z": 120,
        "2026-10-25T01:00:00Z": 60,
    }.items():
        assert minutes_at(berlin, micros(datetime.fromisoformat(written))) == minutes


@pytest.mark.parametrize(
    "name",
    [
        *("", "Shanghai", "Asia", "Asia/Atlantis", "CET+1", "+8", "+08:60", "+14:01", "-99:00"),
        *("../../etc/passwd", "/etc/passwd", "Asia/Shanghai\0", "\ud800", "亚洲/上海", "Z"),
    ],
)
def test_what_is_no_zone_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        checked_zone(name, "time_zone")
    assert refused.value.violations[0].field == "time_zone"


@pytest.mark.parametrize(
    ("written", "minutes"),
    [
        ("2026-01-06T00:30:00+09:00", 540),
        ("2026-01-06T00:30:00Z", None),
        ("2026-01-06T00:30:00+00:00", None),
        ("2026-01-06T00:30:00", None),
        ("2026-01-06T00:30:00+23:00", None),
    ],
)
def test_a_time_in_utc_states_no_place(written: str, minutes: int | None) -> None:
    assert stated_minutes(datetime.fromisoformat(written)) == minutes


def test_a_day_is_that_of_its_clock() -> None:
    moment_us = micros(EVENING)
    assert day_on_clock(moment_us) == date(2026, 1, 5)
    assert day_on_clock(moment_us, 480) == date(2026, 1, 6)
    assert day_on_clock(micros(datetime(1969, 12, 31, 20, tzinfo=UTC)), 300) == date(1970, 1, 1)
    assert day_on_clock(LAST_US, 840) == date.max
    assert day_on_clock(YEAR_ONE_US, -840) == date.min


def test_the_day_of_a_fact_is_of_the_calendar_or_of_a_clock() -> None:
    assert day_of_fact(micros(datetime(2026, 1, 6, tzinfo=UTC)), -300) == date(2026, 1, 6)
    assert day_of_fact(micros(EVENING), 480) == date(2026, 1, 6)


def test_facts_are_compared_with_the_later_of_moment_and_wall_time() -> None:
    shanghai = in_zone(EVENING, zone_of("Asia/Shanghai"))
    assert moment_beside_facts(shanghai) == datetime(2026, 1, 6, 7, 30, tzinfo=UTC)
    assert moment_beside_facts(in_zone(EVENING, zone_of("America/New_York"))) == EVENING


def test_wall_time_goes_and_comes_back_also_at_the_edges() -> None:
    assert on_clock(EVENING, 480) == EVENING + timedelta(hours=8)
    assert off_clock(on_clock(EVENING, 480), 480) == EVENING
    assert on_clock(EVENING, None) == EVENING
    last = datetime.max.replace(tzinfo=UTC)
    assert on_clock(last, 480) == last
    assert in_zone(last, timezone(timedelta(hours=8))) == last
