"""Records that tests of the memory service begin with."""

import hashlib

import numpy as np

from anamnesis_memory.ledger.append import AppendEvents, NewEvent
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance, Vectors, Visibility
from anamnesis_memory.model.memory_details import Role

DIMENSION = 8
BASE_US = 1_772_000_000_000_000


def new_event(content: str, index: int | None = None, *, role: Role = Role.USER) -> NewEvent:
    """An event ready to be stored."""
    return NewEvent(
        memory_id=new_id(BASE_US),
        role=role,
        content=content,
        digest=hashlib.sha256(f"{role.value}:{content}".encode()).digest()[:16],
        summary="",
        overview="",
        token_count=len(content.split()),
        index=index,
        name="Ada" if role is Role.USER else "",
        event_time_us=BASE_US + (index or 0),
        utc_offset_minutes=480 if index == 1 else None,
    )


def append(
    *contents: str, session_id: str = "s-1", start: int = 0, end_session: bool = False
) -> AppendEvents:
    """A write of some events at consecutive indices."""
    return AppendEvents(
        session_id=session_id,
        events=tuple(new_event(text, start + offset) for offset, text in enumerate(contents)),
        agent_id="agent",
        user_id="ada",
        end_session=end_session,
    )


def lesson(
    content: str,
    *,
    visibility: Visibility = Visibility.SHARED,
    agent_id: str = "",
    user_id: str = "",
    tags: tuple[str, ...] = (),
) -> Memory:
    """A lesson as a caller states it."""
    return Memory(
        memory_id=new_id(BASE_US),
        kind=Kind.LEARNING,
        content=content,
        create_time_us=0,
        update_time_us=0,
        revision=0,
        provenance=Provenance(Origin.ASSERTED),
        visibility=visibility,
        agent_id=agent_id,
        user_id=user_id,
        tags=tags,
    )


def rows(*firsts: float) -> Vectors:
    """One unit vector a number; the number leans it to one side."""
    made = np.ones((len(firsts), DIMENSION), dtype=np.float32)
    made[:, 0] = firsts
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True).astype(np.float32)
    return unit
