"""Following a pointer: it finds what it was given to, or says that this is gone.

    never given, or to what the caller may not see     PointerNotFound
    given, and what it was given to is there           FOUND
    given, and deleted since                           GONE

Numbers are read before what they lead to, so that what is stored in between is never called gone.
Of a room that was erased nobody knows how many drawers it had: all are gone.
"""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_libs.errors.not_found import PointerNotFound
from anamnesis_memory.knowledge.palace.pointers import Pointer
from anamnesis_memory.knowledge.palace.wings import WingView, home_of
from anamnesis_memory.model.memory import Caller, Memory
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.ports.knowledge import AllocatedPointers, KnowledgeReads, RoomCount


class PointerState(StrEnum):
    """The states of what a pointer leads to."""

    FOUND = "found"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Resolved:
    """The target of a pointer and its place; empty if the target is gone."""

    pointer: Pointer
    state: PointerState
    wing: WingView | None = None
    room: RoomCount | None = None
    memory: Memory | None = None


async def resolve(store: KnowledgeReads, pointer: Pointer, caller: Caller) -> Resolved:
    """Follow a pointer.

    Raises:
        PointerNotFound: the pointer was never given, or leads to what the caller may not see.
    """
    given = await store.given(pointer.wing, pointer.room)
    if given is None or pointer.room > given.rooms:
        raise PointerNotFound(str(pointer))
    if not pointer.room:
        return await _wing(store, pointer, caller)
    if not given.session_id:
        return Resolved(pointer, PointerState.GONE)
    if not _sees(caller, given) or pointer.drawer > given.drawers:
        raise PointerNotFound(str(pointer))
    memory = await store.memory_at(str(pointer)) if pointer.drawer else None
    if pointer.drawer and memory is None:
        return Resolved(pointer, PointerState.GONE)
    return await _standing(store, pointer, caller, memory)


async def _wing(store: KnowledgeReads, pointer: Pointer, caller: Caller) -> Resolved:
    """The wing of a pointer; the wing is gone while nothing is in it."""
    wing = await home_of(store, pointer.wing, caller)
    if wing is not None:
        return Resolved(pointer, PointerState.FOUND, wing)
    if await store.rooms_of_wing(pointer.wing, None, 0, 1):
        raise PointerNotFound(str(pointer))
    return Resolved(pointer, PointerState.GONE)


async def _standing(
    store: KnowledgeReads, pointer: Pointer, caller: Caller, memory: Memory | None
) -> Resolved:
    """The room and the wing of a pointer; gone if they went in the meantime."""
    rooms = await store.rooms_of_wing(pointer.wing, scopes_of(caller), pointer.room - 1, 1)
    room = next((one for one in rooms if one.room == pointer.room), None)
    if room is None:
        return Resolved(pointer, PointerState.GONE)
    wing = await home_of(store, pointer.wing, caller)
    return Resolved(pointer, PointerState.FOUND, wing, room, memory)


def _sees(caller: Caller, given: AllocatedPointers) -> bool:
    return caller.sees(given.visibility, given.agent_id, given.user_id)
