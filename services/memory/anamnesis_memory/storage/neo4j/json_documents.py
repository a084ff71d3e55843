"""Documents that callers name, as Neo4j finds them."""

from collections.abc import Mapping, Sequence

from anamnesis_memory.model.json_documents import DocumentPlace, packed_path, unpacked_path
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.json_documents import Behind, DocumentPage
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.document_rows import page_of
from anamnesis_memory.storage.neo4j.rows import memory_of, node
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph


class Neo4jJsonDocuments:
    """Implements `JsonDocumentReads`; a part of `Neo4jNamespace`."""

    _scope: NamespaceGraph

    async def named_documents(self, digests: Sequence[bytes]) -> Mapping[bytes, Memory]:
        """See `JsonDocumentReads.named_documents`."""
        asked = [one.hex() for one in digests]
        found = await self._scope.read("named_documents", digests=asked)
        return {
            bytes.fromhex(rows.text(node(row)["digest"])): memory_of(row) for row in reversed(found)
        }

    async def list_documents(
        self, place: DocumentPlace, after: Behind | None, limit: int
    ) -> DocumentPage:
        """See `JsonDocumentReads.list_documents`."""
        prefix = packed_path(place.prefix)
        path, number = after or (prefix, -1)
        found = await self._scope.read(
            "list_json_documents",
            scope=place.scope,
            prefix=prefix,
            after_path=path,
            after_no=number,
            limit=limit + 1,
        )
        return page_of(found, limit, memory_of)

    async def document_paths(self, place: DocumentPlace) -> Sequence[tuple[str, ...]]:
        """See `JsonDocumentReads.document_paths`."""
        found = await self._scope.read(
            "document_paths", scope=place.scope, prefix=packed_path(place.prefix)
        )
        return sorted(unpacked_path(rows.text(node(row)["path"])) for row in found)
