"""Walking through the palace of a store, and what tests put there to be found."""

from dataclasses import replace

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.knowledge.palace.drawers import DrawerPlace, DrawersOf, list_drawers, place_of
from anamnesis_memory.knowledge.palace.pointers import read_pointer
from anamnesis_memory.knowledge.palace.resolving import Resolved, resolve
from anamnesis_memory.knowledge.palace.wings import WingKind, WingView, list_wings
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.model.memory import Caller, Visibility
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.ports import NamespaceStore, WriteSet
from tests.support.knowing import entity, mention
from tests.support.life import Put
from tests.support.records import append

NOBODY = Caller()
MARA = Caller(user_id="mara")


def said(session_id: str, *texts: str, start: int = 0, **owners: str) -> AppendEvents:
    """Events of a session of these owners."""
    stated = append(*texts, session_id=session_id, start=start)
    return replace(stated, **{"user_id": "", "agent_id": "", **owners})  # type: ignore[arg-type]


def hidden(write: AppendEvents) -> AppendEvents:
    """The same, for its user alone."""
    return replace(write, visibility=Visibility.PRIVATE_TO_USER)


async def told(store: NamespaceStore, *writes: AppendEvents) -> None:
    """Say what is said."""
    for write in writes:
        await store.commit(write)


async def wings(store: NamespaceStore, caller: Caller = NOBODY, *kinds: WingKind) -> list[WingView]:
    """The wings that somebody sees."""
    return list(await list_wings(store, caller, kinds, None, 50))


async def followed(store: NamespaceStore, pointer: str, caller: Caller = NOBODY) -> Resolved:
    """What a pointer leads to."""
    return await resolve(store, read_pointer(pointer), caller)


async def drawers(
    store: NamespaceStore, where: DrawersOf, caller: Caller = NOBODY, size: int = 50
) -> list[list[str]]:
    """The texts of all pages."""
    pages, after = [], DrawerPlace()
    while found := await list_drawers(store, where, caller, after, size + 1):
        shown = found[:size]
        pages.append([one.content for one in shown])
        if len(found) <= size:
            break
        after = place_of(shown, after)
    return pages


async def mentioned(store: NamespaceStore, session_id: str, index: int, *named: str) -> None:
    """A drawer names entities, each by its id."""
    drawer = (await store.drawers_of(session_id, index, index, (), 1))[0]
    mentions = [
        mention(drawer.memory_id, one, one.title(), scope=scope_of(drawer)) for one in named
    ]
    kinds = {"e-9": EntityKind.TOPIC}
    entities = [entity(one, kinds.get(one, EntityKind.PERSON)) for one in named]
    await store.commit(Put(WriteSet(entities=tuple(entities), mentions=tuple(mentions))))
