"""Rows to values and back, for SQLite. Rows come as tuples in column order."""

import json
from collections.abc import Mapping
from dataclasses import asdict

import apsw
import numpy as np
from pydantic import TypeAdapter

from anamnesis_libs.storage.sqlite import SqliteValue
from anamnesis_memory.model.expiry import Expiring
from anamnesis_memory.model.memory import (
    Kind,
    Memory,
    Namespace,
    Provenance,
    Refinement,
    Status,
    Tier,
    Topic,
    Vectors,
    Visibility,
)
from anamnesis_memory.model.memory_details import (
    Episode,
    EpisodeStage,
    Fact,
    JsonDocument,
    Lesson,
    Part,
    Procedure,
    Role,
)
from anamnesis_memory.model.session import Event, Session, SessionState, ToolCall, Wing
from anamnesis_memory.storage.document_rows import document_columns

Bindings = dict[str, SqliteValue]
Record = dict[str, SqliteValue]
_Adapter = (
    TypeAdapter[Fact] | TypeAdapter[Procedure] | TypeAdapter[Lesson] | TypeAdapter[JsonDocument]
)
_PARTS: Mapping[Kind, _Adapter] = {
    Kind.SEMANTIC: TypeAdapter(Fact),
    Kind.PROCEDURAL: TypeAdapter(Procedure),
    Kind.LEARNING: TypeAdapter(Lesson),
    Kind.DOCUMENT: TypeAdapter(JsonDocument),
}
_PROVENANCE = TypeAdapter(Provenance)
_json = json.JSONEncoder(ensure_ascii=False).encode
_REFINEMENT = TypeAdapter(Refinement)


# an enum looks a value up ten times slower, and each memory that is read has seven
_KINDS = {one.value: one for one in Kind}
_TIERS = {one.value: one for one in Tier}
_STATUSES = {one.value: one for one in Status}
_VISIBILITIES = {one.value: one for one in Visibility}
_ROLES = {one.value: one for one in Role}
_STAGES = {one.value: one for one in EpisodeStage}


def records(cursor: apsw.Cursor) -> list[Record]:
    """Read a result as mappings from column name to value."""
    first = cursor.fetchone()
    if first is None:
        return []
    names = [str(column[0]) for column in cursor.get_description()]
    return [dict(zip(names, row, strict=True)) for row in (first, *cursor)]


def text(value: SqliteValue) -> str:
    """A TEXT column that is never null."""
    assert isinstance(value, str)
    return value


def number(value: SqliteValue) -> int:
    """An INTEGER column that is never null."""
    assert isinstance(value, int)
    return value


def real(value: SqliteValue) -> float:
    """A REAL column that is never null."""
    assert isinstance(value, float | int)
    return float(value)


def texts(value: object) -> tuple[str, ...]:
    """A list of strings: JSON in a column of SQLite, a list of a node; most are empty."""
    if value == "[]":
        return ()
    held = json.loads(value) if isinstance(value, str) else value
    assert isinstance(held, list)
    return tuple(held)


def blob(value: SqliteValue) -> bytes:
    """A BLOB column that is never null."""
    assert isinstance(value, bytes)
    return value


def optional(value: SqliteValue) -> int | None:
    """An INTEGER column that may be null."""
    return None if value is None else number(value)


def vectors_of(pieces: SqliteValue, packed: SqliteValue) -> Vectors:
    """Unpack float32 rows."""
    return np.frombuffer(blob(packed), dtype=np.float32).reshape(number(pieces), -1)


def embedding_row(memory_no: int, vectors: Vectors) -> Bindings:
    """Vectors as stored."""
    packed = np.ascontiguousarray(vectors, dtype=np.float32)
    return {"memory_no": memory_no, "pieces": packed.shape[0], "vectors": packed.tobytes()}


def wing_of(row: Record) -> Wing:
    """A row of `wings`."""
    return Wing(number(row["wing"]), text(row["wing_key"]), number(row["next_room"]))


