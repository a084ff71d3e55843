"""Event times: the keys and notations accepted, and what is no date."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from anamnesis_ingestion.intake.files.times import TIME_KEYS, Moment, event_time_of, moment_of

NOON = datetime(2024, 6, 10, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "value",
    [
        "2024-06-10T12:00:00Z",
        "2024-06-10T14:00:00+02:00",
        "2024-06-10 12:00:00",
        " 20240610T120000 ",
        1718020800,
        1718020800.0,
        1718020800000,
        "1718020800",
        "1718020800.000",
        "1718020800000",
    ],
)
@pytest.mark.parametrize("key", TIME_KEYS)
def test_iso_and_epoch_times_are_moments(key: str, value: object) -> None:
    stated = event_time_of({key: value})
    assert stated is not None
    moment = moment_of(stated, None)
    assert moment is not None
    assert moment.time == NOON
    assert moment.time.tzinfo is UTC


SHANGHAI, LONDON = ZoneInfo("Asia/Shanghai"), ZoneInfo("Europe/London")


@pytest.mark.parametrize(
    ("stated", "zone", "time", "minutes"),
    [
        ("2026-01-06T00:30:00+09:00", None, "2026-01-05T15:30:00Z", 540),
        ("2026-01-06T00:30:00+09:00", SHANGHAI, "2026-01-05T15:30:00Z", 540),
        ("2026-01-06T00:30:00-03:30", None, "2026-01-06T04:00:00Z", -210),
        # who writes UTC keeps a clock by it, and says nothing of where people are
        ("2026-01-05T23:30:00Z", None, "2026-01-05T23:30:00Z", None),
        ("2026-01-05T23:30:00+00:00", None, "2026-01-05T23:30:00Z", None),
        ("2026-01-05T23:30:00Z", SHANGHAI, "2026-01-05T23:30:00Z", 480),
        ("2026-01-06T07:30:00", None, "2026-01-06T07:30:00Z", None),
        ("2026-01-06T07:30:00", SHANGHAI, "2026-01-05T23:30:00Z", 480),
        ("2026-01-06T07:30:00", LONDON, "2026-01-06T07:30:00Z", 0),
        ("2026-07-06T07:30:00", LONDON, "2026-07-06T06:30:00Z", 60),
    ],
)
def test_the_clock_of_a_time(
    stated: str, zone: ZoneInfo | None, time: str, minutes: int | None
) -> None:
    read = event_time_of({"timestamp": stated})
    assert read is not None
    assert moment_of(read, zone) == Moment(datetime.fromisoformat(time), minutes)


def test_a_time_that_the_calendar_lacks_elsewhere_is_none() -> None:
    assert moment_of(datetime(1, 1, 1), SHANGHAI) is None  # noqa: DTZ001 as a file states it


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, 12.5, -5, 10**400, float("nan"), float("inf"), {}, [1718020800]),
        *("", "soon", "12.5", "10:30", "\ud800", "9" * 9 + "x", "9" * 5000),
        "0001-01-01T00:00:00+14:00",
    ],
)
def test_what_is_no_date_is_none(value: object) -> None:
    assert event_time_of({"timestamp": value}) is None


def test_the_first_key_that_can_be_read_wins() -> None:
    row = {"time": "2020-01-01", "created_at": "2024-06-10T12:00Z", "timestamp": "later"}
    assert event_time_of(row) == NOON


def test_milliseconds_keep_their_fraction() -> None:
    assert event_time_of({"time": 1718020800123}) == NOON.replace(microsecond=123_000)
