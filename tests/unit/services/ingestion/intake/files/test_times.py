"""Event times: the keys and notations accepted, and what is no date."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.intake.files.times import TIME_KEYS, event_time_of

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
def test_iso_and_epoch_times_are_read_as_utc(key: str, value: object) -> None:
    time = event_time_of({key: value})
    assert time == NOON
    assert time is not None
    assert time.tzinfo is UTC


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
