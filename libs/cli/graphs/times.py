"""When a fact holds, in a few signs and no more exact than it is known."""

from datetime import UTC, datetime, timedelta

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.memory_pb2 import (
    TIME_PRECISION_INSTANT,
    TIME_PRECISION_MONTH,
    TIME_PRECISION_YEAR,
    Fact,
    TimePrecision,
)

_FORMS = {
    TIME_PRECISION_YEAR: "%Y",
    TIME_PRECISION_MONTH: "%Y-%m",
    TIME_PRECISION_INSTANT: "%Y-%m-%d %H:%M",
}
_DAY = "%Y-%m-%d"


def told(fact: Fact) -> str:
    """From when until when; empty where neither is known. An end names the last that it covers."""
    begin = _form(fact.valid_from, fact.time_precision) if fact.HasField("valid_from") else ""
    end = _last(fact) if fact.HasField("valid_to") else ""
    if begin and end:
        return begin if begin == end else f"{begin} – {end}"
    if begin:
        return f"since {begin}"
    return f"until {end}" if end else ""


def ends_before(fact: Fact, now: datetime) -> bool:
    """Whether it is over by then."""
    return fact.HasField("valid_to") and fact.valid_to.ToDatetime(UTC) <= now


def _last(fact: Fact) -> str:
    """The end is the instant after what it covers."""
    end = Timestamp()
    end.CopyFrom(fact.valid_to)
    if fact.time_precision != TIME_PRECISION_INSTANT:
        end.FromDatetime(fact.valid_to.ToDatetime(UTC) - timedelta(microseconds=1))
    return _form(end, fact.time_precision)


def _form(stamp: Timestamp, precision: "TimePrecision.ValueType") -> str:
    moment = stamp.ToDatetime(UTC)
    if precision == TIME_PRECISION_INSTANT and not (moment.hour or moment.minute):
        return moment.strftime(_DAY)
    return moment.strftime(_FORMS.get(precision, _DAY))
