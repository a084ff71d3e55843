"""Reads of knowledge in Neo4j: entities, and steps through the graph."""

from collections.abc import Collection, Mapping, Sequence

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, Hop, Link
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.entities import named_entity
from anamnesis_memory.storage.neo4j.rows import node, texts
from anamnesis_memory.storage.neo4j.source import Neo4jSource
from anamnesis_memory.storage.palace_rows import link_of
from anamnesis_memory.storage.reads.facts import FactReader
from anamnesis_memory.storage.reads.palace import PalaceReader


class Neo4jKnowledge(FactReader, PalaceReader, Neo4jSource):
    """Implements `KnowledgeReads`; a part of `Neo4jNamespace`."""

    async def entities(
        self, entity_ids: Sequence[str], scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities`."""
        found = await self._scope.read(
            "get_entities", ids=_once(entity_ids), scopes=_listed(scopes)
        )
        return _named(found)

    async def entities_named(
        self, folded: str, scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities_named`."""
        found = await self._scope.read("entities_named", folded=folded, scopes=_listed(scopes))
        return sorted(_named(found), key=lambda one: one.entity_id)

    async def entity_groups(self, entity_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `KnowledgeReads.entity_groups`."""
        found = await self._scope.read("entity_groups", ids=_once(entity_ids))
        return {rows.text(node(row)["entity_id"]): _group(row) for row in found}

    async def list_entities(
        self, kind: EntityKind | None, scopes: Collection[str] | None, after: str, limit: int
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.list_entities`."""
        parameters: dict[str, Value] = {"scopes": _listed(scopes), "after": after, "limit": limit}
        query = "list_entities"
        if kind is not None:
            query, parameters = "list_entities_of_kind", parameters | {"kind": kind.value}
        return _named(await self._scope.read(query, **parameters))

    async def hop(self, hop: Hop) -> Sequence[Link]:
        """See `KnowledgeReads.hop`."""
        found = await self._scope.read(
            "hop",
            ids=_once(hop.node_ids),
            types=[EdgeType(one).name for one in hop.types if one != MENTIONS],
            mentions=MENTIONS in hop.types and hop.weight_min <= 1.0,
            outward=hop.direction is not Direction.IN,
            inward=hop.direction is not Direction.OUT,
            weight_min=hop.weight_min,
            scopes=_listed(hop.scopes),
            limit=hop.limit,
        )
        return [link_of(node(row)) for row in found]


def _named(found: Sequence[Row]) -> list[KnownEntity]:
    """Entities with names; those that have none to be seen are left out."""
    return [one for one in map(named_entity, found) if one.names]


def _group(row: Row) -> tuple[str, ...]:
    """The whole, then its parts by id."""
    whole_id = rows.text(node(row)["whole_id"])
    return whole_id, *sorted({*texts(row["part_ids"])} - {whole_id})


def _once(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _listed(scopes: Collection[str] | None) -> list[str] | None:
    return None if scopes is None else sorted(scopes)
