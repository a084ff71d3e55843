"""The rows of a namespace's file, for the reads that all databases share."""

import json

from anamnesis_libs.storage.sqlite import Database, SqliteValue
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.reads.source import Parameter, RowSource
from anamnesis_memory.storage.sqlite.queries import QUERIES


class SqliteSource(RowSource):
    """Runs the named statements on the file of `_database`."""

    _database: Database

    async def _rows(self, statement: str, **parameters: Parameter) -> list[rows.Record]:
        bindings = {name: _bound(value) for name, value in parameters.items()}
        return await self._database.read(
            lambda c: rows.records(c.execute(QUERIES[statement], bindings))
        )

    def _memory_of(self, row: rows.Record) -> Memory:
        return rows.memory_of(row)


def _bound(value: Parameter) -> SqliteValue:
    """A parameter as SQLite takes it: a list is JSON, read with `json_each`."""
    if value is None or isinstance(value, int | float | str | bytes):
        return value
    return json.dumps(value, ensure_ascii=False)
