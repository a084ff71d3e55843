"""The drawers of a room or of one of its closets, page by page, in the order of their events.

An event that was replaced has a drawer for each of its texts, so that a page may end between two
drawers of one event; where it ended, the index and the drawer say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.errors.not_found import EntityNotFound, SegmentNotFound, SessionNotFound
from anamnesis_memory.model.memory import Caller, Memory
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import KnowledgeReads
from anamnesis_memory.ports.ledger import LedgerReads
from anamnesis_memory.ports.pipeline import PipelineReads, SegmentFilter

SEGMENTS_READ_MAX = 500
GIVEN_MAX = 1_000_000
"""More drawers than an event has, which is bounded by its bytes."""


@dataclass(frozen=True, slots=True)
class DrawersOf:
    """The drawers to list; an empty segment or entity means any."""

    session_id: str
    segment_id: str = ""
    entity_id: str = ""


@dataclass(frozen=True, slots=True)
class DrawerPlace:
    """The end of a page: the event, its last drawer given, and how many of that event were."""

    index: int = 0
    memory_id: str = ""
    given: int = 0


async def visible_session(store: LedgerReads, session_id: str, caller: Caller) -> Session:
    """A session that the caller may see.

    Raises:
        SessionNotFound: there is no such session that the caller may see.
    """
    session = await store.session(session_id)
    if session is None or not caller.sees(session.visibility, session.agent_id, session.user_id):
        raise SessionNotFound(session_id)
    return session


async def list_drawers(
    store: NamespaceStore, where: DrawersOf, caller: Caller, after: DrawerPlace, limit: int
) -> Sequence[Memory]:
    """List drawers of a session, which are as visible as the session; archived ones too.

    Raises:
        SessionNotFound: there is no such session that the caller may see.
        SegmentNotFound: the session has no such segment.
        EntityNotFound: the caller may see no such entity.
    """
    await visible_session(store, where.session_id, caller)
    first, last = await _bounds(store, where)
    entities = await _entities(store, where.entity_id, caller)
    found = await store.drawers_of(
        where.session_id, max(first, after.index), last, entities, limit + after.given
    )
    return _behind(found, after)[:limit]


def place_of(drawers: Sequence[Memory], after: DrawerPlace) -> DrawerPlace:
    """The place where a page that is not empty ended, which began at `after`."""
    last = drawers[-1]
    index = last.event_index or 0
    here = sum(1 for one in drawers if (one.event_index or 0) == index)
    before = after.given if after.index == index else 0
    return DrawerPlace(index, last.memory_id, before + here)


def _behind(found: Sequence[Memory], after: DrawerPlace) -> Sequence[Memory]:
    """The drawers behind the last page, in a read that began with that page's last event."""
    ids = [one.memory_id for one in found]
    if after.memory_id in ids:
        return found[ids.index(after.memory_id) + 1 :]
    of_event = sum(1 for one in found if one.event_index == after.index)
    # the last one went since; those that were shown before it are there as a rule
    return found[min(of_event, max(0, after.given - 1)) :]


async def _bounds(store: PipelineReads, where: DrawersOf) -> tuple[int, int | None]:
    """The first and the last event of the segment, of the session where none is named."""
    if not where.segment_id:
        return 0, None
    only, after = SegmentFilter(session_id=where.session_id), None
    while page := await store.list_segments(only, None, after, SEGMENTS_READ_MAX):
        for segment in page:
            if segment.segment_id == where.segment_id:
                return segment.first_index, segment.last_index
        after = (where.session_id, page[-1].first_index)
    raise SegmentNotFound(where.segment_id)


async def _entities(store: KnowledgeReads, entity_id: str, caller: Caller) -> Sequence[str]:
    """The ids of all that is one with an entity, if the caller may see one of its names."""
    if not entity_id:
        return ()
    group = (await store.entity_groups([entity_id])).get(entity_id, (entity_id,))
    if not await store.entities(group, scopes_of(caller)):
        raise EntityNotFound(entity_id)
    return group
