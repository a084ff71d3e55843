"""Cutting a session anew: what the replaced segments told is looked up, then the cut is written."""

import itertools
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import TypeVar

from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.knowledge.assert_fact import lines_wanted
from anamnesis_memory.knowledge.erasing import fact_of
from anamnesis_memory.knowledge.withdraw import PriorTellings, SegmentsTaught, told_by
from anamnesis_memory.ledger.cut import ReplaceSegments
from anamnesis_memory.model.memory import Kind, MemoryFilter
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.model.segments import SegmentState
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.life import ErasureSubject, LifeReads
from anamnesis_memory.ports.memories import MemoryReads
from anamnesis_memory.ports.pipeline import PipelineReads, SegmentFilter

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


async def _told(
    store: NamespaceStore, write: ReplaceSegments, predicates: SingleValued
) -> PriorTellings:
    """Look up the tellings of the segments that this cut replaces."""
    session = await store.session(write.lease.session_id)
    if session is None:
        return PriorTellings()
    staying = write.segment_ids(session)
    gone = {
        segment_id: revision
        for segment_id, revision in (await _taught(store, session.session_id)).items()
        if segment_id not in staying
    }
    if not gone:
        return PriorTellings()
    asked = {
        *await _founded(store, session.session_id, gone),
        *await _joined(store, session.session_id, gone),
    }
    facts = [one for one in await store.memories(sorted(asked), None) if fact_of(one)]
    ids = tuple(one.memory_id for one in facts)
    return PriorTellings(gone, ids, lines_wanted(facts, predicates), predicates)


async def _taught(store: PipelineReads, session_id: str) -> dict[str, int]:
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


async def _founded(store: MemoryReads, session_id: str, segment_ids: Collection[str]) -> set[str]:
    """Ids of facts that were learned from these segments, archived ones too."""
    where = MemoryFilter(kinds=(Kind.SEMANTIC,), session_ids=(session_id,), include_archived=True)
    found: set[str] = set()
    after: int | str | None = 0
    while isinstance(after, int):
        page = await store.list_memories(where, None, after, PAGE)
        found |= {one.memory_id for one in page.items if one.provenance.segment_id in segment_ids}
        after = page.next_after
    return found


async def _joined(store: LifeReads, session_id: str, segment_ids: Collection[str]) -> set[str]:
    """Ids of memories whose facts these segments told again."""
    subject = ErasureSubject(session_id=session_id)
    found: set[str] = set()
    after = ""
    while True:
        page = await store.list_copies(CopyRole.CONTRIBUTION, subject, after, PAGE)
        found |= {one.memory_id for one in page if told_by(one, segment_ids)}
        if len(page) < PAGE:
            return found
        after = page[-1].copy_id
