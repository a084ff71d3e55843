"""Traces of texts in SQLite: every column of every table, and the bytes of the files."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import apsw

from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.ports.life import Occurrence
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.text_scan import Search

_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"


async def occurrences_in(
    database: Database, needles: Sequence[str]
) -> tuple[Sequence[Occurrence], int]:
    """Look for texts in all tables as of one moment, then in the files."""
    search = Search(needles)
    async with database.snapshot() as snapshot:
        for table in await snapshot.read(_tables):
            await snapshot.read(partial(_look_through, search, table))
        await snapshot.read(lambda _: _look_through_files(search, database.files))
    return search.found, search.looked


async def scrubbed(database: Database) -> int:
    """Write the file anew; its log is emptied, and no other file has what was deleted."""
    await database.rewrite()
    return 1


def _tables(connection: apsw.Connection) -> list[str]:
    return [rows.text(name) for (name,) in connection.execute(_TABLES)]


def _look_through(search: Search, table: str, connection: apsw.Connection) -> None:
    """All values of a table; its name is as SQLite told it, and quoted."""
    quoted = table.replace('"', '""')
    cursor = connection.execute(f'SELECT * FROM "{quoted}"')  # noqa: S608 - a name of the schema
    first = cursor.fetchone()
    if first is None:
        return
    places = [f"{table}.{column[0]}" for column in cursor.get_description()]
    for row in (first, *cursor):
        for place, value in zip(places, row, strict=True):
            search.value(place, value)


def _look_through_files(search: Search, files: Sequence[Path]) -> None:
    for path in files:
        search.file(path)
