"""Putting records of an export into SQLite as they are, inside one transaction."""

from collections.abc import Mapping
from dataclasses import asdict, replace

import apsw

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
from anamnesis_memory.ports import WriteSet
from anamnesis_memory.ports.upkeep import (
    Cursors,
    Deletion,
    Derived,
    Kept,
    KeptMemory,
    Learned,
    Record,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.pipeline_rows import usage_row
from anamnesis_memory.storage.sqlite.knowledge import put_known
from anamnesis_memory.storage.sqlite.life import put_copies, put_documents, put_edges
from anamnesis_memory.storage.sqlite.topics import put_member, put_topic
from anamnesis_memory.storage.sqlite.uploads import put_uploads
from anamnesis_memory.storage.sqlite.work import apply_pipeline, put_activity
from anamnesis_memory.storage.sqlite.writes import (
    memory_no,
    put_memory,
    put_session,
    put_wing,
    set_meta,
)
from anamnesis_memory.storage.stub_rows import stub_row

Queries = Mapping[str, str]

CURSORS = ("revision", "topics_revision", "assigned_revision")


def put_record(connection: apsw.Connection, q: Queries, record: Record) -> None:
    """Put one record; what hangs on another that is not there is passed over."""
    match record:
        case Wing():
            put_wing(connection, q, record)
        case Session():
            put_session(connection, q, record)
        case KeptMemory():
            put_memory(connection, q, record.memory, record.vectors, record.digest or None)
        case Event():
            connection.execute(q["put_event"], rows.event_row(record))
        case EventStub() | NewUpload() | Edge() | Copy() | Document():
            _put_kept(connection, q, record)
        case Topic() | TopicPlace() | Deletion() | Cursors():
            _put_derived(connection, q, record)
        case KnownEntity() | Mention() | Telling() | FactVersion() | ReviewReason():
            put_known(connection, q, record)
        case _:
            _put_learned(connection, q, record)


def _put_kept(connection: apsw.Connection, q: Queries, record: Kept) -> None:
    match record:
        case EventStub() if _has_session(connection, q, record.session_id):
            connection.execute(q["put_stub"], stub_row(record))
        case NewUpload() if _has_session(connection, q, record.upload.session_id):
            put_uploads(connection, q, [record])
        case Edge():
            put_edges(connection, q, [record])
        case Copy():
            put_copies(connection, q, [record])
        case Document():
            put_documents(connection, q, [record])


def _has_session(connection: apsw.Connection, q: Queries, session_id: str) -> bool:
    return bool(connection.execute(q["get_session"], {"session_id": session_id}).fetchone())


def _put_derived(connection: apsw.Connection, q: Queries, record: Derived) -> None:
    match record:
        case Topic():
            put_topic(connection, q, record)
        case TopicPlace():
            _place(connection, q, record)
        case Deletion():
            connection.execute(q["put_deletion"], asdict(record))
        case Cursors():
            for name in CURSORS:
                set_meta(connection, q, name, getattr(record, name))


def _put_learned(connection: apsw.Connection, q: Queries, record: Learned) -> None:
    match record:
        case Segment():
            if _has_session(connection, q, record.session_id):
                apply_pipeline(connection, q, WriteSet(segments=(record,)))
        case Activity():
            _put_activity(connection, q, record)
        case WorkItem():
            apply_pipeline(connection, q, WriteSet(work=(moved(record),)))
        case TombstoneKey():
            connection.execute(q["put_tombstone_key"], {"key": record.key})
        case Tombstone():
            connection.execute(q["put_tombstone"], {"mark": record.mark})
        case HourUsage():
            connection.execute(q["put_usage"], usage_row(record))


def _place(connection: apsw.Connection, q: Queries, place: TopicPlace) -> None:
    number = memory_no(connection, q, place.memory_id)
    if number is not None:
        put_member(connection, q, number, place.topic_id, held=place.held)


def _put_activity(connection: apsw.Connection, q: Queries, activity: Activity) -> None:
    key: rows.Bindings = {"revision": activity.revision, "segment_id": activity.segment_id}
    connection.execute(q["clear_activity"], key)
    connection.execute(q["clear_activity_memories"], key)
    there = tuple(one for one in activity.memory_ids if memory_no(connection, q, one) is not None)
    put_activity(connection, q, replace(activity, memory_ids=there))
