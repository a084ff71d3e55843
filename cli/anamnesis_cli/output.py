"""The output of commands: tables on standard output, JSON for scripts, notes beside it.

Memories hold whatever somebody once said, so text is made printable first: a control sequence in
it must not reach the terminal, nor may brackets be taken for markup.

Rich is loaded where something is printed with it: help and JSON do without.
"""

import json
import sys
from collections.abc import Mapping
from typing import IO, TYPE_CHECKING

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1.event_pb2 import Role
from anamnesis_cli.clocks import local_minutes, written
from anamnesis_libs.controls import UNSEEN, visible
from anamnesis_libs.environment import told_columns
from anamnesis_libs.rpc.enums import enum_word

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

Json = Mapping[str, object]

PIPE_COLUMNS = 120
_TABLE_COLUMNS_MIN = 100
_INDENT = 3
_ESCAPED = {code: f"\\u{code:04x}" for code in UNSEEN}


def console() -> "Console":
    """The console for answers."""
    return console_on(sys.stdout)


def error_console() -> "Console":
    """The console for errors, notes and progress."""
    return console_on(sys.stderr)


def console_on(stream: IO[str]) -> "Console":
    """A console on any stream."""
    from rich.console import Console

    # Rich takes a pipe for 80 columns wide; tables of memories are easier to read in more.
    known = stream.isatty() or told_columns()
    return Console(file=stream, width=None if known else PIPE_COLUMNS, highlight=False)


def note(text: str) -> None:
    """Tells something beside the answer, on standard error."""
    error_console().print(f"[dim]{printable(text)}[/]", soft_wrap=True)


def printable(text: str) -> str:
    """The text as rich prints it unchanged: no control sequence, no markup."""
    from rich.markup import escape

    return escape(visible(text))


def one_line(text: str) -> str:
    """Printable, and on a single line."""
    return printable(" ".join(text.split()))


def moment(stamp: Timestamp) -> str:
    """A time to the minute on this machine's clock, with its offset from UTC."""
    return written(stamp, local_minutes(stamp))


def role_word(role: Role.ValueType) -> str:
    """A role in a word."""
    return enum_word(Role, role)


def new_table(*columns: str, title: str = "") -> "Table":
    """An empty table with these headings; a cell too long is folded, never cut."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Column, Table

    headings = [Column(column, overflow="fold") for column in columns]
    return Table(
        *headings,
        title=title or None,
        title_justify="left",
        box=SIMPLE_HEAD,
        collapse_padding=True,
        pad_edge=False,
    )


def is_narrow(to: "Console") -> bool:
    """True if a table would be folded beyond reading, and blocks are printed instead."""
    return to.width < _TABLE_COLUMNS_MIN


def print_below(to: "Console", *lines: str) -> None:
    """Prints what belongs to the line before, indented; empty lines are left out."""
    from rich.padding import Padding

    for line in filter(None, lines):
        to.print(Padding(line, (0, 0, 0, _INDENT)))


def as_dict(message: Message) -> Json:
    """The message as JSON with the field names of the protos; what is unset is shown as such."""
    tree: Json = MessageToDict(
        message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )
    return tree


def print_json(document: Message | Json, indent: int | None = 2) -> None:
    """Prints one JSON document; without indent it is one line."""
    tree = as_dict(document) if isinstance(document, Message) else document
    click.echo(json_text(tree, indent))


def json_text(tree: object, indent: int | None = None) -> str:
    """JSON that a terminal can show: letters as they are, control characters escaped."""
    return json.dumps(tree, ensure_ascii=False, indent=indent).translate(_ESCAPED)
