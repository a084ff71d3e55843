"""Reads of the palace in Neo4j: homes, rooms, closets, drawers, and pointers given out."""

from collections.abc import Collection, Sequence

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.knowledge import (
    AllocatedPointers,
    ClosetCount,
    NamedCount,
    RoomCount,
    WingSummary,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import memory_of, node
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.palace_rows import closet_of, counts_of, given_of, home_of, room_of

LAST_INDEX = 2**62
"""Behind every event."""


class Neo4jPalace:
    """Implements `KnowledgeReads` for the palace; a part of `Neo4jKnowledge`."""

    _scope: NamespaceGraph

    async def homes(
        self, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[WingSummary]:
        """See `KnowledgeReads.homes`."""
        found = await self._scope.read("homes", scopes=_listed(scopes), after=after, limit=limit)
        return [home_of(node(row)) for row in found]

    async def rooms_of_wing(
        self, wing: int, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_wing`."""
        found = await self._scope.read(
            "rooms_of_wing", wing=wing, scopes=_listed(scopes), after=after, limit=limit
        )
        return [room_of(node(row)) for row in found]

    async def rooms_of_entities(
        self,
        entity_ids: Sequence[str],
        scopes: Collection[str] | None,
        after: tuple[int, str] | None,
        limit: int,
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_entities`."""
        after_us, after_id = after or (None, "")
        found = await self._scope.read(
            "rooms_of_entities",
            ids=list(dict.fromkeys(entity_ids)),
            scopes=_listed(scopes),
            after_us=after_us,
            after_id=after_id,
            limit=limit,
        )
        return [room_of(node(row)) for row in found]

    async def count_of_entities(
        self, groups: Sequence[Sequence[str]], scopes: Collection[str] | None
    ) -> Sequence[NamedCount]:
        """See `KnowledgeReads.count_of_entities`."""
        parts: list[Value] = [
            {"place": place, "id": one}
            for place, group in enumerate(groups)
            for one in dict.fromkeys(group)
        ]
        found = await self._scope.read("count_of_entities", parts=parts, scopes=_listed(scopes))
        return counts_of(map(node, found), groups)

    async def closets_of(self, session_id: str, after: int, limit: int) -> Sequence[ClosetCount]:
        """See `KnowledgeReads.closets_of`."""
        found = await self._scope.read(
            "closets_of", session_id=session_id, after=after, limit=limit
        )
        return [closet_of(node(row)) for row in found]

    async def drawers_of(
        self,
        session_id: str,
        first_index: int,
        last_index: int | None,
        entity_ids: Sequence[str],
        limit: int,
    ) -> Sequence[Memory]:
        """See `KnowledgeReads.drawers_of`."""
        found = await self._scope.read(
            "drawers_of",
            session_id=session_id,
            first_index=first_index,
            last_index=LAST_INDEX if last_index is None else last_index,
            entity_ids=list(entity_ids) or None,
            limit=limit,
        )
        return [memory_of(row) for row in found]

    async def memory_at(self, pointer: str) -> Memory | None:
        """See `KnowledgeReads.memory_at`."""
        found = await self._scope.read("memory_at", pointer=pointer) if pointer else []
        return memory_of(min(found, key=_place)) if found else None

    async def given(self, wing: int, room: int) -> AllocatedPointers | None:
        """See `KnowledgeReads.given`."""
        found = await self._scope.read("given", wing=wing, room=room or None)
        return given_of(node(found[0])) if found else None


def _place(row: Row) -> int:
    """The order in which memories were stored."""
    return rows.number(node(row)["memory_no"])


def _listed(scopes: Collection[str] | None) -> list[str] | None:
    return None if scopes is None else sorted(scopes)
