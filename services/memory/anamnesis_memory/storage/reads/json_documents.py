"""Reads of the documents that callers name."""

from collections.abc import Mapping, Sequence

from anamnesis_memory.model.json_documents import DocumentPlace, packed_path, unpacked_path
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.json_documents import Behind, DocumentPage
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.document_rows import page_of
from anamnesis_memory.storage.reads.source import Parameter, RowSource

_BEHIND_ALL = "\U0010ffff" * 2


class JsonDocumentReader(RowSource):
    """Implements `JsonDocumentReads`."""

    async def named_documents(self, digests: Sequence[bytes]) -> Mapping[bytes, Memory]:
        """See `JsonDocumentReads.named_documents`."""
        found = await self._rows("named_documents", digests=[one.hex() for one in digests])
        found.sort(key=lambda row: rows.number(row["memory_no"]), reverse=True)
        return {bytes.fromhex(rows.text(row["named"])): self._memory_of(row) for row in found}

    async def list_documents(
        self, place: DocumentPlace, after: Behind | None, limit: int
    ) -> DocumentPage:
        """See `JsonDocumentReads.list_documents`."""
        path, number = after or (packed_path(place.prefix), -1)
        found = await self._rows(
            "list_json_documents",
            **_within(place),
            after_path=path,
            after_no=number,
            limit=limit + 1,
        )
        return page_of(found, limit, self._memory_of)

    async def document_paths(self, place: DocumentPlace) -> Sequence[tuple[str, ...]]:
        """See `JsonDocumentReads.document_paths`."""
        found = await self._rows("document_paths", **_within(place))
        return sorted(unpacked_path(rows.text(row["document_path"])) for row in found)


def _within(place: DocumentPlace) -> dict[str, Parameter]:
    """A place as bounds of the paths in it: what begins with a prefix stands before its successor.

    The last character of a prefix ends a segment, and none sorts between it and its successor.
    """
    prefix = packed_path(place.prefix)
    until = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else _BEHIND_ALL
    return {"scope": place.scope, "prefix": prefix, "until": until}
