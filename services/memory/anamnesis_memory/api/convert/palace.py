"""Wings, rooms, closets and notes between the wire and the model."""

from anamnesis.memory.v1 import palace_pb2, palace_service_pb2
from anamnesis_memory.api.convert.enums import POINTER_STATE, ROLE, WING_KIND
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.values import (
    offset_minutes,
    optional_micros,
    stated_visibility,
    to_timestamp,
)
from anamnesis_memory.knowledge.palace.drawers import DrawersOf
from anamnesis_memory.knowledge.palace.pointers import Pointer
from anamnesis_memory.knowledge.palace.resolving import Resolved
from anamnesis_memory.knowledge.palace.wings import WingKind, WingView
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.ledger.new_event import NewEvent
from anamnesis_memory.memories.policy import Policy
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.model.memory_details import Role
from anamnesis_memory.ports.knowledge import ClosetCount, RoomCount
from anamnesis_memory.runtime.revisions import revision_token


def to_wing_kinds(request: palace_service_pb2.ListWingsRequest) -> frozenset[WingKind]:
    """The kinds of wings to list."""
    return frozenset(map(WING_KIND.from_pb, request.kinds))


def to_drawers_of(request: palace_service_pb2.ListDrawersRequest) -> DrawersOf:
    """The room, closet or entity whose drawers are listed."""
    return DrawersOf(request.session_id, request.segment_id, request.entity_id)


def to_note(
    request: palace_service_pb2.SaveNoteRequest, now_us: int, policy: Policy
) -> AppendEvents:
    """The write of a note, not yet prepared; `policy` says who may see one that does not say.

    Raises:
        InvalidArgument: its time is outside the years 1 to 9999.
    """
    stated_us = optional_micros(request, "event_time")
    time_us = now_us if stated_us is None else stated_us
    event = NewEvent(
        memory_id=new_id(now_us),
        role=ROLE.from_pb(request.role) if request.role else Role.USER,
        content=request.content,
        digest=b"",
        summary="",
        overview="",
        token_count=0,
        event_time_us=time_us,
        utc_offset_minutes=offset_minutes(request, time_us, policy.zone),
    )
    return AppendEvents(
        session_id=request.session_id,
        events=(event,),
        agent_id=request.agent_id,
        user_id=request.user_id,
        project=request.project,
        visibility=policy.visibility_of(stated_visibility(request.visibility), request.user_id),
        expire_time_us=optional_micros(request, "expire_time"),
    )


def from_wing(wing: WingView) -> palace_pb2.Wing:
    """A wing for the wire."""
    return palace_pb2.Wing(
        wing_id=wing.wing_id,
        kind=WING_KIND.to_pb(wing.kind),
        name=wing.name,
        pointer=wing.pointer,
        room_count=wing.rooms,
        drawer_count=wing.drawers,
        last_activity_time=to_timestamp(wing.last_us),
    )


def from_room(room: RoomCount) -> palace_pb2.Room:
    """A room for the wire."""
    return palace_pb2.Room(
        pointer=str(Pointer(room.wing, room.room)),
        session_id=room.session_id,
        label=room.label,
        closet_count=room.closets,
        drawer_count=room.drawers,
        start_time=to_timestamp(room.start_us),
        last_activity_time=to_timestamp(room.last_us),
    )


def from_closet(closet: ClosetCount) -> palace_pb2.Closet:
    """A closet for the wire."""
    segment = closet.segment
    return palace_pb2.Closet(
        segment_id=segment.segment_id,
        session_id=segment.session_id,
        topic=segment.topic,
        summary=segment.summary,
        first_index=segment.first_index,
        last_index=segment.last_index,
        drawer_count=closet.drawers,
        last_activity_time=to_timestamp(closet.last_us),
    )


def from_resolved(
    found: Resolved, namespace: Namespace, revision: int, now_us: int
) -> palace_service_pb2.ResolvePointerResponse:
    """The room, wing or memory that a pointer leads to."""
    memory = found.memory
    return palace_service_pb2.ResolvePointerResponse(
        state=POINTER_STATE.to_pb(found.state),
        pointer=str(found.pointer),
        memory=None if memory is None else from_memory(memory, namespace, None, now_us),
        room=None if found.room is None else from_room(found.room),
        wing=None if found.wing is None else from_wing(found.wing),
        revision=revision_token(namespace, revision),
    )
