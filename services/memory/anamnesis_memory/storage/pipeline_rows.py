"""Rows to values and back, for what the pipeline keeps; shared by the databases.

A tombstone is kept as an HMAC-SHA256 of its digest under a key of the namespace.
"""

import hashlib
import hmac
import json
from collections.abc import Sequence

from anamnesis_libs.participants import among
from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.segments import Activity, Segment, SegmentState, TaskTypeStats
from anamnesis_memory.model.usage import TOTAL_MAX, HourUsage
from anamnesis_memory.model.work import WorkItem, WorkState
from anamnesis_memory.ports.pipeline import SegmentFilter
from anamnesis_memory.storage import rows

EVER_US = 2**63 - 1
"""Behind every moment and every revision."""

FIRST = ("", -1)
"""Sorts before every segment, as session and first event."""


def work_row(item: WorkItem) -> rows.Bindings:
    """A piece of work as stored, with from when it may be claimed."""
    row: rows.Bindings = {name: getattr(item, name) for name in WorkItem.__slots__}
    return row | {
        "kind": item.kind.value,
        "state": item.state.value,
        "again": int(item.again),
        "ready_us": item.ready_us,
    }


def work_of(row: rows.Record) -> WorkItem:
    """A row of `work`."""
    return WorkItem(
        kind=Work(rows.text(row["kind"])),
        session_id=rows.text(row["session_id"]),
        state=WorkState(rows.text(row["state"])),
        due_us=rows.number(row["due_us"]),
        update_time_us=rows.number(row["update_time_us"]),
        token=rows.number(row["token"]),
        holder=rows.text(row["holder"]),
        expires_us=rows.number(row["expires_us"]),
        attempts=rows.number(row["attempts"]),
        reason=rows.text(row["reason"]),
        again=bool(row["again"]),
    )


def segment_row(segment: Segment) -> rows.Bindings:
    """A segment as stored."""
    row: rows.Bindings = {name: getattr(segment, name) for name in Segment.__slots__}
    return row | {"state": segment.state.value}


def segment_of(row: rows.Record) -> Segment:
    """A row of `segments`."""
    score = row["score"]
    return Segment(
        segment_id=rows.text(row["segment_id"]),
        session_id=rows.text(row["session_id"]),
        first_index=rows.number(row["first_index"]),
        last_index=rows.number(row["last_index"]),
        fingerprint=rows.text(row["fingerprint"]),
        topic=rows.text(row["topic"]),
        summary=rows.text(row["summary"]),
        segmenter=rows.text(row["segmenter"]),
        create_time_us=rows.number(row["create_time_us"]),
        update_time_us=rows.number(row["update_time_us"]),
        revision=rows.number(row["revision"]),
        state=SegmentState(rows.text(row["state"])),
        task_type=rows.text(row["task_type"]),
        score=None if score is None else rows.real(score),
        metrics_json=rows.text(row["metrics_json"]),
        labeller=rows.text(row["labeller"]),
    )


def activity_row(activity: Activity) -> rows.Bindings:
    """An activity as stored; its memories are kept beside it."""
    row: rows.Bindings = {
        name: getattr(activity, name) for name in Activity.__slots__ if name != "memory_ids"
    }
    return row | {"refusals": json.dumps(activity.refusals)}


def activity_of(row: rows.Record, memory_ids: Sequence[str]) -> Activity:
    """A row of `activities`, with what is left of what was stored."""
    return Activity(
        time_us=rows.number(row["time_us"]),
        session_id=rows.text(row["session_id"]),
        segment_id=rows.text(row["segment_id"]),
        topic=rows.text(row["topic"]),
        memory_ids=tuple(memory_ids),
        facts=rows.number(row["facts"]),
        lessons=rows.number(row["lessons"]),
        procedures=rows.number(row["procedures"]),
        refusals=tuple((reason, count) for reason, count in json.loads(rows.text(row["refusals"]))),
        extractor=rows.text(row["extractor"]),
        revision=rows.number(row["revision"]),
    )


def task_type_of(row: rows.Record) -> TaskTypeStats:
    """A row of `count_task_types`."""
    return TaskTypeStats(
        task_type=rows.text(row["task_type"]),
        segments=rows.number(row["segments"]),
        mean_score=rows.real(row["mean_score"]),
        eligible_for_lessons=rows.number(row["eligible_for_lessons"]),
        eligible_for_sft=rows.number(row["eligible_for_sft"]),
        labelled=rows.number(row["labelled"]),
        extracted=rows.number(row["extracted"]),
    )


def usage_row(usage: HourUsage) -> rows.Bindings:
    """The row of what one purpose cost in one hour."""
    return {name: getattr(usage, name) for name in HourUsage.__slots__}


def added_usage(usage: HourUsage) -> rows.Bindings:
    """A row to be added to what there is, as far as sums go."""
    return {**usage_row(usage), "total_max": TOTAL_MAX}


def usage_of(row: rows.Record) -> HourUsage:
    """A row of `usages`."""
    return HourUsage(
        hour_us=rows.number(row["hour_us"]),
        purpose=rows.text(row["purpose"]),
        calls=rows.number(row["calls"]),
        input_tokens=rows.number(row["input_tokens"]),
        output_tokens=rows.number(row["output_tokens"]),
    )


def user_row(user_id: str) -> rows.Bindings:
    """A user as bindings of a list of what is that user's, alone or with others; "" is anybody."""
    return {"user_id": user_id, "of_user": among(user_id)}


def caller_row(caller: Caller | None) -> rows.Bindings:
    """A caller as bindings of a list; None sees all."""
    return {
        "sees_all": int(caller is None),
        "caller_agent": caller.agent_id if caller else "",
        "caller_user": caller.user_id if caller else "",
        "of_caller": among(caller.user_id) if caller else "",
    }


def segment_filter_row(
    where: SegmentFilter, caller: Caller | None, after: tuple[str, int] | None, limit: int
) -> rows.Bindings:
    """A filter, its caller and a place as bindings of `list_segments`."""
    after_session, after_index = after or FIRST
    return caller_row(caller) | {
        "session_id": where.session_id,
        "task_type": where.task_type,
        "min_score": where.min_score,
        "after_session": after_session,
        "after_index": after_index,
        "limit": limit,
    }


def learned_of(
    segments: Sequence[Segment], tagged: Sequence[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    """Memories by segment id, from pairs of a tag and a memory that carries it."""
    by_tag: dict[str, list[str]] = {}
    for tag, memory_id in tagged:
        by_tag.setdefault(tag, []).append(memory_id)
    return {one.segment_id: tuple(by_tag[one.tag]) for one in segments if one.tag in by_tag}


def tombstone_mark(secret: bytes, digest: bytes) -> bytes:
    """The mark of a tombstone: nobody without the key can find out what it was."""
    return hmac.new(secret, digest, hashlib.sha256).digest()
