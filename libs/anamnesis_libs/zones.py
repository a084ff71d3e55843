"""Time zones by name, and the day of a moment on somebody's clock.

A zone is the IANA's ("Asia/Shanghai"), whose offset depends on the moment, or an offset ("+08:00").
What is stored of a moment is its offset from UTC, in whole minutes: no zone is needed to read it.
"""

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from anamnesis_libs.errors import invalid_field

OFFSET_MINUTES_MAX = 14 * 60
"""No clock is further from UTC, to either side."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = date(1970, 1, 1)
_OFFSET = re.compile(r"(?P<sign>[+-])(?P<hours>\d{2}):?(?P<minutes>[0-5]\d)")
_US_PER_MINUTE = 60_000_000
_US_PER_DAY = 24 * 60 * _US_PER_MINUTE


@lru_cache(maxsize=256)
def zone_of(name: str) -> tzinfo:
    """The zone of a name or an offset.

    Raises:
        ValueError: there is no such zone, or no such offset.
    """
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        return _fixed(offset)
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        msg = f"{name!r} is no time zone that is known here: write Asia/Shanghai, or +08:00"
        raise ValueError(msg) from error


def checked_zone(name: str, field: str) -> tzinfo:
    """The zone that a request's field names.

    Raises:
        InvalidArgument: there is no such zone.
    """
    try:
        return zone_of(name)
    except ValueError as error:
        raise invalid_field(field, str(error)) from error


def _fixed(offset: re.Match[str]) -> tzinfo:
    minutes = int(f"{offset['sign']}1") * (int(offset["hours"]) * 60 + int(offset["minutes"]))
    if abs(minutes) > OFFSET_MINUTES_MAX:
        msg = f"{offset[0]!r} is no offset from UTC: none is more than 14 hours"
        raise ValueError(msg)
    return timezone(timedelta(minutes=minutes))


def minutes_of(moment: datetime) -> int:
    """The offset of an aware moment, in whole minutes: before 1900 clocks had seconds too."""
    return round((moment.utcoffset() or timedelta()) / timedelta(minutes=1))


def stated_minutes(moment: datetime) -> int | None:
    """The offset that a moment states of where it was said; None where it has none, or is in UTC.

    A machine that writes "Z" or "+00:00" keeps its clock by UTC, wherever its people are.
    """
    minutes = minutes_of(moment)
    return minutes if minutes and abs(minutes) <= OFFSET_MINUTES_MAX else None


def minutes_at(zone: tzinfo, moment_us: int) -> int:
    """The offset of a zone at a moment, in microseconds since 1970, in whole minutes."""
    return minutes_of(in_zone(_EPOCH + timedelta(microseconds=moment_us), zone))


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """A moment on the clock of a zone; as it is where the calendar has no such wall time."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def on_clock(moment: datetime, offset_minutes: int | None) -> datetime:
    """The wall time of a moment in UTC, as if it were UTC; itself where the calendar has none."""
    return _shifted(moment, offset_minutes or 0)


def off_clock(wall: datetime, offset_minutes: int | None) -> datetime:
    """The moment of a wall time that is written as if it were UTC; undoes `on_clock`."""
    return _shifted(wall, -(offset_minutes or 0))


def _shifted(moment: datetime, minutes: int) -> datetime:
    try:
        return moment + timedelta(minutes=minutes)
    except OverflowError:
        return moment


def on_clock_us(moment_us: int, offset_minutes: int | None) -> int:
    """The wall time of a moment as if it were UTC, in microseconds since 1970."""
    return moment_us + (offset_minutes or 0) * _US_PER_MINUTE


def day_on_clock(moment_us: int, offset_minutes: int | None = None) -> date:
    """The day of a moment on a clock; the first or the last one where the calendar has no more."""
    ordinal = _EPOCH_DAY.toordinal() + on_clock_us(moment_us, offset_minutes) // _US_PER_DAY
    return date.fromordinal(min(max(ordinal, 1), date.max.toordinal()))


def day_of_fact(moment_us: int, offset_minutes: int | None = None) -> date:
    """The day of a time of a fact: of a moment on the clock of who told it.

    Facts' days are those of the calendar, each a midnight of UTC, wherever they were told.
    """
    is_day = moment_us % _US_PER_DAY == 0
    return day_on_clock(moment_us, None if is_day else offset_minutes)


def moment_beside_facts(moment: datetime) -> datetime:
    """The time in UTC by which to compare facts' times with a moment on somebody's clock.

    Facts begin and end at moments, or with days of the calendar, which are written as days of UTC:
    by the later of the moment and the wall time both have come.
    """
    return max(moment.astimezone(UTC), moment.replace(tzinfo=UTC))
