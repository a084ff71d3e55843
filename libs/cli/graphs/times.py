"""When a fact holds, in a few signs; "until" is the first instant at which it holds no more."""

from datetime import UTC, datetime

from anamnesis.memory.v1.memory_pb2 import Fact
from libs.cli.fact_rows import date_of


def told(fact: Fact) -> str:
    """From when until when; empty where neither is known."""
    begin = date_of(fact.valid_from, fact.time_precision) if fact.HasField("valid_from") else ""
    if fact.HasField("valid_to"):
        return f"{begin} until {date_of(fact.valid_to)}".strip()
    return f"since {begin}" if begin else ""


def ends_before(fact: Fact, now: datetime) -> bool:
    """Whether it is over by then."""
    return fact.HasField("valid_to") and fact.valid_to.ToDatetime(UTC) <= now
