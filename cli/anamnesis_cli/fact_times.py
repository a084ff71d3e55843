"""The time of a fact in a few signs; "until" is the first instant at which it holds no more.

What happened does not go on: an experience or an event has a date, and no "since" or "still".
"""

from datetime import UTC, datetime, time

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.memory_pb2 import (
    FACT_KIND_EVENT,
    FACT_KIND_EXPERIENCE,
    TIME_PRECISION_DAY,
    TIME_PRECISION_MONTH,
    TIME_PRECISION_YEAR,
    Fact,
    Memory,
    TimePrecision,
)
from anamnesis_cli.clocks import written

_FORMS = {TIME_PRECISION_YEAR: "%Y", TIME_PRECISION_MONTH: "%Y-%m"}
_HAPPENINGS = (FACT_KIND_EXPERIENCE, FACT_KIND_EVENT)


def begin_of(fact: Fact, minutes: int = 0) -> str:
    """The time from which a fact holds, or at which it happened; empty if it is not known."""
    if not fact.HasField("valid_from"):
        return ""
    return date_of(fact.valid_from, fact.time_precision, minutes)


def end_of(fact: Fact, minutes: int = 0) -> str:
    """Until when it holds: "still" without an end, empty of what happened once."""
    if fact.HasField("valid_to"):
        return date_of(fact.valid_to, minutes=minutes)
    return "" if _happened(fact) else "still"


def told(memory: Memory) -> str:
    """The time of a fact in words, told on the clock of who told it; empty if it has none.

    What was said to be over (when that was said is its end) is over by then.
    """
    fact, minutes = memory.fact, memory.utc_offset_minutes
    begin = begin_of(fact, minutes)
    if not begin and fact.HasField("valid_to") and fact.valid_to == memory.event_time:
        return f"over by {end_of(fact, minutes)}"
    if fact.HasField("valid_to"):
        return f"{begin} until {end_of(fact, minutes)}".strip()
    return f"since {begin}" if begin and not _happened(fact) else begin


def ends_before(fact: Fact, now: datetime) -> bool:
    """True if the fact has ended by then."""
    return fact.HasField("valid_to") and fact.valid_to.ToDatetime(UTC) <= now


def date_of(
    stamp: Timestamp,
    precision: TimePrecision.ValueType = TIME_PRECISION_DAY,
    minutes: int = 0,
) -> str:
    """A time as exact as it is: to the year, the month, the day, else to the minute on a clock."""
    moment = stamp.ToDatetime(UTC)
    if moment.time() != time.min:
        return written(stamp, minutes)
    return moment.strftime(_FORMS.get(precision, "%Y-%m-%d"))


def _happened(fact: Fact) -> bool:
    return fact.fact_kind in _HAPPENINGS
