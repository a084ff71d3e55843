"""Reads of knowledge in SQLite: entities, and the graph a hop at a time."""

import json
from collections.abc import Collection, Mapping, Sequence

import apsw

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, Hop, Link
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.palace_rows import heaviest, link_of
from anamnesis_memory.storage.reads.facts import FactReader
from anamnesis_memory.storage.reads.palace import PalaceReader
from anamnesis_memory.storage.sqlite.entities import entities_of, groups_of
from anamnesis_memory.storage.sqlite.queries import QUERIES
from anamnesis_memory.storage.sqlite.source import SqliteSource


class SqliteKnowledge(FactReader, PalaceReader, SqliteSource):
    """Implements `KnowledgeReads`; a part of `SqliteNamespace`."""

    async def hop(self, hop: Hop) -> Sequence[Link]:
        """See `KnowledgeReads.hop`."""
        return await self._database.read(lambda c: _hop(c, hop))

    async def entities(
        self, entity_ids: Sequence[str], scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities`."""
        return await self._database.read(lambda c: entities_of(c, QUERIES, entity_ids, scopes))

    async def entities_named(
        self, folded: str, scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """See `KnowledgeReads.entities_named`."""
        asked: rows.Bindings = {"folded": folded, "scopes": _json(scopes)}

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
            "scopes": _json(scopes),
            "after": after,
            "limit": limit,
        }

        def work(connection: apsw.Connection) -> list[KnownEntity]:
            found = rows.records(connection.execute(QUERIES["list_entities"], asked))
            entity_ids = [rows.text(row["entity_id"]) for row in found]
            return entities_of(connection, QUERIES, entity_ids, scopes)

        return await self._database.read(work)


def _hop(connection: apsw.Connection, hop: Hop) -> list[Link]:
    nodes = [*dict.fromkeys(hop.node_ids)]
    out = nodes if hop.direction is not Direction.IN else []
    back = nodes if hop.direction is not Direction.OUT else []
    names = MENTIONS in hop.types
    bindings: rows.Bindings = {
        "sources": _json(out),
        "targets": _json(back),
        "naming": _json(out if names else []),
        "types": _json(hop.types),
        "weight_min": hop.weight_min,
        "scopes": _json(hop.scopes),
        "limit": hop.limit,
    }
    found = rows.records(connection.execute(QUERIES["hop"], bindings))
    links = [link_of(row) for row in found]
    if names and back:
        links += _named(connection, back, bindings)
    return heaviest(links, hop.limit)


def _named(
    connection: apsw.Connection, node_ids: Sequence[str], bindings: rows.Bindings
) -> list[Link]:
    """The links to the memories that mention entities, the parts of each included."""
    wholes = {group[0]: group for group in groups_of(connection, QUERIES, node_ids).values()}
    return [
        Link(rows.text(memory_id), whole, MENTIONS, 1.0, rows.number(time_us))
        for whole, group in wholes.items()
        for entity_id in group
        for memory_id, time_us in connection.execute(
            QUERIES["memories_naming"], {**bindings, "entity_id": entity_id}
        )
    ]


def _json(values: Collection[str] | None) -> str | None:
    return None if values is None else json.dumps([*values])
