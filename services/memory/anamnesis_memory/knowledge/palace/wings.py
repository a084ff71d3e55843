"""Wings: homes by number, then one for each entity and topic that drawers mention, in one list.

A home is the wing of a user, a project or an agent: drawers live there, and pointers name it. In
the wing of an entity nothing lives: it shows drawers of all homes that mention the entity, under
any of the names of what is one with it.
"""

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from anamnesis_libs.errors import invalid_field
from anamnesis_libs.errors.not_found import WingNotFound
from anamnesis_libs.paging import Form, SortKey
from anamnesis_libs.participants import participants
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.knowledge.finding import EntityGroup, list_groups
from anamnesis_memory.knowledge.palace.pointers import Pointer, read_pointer
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.ports.knowledge import KnowledgeReads, NamedCount, RoomCount, WingSummary

ENTITY_PREFIX = "E-"

_HOME, _ENTITY = 0, 1
WING_FORMS: tuple[Form, ...] = ((int, int), (int, str))
"""The types in the places of wings: those of homes, and those of entities."""


class WingKind(StrEnum):
    """The kinds of what a wing is about."""

    USER = "user"
    PROJECT = "project"
    AGENT = "agent"
    NAMESPACE = "namespace"
    ENTITY = "entity"
    TOPIC = "topic"


HOMES = frozenset((WingKind.USER, WingKind.PROJECT, WingKind.AGENT, WingKind.NAMESPACE))


@dataclass(frozen=True, slots=True)
class WingView:
    """A wing as far as a caller may see into it.

    Args:
        wing_id: names it in requests.
        kind: what it is about.
        name: whom or what; empty where nobody knows, or it was erased.
        place: where it sorts: (0, number) of a home, (1, its place among entities) of an entity.
        rooms: how many.
        drawers: in them, archived ones too.
        last_us: when the last of them happened, or was stored where that is not known.
        pointer: of a home.
    """

    wing_id: str
    kind: WingKind
    name: str
    place: SortKey
    rooms: int
    drawers: int
    last_us: int | None
    pointer: str = ""


async def list_wings(
    store: KnowledgeReads,
    caller: Caller,
    kinds: Collection[WingKind],
    after: SortKey | None,
    limit: int,
) -> Sequence[WingView]:
    """List wings in which the caller may see something; no kinds mean all."""
    wanted = frozenset(kinds or WingKind)
    found: list[WingView] = []
    async for wing in _wings(store, caller, wanted, after, limit):
        found.append(wing)
        if len(found) == limit:
            break
    return found


async def home_of(store: KnowledgeReads, wing: int, caller: Caller) -> WingView | None:
    """One home; None where the caller may see nothing in it."""
    homes = await store.homes(scopes_of(caller), wing - 1, 1)
    return next((_home(one) for one in homes if one.wing == wing), None)


async def rooms_of(
    store: KnowledgeReads, wing_id: str, caller: Caller, after: SortKey | None, limit: int
) -> Sequence[RoomCount]:
    """List the rooms of a wing; `after` is the `room_place` of the last one.

    Raises:
        InvalidArgument: no wing is named so.
        WingNotFound: there is no such wing, or the caller may see nothing in it.
    """
    scopes = scopes_of(caller)
    named = read_wing_id(wing_id)
    if isinstance(named, int):
        room = int(after[0]) if after else 0
        rooms = await store.rooms_of_wing(named, scopes, room, limit)
    else:
        group = await _group(store, named)
        behind = (int(after[0]), str(after[1])) if after else None
        rooms = await store.rooms_of_entities(group, scopes, behind, limit)
    if not (rooms or after):
        raise WingNotFound(wing_id)
    return rooms


def room_place(wing_id: str, room: RoomCount) -> SortKey:
    """The sort key of a room in its wing: its number, or the time something last happened there."""
    if isinstance(read_wing_id(wing_id), int):
        return (room.room,)
    return room.last_us or 0, room.session_id


def room_form(wing_id: str) -> Form:
    """The types in the sort key of a wing's rooms; see `room_place`."""
    return (int,) if isinstance(read_wing_id(wing_id), int) else (int, str)


def read_wing_id(wing_id: str) -> int | str:
    """The number of a home, or the id of an entity.

    Raises:
        InvalidArgument: the id is neither, or the pointer of something inside a wing.
    """
    entity_id = wing_id.removeprefix(ENTITY_PREFIX)
    if entity_id and entity_id != wing_id:
        return entity_id
    pointer = read_pointer(wing_id, "wing_id")
    if pointer.room:
        raise invalid_field("wing_id", f"points into a wing; the wing itself is {pointer.of_wing}")
    return pointer.wing


async def _wings(
    store: KnowledgeReads,
    caller: Caller,
    wanted: frozenset[WingKind],
    after: SortKey | None,
    limit: int,
) -> AsyncIterator[WingView]:
    scopes = scopes_of(caller)
    at_home = after is None or isinstance(after[1], int)
    if at_home and wanted & HOMES:
        async for home in _homes(store, scopes, int(after[1]) if after else 0, limit):
            if home.kind in wanted:
                yield home
    if not wanted <= HOMES:
        entity_id = "" if after is None or at_home else str(after[1])
        async for entity in _entities(store, scopes, wanted, entity_id, limit):
            yield entity


async def _homes(
    store: KnowledgeReads, scopes: Collection[str], after: int, limit: int
) -> AsyncIterator[WingView]:
    while homes := await store.homes(scopes, after, limit):
        for home in homes:
            yield _home(home)
        if len(homes) < limit:
            return
        after = homes[-1].wing


async def _entities(
    store: KnowledgeReads,
    scopes: Collection[str],
    wanted: frozenset[WingKind],
    after: str,
    limit: int,
) -> AsyncIterator[WingView]:
    only = EntityKind.TOPIC if WingKind.ENTITY not in wanted else None
    while listed := await list_groups(store, only, scopes, after, limit):
        fitting = [one for one in listed if _kind(one[1]) in wanted]
        counts = await store.count_of_entities([group.ids for _, group in fitting], scopes)
        for (place, group), count in zip(fitting, counts, strict=True):
            if count.rooms:
                yield _named(place, group, count)
        if len(listed) < limit:
            return
        after = listed[-1][0]


def _named(place: str, entity: EntityGroup, count: NamedCount) -> WingView:
    """The wing of an entity, with the counts of the drawers that mention it."""
    return WingView(
        wing_id=f"{ENTITY_PREFIX}{entity.root.entity_id}",
        kind=_kind(entity),
        name=entity.name,
        place=(_ENTITY, place),
        rooms=count.rooms,
        drawers=count.drawers,
        last_us=count.last_us,
    )


async def _group(store: KnowledgeReads, entity_id: str) -> Sequence[str]:
    """The ids of all that is one with an entity."""
    return (await store.entity_groups([entity_id])).get(entity_id, (entity_id,))


def _kind(entity: EntityGroup) -> WingKind:
    return WingKind.TOPIC if entity.kind is EntityKind.TOPIC else WingKind.ENTITY


def _home(home: WingSummary) -> WingView:
    pointer = Pointer(home.wing)
    kind, _, name = home.key.partition(":")
    known = WingKind(kind) if kind in HOMES else WingKind.NAMESPACE
    return WingView(
        wing_id=pointer.path,
        kind=known,
        name=", ".join(participants(name)) if known is not WingKind.NAMESPACE else "",
        place=(_HOME, home.wing),
        rooms=home.rooms,
        drawers=home.drawers,
        last_us=home.last_us,
        pointer=str(pointer),
    )
