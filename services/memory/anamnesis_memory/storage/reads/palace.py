"""Reads of the palace: homes, rooms, closets, drawers, and pointers given out."""

from collections.abc import Collection, Sequence

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports.knowledge import (
    AllocatedPointers,
    ClosetCount,
    NamedCount,
    RoomCount,
    WingSummary,
)
from anamnesis_memory.storage.palace_rows import closet_of, counts_of, given_of, home_of, room_of
from anamnesis_memory.storage.pipeline_rows import EVER_US
from anamnesis_memory.storage.reads.source import RowSource, listed, some

LAST_INDEX = 2**62
"""Behind every event."""


class PalaceReader(RowSource):
    """Implements the part of `KnowledgeReads` about the palace."""

    async def homes(
        self, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[WingSummary]:
        """See `KnowledgeReads.homes`."""
        found = await self._rows("homes", scopes=listed(scopes), after=after, limit=limit)
        return [home_of(row) for row in found]

    async def rooms_of_wing(
        self, wing: int, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_wing`."""
        found = await self._rows(
            "rooms_of_wing", wing=wing, scopes=listed(scopes), after=after, limit=limit
        )
        return [room_of(row) for row in found]

    async def rooms_of_entities(
        self,
        entity_ids: Sequence[str],
        scopes: Collection[str] | None,
        after: tuple[int, str] | None,
        limit: int,
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_entities`."""
        before_us, before_session = after or (EVER_US, "")
        found = await self._rows(
            "rooms_of_entities",
            entity_ids=listed(entity_ids),
            scopes=listed(scopes),
            before_us=before_us,
            before_session=before_session,
            limit=limit,
        )
        return [room_of(row) for row in found]

    async def count_of_entities(
        self, groups: Sequence[Sequence[str]], scopes: Collection[str] | None
    ) -> Sequence[NamedCount]:
        """See `KnowledgeReads.count_of_entities`."""
        asked = [list(dict.fromkeys(group)) for group in groups]
        found = await self._rows("count_of_entities", groups=asked, scopes=listed(scopes))
        return counts_of(found, groups)

    async def closets_of(self, session_id: str, after: int, limit: int) -> Sequence[ClosetCount]:
        """See `KnowledgeReads.closets_of`."""
        found = await self._rows("closets_of", session_id=session_id, after=after, limit=limit)
        return [closet_of(row) for row in found]

    async def drawers_of(
        self,
        session_id: str,
        first_index: int,
        last_index: int | None,
        entity_ids: Sequence[str],
        limit: int,
    ) -> Sequence[Memory]:
        """See `KnowledgeReads.drawers_of`."""
        found = await self._rows(
            "drawers_of",
            session_id=session_id,
            first_index=first_index,
            last_index=LAST_INDEX if last_index is None else last_index,
            entity_ids=some(entity_ids),
            limit=limit,
        )
        return [self._memory_of(row) for row in found]

    async def memory_at(self, pointer: str) -> Memory | None:
        """See `KnowledgeReads.memory_at`."""
        found = await self._rows("memory_at", pointer=pointer)
        return self._memory_of(found[0]) if found else None

    async def given(self, wing: int, room: int) -> AllocatedPointers | None:
        """See `KnowledgeReads.given`."""
        found = await self._rows("given", wing=wing, room=room)
        return given_of(found[0]) if found else None
