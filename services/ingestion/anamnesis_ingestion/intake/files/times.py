"""The event time a row states.

Accepted under any of the keys below, the first that can be read: ISO 8601 with or without an offset
from UTC, epoch seconds and epoch milliseconds, as numbers or digits. Numbers outside the years 1973
to 5138 are not dates: a small `time` is an offset into a recording, and 0 is "unset".

A time is read on the clock that it names: with its offset, or without any zone. What moment a time
without a zone is, and whose day one of UTC is, says the sender of the file, see `moment_of`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from anamnesis_libs.zones import minutes_of, stated_minutes

TIME_KEYS = ("timestamp", "created_at", "create_time", "event_time", "date", "time")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS_MIN, _SECONDS_MAX, _MILLISECONDS_MAX = 1e8, 1e11, 1e14
_EPOCH_TEXT = re.compile(r"\d{9,14}(?:\.\d{1,9})?", re.ASCII)


def event_time_of(row: Mapping[str, object]) -> datetime | None:
    """Return the time the row states, aware if it names an offset, or None."""
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
        if stated.tzinfo is not None:
            stated.astimezone(UTC)  # it is a moment of the calendar
        return stated
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in UTC, and the speaker's clock beside it in minutes, None where nobody says."""

    time: datetime
    utc_offset_minutes: int | None


def moment_of(stated: datetime, zone: tzinfo | None) -> Moment | None:
    """The moment of a time as stated; `zone` is where it was said, if the sender knows.

    None where the calendar has no such moment.
    """
    try:
        if stated.tzinfo is None:
            local = stated.replace(tzinfo=zone or UTC)
        elif zone is None or stated_minutes(stated) is not None:
            local = stated
        else:
            local = stated.astimezone(zone)
        offset = stated_minutes(local) if zone is None else minutes_of(local)
        return Moment(local.astimezone(UTC), offset)
    except OverflowError:
        return None
