"""The pipeline in Neo4j: what writes see and change, inside their transaction.

What a write may claim, and what a session's segments taught, hangs on more records than it
names. So it is read at the write's turn, when what the writes before it did is put; the rest
is drafted like other records.

Tags of segments are nodes of their own, for an index does not look into the list of a memory's
tags.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import Claimable, WorkItem, WorkKey
from anamnesis_memory.ports import ReadSet, ReadView, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.pipeline_rows import (
    EVER_US,
    activity_row,
    added_usage,
    learned_of,
    segment_of,
    segment_row,
    tombstone_mark,
    work_of,
)

_SEGMENT_TAG = re.compile(r"segment:[0-9a-f]{8}")


@dataclass(slots=True)
class PipelineDraft:
    """Edits of the pipeline, to be put; later ones replace earlier ones of the same record."""

    work: dict[WorkKey, WorkItem] = field(default_factory=dict)
    segments: dict[str, Segment] = field(default_factory=dict)
    removed_segments: dict[str, None] = field(default_factory=dict)
    activities: list[Activity] = field(default_factory=list)
    usages: list[HourUsage] = field(default_factory=list)
    tombstones: list[bytes] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Records to be put or removed."""
        segments = len(self.segments) + len(self.removed_segments) + len(self.activities)
        return len(self.work) + segments + len(self.usages) + len(self.tombstones)

    def take(self, edits: WriteSet) -> None:
        """Take over the records of one write."""
        self.work.update((item.key, item) for item in edits.work)
        for segment_id in edits.removed_segments:
            self.segments.pop(segment_id, None)
            self.removed_segments[segment_id] = None
        self.segments.update((segment.segment_id, segment) for segment in edits.segments)
        self.activities += edits.activities
        self.usages += edits.usages
        self.tombstones += edits.tombstones


def looks_further(wanted: ReadSet) -> bool:
    """True if a write wants to see more than records that it names."""
    return bool(wanted.claimable or wanted.segments_of or wanted.tombstones)


async def look_further(
    tx: ScopedTransaction, wanted: ReadSet, seen: ReadView, secret: bytes
) -> ReadView:
    """The view, with the work, segments and tombstones that the write wants to see besides."""
    if wanted.claimable:
        seen = await _see_claimable(tx, wanted.claimable, seen)
    if wanted.segments_of:
        seen = await _see_segments(tx, wanted.segments_of, seen)
    if wanted.tombstones:
        marks = {tombstone_mark(secret, digest).hex(): digest for digest in wanted.tombstones}
        found = map(node, await tx.run("get_tombstones", marks=list(marks)))
        there = frozenset(marks[rows.text(row["mark"])] for row in found)
        seen = replace(seen, tombstones=there)
    return seen


async def put_pipeline(
    tx: ScopedTransaction, draft: PipelineDraft, memories: Iterable[Memory], secret: bytes
) -> None:
    """Put what was drafted but its work; `memories` hang on what they were learned from."""
    await tx.each("delete_segments", list(draft.removed_segments))
    await tx.put("put_segments", [dict(segment_row(one)) for one in draft.segments.values()])
    await _link(tx, memories)
    await tx.put("put_activities", [dict(activity_row(one)) for one in draft.activities])
    await tx.put("put_activity_memories", _taught(draft.activities))
    await tx.put("add_usages", [dict(added_usage(one)) for one in draft.usages])
    marks: list[Row] = [{"mark": tombstone_mark(secret, one).hex()} for one in draft.tombstones]
    await tx.put("put_tombstones", marks)


async def _link(tx: ScopedTransaction, memories: Iterable[Memory]) -> None:
    tagged: list[Row] = []
    learned: list[Row] = []
    for memory in memories:
        keys = (tag.casefold() for tag in memory.tags)
        tagged += [
            {"memory_id": memory.memory_id, "tag_key": key}
            for key in keys
            if _SEGMENT_TAG.fullmatch(key)
        ]
        if segment_id := memory.provenance.segment_id:
            learned.append({"memory_id": memory.memory_id, "segment_id": segment_id})
    await tx.put("put_tags", tagged)
    await tx.put("link_learned", learned)


def _taught(activities: Iterable[Activity]) -> list[Row]:
    return [
        {
            "revision": activity.revision,
            "segment_id": activity.segment_id,
            "place": place,
            "memory_id": memory_id,
        }
        for activity in activities
        for place, memory_id in enumerate(activity.memory_ids)
    ]


async def _see_claimable(tx: ScopedTransaction, asked: Claimable, seen: ReadView) -> ReadView:
    found = await tx.run(
        "claimable_of_session" if asked.session_id else "claimable",
        kind=asked.kind.value,
        session_id=asked.session_id,
        before_us=asked.before_us,
        until_us=EVER_US if asked.even_if_early else asked.before_us,
        limit=asked.limit,
    )
    items = tuple(map(work_of, map(node, found)))
    following = await tx.run("next_ready", kind=asked.kind.value, before_us=asked.before_us)
    names = [item.session_id for item in items]
    sessions = map(rows.session_of, map(node, await tx.each("get_sessions", names)))
    return replace(
        seen,
        claimable=items,
        next_ready_us=rows.number(node(following[0])["ready_us"]) if following else None,
        sessions={**seen.sessions, **{one.session_id: one for one in sessions}},
    )


async def _see_segments(
    tx: ScopedTransaction, session_ids: Sequence[str], seen: ReadView
) -> ReadView:
    found = map(segment_of, map(node, await tx.each("segments_of_sessions", session_ids)))
    listed = sorted(found, key=lambda one: one.first_index)
    tags = list(dict.fromkeys(one.tag for one in listed))
    tagged = map(node, await tx.run("memories_with_tags", tags=tags) if tags else ())
    in_order = sorted(tagged, key=lambda row: rows.number(row["memory_no"]))
    pairs = [(rows.text(row["tag"]), rows.text(row["memory_id"])) for row in in_order]
    segments = {
        name: tuple(one for one in listed if one.session_id == name) for name in session_ids
    }
    return replace(seen, segments=segments, learned=learned_of(listed, pairs))
