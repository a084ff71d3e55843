"""Looking for texts wherever a suite may have put them: files, logs, requests to models.

A text is looked for as it is and as JSON writes it, in any case of its letters. SQLite's files
are read as they are, free pages and write-ahead log with them, and once more row by row for what
is packed in their columns.
"""

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

_CHARS_MIN = 16
_PACKED = b"\x78"


def bytes_of(directory: Path) -> Mapping[str, bytes]:
    """The content of every file under a directory, by its path; packed columns unpacked behind."""
    return {
        str(path.relative_to(directory)): path.read_bytes() + b"\n".join(_unpacked(path))
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def found_in(content: bytes, values: Collection[str]) -> set[str]:
    """Which of the values stand in it."""
    folded = content.lower()
    return {value for value in values if any(form in folded for form in _forms(value))}


def _forms(value: str) -> set[bytes]:
    """A value as it may be written; of one with several lines each long line counts."""
    pieces = [line for line in value.replace("\\n", "\n").split("\n") if len(line) >= _CHARS_MIN]
    return {
        form.lower().encode()
        for text in (value, *pieces)
        for form in (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    }


def _unpacked(path: Path) -> Iterator[bytes]:
    if path.suffix != ".db":
        return
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        named = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        for (table,) in connection.execute(named).fetchall():
            for row in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608
                for cell in row:
                    if isinstance(cell, bytes) and cell.startswith(_PACKED):
                        with suppress(zlib.error):  # a vector may begin like this too
                            yield zlib.decompress(cell)
    finally:
        connection.close()
