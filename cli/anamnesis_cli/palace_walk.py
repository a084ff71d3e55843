"""Walking through the palace: reading wings, rooms, closets and drawers as far as asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import palace_service_pb2 as pb
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.palace_pb2 import Closet, Room, Wing, WingKind
from anamnesis.memory.v1.palace_service_pb2_grpc import PalaceServiceStub
from anamnesis_cli.output import Json, as_dict
from anamnesis_cli.target import Target

DEPTHS = ("wings", "rooms", "closets", "drawers")
ENTITY_PREFIX = "E-"
_PAGE_SIZE_MAX = 500


@dataclass(frozen=True, slots=True)
class ClosetSeen:
    """A closet, and those of its drawers that were read."""

    closet: Closet
    drawers: Sequence[Memory] = ()

    def as_json(self) -> Json:
        """The closet with its drawers, as JSON."""
        return {**as_dict(self.closet), "drawers": list(map(as_dict, self.drawers))}


@dataclass(frozen=True, slots=True)
class RoomSeen:
    """A room: its closets, and drawers that stand in none of them; how many were left out."""

    room: Room
    closets: Sequence[ClosetSeen] = ()
    loose: Sequence[Memory] = ()
    closets_left: int = 0
    drawers_left: int = 0

    def as_json(self) -> Json:
        """The room with its closets and loose drawers, as JSON."""
        closets = [closet.as_json() for closet in self.closets]
        return {**as_dict(self.room), "closets": closets, "drawers": list(map(as_dict, self.loose))}


@dataclass(frozen=True, slots=True)
class WingSeen:
    """A wing, and those of its rooms that were read."""

    wing: Wing
    rooms: Sequence[RoomSeen] = ()
    rooms_left: int = 0

    def as_json(self) -> Json:
        """The wing with its rooms, as JSON."""
        return {**as_dict(self.wing), "rooms": [room.as_json() for room in self.rooms]}


@dataclass(frozen=True, slots=True)
class PalaceSeen:
    """The part of the palace that was walked; `wings_left`: there are more wings."""

    wings: Sequence[WingSeen]
    wings_left: bool = False

    def as_json(self) -> Json:
        """The tree."""
        return {"wings": [wing.as_json() for wing in self.wings], "more_wings": self.wings_left}


@dataclass(frozen=True, slots=True)
class Walk:
    """One walk: who walks where, how deep, and how much is read at each place."""

    channel: grpc.Channel
    target: Target
    caller: Caller
    limit: int
    depth: str
    kinds: Sequence["WingKind.ValueType"] = field(default=())

    def wings(self) -> PalaceSeen:
        """The first wings of a palace; rooms only of those where drawers live."""
        found: list[Wing] = []
        for wing in self._wings():
            if len(found) == self.limit:
                return PalaceSeen([self._shallow(wing) for wing in found], wings_left=True)
            found.append(wing)
        return PalaceSeen([self._shallow(wing) for wing in found])

    def named(self, name: str) -> PalaceSeen:
        """All wings of a name, upper and lower case alike, or of an id."""
        wanted = name.casefold()
        found = [w for w in self._wings() if wanted in (w.name.casefold(), w.wing_id.casefold())]
        return PalaceSeen([self._wing(wing) for wing in found])

    def resolved(self, pointer: str) -> pb.ResolvePointerResponse:
        """The wing, room or drawer at a pointer."""
        request = pb.ResolvePointerRequest(
            namespace=self.target.working_namespace, caller=self.caller, pointer=pointer
        )
        return self._stub.ResolvePointer(request, timeout=self.target.timeout_s)

    def at(self, found: pb.ResolvePointerResponse) -> PalaceSeen:
        """The part of the palace at the pointer of a wing or a room."""
        if found.HasField("room"):
            room = self._room(found.room, "")
            return PalaceSeen([WingSeen(found.wing, [room])])
        return PalaceSeen([self._wing(found.wing)])

    def closet_of(self, drawer: Memory) -> Closet | None:
        """The closet that a drawer stands in; None where its session is not cut so far."""
        closets = self._closets(drawer.session_id)
        index = drawer.event_index
        return next((one for one in closets if one.first_index <= index <= one.last_index), None)

    @property
    def _stub(self) -> PalaceServiceStub:
        return PalaceServiceStub(self.channel)

    def _shallow(self, wing: Wing) -> WingSeen:
        """A wing among many: of an entity's nothing but itself."""
        return self._wing(wing) if wing.pointer else WingSeen(wing)

    def _wing(self, wing: Wing) -> WingSeen:
        if self.depth == "wings":
            return WingSeen(wing)
        request = pb.ListRoomsRequest(
            namespace=self.target.working_namespace,
            caller=self.caller,
            wing_id=wing.wing_id,
            page_size=min(self.limit, _PAGE_SIZE_MAX),
        )
        page = self._stub.ListRooms(request, timeout=self.target.timeout_s)
        entity_id = "" if wing.pointer else wing.wing_id.removeprefix(ENTITY_PREFIX)
        rooms = [self._room(room, entity_id) for room in page.rooms]
        return WingSeen(wing, rooms, wing.room_count - len(rooms))

    def _room(self, room: Room, entity_id: str) -> RoomSeen:
        if self.depth in ("wings", "rooms"):
            return RoomSeen(room)
        closets = [ClosetSeen(closet) for closet in self._closets(room.session_id)]
        if self.depth == "closets":
            shown = closets[: self.limit]
            return RoomSeen(room, shown, closets_left=len(closets) - len(shown))
        return self._filled(room, closets, self._drawers(room.session_id, entity_id))

    def _filled(
        self, room: Room, closets: Sequence[ClosetSeen], drawers: Sequence[Memory]
    ) -> RoomSeen:
        """A room with the first of its drawers, each in its closet."""
        filled = [
            replace(one, drawers=[d for d in drawers if _is_in(d, one.closet)]) for one in closets
        ]
        loose = [d for d in drawers if not any(_is_in(d, one.closet) for one in closets)]
        shown = [one for one in filled if one.drawers]
        drawers_left = room.drawer_count - len(drawers)
        closets_left = len(filled) - len(shown) if drawers_left > 0 else 0
        return RoomSeen(room, shown, loose, closets_left, drawers_left)

    def _wings(self) -> Iterator[Wing]:
        request = pb.ListWingsRequest(
            namespace=self.target.working_namespace, caller=self.caller, kinds=self.kinds
        )
        while True:
            page = self._stub.ListWings(request, timeout=self.target.timeout_s)
            yield from page.wings
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def _closets(self, session_id: str) -> Iterator[Closet]:
        request = pb.ListClosetsRequest(
            namespace=self.target.working_namespace,
            caller=self.caller,
            session_id=session_id,
            page_size=_PAGE_SIZE_MAX,
        )
        while True:
            page = self._stub.ListClosets(request, timeout=self.target.timeout_s)
            yield from page.closets
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    def _drawers(self, session_id: str, entity_id: str) -> Sequence[Memory]:
        request = pb.ListDrawersRequest(
            namespace=self.target.working_namespace,
            caller=self.caller,
            session_id=session_id,
            entity_id=entity_id,
            page_size=min(self.limit, _PAGE_SIZE_MAX),
        )
        return self._stub.ListDrawers(request, timeout=self.target.timeout_s).memories


def _is_in(drawer: Memory, closet: Closet) -> bool:
    return closet.first_index <= drawer.event_index <= closet.last_index
