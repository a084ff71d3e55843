"""What Neo4j tells of the palace: homes, rooms, closets, drawers, and what was given out."""

from collections.abc import Collection, Sequence

from libs.storage.neo4j import Row
from services.memory.model import Memory, Visibility
from services.memory.port_knowledge import ClosetCount, Given, Home, RoomCount
from services.memory.store import rows
from services.memory.store.neo4j_rows import memory_of, node
from services.memory.store.neo4j_scope import Scope
from services.memory.store.pipeline_rows import segment_of

LAST_INDEX = 2**62
"""Behind every event."""


class Neo4jPalace:
    """Implements `KnowledgeReads` for the palace; a part of `Neo4jKnowledge`."""

    _scope: Scope

    async def homes(self, scopes: Collection[str] | None, after: int, limit: int) -> Sequence[Home]:
        """See `KnowledgeReads.homes`."""
        found = await self._scope.read("homes", scopes=_listed(scopes), after=after, limit=limit)
        return [_home_of(row) for row in found]

    async def rooms_of_wing(
        self, wing: int, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_wing`."""
        found = await self._scope.read(
            "rooms_of_wing", wing=wing, scopes=_listed(scopes), after=after, limit=limit
        )
        return [_room_of(row) for row in found]

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
        return [_room_of(row) for row in found]

    async def closets_of(self, session_id: str, after: int, limit: int) -> Sequence[ClosetCount]:
        """See `KnowledgeReads.closets_of`."""
        found = await self._scope.read(
            "closets_of", session_id=session_id, after=after, limit=limit
        )
        return [
            ClosetCount(segment_of(row), rows.number(row["drawers"]), rows.optional(row["last_us"]))
            for row in map(node, found)
        ]

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
        return memory_of(found[0]) if found else None

    async def given(self, wing: int, room: int) -> Given | None:
        """See `KnowledgeReads.given`."""
        found = await self._scope.read("given", wing=wing, room=room)
        return _given_of(found[0]) if found else None


def _home_of(row: Row) -> Home:
    held = node(row)
    return Home(
        wing=rows.number(held["wing"]),
        key=rows.text(held["wing_key"]),
        rooms=rows.number(held["rooms"]),
        drawers=rows.number(held["drawers"]),
        last_us=rows.optional(held["last_us"]),
    )


def _room_of(row: Row) -> RoomCount:
    held = node(row)
    return RoomCount(
        session_id=rows.text(held["session_id"]),
        wing=rows.number(held["wing"]),
        room=rows.number(held["room"]),
        label=rows.text(held["label"]),
        closets=rows.number(held["closets"]),
        drawers=rows.number(held["drawers"]),
        start_us=rows.optional(held["start_time_us"]),
        last_us=rows.optional(held["last_us"]),
    )


def _given_of(row: Row) -> Given:
    held = node(row)
    key, rooms = rows.text(held["wing_key"]), rows.number(held["next_room"]) - 1
    if held["session_id"] is None:
        return Given(key, rooms)
    return Given(
        key,
        rooms,
        drawers=rows.number(held["next_drawer"]) - 1,
        session_id=rows.text(held["session_id"]),
        visibility=Visibility(rows.text(held["visibility"])),
        agent_id=rows.text(held["agent_id"]),
        user_id=rows.text(held["user_id"]),
    )


def _listed(scopes: Collection[str] | None) -> list[str] | None:
    return None if scopes is None else sorted(scopes)
