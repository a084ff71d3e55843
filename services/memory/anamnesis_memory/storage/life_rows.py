"""Rows of edges, copies and documents to values and back; shared by the databases."""

import json
from dataclasses import asdict

from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import IndexRecord
from anamnesis_memory.storage import rows

_ADDED = "added"
_NOTHING_ADDED = "[[], []]"
_TRIED = "tried"
_NEVER_TRIED = [0, 0, "", ""]


def index_record_of(row: rows.Record) -> IndexRecord:
    """A row of a memory with its vectors, if it has some."""
    vectors = row["vectors"]
    held = None if vectors is None else rows.vectors_of(row["pieces"], vectors)
    return IndexRecord(rows.memory_of(row), held)


def vitals_row(vitals: Vitals) -> rows.Bindings:
    """Vitals as stored."""
    return {**asdict(vitals), "tier": vitals.tier.value}


def edge_row(edge: Edge) -> rows.Bindings:
    """An edge as stored."""
    return {**asdict(edge), "type": edge.type.value}


def edge_of(row: rows.Record) -> Edge:
    """A row of `edges`."""
    return Edge(
        source_id=rows.text(row["source_id"]),
        target_id=rows.text(row["target_id"]),
        type=EdgeType(rows.text(row["type"])),
        weight=rows.real(row["weight"]),
        create_time_us=rows.number(row["create_time_us"]),
        update_time_us=rows.number(row["update_time_us"]),
        detail=rows.text(row["detail"]),
    )


def copy_row(copy: Copy) -> rows.Bindings:
    """A copy as stored: its memory packed, with the owners by which it is found."""
    row: rows.Bindings = {
        "copy_id": copy.copy_id,
        "memory_id": copy.memory_id,
        "role": copy.role.value,
        "agent_id": copy.memory.agent_id,
        "user_id": copy.memory.user_id,
        "session_id": copy.memory.session_id,
        "memory": _packed(copy),
        "create_time_us": copy.create_time_us,
        "similarity": copy.similarity,
        "merged": int(copy.merged),
        "pieces": None,
        "vectors": None,
    }
    if copy.vectors is not None:
        row |= {key: rows.embedding_row(0, copy.vectors)[key] for key in ("pieces", "vectors")}
    return row


def copy_of(row: rows.Record) -> Copy:
    """A row of `copies`."""
    vectors = row["vectors"]
    packed: rows.Record = json.loads(rows.text(row["memory"]))
    added_tags, added_evidence = json.loads(rows.text(packed.get(_ADDED, _NOTHING_ADDED)))
    tried = json.loads(rows.text(packed.get(_TRIED, json.dumps(_NEVER_TRIED))))
    worked_us, tries, reason, tried_on = tried
    return Copy(
        copy_id=rows.text(row["copy_id"]),
        memory_id=rows.text(row["memory_id"]),
        role=CopyRole(rows.text(row["role"])),
        memory=rows.memory_of(packed),
        create_time_us=rows.number(row["create_time_us"]),
        similarity=rows.real(row["similarity"]),
        merged=bool(row["merged"]),
        vectors=None if vectors is None else rows.vectors_of(row["pieces"], vectors),
        added_tags=tuple(added_tags),
        added_evidence=tuple(added_evidence),
        worked_us=worked_us,
        tries=tries,
        reason=reason,
        tried_on=tried_on,
    )


def _packed(copy: Copy) -> str:
    """The row's text of a copied memory, with what the copy added and how often it was tried."""
    more: dict[str, str] = {}
    if copy.added_tags or copy.added_evidence:
        more[_ADDED] = json.dumps([copy.added_tags, copy.added_evidence], ensure_ascii=False)
    tried = [copy.worked_us, copy.tries, copy.reason, copy.tried_on]
    if tried != _NEVER_TRIED:
        more[_TRIED] = json.dumps(tried, ensure_ascii=False)
    if not more:
        return packed_memory(copy.memory)
    return json.dumps({**rows.memory_row(copy.memory), **more}, ensure_ascii=False)


def packed_memory(memory: Memory) -> str:
    """All of a memory in one text, JSON of its row."""
    return json.dumps(rows.memory_row(memory), ensure_ascii=False)


def document_row(document: Document) -> rows.Bindings:
    """A document as stored."""
    return {**asdict(document), "collection": document.collection.value}


def document_of(row: rows.Record) -> Document:
    """A row of `documents`."""
    return Document(
        collection=Collection(rows.text(row["collection"])),
        name=rows.text(row["name"]),
        body=rows.text(row["body"]),
        update_time_us=rows.number(row["update_time_us"]),
        agent_id=rows.text(row["agent_id"]),
        user_id=rows.text(row["user_id"]),
        session_id=rows.text(row["session_id"]),
    )