def session_of(row: Record) -> Session:
    """A row of `sessions`."""
    return Session(
        session_id=text(row["session_id"]),
        agent_id=text(row["agent_id"]),
        user_id=text(row["user_id"]),
        label=text(row["label"]),
        parent_session_id=text(row["parent_session_id"]),
        state=SessionState(text(row["state"])),
        visibility=Visibility(text(row["visibility"])),
        wing=number(row["wing"]),
        room=number(row["room"]),
        event_count=number(row["event_count"]),
        next_index=number(row["next_index"]),
        next_drawer=number(row["next_drawer"]),
        start_time_us=optional(row["start_time_us"]),
        end_time_us=optional(row["end_time_us"]),
        create_time_us=number(row["create_time_us"]),
        update_time_us=number(row["update_time_us"]),
        revision=number(row["revision"]),
        expired_before_index=optional(row["expired_before_index"]) or 0,
        project=text(row.get("project") or ""),
    )


def event_of(row: Record) -> Event:
    """A row of `events` with its `text`, which may be the drawer's."""
    calls = json.loads(text(row["tool_calls"]))
    return Event(
        session_id=text(row["session_id"]),
        index=number(row["event_index"]),
        role=Role(text(row["role"])),
        name=text(row["name"]),
        content=text(row["text"]),
        digest=blob(row["digest"]),
        event_time_us=optional(row["event_time_us"]),
        tool_calls=tuple(ToolCall(*call) for call in calls),
        tool_call_id=text(row["tool_call_id"]),
        reasoning=text(row["reasoning"]),
        modality=text(row["modality"]),
        source_line=number(row["source_line"]),
        memory_id=text(row["memory_id"]),
        token_count=number(row["token_count"]),
        utc_offset_minutes=optional(row["utc_offset_minutes"]),
    )


def event_row(event: Event) -> Bindings:
    """An event as stored; its text is left to its drawer where it has one."""
    calls = [(call.call_id, call.name, call.arguments) for call in event.tool_calls]
    return {
        "session_id": event.session_id,
        "event_index": event.index,
        "role": event.role.value,
        "name": event.name,
        "content": None if event.memory_id else event.content,
        "digest": event.digest,
        "event_time_us": event.event_time_us,
        "tool_calls": _json(calls),
        "tool_call_id": event.tool_call_id,
        "reasoning": event.reasoning,
        "modality": event.modality,
        "source_line": event.source_line,
        "memory_id": event.memory_id,
        "token_count": event.token_count,
        "utc_offset_minutes": event.utc_offset_minutes,
    }


def session_row(session: Session) -> Bindings:
    """A session as stored."""
    row: Bindings = {name: getattr(session, name) for name in Session.__slots__}
    return row | {"state": session.state.value, "visibility": session.visibility.value}


def part_of(kind: Kind, packed: SqliteValue) -> Part:
    """The typed part of a memory, from JSON; what was not there when it was stored is empty."""
    if packed is None:
        return None
    held = json.loads(text(packed))
    if kind is Kind.EPISODIC:
        role, stage = _ROLES[held["role"]], _STAGES[held["stage"]]
        return Episode(role, held["name"], held["event_index"], stage)
    return _PARTS[kind].validate_python(held)


def refinement_of(packed: SqliteValue) -> Refinement | None:
    """A refinement from JSON; null is none."""
    return None if packed is None else _REFINEMENT.validate_json(text(packed))


