"""Reads of the graph in SQLite, a hop at a time, and of the palace."""

import json
from collections.abc import Collection, Sequence

import apsw

from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.knowledge import (
    MENTIONS,
    AllocatedPointers,
    ClosetCount,
    Direction,
    Hop,
    Link,
    NamedCount,
    RoomCount,
    WingSummary,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.life_rows import edge_of
from anamnesis_memory.storage.palace_rows import (
    closet_of,
    counts_of,
    given_of,
    heaviest,
    home_of,
    link_of,
    room_of,
)
from anamnesis_memory.storage.sqlite.entities import groups_of
from anamnesis_memory.storage.sqlite.queries import QUERIES
from anamnesis_memory.storage.sqlite.work import EVER_US


class SqlitePalace:
    """Implements the part of `KnowledgeReads` about graph and palace, for `SqliteNamespace`."""

    _database: Database

    async def hop(self, hop: Hop) -> Sequence[Link]:
        """See `KnowledgeReads.hop`."""
        return await self._database.read(lambda c: _hop(c, hop))

    async def homes(
        self, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[WingSummary]:
        """See `KnowledgeReads.homes`."""
        bindings: rows.Bindings = {"scopes": _listed(scopes), "after": after, "limit": limit}
        return [home_of(row) for row in await self._told("homes", bindings)]

    async def rooms_of_wing(
        self, wing: int, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_wing`."""
        bindings: rows.Bindings = {
            "wing": wing,
            "scopes": _listed(scopes),
            "after": after,
            "limit": limit,
        }
        return [room_of(row) for row in await self._told("rooms_of_wing", bindings)]

    async def rooms_of_entities(
        self,
        entity_ids: Sequence[str],
        scopes: Collection[str] | None,
        after: tuple[int, str] | None,
        limit: int,
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_entities`."""
        before_us, before_session = after or (EVER_US, "")
        bindings: rows.Bindings = {
            "entities": _listed(entity_ids),
            "scopes": _listed(scopes),
            "before_us": before_us,
            "before_session": before_session,
            "limit": limit,
        }
        return [room_of(row) for row in await self._told("rooms_of_entities", bindings)]

    async def count_of_entities(
        self, groups: Sequence[Sequence[str]], scopes: Collection[str] | None
    ) -> Sequence[NamedCount]:
        """See `KnowledgeReads.count_of_entities`."""
        asked = json.dumps([[*group] for group in groups])
        bindings: rows.Bindings = {"groups": asked, "scopes": _listed(scopes)}
        return counts_of(await self._told("count_of_entities", bindings), groups)

    async def closets_of(self, session_id: str, after: int, limit: int) -> Sequence[ClosetCount]:
        """See `KnowledgeReads.closets_of`."""
        bindings: rows.Bindings = {"session_id": session_id, "after": after, "limit": limit}
        return [closet_of(row) for row in await self._told("closets_of", bindings)]

    async def drawers_of(
        self,
        session_id: str,
        first_index: int,
        last_index: int | None,
        entity_ids: Sequence[str],
        limit: int,
    ) -> Sequence[Memory]:
        """See `KnowledgeReads.drawers_of`."""
        bindings: rows.Bindings = {
            "session_id": session_id,
            "first_index": first_index,
            "last_index": last_index,
            "entities": _listed(entity_ids or None),
            "limit": limit,
        }
        return [rows.memory_of(row) for row in await self._told("drawers_of", bindings)]

    async def memory_at(self, pointer: str) -> Memory | None:
        """See `KnowledgeReads.memory_at`."""
        found = await self._told("memory_at", {"pointer": pointer})
        return rows.memory_of(found[0]) if found else None

    async def given(self, wing: int, room: int) -> AllocatedPointers | None:
        """See `KnowledgeReads.given`."""
        found = await self._told("given", {"wing": wing, "room": room})
        return given_of(found[0]) if found else None

    async def edge(self, source_id: str, target_id: str, type_: EdgeType) -> Edge | None:
        """See `KnowledgeReads.edge`."""
        bindings: rows.Bindings = {
            "source_id": source_id,
            "target_id": target_id,
            "type": type_.value,
        }
        found = await self._told("get_edge", bindings)
        return edge_of(found[0]) if found else None

    async def _told(self, query: str, bindings: rows.Bindings) -> list[rows.Record]:
        return await self._database.read(
            lambda c: rows.records(c.execute(QUERIES[query], bindings))
        )


def _hop(connection: apsw.Connection, hop: Hop) -> list[Link]:
    nodes = [*dict.fromkeys(hop.node_ids)]
    out = nodes if hop.direction is not Direction.IN else []
    back = nodes if hop.direction is not Direction.OUT else []
    names = MENTIONS in hop.types
    bindings: rows.Bindings = {
        "sources": _listed(out),
        "targets": _listed(back),
        "naming": _listed(out if names else []),
        "types": _listed(hop.types),
        "weight_min": hop.weight_min,
        "scopes": _listed(hop.scopes),
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


def _listed(values: Collection[str] | None) -> str | None:
    return None if values is None else json.dumps([*values])
