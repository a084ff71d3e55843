"""Values that commands take or send: a moment, a word for a value of a proto enum, a text."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

import click
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis_cli.failures import WrongUsage
from anamnesis_libs.rpc.enums import enum_words

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

_Number = TypeVar("_Number", bound=int)


def timestamp(moment: datetime) -> Timestamp:
    """The proto's form of a moment; without a zone it is UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    stamp = Timestamp()
    stamp.FromDatetime(aware.astimezone(UTC))
    return stamp


def words(
    enum: "_EnumTypeWrapper[_Number]", without: Sequence[str] = (), more: Sequence[str] = ()
) -> click.Choice[str]:
    """The choice between an enum's values, in lower case and without their common prefix.

    `more` are words besides them.
    """
    lower = (word for word in enum_words(enum) if word not in without)
    return click.Choice([*more, *lower], case_sensitive=False)


def text_given(argument: str) -> str:
    """The text of an argument; `-` reads it from standard input.

    Raises:
        WrongUsage: standard input is not UTF-8.
    """
    if argument != "-":
        return argument
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise WrongUsage("standard input is not UTF-8 text", "write it in UTF-8") from error
