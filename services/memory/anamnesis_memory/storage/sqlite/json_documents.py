"""Documents that callers name, as SQLite finds them."""

import json
from collections.abc import Mapping, Sequence

from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.model.json_documents import DocumentPlace, packed_path, unpacked_path
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.json_documents import Behind, DocumentPage
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.document_rows import page_of
from anamnesis_memory.storage.sqlite.queries import QUERIES

_BEHIND_ALL = "\U0010ffff" * 2


class SqliteJsonDocuments:
    """Implements `JsonDocumentReads`; a part of `SqliteNamespace`."""

    _database: Database

    async def named_documents(self, digests: Sequence[bytes]) -> Mapping[bytes, Memory]:
        """See `JsonDocumentReads.named_documents`."""
        asked: rows.Bindings = {"digests": json.dumps([one.hex() for one in digests])}
        found = await self._documents("named_documents", asked)
        found.sort(key=lambda row: rows.number(row["memory_no"]), reverse=True)
        return {bytes.fromhex(rows.text(row["named"])): rows.memory_of(row) for row in found}

    async def list_documents(
        self, place: DocumentPlace, after: Behind | None, limit: int
    ) -> DocumentPage:
        """See `JsonDocumentReads.list_documents`."""
        asked = _place(place)
        path, number = after or (asked["prefix"], -1)
        asked |= {"after_path": path, "after_no": number, "limit": limit + 1}
        found = await self._documents("list_json_documents", asked)
        return page_of(found, limit, rows.memory_of)

    async def document_paths(self, place: DocumentPlace) -> Sequence[tuple[str, ...]]:
        """See `JsonDocumentReads.document_paths`."""
        found = await self._documents("document_paths", _place(place))
        return [unpacked_path(rows.text(row["document_path"])) for row in found]

    async def _documents(self, query: str, bindings: rows.Bindings) -> list[rows.Record]:
        return await self._database.read(
            lambda connection: rows.records(connection.execute(QUERIES[query], bindings))
        )


def _place(place: DocumentPlace) -> rows.Bindings:
    """A place as bounds of the paths in it: what begins with a prefix stands before its successor.

    The last character of a prefix ends a segment, and none sorts between it and its successor.
    """
    prefix = packed_path(place.prefix)
    until = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else _BEHIND_ALL
    return {"scope": place.scope, "prefix": prefix, "until": until}
