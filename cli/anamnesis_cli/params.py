"""Values that commands take or send: a moment, a word for a value of a proto enum, a text."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import click
from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.timestamp_pb2 import Timestamp


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
