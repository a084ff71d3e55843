"""What operators ask of the store in memory: the dicts of a namespace, told and put at once."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import numpy as np

from anamnesis_libs.errors import Conflict
from anamnesis_memory.domain.entities.names import KnownEntity, Mention
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactVersion, Telling
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Topic, Vectors
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.stubs import EventStub
from anamnesis_memory.model.uploads import NewUpload
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, moved
from anamnesis_memory.ports.upkeep import (
    Binding,
    Cursors,
    Deletion,
    Derived,
    Export,
    Kept,
    KeptMemory,
    Known,
    Learned,
    Record,
    RecordType,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)
from tests.support.fake_known import known_in, put_known
from tests.support.fake_records import Records
from tests.support.fake_work import PipelineRecords


class FakeUpkeep:
    """Implements `Upkeep` but for what embeds; a part of `FakeNamespace`."""

    _records: Records

    @asynccontextmanager
    async def export(self) -> AsyncIterator[Export]:
        """See `Upkeep.export`; records are values, so a list of them is a snapshot."""
        held = self._records
        cursors = Cursors(held.revision, held.topics_revision, held.assigned_revision)
        told = [*_told(held), cursors]
        yield Export(held.revision, _counts(held), held.bound, _pages(told))

    async def import_batch(self, records: Sequence[Record]) -> None:
        """See `Upkeep.import_batch`."""
        for record in records:
            _put(self._records, record)

    async def requeue_embeddings(self, memory_ids: Sequence[str]) -> None:
        """See `Upkeep.requeue_embeddings`."""
        for memory_id in memory_ids:
            self._records.vectors.pop(memory_id, None)

    async def repair_topics(self, topic_ids: Sequence[str]) -> None:
        """See `Upkeep.repair_topics`."""
        self._recompute(topic_ids, None)

    async def binding(self) -> Binding | None:
        """See `Upkeep.binding`."""
        return self._records.bound

    async def stage_embeddings(self, binding: Binding, embeddings: Mapping[str, Vectors]) -> None:
        """See `Upkeep.stage_embeddings`."""
        held = self._records
        if held.staged_binding != binding:
            held.staged, held.staged_binding = {}, binding
        held.staged |= {key: rows for key, rows in embeddings.items() if key in held.memories}

    async def unstaged(self, binding: Binding, limit: int) -> Sequence[str]:
        """See `Upkeep.unstaged`."""
        held = self._records
        staged = held.staged if held.staged_binding == binding else {}
        return [key for key in held.memories if key not in staged][:limit]

    async def switch_embeddings(self, binding: Binding) -> int:
        """See `Upkeep.switch_embeddings`."""
        held = self._records
        staged = held.staged if held.staged_binding == binding else {}
        if held.vectors.keys() - staged.keys():
            raise Conflict("not every memory has a vector of that model yet")
        held.vectors, held.staged = staged, {}
        held.bound, held.staged_binding = binding, None
        held.life.copies = {
            key: replace(one, vectors=None) for key, one in held.life.copies.items()
        }
        self._recompute(list(held.topics), binding.dimension)
        return held.revision

    def _recompute(self, topic_ids: Sequence[str], dimension: int | None) -> None:
        """Compute topics anew from their members, at the next revision."""
        held = self._records
        held.revision = held.topics_revision = held.revision + 1
        for topic_id in topic_ids:
            topic = held.topics.pop(topic_id, None)
            members = [key for key, place in held.members.items() if place == topic_id]
            if topic is not None and members:
                means = [held.vectors[key].mean(axis=0) for key in members if key in held.vectors]
                centroid = topic.centroid if dimension is None else np.zeros(dimension, np.float32)
                held.topics[topic_id] = replace(
                    topic,
                    member_count=len(members),
                    centroid=np.mean(means, axis=0, dtype=np.float32) if means else centroid,
                    revision=held.revision,
                )


def _told(held: Records) -> list[Record]:
    """Every record but the cursors, in the order of an export."""
    memories = [
        KeptMemory(
            memory, held.vectors.get(key), key not in held.vectors, held.life.digests.get(key, b"")
        )
        for key, memory in sorted(held.memories.items(), key=lambda one: held.places[one[0]])
    ]
    events = sorted(held.events.values(), key=lambda event: (event.session_id, event.index))
    members = sorted(held.members, key=lambda key: (held.members[key], held.places[key]))
    deletions = sorted(held.deletions.values(), key=lambda one: (one.revision, one.memory_id))
    return [
        *sorted(held.wings.values(), key=lambda wing: wing.wing),
        *(held.sessions[key] for key in sorted(held.sessions)),
        *sorted(held.pipeline.segments.values(), key=lambda one: (one.session_id, one.first_index)),
        *memories,
        *([TombstoneKey(held.pipeline.tombstone_key)] if held.stubs else []),
        *(held.stubs[place] for place in sorted(held.stubs)),
        *(replace(event, content="") if event.memory_id else event for event in events),
        *(held.topics[key] for key in sorted(held.topics)),
        *(TopicPlace(key, held.members[key], key in held.held) for key in members),
        *deletions,
        *_learned(held.pipeline, with_key=not held.stubs),
        *sorted(held.uploads.values(), key=_place_of),
        *(held.life.edges[key] for key in sorted(held.life.edges)),
        *(held.life.copies[key] for key in sorted(held.life.copies)),
        *(held.life.documents[key] for key in sorted(held.life.documents)),
        *known_in(held.knowledge),
    ]


def _place_of(new: NewUpload) -> tuple[str, str]:
    return new.upload.session_id, new.upload.upload_id


def _learned(held: PipelineRecords, *, with_key: bool) -> list[Record]:
    """What the pipeline keeps but for segments."""
    return [
        *sorted(held.activities, key=lambda one: (one.revision, one.segment_id)),
        *(held.work[key] for key in sorted(held.work)),
        *([TombstoneKey(held.tombstone_key)] if held.tombstones and with_key else []),
        *map(Tombstone, sorted(held.tombstones)),
        *(held.usages[key] for key in sorted(held.usages)),
    ]


def _counts(held: Records) -> dict[RecordType, int]:
    return {
        RecordType.WINGS: len(held.wings),
        RecordType.SESSIONS: len(held.sessions),
        RecordType.MEMORIES: len(held.memories),
        RecordType.EMBEDDINGS: len(held.vectors),
        RecordType.EVENTS: len(held.events),
        RecordType.TOPICS: len(held.topics),
        RecordType.TOPIC_MEMBERS: len(held.members),
        RecordType.DELETIONS: len(held.deletions),
        RecordType.SEGMENTS: len(held.pipeline.segments),
        RecordType.ACTIVITIES: len(held.pipeline.activities),
        RecordType.WORK: len(held.pipeline.work),
        RecordType.TOMBSTONES: len(held.pipeline.tombstones),
        RecordType.USAGES: len(held.pipeline.usages),
        RecordType.STUBS: len(held.stubs),
        RecordType.UPLOADS: len(held.uploads),
        RecordType.EDGES: len(held.life.edges),
        RecordType.COPIES: len(held.life.copies),
        RecordType.DOCUMENTS: len(held.life.documents),
        RecordType.ENTITIES: len(held.knowledge.entities),
        RecordType.MENTIONS: len(held.knowledge.mentions),
        RecordType.TELLINGS: len(held.knowledge.tellings),
        RecordType.FACT_VERSIONS: len(held.knowledge.versions),
        RecordType.REASONS: len(held.knowledge.reasons),
    }


async def _pages(told: Sequence[Record]) -> AsyncIterator[Sequence[Record]]:
    yield told


def _put(held: Records, record: Record) -> None:
    """Put one record as it is."""
    match record:
        case Wing():
            held.wings[record.key] = record
        case Session():
            held.sessions[record.session_id] = record
        case KeptMemory():
            held.put_memory(record.memory, record.digest or None)
            if record.vectors is not None:
                held.vectors[record.memory.memory_id] = record.vectors
        case Event():
            drawer = held.memories.get(record.memory_id)
            text = drawer.content if drawer else record.content
            held.events[record.session_id, record.index] = replace(record, content=text)
        case EventStub() | NewUpload() | Edge() | Copy() | Document():
            _put_kept(held, record)
        case Topic() | TopicPlace() | Deletion() | Cursors():
            _put_derived(held, record)
        case _:
            _put_more(held, record)


def _put_more(held: Records, record: Learned | Known) -> None:
    match record:
        case KnownEntity() | Mention() | Telling() | FactVersion() | ReviewReason():
            put_known(held, record)
        case _:
            _put_learned(held, record)


def _put_kept(held: Records, record: Kept) -> None:
    match record:
        case EventStub() if record.session_id in held.sessions:
            held.stubs[record.session_id, record.index] = record
        case NewUpload() if record.upload.session_id in held.sessions:
            held.uploads[record.upload.upload_id] = record
        case Edge():
            held.life.put_edge(record, held.memories)
        case Copy():
            held.life.put_copy(record, held.memories)
        case Document():
            held.life.documents[record.key] = record


def _put_derived(held: Records, record: Derived) -> None:
    match record:
        case Topic():
            held.topics[record.topic_id] = record
        case TopicPlace():
            if record.memory_id in held.memories:
                held.members[record.memory_id] = record.topic_id
                held.held |= {record.memory_id} if record.held else set()
        case Deletion():
            held.deletions[record.memory_id] = record
        case Cursors():
            held.revision = record.revision
            held.topics_revision = record.topics_revision
            held.assigned_revision = record.assigned_revision


def _put_learned(held: Records, record: Learned) -> None:
    kept = held.pipeline
    match record:
        case Segment():
            if record.session_id in held.sessions:
                kept.segments[record.segment_id] = record
        case Activity():
            there = tuple(one for one in record.memory_ids if one in held.memories)
            key = (record.revision, record.segment_id)
            others = [one for one in kept.activities if (one.revision, one.segment_id) != key]
            kept.activities = [*others, replace(record, memory_ids=there)]
        case WorkItem():
            kept.put_work(moved(record))
        case TombstoneKey():
            kept.tombstone_key = record.key
        case Tombstone():
            kept.tombstones.add(record.mark)
        case HourUsage():
            kept.usages[record.hour_us, record.purpose] = record
