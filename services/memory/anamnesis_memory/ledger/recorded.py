"""Records of an event that comes in: its line in the ledger, and the drawer of its text."""

from anamnesis_memory.knowledge.palace.pointers import Pointer
from anamnesis_memory.ledger.new_event import NewEvent
from anamnesis_memory.model.memory import Caller, Kind, Memory, Origin, Provenance
from anamnesis_memory.model.memory_details import Episode
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.ports import CommitStamp


def event_of(session_id: str, index: int, event: NewEvent, memory_id: str) -> Event:
    """The event as the ledger keeps it."""
    return Event(
        session_id=session_id,
        index=index,
        role=event.role,
        content=event.content,
        digest=event.digest,
        name=event.name,
        event_time_us=event.event_time_us,
        tool_calls=event.tool_calls,
        tool_call_id=event.tool_call_id,
        reasoning=event.reasoning,
        modality=event.modality,
        source_line=event.source_line,
        memory_id=memory_id,
        token_count=event.token_count,
        utc_offset_minutes=event.utc_offset_minutes,
    )


def drawer_of(
    session: Session,
    index: int,
    event: NewEvent,
    stamp: CommitStamp,
    owner: Caller,
    expire_time_us: int | None,
) -> Memory:
    """The episodic memory that keeps an event verbatim."""
    return Memory(
        memory_id=event.memory_id,
        kind=Kind.EPISODIC,
        content=event.content,
        summary=event.summary,
        overview=event.overview,
        create_time_us=stamp.now_us,
        update_time_us=stamp.now_us,
        revision=stamp.revision,
        importance=event.importance,
        category=event.category,
        confidence=1.0,
        visibility=session.visibility,
        agent_id=owner.agent_id,
        user_id=owner.user_id,
        session_id=session.session_id,
        event_index=index,
        event_time_us=event.event_time_us,
        provenance=Provenance(
            Origin.OBSERVED,
            session_id=session.session_id,
            first_event_index=index,
            last_event_index=index,
            scored=event.scored,
        ),
        pointer=str(Pointer(session.wing, session.room, session.next_drawer)),
        part=Episode(event.role, event.name, index),
        expire_time_us=expire_time_us,
        utc_offset_minutes=event.utc_offset_minutes,
    )
