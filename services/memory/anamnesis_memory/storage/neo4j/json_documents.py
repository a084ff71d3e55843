"""Documents that callers name, as Neo4j finds them."""

from collections.abc import Mapping, Sequence

from anamnesis_memory.model.json_documents import DocumentPlace, packed_path, unpacked_path
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import Listing
from anamnesis_memory.storage import rows
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

    async def list_documents(self, place: DocumentPlace, after: int, limit: int) -> Listing[Memory]:
        """See `JsonDocumentReads.list_documents`."""
        found = await self._scope.read(
            "list_json_documents",
            scope=place.scope,
            prefix=packed_path(place.prefix),
            after=after,
            limit=limit + 1,
        )
        page = found[:limit]
        last = rows.number(node(page[-1])["memory_no"]) if len(found) > limit else None
        return Listing([memory_of(row) for row in page], last)

    async def document_paths(self, place: DocumentPlace) -> Sequence[tuple[str, ...]]:
        """See `JsonDocumentReads.document_paths`."""
        found = await self._scope.read(
            "document_paths", scope=place.scope, prefix=packed_path(place.prefix)
        )
        return sorted(unpacked_path(rows.text(node(row)["path"])) for row in found)
