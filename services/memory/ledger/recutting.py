"""Cutting a session anew: what the replaced segments told is looked up, then the cut is written."""

import itertools
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import TypeVar

from services.memory.copies import CopyRole
from services.memory.facts.predicates import SingleValued
from services.memory.knowledge.erasing import fact_of
from services.memory.knowledge.telling import lines_wanted
from services.memory.knowledge.untelling import SegmentsTaught, Told, told_by
from services.memory.ledger.cut import ReplaceSegments
from services.memory.ledger.segments import SegmentState
from services.memory.model import Kind, MemoryFilter
from services.memory.ports import NamespaceStore
from services.memory.ports.life import Subject
from services.memory.ports.pipeline import SegmentFilter

TRIES_MAX = 10
PAGE = 200

A = TypeVar("A")


async def cut_anew(
    store: NamespaceStore,
    write: ReplaceSegments,
    predicates: SingleValued,
    commit: Callable[[ReplaceSegments], Awaitable[A]],
) -> A:
    """Cut a session by `commit`, which is given the write with all that it has to see.

    Raises:
        SegmentsTaught: the segments that go teach more again and again.
    """
    for tries in itertools.count(1):
        told = await _told(store, write, predicates)
        try:
            return await commit(replace(write, told=told))
        except SegmentsTaught:
            if tries == TRIES_MAX:
                raise
    raise AssertionError("it is tried until it is done, or refused")


async def _told(store: NamespaceStore, write: ReplaceSegments, predicates: SingleValued) -> Told:
    """What the segments that this cut replaces have told."""
    session = await store.session(write.lease.session_id)
    if session is None:
        return Told()
    staying = write.segment_ids(session)
    gone = {
        segment_id: revision
        for segment_id, revision in (await _taught(store, session.session_id)).items()
        if segment_id not in staying
    }
    if not gone:
        return Told()
    asked = {
        *await _founded(store, session.session_id, gone),
        *await _joined(store, session.session_id, gone),
    }
    facts = [one for one in await store.memories(sorted(asked), None) if fact_of(one)]
    ids = tuple(one.memory_id for one in facts)
    return Told(gone, ids, lines_wanted(facts, predicates), predicates)


async def _taught(store: NamespaceStore, session_id: str) -> dict[str, int]:
    """The segments that have taught, with their revisions."""
    found: dict[str, int] = {}
    after = None
    while True:
        page = await store.list_segments(SegmentFilter(session_id), None, after, PAGE)
        taught = (one for one in page if one.state is SegmentState.EXTRACTED)
        found |= {one.segment_id: one.revision for one in taught}
        if len(page) < PAGE:
            return found
        after = (session_id, page[-1].first_index)


async def _founded(
    store: NamespaceStore, session_id: str, segment_ids: Collection[str]
) -> set[str]:
    """Memories that were learned from these segments, archived ones too."""
    where = MemoryFilter(kinds=(Kind.SEMANTIC,), session_ids=(session_id,), include_archived=True)
    found: set[str] = set()
    after: int | str | None = 0
    while isinstance(after, int):
        page = await store.list_memories(where, None, after, PAGE)
        found |= {one.memory_id for one in page.items if one.provenance.segment_id in segment_ids}
        after = page.next_after
    return found


async def _joined(store: NamespaceStore, session_id: str, segment_ids: Collection[str]) -> set[str]:
    """Memories of which these segments told again what they hold."""
    subject = Subject(session_id=session_id)
    found: set[str] = set()
    after = ""
    while True:
        page = await store.list_copies(CopyRole.CONTRIBUTION, subject, after, PAGE)
        found |= {one.memory_id for one in page if told_by(one, segment_ids)}
        if len(page) < PAGE:
            return found
        after = page[-1].copy_id
