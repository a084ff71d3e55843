"""The pipeline in SQLite: what writes see and change, inside their transaction."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import apsw

from anamnesis_memory.model.segments import Activity, Segment
from anamnesis_memory.model.work import Claimable, WorkItem, WorkKey
from anamnesis_memory.ports import ReadSet, ReadView, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.pipeline_rows import (
    EVER_US,
    activity_row,
    added_usage,
    learned_of,
    segment_of,
    segment_row,
    tombstone_mark,
    work_of,
    work_row,
)

Queries = Mapping[str, str]


def see_pipeline(
    connection: apsw.Connection, q: Queries, wanted: ReadSet, seen: ReadView
) -> ReadView:
    """The view, with the work, segments and tombstones that a write wants to see too."""
    if wanted.work or wanted.claimable:
        seen = _see_work(connection, q, wanted, seen)
    if wanted.segments_of:
        seen = _see_segments(connection, q, wanted.segments_of, seen)
    if wanted.tombstones:
        seen = replace(seen, tombstones=_tombstones(connection, q, wanted.tombstones))
    return seen


def apply_pipeline(connection: apsw.Connection, q: Queries, edits: WriteSet) -> None:
    """Put and remove what the edits name of the pipeline."""
    if edits.work:
        connection.executemany(q["put_work"], map(work_row, edits.work))
        token = max(item.token for item in edits.work)
        connection.execute(q["raise_meta"], {"key": "last_token", "value": token})
    for segment_id in edits.removed_segments:
        connection.execute(q["delete_segment"], {"segment_id": segment_id})
    for segment in edits.segments:
        connection.execute(q["put_segment"], segment_row(segment))
    for activity in edits.activities:
        put_activity(connection, q, activity)
    for usage in edits.usages:
        connection.execute(q["add_usage"], added_usage(usage))
    if edits.tombstones:
        marks = _marks(connection, q, edits.tombstones)
        connection.executemany(q["put_tombstone"], [{"mark": mark} for mark in marks])


def forget_in_activities(connection: apsw.Connection, q: Queries, memory_id: str) -> None:
    """Take a memory out of the lists of what was learned."""
    connection.execute(q["forget_activity_memory"], {"memory_id": memory_id})


def _see_work(connection: apsw.Connection, q: Queries, wanted: ReadSet, seen: ReadView) -> ReadView:
    token = rows.number(connection.execute(q["get_meta"], {"key": "last_token"}).get)
    seen = replace(seen, work=_work(connection, q, wanted.work), next_token=token + 1)
    if wanted.claimable is None:
        return seen
    items = _claimable(connection, q, wanted.claimable)
    following = connection.execute(
        q["next_ready"],
        {"kind": wanted.claimable.kind.value, "before_us": wanted.claimable.before_us},
    ).get
    sessions = {
        item.session_id: rows.session_of(row)
        for item in items
        for row in rows.records(
            connection.execute(q["get_session"], {"session_id": item.session_id})
        )
    }
    return replace(
        seen,
        claimable=items,
        next_ready_us=rows.optional(following),
        sessions={**seen.sessions, **sessions},
    )


def _work(
    connection: apsw.Connection, q: Queries, keys: Sequence[WorkKey]
) -> dict[WorkKey, WorkItem]:
    asked = json.dumps([(kind.value, session_id) for kind, session_id in keys])
    found = rows.records(connection.execute(q["get_work"], {"keys": asked}))
    return {item.key: item for item in map(work_of, found)}


def _claimable(connection: apsw.Connection, q: Queries, asked: Claimable) -> tuple[WorkItem, ...]:
    query = q["claimable_of_session" if asked.session_id else "claimable"]
    bindings: rows.Bindings = {
        "kind": asked.kind.value,
        "session_id": asked.session_id,
        "before_us": asked.before_us,
        "until_us": EVER_US if asked.even_if_early else asked.before_us,
        "limit": asked.limit,
    }
    return tuple(map(work_of, rows.records(connection.execute(query, bindings))))


def _see_segments(
    connection: apsw.Connection, q: Queries, session_ids: Sequence[str], seen: ReadView
) -> ReadView:
    segments: dict[str, tuple[Segment, ...]] = {}
    for session_id in session_ids:
        found = connection.execute(q["segments_of_session"], {"session_id": session_id})
        segments[session_id] = tuple(map(segment_of, rows.records(found)))
    listed = [one for held in segments.values() for one in held]
    tags = json.dumps(list(dict.fromkeys(one.tag for one in listed)))
    tagged = list(connection.execute(q["memories_with_tags"], {"tags": tags}))
    return replace(seen, segments=segments, learned=learned_of(listed, tagged))


def put_activity(connection: apsw.Connection, q: Queries, activity: Activity) -> None:
    """Put what a segment taught; one that is there gets another topic."""
    connection.execute(q["put_activity"], activity_row(activity))
    key = {"revision": activity.revision, "segment_id": activity.segment_id}
    connection.executemany(
        q["put_activity_memory"],
        [
            {**key, "place": place, "memory_id": memory_id}
            for place, memory_id in enumerate(activity.memory_ids)
        ],
    )


def _tombstones(
    connection: apsw.Connection, q: Queries, digests: Sequence[bytes]
) -> frozenset[bytes]:
    marked = zip(digests, _marks(connection, q, digests), strict=True)
    return frozenset(
        digest
        for digest, mark in marked
        if connection.execute(q["get_tombstone"], {"mark": mark}).fetchone()
    )


def _marks(connection: apsw.Connection, q: Queries, digests: Sequence[bytes]) -> list[bytes]:
    secret = rows.blob(connection.execute(q["get_secret"], {"name": "tombstones"}).get)
    return [tombstone_mark(secret, digest) for digest in digests]
