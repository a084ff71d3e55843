"""What the fake store tells of the graph and of the palace, from plain dicts."""

from collections.abc import Collection, Iterator, Sequence

from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.scopes import scope_named
from anamnesis_memory.model.session import Session
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
from anamnesis_memory.storage.palace_rows import heaviest
from tests.support.fake_records import Records
from tests.support.store_rules import within


class FakePalace:
    """Implements the part of `KnowledgeReads` about graph and palace, for `FakeNamespace`."""

    _records: Records

    async def hop(self, hop: Hop) -> Sequence[Link]:
        """See `KnowledgeReads.hop`."""
        held = self._records.knowledge
        nodes = {held.whole(one) if one in held.entities else one for one in hop.node_ids}
        out = nodes if hop.direction is not Direction.IN else set()
        back = nodes if hop.direction is not Direction.OUT else set()
        found = [
            one
            for one in (*self._links(hop), *self._mentioned(hop))
            if one.type in hop.types and (one.source_id in out or one.target_id in back)
        ]
        return heaviest(found, hop.limit)

    async def homes(
        self, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[WingSummary]:
        """See `KnowledgeReads.homes`."""
        found = []
        for wing in sorted(self._records.wings.values(), key=lambda one: one.wing):
            rooms = self._rooms(wing.wing, scopes)
            if wing.wing > after and rooms:
                drawers = [one for room in rooms for one in self._drawers(room.session_id, scopes)]
                found.append(
                    WingSummary(wing.wing, wing.key, len(rooms), len(drawers), _last_us(drawers))
                )
        return found[:limit]

    async def rooms_of_wing(
        self, wing: int, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_wing`."""
        rooms = sorted(self._rooms(wing, scopes), key=lambda one: one.room)
        return [
            self._count(one, self._drawers(one.session_id, scopes))
            for one in rooms
            if one.room > after
        ][:limit]

    async def rooms_of_entities(
        self,
        entity_ids: Sequence[str],
        scopes: Collection[str] | None,
        after: tuple[int, str] | None,
        limit: int,
    ) -> Sequence[RoomCount]:
        """See `KnowledgeReads.rooms_of_entities`."""
        naming = self._naming(entity_ids)
        rooms = [
            self._count(session, drawers)
            for session in self._records.sessions.values()
            if _sees(scopes, session)
            and (
                drawers := [
                    one
                    for one in self._drawers(session.session_id, scopes)
                    if one.memory_id in naming
                ]
            )
        ]
        rooms.sort(key=_by_last, reverse=True)
        return [one for one in rooms if after is None or _by_last(one) < after][:limit]

    async def count_of_entities(
        self, groups: Sequence[Sequence[str]], scopes: Collection[str] | None
    ) -> Sequence[NamedCount]:
        """See `KnowledgeReads.count_of_entities`."""
        return [
            NamedCount(
                len(rooms),
                sum(one.drawers for one in rooms),
                max((one.last_us for one in rooms if one.last_us is not None), default=None),
            )
            for group in groups
            for rooms in [await self.rooms_of_entities(group, scopes, None, 10**9)]
        ]

    async def closets_of(self, session_id: str, after: int, limit: int) -> Sequence[ClosetCount]:
        """See `KnowledgeReads.closets_of`."""
        segments = [
            one
            for one in self._records.pipeline.segments.values()
            if one.session_id == session_id and one.first_index > after
        ]
        found = []
        for one in sorted(segments, key=lambda each: each.first_index):
            drawers = await self.drawers_of(session_id, one.first_index, one.last_index, (), 10**9)
            found.append(ClosetCount(one, len(drawers), _last_us(drawers)))
        return found[:limit]

    async def drawers_of(
        self,
        session_id: str,
        first_index: int,
        last_index: int | None,
        entity_ids: Sequence[str],
        limit: int,
    ) -> Sequence[Memory]:
        """See `KnowledgeReads.drawers_of`."""
        naming = self._naming(entity_ids)
        found = [
            one
            for one in self._drawers(session_id, None)
            if one.event_index is not None
            and first_index <= one.event_index
            and (last_index is None or one.event_index <= last_index)
            and (not entity_ids or one.memory_id in naming)
        ]
        return sorted(found, key=self._in_room)[:limit]

    async def memory_at(self, pointer: str) -> Memory | None:
        """See `KnowledgeReads.memory_at`."""
        held = self._records.memories.values()
        return next((one for one in held if pointer and one.pointer == pointer), None)

    async def given(self, wing: int, room: int) -> AllocatedPointers | None:
        """See `KnowledgeReads.given`."""
        held = {one.wing: one for one in self._records.wings.values()}.get(wing)
        if held is None:
            return None
        rooms = {one.room: one for one in self._rooms(wing, None)}
        if room not in rooms:
            return AllocatedPointers(held.key, held.next_room - 1)
        session = rooms[room]
        return AllocatedPointers(
            held.key,
            held.next_room - 1,
            session.next_drawer - 1,
            session.session_id,
            session.visibility,
            session.agent_id,
            session.user_id,
        )

    async def edge(self, source_id: str, target_id: str, type_: EdgeType) -> Edge | None:
        """See `KnowledgeReads.edge`."""
        return self._records.life.edges.get(EdgeKey(source_id, target_id, type_))

    def _links(self, hop: Hop) -> Iterator[Link]:
        """Edges that a hop may see."""
        held = self._records.memories
        for edge in self._records.life.edges.values():
            ends = held[edge.source_id], held[edge.target_id]
            if edge.weight >= hop.weight_min and all(_sees(hop.scopes, one) for one in ends):
                yield Link(
                    *_ends(edge), edge.type.value, edge.weight, edge.create_time_us, edge.detail
                )

    def _mentioned(self, hop: Hop) -> Iterator[Link]:
        """Mentions that a hop may see."""
        held = self._records
        for one in held.knowledge.mentions.values():
            seen = within(one.scope, hop.scopes)
            if seen and _sees(hop.scopes, held.memories[one.memory_id]):
                whole = held.knowledge.whole(one.entity_id)
                yield Link(one.memory_id, whole, MENTIONS, 1.0, one.time_us)

    def _rooms(self, wing: int, scopes: Collection[str] | None) -> list[Session]:
        held = self._records.sessions.values()
        return [one for one in held if one.wing == wing and _sees(scopes, one)]

    def _drawers(self, session_id: str, scopes: Collection[str] | None) -> list[Memory]:
        held = self._records.memories.values()
        return [
            one
            for one in held
            if one.session_id == session_id and one.pointer and _sees(scopes, one)
        ]

    def _naming(self, entity_ids: Sequence[str]) -> set[str]:
        """The memories that mention one of these."""
        held = self._records.knowledge.mentions.values()
        return {one.memory_id for one in held if one.entity_id in entity_ids}

    def _count(self, session: Session, drawers: Sequence[Memory]) -> RoomCount:
        segments = self._records.pipeline.segments.values()
        return RoomCount(
            session.session_id,
            session.wing,
            session.room,
            session.label,
            len([one for one in segments if one.session_id == session.session_id]),
            len(drawers),
            session.start_time_us,
            _last_us(drawers),
        )

    def _in_room(self, drawer: Memory) -> tuple[int, int]:
        assert drawer.event_index is not None
        return drawer.event_index, self._records.places[drawer.memory_id]


def _sees(scopes: Collection[str] | None, record: Memory | Session) -> bool:
    scope = scope_named(record.visibility, record.agent_id, record.user_id)
    return within(scope, scopes)


def _ends(edge: Edge) -> tuple[str, str]:
    return edge.source_id, edge.target_id


def _last_us(drawers: Sequence[Memory]) -> int | None:
    return max(
        (one.create_time_us if one.event_time_us is None else one.event_time_us for one in drawers),
        default=None,
    )


def _by_last(room: RoomCount) -> tuple[int, str]:
    assert room.last_us is not None
    return room.last_us, room.session_id
