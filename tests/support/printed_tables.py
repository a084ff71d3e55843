"""Tables that tests print at the end of a run: what was seen, not only that it was right.

A test notes its table on its report, so that it reaches the process that prints, also from
workers of pytest-xdist.
"""

import json
import unicodedata
from collections.abc import Callable, Sequence

import pytest

Note = Callable[[str, object], None]
PREFIX = "table: "


def note_table(record_property: Note, title: str, rows: Sequence[Sequence[object]]) -> None:
    """Keep a table, its head first, for the end of the run; `record_property` is pytest's."""
    record_property(f"{PREFIX}{title}", json.dumps([[str(cell) for cell in row] for row in rows]))


def print_tables(terminalreporter: pytest.TerminalReporter) -> None:
    """Print every table that was noted."""
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, value in report.user_properties:
                if name.startswith(PREFIX):
                    terminalreporter.section(name.removeprefix(PREFIX))
                    _print(terminalreporter, json.loads(str(value)))


def _print(terminalreporter: pytest.TerminalReporter, rows: list[list[str]]) -> None:
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (
            cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)
        )
        terminalreporter.write_line("  ".join(cells).rstrip())


def _width(text: str) -> int:
    """Columns that a terminal takes for it."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
