"""How facts look: a table of what holds from when until when, how sure it is, and who says so."""

from collections.abc import Iterable
from datetime import UTC, time

from google.protobuf.timestamp_pb2 import Timestamp
from rich.table import Table

from anamnesis.memory.v1.knowledge_pb2 import FactFlag, KnownFact
from anamnesis.memory.v1.memory_pb2 import (
    TIME_PRECISION_DAY,
    TIME_PRECISION_MONTH,
    TIME_PRECISION_YEAR,
    Fact,
    TimePrecision,
)
from libs.cli.output import new_table, one_line

_WORDS = {TIME_PRECISION_YEAR: "%Y", TIME_PRECISION_MONTH: "%Y-%m"}


def fact_table(facts: Iterable[KnownFact]) -> Table:
    """A row a fact, in the order given; `until` is the first instant at which it holds no more."""
    table = new_table("from", "until", "fact", "sure", "said by", "memory")
    for column in (table.columns[0], table.columns[1], table.columns[3]):
        column.no_wrap = True
    for known in facts:
        fact = known.memory.fact
        table.add_row(
            _begins(fact),
            date_of(fact.valid_to) if fact.HasField("valid_to") else "still",
            f"{_said(fact)}{_flags(known)}",
            f"{known.memory.confidence:.2f}",
            one_line(", ".join(known.sources)) or "-",
            f"[dim]{one_line(known.memory.memory_id)}[/]",
        )
    return table


def date_of(stamp: Timestamp, precision: TimePrecision.ValueType = TIME_PRECISION_DAY) -> str:
    """A time in UTC, as exact as it is: to the year, the month, the day, else to the minute."""
    moment = stamp.ToDatetime(UTC)
    if moment.time() != time.min:
        return moment.strftime("%Y-%m-%d %H:%M")
    return moment.strftime(_WORDS.get(precision, "%Y-%m-%d"))


def _begins(fact: Fact) -> str:
    if not fact.HasField("valid_from"):
        return "unknown"
    return date_of(fact.valid_from, fact.time_precision)


def _said(fact: Fact) -> str:
    predicate = fact.predicate.replace("_", " ")
    return f"{one_line(fact.subject)} [bold]{one_line(predicate)}[/] {one_line(fact.object)}"


def _flags(known: KnownFact) -> str:
    names = (FactFlag.Name(flag).removeprefix("FACT_FLAG_").lower() for flag in known.flags)
    return "".join(f"  [yellow]({name.replace('_', ' ')})[/]" for name in names)
