"""Putting records of an export into Neo4j as they are: the same statements that commits use."""

from collections.abc import Sequence
from dataclasses import asdict

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Topic
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import EventStub
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, moved
from anamnesis_memory.ports import CommitStamp, WriteSet
from anamnesis_memory.ports.upkeep import (
    Cursors,
    Deletion,
    KeptMemory,
    Record,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)
from anamnesis_memory.storage.neo4j.draft import Clock, Draft, Loaded
from anamnesis_memory.storage.neo4j.facts import put_reasons
from anamnesis_memory.storage.neo4j.puts import put_draft
from anamnesis_memory.storage.neo4j.retention import put_stubs
from anamnesis_memory.storage.neo4j.rows import topic_row
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.neo4j.uploads import put_upload
from anamnesis_memory.storage.pipeline_rows import usage_row

_AS_IT_WAS = CommitStamp(revision=0, now_us=0)
"""Records are put with their own revisions and times."""


async def put_records(tx: ScopedTransaction, records: Sequence[Record], clock: Clock) -> None:
    """Put a batch; `clock` counts on, and is set where the batch has `Cursors`.

    What hangs on a record that is not there is passed over. Stubs hang on memories, and events
    on them, so a batch goes in two parts.
    """
    stubs = [record for record in records if isinstance(record, EventStub)]
    start = records.index(stubs[0]) if stubs else len(records)
    await _put(tx, records[:start], clock)
    await put_stubs(tx, stubs)
    await _put(tx, records[start:], clock)


async def _put(tx: ScopedTransaction, records: Sequence[Record], clock: Clock) -> None:
    draft = Draft(clock, Loaded())
    for record in records:
        _take(draft, record)
    activities: list[Row] = [
        {"revision": one.revision, "segment_id": one.segment_id}
        for one in draft.pipeline.activities
    ]
    await tx.put("clear_activities", activities)
    await put_draft(tx, draft)
    topics = [topic_row(record) for record in records if isinstance(record, Topic)]
    await tx.put("put_topics", topics)
    await _place(tx, [record for record in records if isinstance(record, TopicPlace)])
    gone: list[Row] = [dict(asdict(record)) for record in records if isinstance(record, Deletion)]
    await tx.put("put_deletions", gone)
    await put_reasons(tx, [record for record in records if isinstance(record, ReviewReason)])
    await _put_counted(tx, records)
    for record in records:
        if isinstance(record, NewUpload):
            await put_upload(tx, record)


def _take(draft: Draft, record: Record) -> None:
    """Take over what a commit could have written, and the clock."""
    match record:
        case Wing():
            draft.wings[record.key] = record
            draft.clock.last_wing = max(draft.clock.last_wing, record.wing)
        case Session():
            draft.sessions[record.session_id] = record
            draft.founded.add(record.session_id)
        case KeptMemory():
            _take_memory(draft, record)
        case Event():
            _take_event(draft, record)
        case Cursors():
            draft.clock.revision = record.revision
            draft.clock.topics_revision = record.topics_revision
            draft.clock.assigned_revision = record.assigned_revision
        case Segment() | Activity() | WorkItem() | Edge() | Copy() | Document():
            draft.take(_edits_of(record), _AS_IT_WAS)
        case KnownEntity() | Mention() | Telling() | FactVersion():
            draft.knowledge.take(_known(record))
        case _:
            return


def _edits_of(record: Segment | Activity | WorkItem | Edge | Copy | Document) -> WriteSet:
    match record:
        case Segment():
            return WriteSet(segments=(record,))
        case Activity():
            return WriteSet(activities=(record,))
        case WorkItem():
            return WriteSet(work=(moved(record),))
        case Edge():
            return WriteSet(edges=(record,))
        case Copy():
            return WriteSet(copies=(record,))
        case Document():
            return WriteSet(documents=(record,))


def _known(record: KnownEntity | Mention | Telling | FactVersion) -> WriteSet:
    match record:
        case KnownEntity():
            return WriteSet(entities=(record,))
        case Mention():
            return WriteSet(mentions=(record,))
        case Telling():
            return WriteSet(tellings=(record,))
        case FactVersion():
            return WriteSet(fact_versions=(record,))


def _take_memory(draft: Draft, kept: KeptMemory) -> None:
    memory_id = kept.memory.memory_id
    draft.memories[memory_id] = kept.memory
    if kept.vectors is not None:
        draft.vectors[memory_id] = kept.vectors
    if kept.digest:
        draft.life.digests[memory_id] = kept.digest


def _take_event(draft: Draft, event: Event) -> None:
    """Events of a session come in order, so the first goes on where the last batch stopped."""
    draft.events[event.session_id, event.index] = event
    first = draft.grown_from.get(event.session_id, event.index)
    draft.grown_from[event.session_id] = min(first, event.index)


async def _place(tx: ScopedTransaction, places: Sequence[TopicPlace]) -> None:
    await tx.each("leave_topics", [place.memory_id for place in places])
    await tx.put(
        "join_topics",
        [asdict(place) for place in places],
    )


async def _put_counted(tx: ScopedTransaction, records: Sequence[Record]) -> None:
    """Put what models cost, and the marks of what must not be learned again, with their key."""
    usages = [dict(usage_row(record)) for record in records if isinstance(record, HourUsage)]
    await tx.put("put_usages", usages)
    marks: list[Row] = [
        {"mark": record.mark.hex()} for record in records if isinstance(record, Tombstone)
    ]
    await tx.put("put_tombstones", marks)
    for record in records:
        if isinstance(record, TombstoneKey):
            await tx.run("put_tombstone_key", key=record.key)
