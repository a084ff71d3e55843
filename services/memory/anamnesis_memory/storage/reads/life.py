"""Reads of the life of memories: edges, copies, documents, and topics by member."""

from collections.abc import Mapping, Sequence

from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports.life import ErasureSubject
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.life_rows import copy_of, document_of, edge_of
from anamnesis_memory.storage.reads.source import Parameter, RowSource, listed, some


class LifeReader(RowSource):
    """Implements `LifeReads`, but for traces of texts, and the edge of `KnowledgeReads`."""

    async def edge(self, source_id: str, target_id: str, type_: EdgeType) -> Edge | None:
        """See `KnowledgeReads.edge`."""
        found = await self._rows(
            "get_edge", source_id=source_id, target_id=target_id, type=type_.value
        )
        return edge_of(found[0]) if found else None

    async def edges_of(
        self, memory_ids: Sequence[str], types: Sequence[EdgeType], limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.edges_of`."""
        found = await self._rows("edges_of", ids=listed(memory_ids), types=some(types), limit=limit)
        return [edge_of(row) for row in found]

    async def list_edges(
        self, types: Sequence[EdgeType], after: EdgeKey | None, limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.list_edges`."""
        found = await self._rows(
            "list_edges",
            types=some(types),
            after_source=after.source_id if after else "",
            after_target=after.target_id if after else "",
            after_type=after.type.value if after else "",
            limit=limit,
        )
        return [edge_of(row) for row in found]

    async def copies_of(self, memory_id: str) -> Sequence[Copy]:
        """See `LifeReads.copies_of`."""
        found = map(copy_of, await self._rows("plain_copies_of", memory_id=memory_id))
        return sorted(found, key=lambda one: (one.create_time_us, one.copy_id))

    async def list_copies(
        self, role: CopyRole, subject: ErasureSubject | None, after: str, limit: int
    ) -> Sequence[Copy]:
        """See `LifeReads.list_copies`."""
        statement = "list_copies"
        asked: dict[str, Parameter] = {"role": role.value, "after": after, "limit": limit}
        if subject is not None:
            whose, asked["subject"] = _whose(subject)
            statement = f"list_copies_of_{whose}"
        return [copy_of(row) for row in await self._rows(statement, **asked)]

    async def document(self, key: DocumentKey) -> Document | None:
        """See `LifeReads.document`."""
        found = await self._rows("get_document", collection=key.collection.value, name=key.name)
        return document_of(found[0]) if found else None

    async def documents(self, collection: Collection, after: str, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents`."""
        found = await self._rows(
            "list_documents", collection=collection.value, after=after, limit=limit
        )
        return [document_of(row) for row in found]

    async def documents_of(self, subject: ErasureSubject, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents_of`."""
        whose, name = _whose(subject)
        found = await self._rows(f"documents_of_{whose}", subject=name, limit=limit)
        return [document_of(row) for row in found]

    async def topics_of(self, memory_ids: Sequence[str]) -> Mapping[str, str]:
        """See `LifeReads.topics_of`."""
        found = await self._rows("topics_of_memories", ids=listed(memory_ids))
        return {rows.text(row["memory_id"]): rows.text(row["topic_id"]) for row in found}


def _whose(subject: ErasureSubject) -> tuple[str, str]:
    """The field that is set, and what it says."""
    if subject.agent_id:
        return "agent", subject.agent_id
    return ("user", subject.user_id) if subject.user_id else ("session", subject.session_id)
