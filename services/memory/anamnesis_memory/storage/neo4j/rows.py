"""Nodes to values and back, for Neo4j.

A property that is null is not there, and reads as null: `Properties` sees to it, so that nodes of
plain properties are read like rows of a table. Memories differ: their lists are lists here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import cast

import numpy as np

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_libs.storage.sqlite import SqliteValue
from anamnesis_memory.model.memory import (
    Caller,
    Kind,
    LoggedChange,
    Memory,
    Origin,
    Provenance,
    Refinement,
    Status,
    StoreCounts,
    Tier,
    Topic,
    Vectors,
    Visibility,
)
from anamnesis_memory.model.memory_details import Fact, Part, Procedure
from anamnesis_memory.model.session import Session
from anamnesis_memory.ports.upkeep import KeptMemory
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.document_rows import document_columns
from anamnesis_memory.storage.knowledge_rows import fact_id_of

_FIXED = frozenset(("memory_id", "kind", "create_time_us", "pointer"))
_SESSION_FIXED = frozenset(("session_id", "wing", "room", "create_time_us"))
_LABELS = {kind.value: kind.value.capitalize() for kind in Kind} | {
    Kind.DOCUMENT.value: "JsonDocument"  # `Document` is of what a namespace keeps by name
}


class Properties(dict[str, SqliteValue]):
    """The plain properties of a node; one that is not there is null."""

    def __missing__(self, key: str) -> None:
        """No property, no value."""


def node(row: Row) -> Properties:
    """A map of properties as a row of a table."""
    return Properties(cast("Mapping[str, SqliteValue]", row))


def texts(value: Value) -> tuple[str, ...]:
    """A list of strings."""
    assert isinstance(value, list)
    return tuple(value)


def _part_of(kind: Kind, held: Properties) -> Part:
    """The part of a memory; a fact whose node has no id of it was stored before lines were."""
    part = rows.part_of(kind, held["part"])
    if isinstance(part, Fact) and held["fact_id"] is None:
        return replace(part, fact_id="")
    return part


def vectors_of(row: Row) -> Vectors:
    """The float32 rows of an embedding."""
    properties = node(row)
    return rows.vectors_of(properties["pieces"], properties["vectors"])


def embedding_row(memory_id: str, vectors: Vectors) -> Row:
    """Float32 rows as stored."""
    packed = np.ascontiguousarray(vectors, dtype=np.float32)
    return {
        "memory_id": memory_id,
        "pieces": packed.shape[0],
        "vectors": packed.tobytes(),
        "stored_bytes": packed.nbytes,
    }


def memory_of(row: Row) -> Memory:
    """A `:Memory` node."""
    held = node(row)
    kind = Kind(rows.text(held["kind"]))
    return Memory(
        memory_id=rows.text(held["memory_id"]),
        kind=kind,
        category=rows.text(held["category"]),
        content=rows.text(held["content"]),
        summary=rows.text(held["summary"]),
        overview=rows.text(held["overview"]),
        tags=texts(row["tags"]),
        entities=texts(row["entities"]),
        importance=rows.real(held["importance"]),
        confidence=rows.real(held["confidence"]),
        tier=Tier(rows.text(held["tier"])),
        status=Status(rows.text(held["status"])),
        visibility=Visibility(rows.text(held["visibility"])),
        agent_id=rows.text(held["agent_id"]),
        user_id=rows.text(held["user_id"]),
        session_id=rows.text(held["session_id"]),
        event_index=rows.optional(held["event_index"]),
        event_time_us=rows.optional(held["event_time_us"]),
        create_time_us=rows.number(held["create_time_us"]),
        update_time_us=rows.number(held["update_time_us"]),
        revision=rows.number(held["revision"]),
        provenance=_provenance_of(held),
        pointer=rows.text(held["pointer"]),
        hit_count=rows.number(held["hit_count"]),
        pinned=bool(held["pinned"]),
        needs_review=bool(held["needs_review"]),
        part=_part_of(kind, held),
        archive_time_us=rows.optional(held["archive_time_us"]),
        last_hit_us=rows.optional(held["last_hit_us"]),
        stability_days=rows.real(held["stability_days"] or 0.0),
        review_us=rows.optional(held["review_us"]) or 0,
        centrality=rows.real(held["centrality"] or 0.0),
        expire_time_us=rows.optional(held["expire_time_us"]),
        utc_offset_minutes=rows.optional(held["utc_offset_minutes"]),
    )


def kept_of(row: Row) -> KeptMemory:
    """A `:Memory` node with its embedding."""
    vectors = None if row["vectors"] is None else vectors_of(row)
    digest = bytes.fromhex(rows.text(node(row)["digest"] or ""))
    return KeptMemory(memory_of(row), vectors, bool(row["pending"]), digest)


def _provenance_of(held: Properties) -> Provenance:
    return Provenance(
        origin=Origin(rows.text(held["origin"])),
        session_id=rows.text(held["source_session_id"]),
        segment_id=rows.text(held["source_segment_id"]),
        first_event_index=rows.optional(held["first_event_index"]),
        last_event_index=rows.optional(held["last_event_index"]),
        model=rows.text(held["source_model"]),
        seed_namespace=rows.text(held["seed_namespace"] or ""),
        seed_memory_id=rows.text(held["seed_memory_id"] or ""),
        seed_revision=rows.text(held["seed_revision"] or ""),
        scored=bool(held["scored"]),
        refinement=rows.refinement_of(held["refinement"]),
    )


def memory_row(memory: Memory, memory_no: int) -> Row:
    """A memory as stored: its label, what is set once, and what a later put changes.

    A new one is pending; its embedding, if it comes along, takes it out.
    """
    properties = _memory_properties(memory)
    fixed = {name: properties.pop(name) for name in _FIXED}
    return {
        "memory_id": memory.memory_id,
        "label": _LABELS[memory.kind],
        "fixed": fixed | {"memory_no": memory_no, "pending_no": memory_no},
        "changing": properties,
    }


def _memory_properties(memory: Memory) -> dict[str, Value]:
    source = memory.provenance
    apart = ("tags", "entities", "provenance", "part")
    plain = {name: getattr(memory, name) for name in Memory.__slots__ if name not in apart}
    part = None if memory.part is None else json.dumps(asdict(memory.part), ensure_ascii=False)
    texts = memory.content + memory.summary + memory.overview
    return plain | {
        "tags": list(memory.tags),
        "tag_keys": [tag.casefold() for tag in memory.tags],
        "entities": list(memory.entities),
        "entity_keys": [name.casefold() for name in memory.entities],
        "origin": source.origin.value,
        "source_session_id": source.session_id,
        "source_segment_id": source.segment_id,
        "first_event_index": source.first_event_index,
        "last_event_index": source.last_event_index,
        "source_model": source.model,
        "seed_namespace": source.seed_namespace or None,
        "seed_memory_id": source.seed_memory_id or None,
        "seed_revision": source.seed_revision or None,
        "scored": source.scored,
        "refinement": _refinement_row(source.refinement),
        "part": part,
        "trigger_keys": trigger_keys(memory),
        "fact_id": fact_id_of(memory),
        **document_columns(memory),
        "stored_bytes": len(texts.encode()),
    }


def _refinement_row(refinement: Refinement | None) -> str | None:
    return None if refinement is None else json.dumps(asdict(refinement), ensure_ascii=False)


def trigger_keys(memory: Memory) -> list[Value] | None:
    """The keys by which a procedure is found; None for other memories."""
    if not isinstance(memory.part, Procedure):
        return None
    return [tag.casefold() for tag in memory.part.trigger_tags]


def session_row(session: Session) -> Row:
    """A session as stored: what is set once, and what changes."""
    properties = rows.session_row(session)
    fixed = {name: properties.pop(name) for name in _SESSION_FIXED}
    return {
        "session_id": session.session_id,
        "wing": session.wing,
        "fixed": fixed,
        "changing": properties,
    }


def topic_row(topic: Topic) -> Row:
    """A topic as stored."""
    return {
        "topic_id": topic.topic_id,
        "label": topic.label,
        "scope": topic.scope,
        "member_count": topic.member_count,
        "centroid": np.ascontiguousarray(topic.centroid, dtype=np.float32).tobytes(),
        "create_time_us": topic.create_time_us,
        "update_time_us": topic.update_time_us,
        "revision": topic.revision,
        "label_model": topic.label_model,
        "label_member_count": topic.label_member_count,
    }


def change_of(row: Row) -> LoggedChange:
    """A row of `changes`."""
    held = node(row)
    kind = held["kind"]
    return LoggedChange(
        revision=rows.number(held["revision"]),
        memory_id=rows.text(held["memory_id"]),
        deleted=bool(held["deleted"]),
        kind=None if kind is None else Kind(rows.text(kind)),
        scope=rows.text(held["scope"]),
    )


def seen_by(caller: Caller | None, record: Memory | Session) -> bool:
    """True if a caller may see a record; None sees all."""
    return caller is None or caller.sees(record.visibility, record.agent_id, record.user_id)


def counts_of(
    states: Sequence[Row], sessions: Row, topics: Row, embeddings: Row, pending: Row
) -> StoreCounts:
    """The counts of a namespace, put together from the rows of the counting statements."""
    tallies: dict[str, dict[str, int]] = {"kind": {}, "status": {}, "tier": {}}
    for state in map(node, states):
        for by, tally in tallies.items():
            name = rows.text(state[by])
            tally[name] = tally.get(name, 0) + rows.number(state["count"])
    texts = sum(rows.number(node(state)["stored_bytes"]) for state in states)
    return StoreCounts(
        by_kind=tallies["kind"],
        by_status=tallies["status"],
        by_tier=tallies["tier"],
        sessions=rows.number(node(sessions)["sessions"]),
        events=rows.number(node(sessions)["events"]),
        topics=rows.number(node(topics)["count"]),
        pending_embeddings=rows.number(node(pending)["count"]),
        store_bytes=texts + rows.number(node(embeddings)["stored_bytes"]),
    )
