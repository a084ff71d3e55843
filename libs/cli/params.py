"""Values that commands take: a moment in time, a word for a value of a proto enum, a text."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import click
from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.timestamp_pb2 import Timestamp


class Moment(click.ParamType[Timestamp]):
    """A date or time in ISO 8601; without a zone it is UTC."""

    name = "time"

    def convert(
        self, value: str | Timestamp, param: click.Parameter | None, ctx: click.Context | None
    ) -> Timestamp:
        """Reads the text, or says how a time is written."""
        if isinstance(value, Timestamp):
            return value
        try:
            return timestamp(datetime.fromisoformat(value))
        except (ValueError, OverflowError):
            hint = "write 2026-03-14 or 2026-03-14T09:30:00+01:00"
            self.fail(f"{value!r} is not a time; {hint}", param, ctx)


def timestamp(moment: datetime) -> Timestamp:
    """The proto's form of a moment; without a zone it is UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    stamp = Timestamp()
    stamp.FromDatetime(aware.astimezone(UTC))
    return stamp


def words(
    enum: EnumDescriptor, prefix: str, without: Sequence[str] = (), more: Sequence[str] = ()
) -> click.Choice[str]:
    """The choice between an enum's values, in lower case and without their common prefix.

    `more` are words besides them.
    """
    named = (value.name for value in enum.values if value.number and value.name not in without)
    lower = [name.removeprefix(prefix).lower() for name in named]
    return click.Choice([*more, *lower], case_sensitive=False)


def text_given(argument: str) -> str:
    """The text of an argument; `-` reads it from standard input."""
    return sys.stdin.buffer.read().decode("utf-8", "replace") if argument == "-" else argument
