"""Reads of knowledge in Neo4j: facts over time, entities, and steps through the graph."""

from collections.abc import Collection, Mapping, Sequence

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, FactPlace, FactWhere, Hop, Link
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import fact_id_of, place_row, version_of
from anamnesis_memory.storage.life_rows import edge_of
from anamnesis_memory.storage.neo4j.entities import named_entity
from anamnesis_memory.storage.neo4j.palace import Neo4jPalace
from anamnesis_memory.storage.neo4j.rows import memory_of, node, texts
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.palace_rows import link_of


class Neo4jKnowledge(Neo4jPalace):
    """Implements `KnowledgeReads`; a part of `Neo4jNamespace`."""

    _scope: NamespaceGraph

    async def list_facts(
        self, where: FactWhere, scopes: Collection[str] | None, after: FactPlace | None, limit: int
    ) -> Sequence[FactVersion]:
        """See `KnowledgeReads.list_facts`; begins at what narrows the most."""
        parameters = _fact_row(where, scopes) | place_row(after)
        found = await self._scope.read(_list_of(where), **parameters, limit=limit)
        return [version_of(node(row)) for row in found]

    async def fact_memories(self, fact_ids: Sequence[str]) -> Mapping[str, Memory]:
        """See `KnowledgeReads.fact_memories`."""
        found = await self._scope.read("fact_memories", ids=_once(fact_ids))
        return {fact_id_of(memory) or "": memory for memory in map(memory_of, found)}

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

    async def edge(self, source_id: str, target_id: str, type_: EdgeType) -> Edge | None:
        """See `KnowledgeReads.edge`."""
        found = await self._scope.read(
            f"get_edge_{type_}", source_id=source_id, target_id=target_id
        )
        return edge_of(node(found[0])) if found else None


def _list_of(where: FactWhere) -> str:
    """The statement that begins at what narrows the most."""
    if where.subjects:
        return "list_facts_about"
    if where.entity_ids:
        return "list_facts_naming"
    return "list_facts_of" if where.object else "list_facts"


def _fact_row(where: FactWhere, scopes: Collection[str] | None) -> dict[str, Value]:
    """The conditions that narrow a list of facts, as parameters; an empty list is null."""
    return {
        "subjects": _once(where.subjects) or None,
        "predicate": where.predicate,
        "object": where.object,
        "entity_ids": _once(where.entity_ids) or None,
        "as_of_us": where.as_of_us,
        "known_at_us": where.known_at_us,
        "scopes": _listed(scopes),
    }


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
