"""The event time a row states.

Accepted under any of the keys below, the first that can be read: ISO 8601 with or without a zone
(without: UTC), epoch seconds and epoch milliseconds, as numbers or digits. Numbers outside the
years 1973 to 5138 are not dates: a small `time` is an offset into a recording, and 0 is "unset".
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

TIME_KEYS = ("timestamp", "created_at", "create_time", "event_time", "date", "time")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_MIN, _SECONDS_MAX, _MILLISECONDS_MAX = 1e8, 1e11, 1e14
_EPOCH_TEXT = re.compile(r"\d{9,14}(?:\.\d{1,9})?", re.ASCII)


def event_time_of(row: Mapping[str, object]) -> datetime | None:
    """Return the aware UTC time the row states, or None."""
    times = (_parse(row[key]) for key in TIME_KEYS if key in row)
    return next((time for time in times if time is not None), None)


def _parse(value: object) -> datetime | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_epoch(value)
    return _from_text(value.strip()) if isinstance(value, str) else None


def _from_epoch(number: float) -> datetime | None:
    if _SECONDS_MIN <= number < _SECONDS_MAX:
        return _EPOCH + timedelta(seconds=number)
    if _SECONDS_MAX <= number < _MILLISECONDS_MAX:
        return _EPOCH + timedelta(milliseconds=number)
    return None


def _from_text(text: str) -> datetime | None:
    # Digits first: 13 of them can also be read as an ISO basic date in the 17th century.
    if _EPOCH_TEXT.fullmatch(text):
        return _from_epoch(float(text))
    try:
        stated = datetime.fromisoformat(text)
        return stated.replace(tzinfo=UTC) if stated.tzinfo is None else stated.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
