"""Times on their way in and out: datetimes, ISO 8601 texts, timestamps of the contracts."""

from datetime import UTC, date, datetime

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

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


def moment_of(message: Message, field: str) -> datetime | None:
    """The datetime of a message's field, in UTC; None where it is not set."""
    if not message.HasField(field):
        return None
    stamp = getattr(message, field)
    assert isinstance(stamp, Timestamp)
    return stamp.ToDatetime(tzinfo=UTC)


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
