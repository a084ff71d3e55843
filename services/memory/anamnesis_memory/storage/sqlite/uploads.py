"""The raw archive in SQLite: one row an upload, what is kept of it in a blob."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import apsw

from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.uploads import NewUpload, Upload
from anamnesis_memory.ports import ReadSet, ReadView
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.pipeline_rows import caller_row
from anamnesis_memory.storage.sqlite.queries import QUERIES
from anamnesis_memory.storage.upload_rows import upload_of, upload_row

Queries = Mapping[str, str]


class SqliteUploads:
    """Implements `UploadReads`; a part of `SqliteNamespace`."""

    _database: Database

    async def list_uploads(
        self, session_id: str, caller: Caller, after: tuple[str, str] | None, limit: int
    ) -> Sequence[Upload]:
        """See `UploadReads.list_uploads`."""
        after_session, after_upload = after or (session_id, "")
        bindings = caller_row(caller) | {
            "session_id": session_id,
            "after_session": after_session,
            "after_upload": after_upload,
            "limit": limit,
        }
        query = QUERIES["list_uploads_of_session" if session_id else "list_uploads"]
        found = await self._database.read(lambda c: rows.records(c.execute(query, bindings)))
        return [upload_of(row) for row in found]

    async def upload(self, upload_id: str) -> Upload | None:
        """See `UploadReads.upload`."""
        found = await self._database.read(lambda c: _uploads(c, QUERIES, [upload_id]))
        return found.get(upload_id)

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
    return replace(seen, uploads=_uploads(connection, q, wanted.uploads))


def put_uploads(connection: apsw.Connection, q: Queries, uploads: Sequence[NewUpload]) -> None:
    """Keep uploads."""
    kept = [{**upload_row(new.upload), "packed": new.packed} for new in uploads]
    connection.executemany(q["put_upload"], kept)


def _uploads(
    connection: apsw.Connection, q: Queries, upload_ids: Sequence[str]
) -> dict[str, Upload]:
    return {
        upload_id: upload_of(row)
        for upload_id in upload_ids
        for row in rows.records(connection.execute(q["get_upload"], {"upload_id": upload_id}))
    }
