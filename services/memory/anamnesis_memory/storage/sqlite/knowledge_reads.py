"""Reads of knowledge in SQLite: facts over time, and entities."""

import json
from collections.abc import Collection, Mapping, Sequence

import apsw

from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.knowledge import FactPlace, FactWhere
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import place_row, version_of, where_row
from anamnesis_memory.storage.sqlite.entities import entities_of, groups_of
from anamnesis_memory.storage.sqlite.facts import memories_of_facts
from anamnesis_memory.storage.sqlite.palace import SqlitePalace
from anamnesis_memory.storage.sqlite.queries import QUERIES


class SqliteKnowledge(SqlitePalace):
    """Implements `KnowledgeReads`; a part of `SqliteNamespace`."""

    _database: Database

    async def list_facts(
        self, where: FactWhere, scopes: Collection[str] | None, after: FactPlace | None, limit: int
    ) -> Sequence[FactVersion]:
        """See `KnowledgeReads.list_facts`."""
        bindings = {**where_row(where, scopes), **place_row(after), "limit": limit}
        query = QUERIES[_listing(where)]
        found = await self._database.read(lambda c: rows.records(c.execute(query, bindings)))
        return [version_of(row) for row in found]

    async def fact_memories(self, fact_ids: Sequence[str]) -> Mapping[str, Memory]:
        """See `KnowledgeReads.fact_memories`."""
        return await self._database.read(lambda c: memories_of_facts(c, QUERIES, fact_ids))

    async def entities(
        self, entity_ids: Sequence[str], scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities`."""
        return await self._database.read(lambda c: entities_of(c, QUERIES, entity_ids, scopes))

    async def entities_named(
        self, folded: str, scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities_named`."""
        asked: rows.Bindings = {"folded": folded, "scopes": _scopes(scopes)}

        def work(connection: apsw.Connection) -> list[KnownEntity]:
            found = connection.execute(QUERIES["entities_named"], asked)
            entity_ids = [rows.text(entity_id) for (entity_id,) in found]
            return entities_of(connection, QUERIES, entity_ids, scopes)

        return await self._database.read(work)

    async def entity_groups(self, entity_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `KnowledgeReads.entity_groups`."""
        return await self._database.read(lambda c: groups_of(c, QUERIES, entity_ids))

    async def list_entities(
        self, kind: EntityKind | None, scopes: Collection[str] | None, after: str, limit: int
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.list_entities`."""
        asked: rows.Bindings = {
            "kind": None if kind is None else kind.value,
            "scopes": _scopes(scopes),
            "after": after,
            "limit": limit,
        }

        def work(connection: apsw.Connection) -> list[KnownEntity]:
            found = rows.records(connection.execute(QUERIES["list_entities"], asked))
            entity_ids = [rows.text(row["entity_id"]) for row in found]
            return entities_of(connection, QUERIES, entity_ids, scopes)

        return await self._database.read(work)


def _listing(where: FactWhere) -> str:
    """The statement that begins at the narrowest index there is."""
    if where.subjects:
        return "list_facts_of_subjects"
    if where.entity_ids:
        return "list_facts_of_entities"
    return "list_facts_of_object" if where.object else "list_facts"


def _scopes(scopes: Collection[str] | None) -> str | None:
    return None if scopes is None else json.dumps([*scopes])
