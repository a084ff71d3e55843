"""Reads of the life of memories in Neo4j: edges, copies, documents, and traces of texts."""

from collections.abc import Mapping, Sequence

from anamnesis_libs.storage.neo4j import Value
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports.life import ErasureSubject, Occurrence
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.life_rows import copy_of, document_of, edge_of
from anamnesis_memory.storage.neo4j.life import in_order
from anamnesis_memory.storage.neo4j.rows import node
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.neo4j.traces import find_occurrences


class Neo4jLife:
    """Implements `LifeReads`; a part of `Neo4jNamespace`."""

    _scope: NamespaceGraph

    async def edges_of(
        self, memory_ids: Sequence[str], types: Sequence[EdgeType], limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.edges_of`."""
        ids = list(dict.fromkeys(memory_ids))
        found = await self._scope.read("edges_of", ids=ids, types=_names(types), limit=limit)
        return [edge_of(node(row)) for row in found]

    async def list_edges(
        self, types: Sequence[EdgeType], after: EdgeKey | None, limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.list_edges`."""
        found = await self._scope.read(
            "list_edges",
            types=_names(types),
            after_source=after.source_id if after else "",
            after_target=after.target_id if after else "",
            after_type=after.type.value if after else "",
            limit=limit,
        )
        return [edge_of(node(row)) for row in found]

    async def copies_of(self, memory_id: str) -> Sequence[Copy]:
        """See `LifeReads.copies_of`."""
        found = await self._scope.read("told_copies_of", memory_id=memory_id)
        return in_order(copy_of(node(row)) for row in found)

    async def list_copies(
        self, role: CopyRole, subject: ErasureSubject | None, after: str, limit: int
    ) -> Sequence[Copy]:
        """See `LifeReads.list_copies`."""
        query, name = "list_copies", ""
        if subject is not None:
            whose, name = _whose(subject)
            query = f"list_copies_of_{whose}"
        found = await self._scope.read(
            query, role=role.value, subject=name, after=after, limit=limit
        )
        return [copy_of(node(row)) for row in found]

    async def document(self, key: DocumentKey) -> Document | None:
        """See `LifeReads.document`."""
        found = await self._scope.read(
            "get_document", collection=key.collection.value, name=key.name
        )
        return document_of(node(found[0])) if found else None

    async def documents(self, collection: Collection, after: str, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents`."""
        found = await self._scope.read(
            "list_documents", collection=collection.value, after=after, limit=limit
        )
        return [document_of(node(row)) for row in found]

    async def documents_of(self, subject: ErasureSubject, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents_of`."""
        whose, name = _whose(subject)
        found = await self._scope.read(f"documents_of_{whose}", subject=name, limit=limit)
        return [document_of(node(row)) for row in found]

    async def topics_of(self, memory_ids: Sequence[str]) -> Mapping[str, str]:
        """See `LifeReads.topics_of`."""
        found = await self._scope.read("topics_of_memories", ids=list(dict.fromkeys(memory_ids)))
        places = map(node, found)
        return {rows.text(row["memory_id"]): rows.text(row["topic_id"]) for row in places}

    async def occurrences(self, needles: Sequence[str]) -> tuple[Sequence[Occurrence], int]:
        """See `LifeReads.occurrences`; there are no files but the server's own."""
        return await find_occurrences(self._scope, needles)

    async def scrub(self) -> int:
        """See `LifeReads.scrub`; docs/neo4j.md says how to make a server let go of bytes."""
        return 0

    async def empty_log(self) -> bool:
        """See `LifeReads.empty_log`; the server's log is pruned by its own rules."""
        return True


def _whose(subject: ErasureSubject) -> tuple[str, str]:
    """The field that is set, and what it says."""
    if subject.agent_id:
        return "agent", subject.agent_id
    return ("user", subject.user_id) if subject.user_id else ("session", subject.session_id)


def _names(types: Sequence[EdgeType]) -> list[Value] | None:
    """Types as relationships have them; none is null."""
    return [one.name for one in types] or None
