"""Times on their way in and out: datetimes, ISO 8601 texts, timestamps of the contracts."""

from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.event_pb2 import Event
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis_client.errors import FieldViolation, InvalidArgument

Time = datetime | date | str | float
"""A datetime or a date, an ISO 8601 text, seconds since 1970; in UTC where no zone is said."""


def timestamp(time: Time | None, field: str = "time") -> Timestamp | None:
    """The timestamp of a moment; None where none is given.

    Raises:
        InvalidArgument: it is none; the violation names the field.
    """
    if time is None:
        return None
    try:
        moment = _moment(time)
    except (ValueError, TypeError, OverflowError, OSError) as error:
        told = FieldViolation(field, f"{time!r} is not a time: give a datetime or an ISO 8601 text")
        raise InvalidArgument("", reason="FIELD_INVALID", violations=(told,)) from error
    stamp = Timestamp()
    stamp.FromDatetime(moment.astimezone(UTC) if moment.tzinfo else moment)
    return stamp


def offset_minutes(time: Time | None, time_zone: str) -> int | None:
    """The clock beside UTC by which a time is of a day; None leaves it to the namespace's policy.

    It is the offset that the time names, else that of the time zone then. UTC names no place: its
    clock is kept by machines all over the world. A date alone is a day, wherever it is read.

    Raises:
        InvalidArgument: there is no such time zone.
    """
    moment = datetime.now(UTC) if time is None else _moment(time)
    if _is_day(time):
        return 0
    stated = _minutes(moment)
    if stated or not time_zone:
        return stated or None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return _minutes(aware.astimezone(_zone(time_zone)))


def _is_day(time: Time | None) -> bool:
    if isinstance(time, str):
        return len(time) == len("2026-03-14")
    return isinstance(time, date) and not isinstance(time, datetime)


def _minutes(moment: datetime) -> int:
    return round((moment.utcoffset() or timedelta()) / timedelta(minutes=1))


def _zone(name: str) -> tzinfo | None:
    try:
        if name[:1] in "+-":
            return datetime.fromisoformat(f"2000-01-01T00:00{name}").tzinfo
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError) as error:
        told = FieldViolation("time_zone", f"{name!r} is none: give Asia/Shanghai, or +08:00")
        raise InvalidArgument("", reason="FIELD_INVALID", violations=(told,)) from error


def moment_of(message: Message, field: str) -> datetime | None:
    """The datetime of a message's field, in UTC; None where it is not set."""
    if not message.HasField(field):
        return None
    stamp = getattr(message, field)
    assert isinstance(stamp, Timestamp)
    return stamp.ToDatetime(tzinfo=UTC)


def local_moment_of(message: Memory | Event) -> datetime | None:
    """When it happened, on the clock of who said it; None where that is not known."""
    moment = moment_of(message, "event_time")
    if moment is None or not message.utc_offset_minutes:
        return moment
    try:
        return moment.astimezone(timezone(timedelta(minutes=message.utc_offset_minutes)))
    except OverflowError:
        return moment


def _moment(time: Time) -> datetime:
    match time:
        case datetime():
            return time
        case date():
            return datetime(time.year, time.month, time.day, tzinfo=UTC)
        case str():
            return datetime.fromisoformat(time)
        case _:
            return datetime.fromtimestamp(time, UTC)
