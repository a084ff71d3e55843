"""The raw archive in SQLite: one row an upload, what is kept of it in a blob."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import apsw

from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.ports import ReadSet, ReadView
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.reads.uploads import UploadReader
from anamnesis_memory.storage.sqlite.queries import QUERIES
from anamnesis_memory.storage.sqlite.source import SqliteSource
from anamnesis_memory.storage.upload_rows import upload_of, upload_row

Queries = Mapping[str, str]


class SqliteUploads(UploadReader, SqliteSource):
    """Implements `UploadReads`; a part of `SqliteNamespace`."""

    async def upload_content(self, upload_id: str) -> bytes:
        """See `UploadReads.upload_content`."""
        query, bindings = QUERIES["get_upload_content"], {"upload_id": upload_id}
        found = await self._database.read(lambda c: c.execute(query, bindings).fetchone())
        return rows.blob(found[0]) if found else b""


def see_uploads(
    connection: apsw.Connection, q: Queries, wanted: ReadSet, seen: ReadView
) -> ReadView:
    """The view, with the uploads that a write wants to see too."""
    if not wanted.uploads:
        return seen
    asked = {"ids": json.dumps([*wanted.uploads])}
    found = map(upload_of, rows.records(connection.execute(q["get_uploads"], asked)))
    return replace(seen, uploads={one.upload_id: one for one in found})


def put_uploads(connection: apsw.Connection, q: Queries, uploads: Sequence[NewUpload]) -> None:
    """Keep uploads."""
    kept = [{**upload_row(new.upload), "packed": new.packed} for new in uploads]
    connection.executemany(q["put_upload"], kept)
