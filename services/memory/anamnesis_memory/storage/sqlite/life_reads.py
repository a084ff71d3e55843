"""Reads of the life of memories in SQLite: edges, copies, documents, and traces of texts."""

import json
from collections.abc import Mapping, Sequence

from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports.life import ErasureSubject, Occurrence
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.life_rows import copy_of, document_of, edge_of
from anamnesis_memory.storage.sqlite.queries import QUERIES
from anamnesis_memory.storage.sqlite.traces import occurrences_in, scrubbed


class SqliteLife:
    """Implements `LifeReads`; a part of `SqliteNamespace`."""

    _database: Database

    async def edges_of(
        self, memory_ids: Sequence[str], types: Sequence[EdgeType], limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.edges_of`."""
        bindings: rows.Bindings = {
            "memory_ids": json.dumps([*memory_ids]),
            "types": _json_or_null(types),
            "limit": limit,
        }
        return [edge_of(row) for row in await self._rows("edges_of", bindings)]

    async def list_edges(
        self, types: Sequence[EdgeType], after: EdgeKey | None, limit: int
    ) -> Sequence[Edge]:
        """See `LifeReads.list_edges`."""
        bindings: rows.Bindings = {
            "after_source": after.source_id if after else "",
            "after_target": after.target_id if after else "",
            "after_type": after.type.value if after else "",
            "types": _json_or_null(types),
            "limit": limit,
        }
        return [edge_of(row) for row in await self._rows("list_edges", bindings)]

    async def copies_of(self, memory_id: str) -> Sequence[Copy]:
        """See `LifeReads.copies_of`."""
        return [
            copy_of(row) for row in await self._rows("plain_copies_of", {"memory_id": memory_id})
        ]

    async def list_copies(
        self, role: CopyRole, subject: ErasureSubject | None, after: str, limit: int
    ) -> Sequence[Copy]:
        """See `LifeReads.list_copies`."""
        bindings: rows.Bindings = {"role": role.value, "after": after, "limit": limit}
        query = "list_copies"
        if subject is not None:
            whose, bindings["subject"] = _whose(subject)
            query = f"list_copies_of_{whose}"
        return [copy_of(row) for row in await self._rows(query, bindings)]

    async def document(self, key: DocumentKey) -> Document | None:
        """See `LifeReads.document`."""
        bindings: rows.Bindings = {"collection": key.collection.value, "name": key.name}
        found = await self._rows("get_document", bindings)
        return document_of(found[0]) if found else None

    async def documents(self, collection: Collection, after: str, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents`."""
        bindings: rows.Bindings = {"collection": collection.value, "after": after, "limit": limit}
        return [document_of(row) for row in await self._rows("list_documents", bindings)]

    async def documents_of(self, subject: ErasureSubject, limit: int) -> Sequence[Document]:
        """See `LifeReads.documents_of`."""
        whose, name = _whose(subject)
        bindings: rows.Bindings = {"subject": name, "limit": limit}
        return [document_of(row) for row in await self._rows(f"documents_of_{whose}", bindings)]

    async def topics_of(self, memory_ids: Sequence[str]) -> Mapping[str, str]:
        """See `LifeReads.topics_of`."""
        found = await self._rows("topics_of_memories", {"memory_ids": json.dumps([*memory_ids])})
        return {rows.text(row["memory_id"]): rows.text(row["topic_id"]) for row in found}

    async def occurrences(self, needles: Sequence[str]) -> tuple[Sequence[Occurrence], int]:
        """See `LifeReads.occurrences`."""
        return await occurrences_in(self._database, needles)

    async def scrub(self) -> int:
        """See `LifeReads.scrub`."""
        return await scrubbed(self._database)

    async def empty_log(self) -> bool:
        """See `LifeReads.empty_log`."""
        return await self._database.empty_log()

    async def _rows(self, query: str, bindings: rows.Bindings) -> list[rows.Record]:
        return await self._database.read(
            lambda c: rows.records(c.execute(QUERIES[query], bindings))
        )


def _whose(subject: ErasureSubject) -> tuple[str, str]:
    """The field that is set, and what it says."""
    if subject.agent_id:
        return "agent", subject.agent_id
    return ("user", subject.user_id) if subject.user_id else ("session", subject.session_id)


def _json_or_null(types: Sequence[EdgeType]) -> str | None:
    return json.dumps([one.value for one in types]) if types else None