def memory_of(row: Record) -> Memory:
    """A row of `memories`."""
    kind = _KINDS[text(row["kind"])]
    return Memory(
        memory_id=text(row["memory_id"]),
        kind=kind,
        category=text(row["category"]),
        content=text(row["content"]),
        summary=text(row["summary"]),
        overview=text(row["overview"]),
        tags=texts(row["tags"]),
        entities=texts(row["entities"]),
        importance=real(row["importance"]),
        confidence=real(row["confidence"]),
        tier=_TIERS[text(row["tier"])],
        status=_STATUSES[text(row["status"])],
        visibility=_VISIBILITIES[text(row["visibility"])],
        agent_id=text(row["agent_id"]),
        user_id=text(row["user_id"]),
        session_id=text(row["session_id"]),
        event_index=optional(row["event_index"]),
        event_time_us=optional(row["event_time_us"]),
        create_time_us=number(row["create_time_us"]),
        update_time_us=number(row["update_time_us"]),
        revision=number(row["revision"]),
        provenance=_PROVENANCE.validate_json(text(row["provenance"])),
        pointer=text(row["pointer"]),
        hit_count=number(row["hit_count"]),
        pinned=bool(row["pinned"]),
        needs_review=bool(row["needs_review"]),
        part=part_of(kind, row["part"]),
        archive_time_us=optional(row["archive_time_us"]),
        last_hit_us=optional(row["last_hit_us"]),
        stability_days=real(row["stability_days"]),
        review_us=number(row["review_us"]),
        centrality=real(row["centrality"]),
        expire_time_us=optional(row["expire_time_us"]),
        utc_offset_minutes=optional(row["utc_offset_minutes"]),
    )


def expiring_of(row: Mapping[str, SqliteValue]) -> Expiring:
    """A row of a memory that expires."""
    return Expiring(text(row["memory_id"]), number(row["expire_time_us"]))


def memory_row(memory: Memory) -> Bindings:
    """A memory as stored."""
    row: Bindings = {
        name: getattr(memory, name)
        for name in Memory.__slots__
        if name not in ("tags", "entities", "provenance", "part", "pinned", "needs_review")
    }
    return row | {
        **document_columns(memory),
        "tags": _json(memory.tags),
        "entities": _json(memory.entities),
        "provenance": _json(_provenance_row(memory.provenance)),
        "origin": memory.provenance.origin.value,
        "pinned": int(memory.pinned),
        "needs_review": int(memory.needs_review),
        "part": None if memory.part is None else _json(_part_row(memory.part)),
    }


def _part_row(part: Part) -> Mapping[str, object]:
    """A typed part as JSON holds it; that of a drawer has nothing in it that is to be copied."""
    if isinstance(part, Episode):
        return {name: getattr(part, name) for name in Episode.__slots__}
    assert part is not None
    return asdict(part)


def _provenance_row(source: Provenance) -> dict[str, object]:
    row: dict[str, object] = {name: getattr(source, name) for name in Provenance.__slots__}
    return row if source.refinement is None else row | {"refinement": asdict(source.refinement)}


def topic_of(row: Record) -> Topic:
    """A row of `topics`."""
    return Topic(
        topic_id=text(row["topic_id"]),
        label=text(row["label"]),
        scope=text(row["scope"]),
        member_count=number(row["member_count"]),
        centroid=np.frombuffer(blob(row["centroid"]), dtype=np.float32),
        create_time_us=number(row["create_time_us"]),
        update_time_us=number(row["update_time_us"]),
        revision=number(row["revision"]),
        label_model=text(row["label_model"]),
        label_member_count=number(row["label_member_count"]),
    )


def topic_row(topic: Topic) -> Bindings:
    """A topic as stored, but for its centroid."""
    return {name: getattr(topic, name) for name in Topic.__slots__ if name != "centroid"}


def namespace_row(namespace: Namespace) -> Bindings:
    """A namespace as stored."""
    return dict(asdict(namespace))


def namespace_of(row: Record) -> Namespace:
    """A row of `namespaces`."""
    return Namespace(
        name=text(row["name"]),
        incarnation=text(row["incarnation"]),
        create_time_us=number(row["create_time_us"]),
        embedding_model=text(row["embedding_model"]),
        embedding_dimension=number(row["embedding_dimension"]),
    )
