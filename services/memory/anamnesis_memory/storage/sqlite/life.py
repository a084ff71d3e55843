"""The life of memories in SQLite: what a write sees and changes, inside its transaction."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import apsw

from anamnesis_memory.model.documents import Document, DocumentKey
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Memory, Vectors, Work
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.ports import IndexRecord, ReadSet, ReadView, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.life_rows import (
    copy_of,
    copy_row,
    document_of,
    document_row,
    edge_of,
    edge_row,
    index_record_of,
    vitals_row,
)
from anamnesis_memory.storage.sqlite.answers import forget_answers

Queries = Mapping[str, str]

_OF_A_SESSION = (
    "erase_events",
    "erase_segments",
    "erase_activity_memories",
    "erase_activities",
    "erase_stubs",
    "erase_uploads",
    "erase_copies",
    "erase_documents",
    "erase_session",
)
_ALL = -1


def see_life(connection: apsw.Connection, q: Queries, wanted: ReadSet, seen: ReadView) -> ReadView:
    """The view, with what hangs on memories and lessons that a write wants to see too."""
    if wanted.digests:
        seen = _see_digests(connection, q, wanted.digests, seen)
    if wanted.fresh_after is not None:
        seen = replace(seen, fresh=_fresh(connection, q, wanted.fresh_after))
    if wanted.embeddings:
        seen = replace(seen, embeddings=_embeddings(connection, q, wanted.embeddings))
    if wanted.edges_of:
        seen = replace(seen, edges=_edges(connection, q, wanted.edges_of))
    if wanted.copies_of:
        seen = replace(seen, copies=_copies(connection, q, wanted.copies_of))
    if wanted.documents:
        seen = replace(seen, documents=_documents(connection, q, wanted.documents))
    return seen


def apply_life(connection: apsw.Connection, q: Queries, edits: WriteSet) -> None:
    """Put and remove what the edits name of vitals, edges, copies and documents."""
    connection.executemany(q["update_vitals"], map(vitals_row, edits.vitals))
    removed = [
        {"source_id": key.source_id, "target_id": key.target_id, "type": key.type.value}
        for key in edits.removed_edges
    ]
    connection.executemany(q["delete_edge"], removed)
    connection.executemany(q["delete_copy"], [{"copy_id": one} for one in edits.removed_copies])
    connection.executemany(q["delete_document"], map(_key_row, edits.removed_documents))
    put_edges(connection, q, edits.edges)
    put_copies(connection, q, edits.copies)
    put_documents(connection, q, edits.documents)


def put_edges(connection: apsw.Connection, q: Queries, edges: Iterable[Edge]) -> None:
    """Put edges; those that lack an end are passed over."""
    connection.executemany(q["put_edge"], map(edge_row, edges))


def put_copies(connection: apsw.Connection, q: Queries, copies: Iterable[Copy]) -> None:
    """Put copies; those whose memory is gone are passed over."""
    connection.executemany(q["put_copy"], map(copy_row, copies))


def put_documents(connection: apsw.Connection, q: Queries, documents: Iterable[Document]) -> None:
    """Put documents."""
    connection.executemany(q["put_document"], map(document_row, documents))


def forget_in_life(connection: apsw.Connection, q: Queries, memory_id: str) -> None:
    """Take away what hangs on a deleted memory."""
    for statement in ("delete_edges_of_memory", "delete_copies_of_memory"):
        connection.execute(q[statement], {"memory_id": memory_id})


def erase_session(connection: apsw.Connection, q: Queries, session_id: str) -> None:
    """Take away a session with its ledger and all that names it, but for memories."""
    key: rows.Bindings = {"session_id": session_id}
    for statement in _OF_A_SESSION:
        connection.execute(q[statement], key)
    connection.execute(q["erase_work"], {**key, "kinds": json.dumps([*Work])})
    forget_answers(connection, q, "requests_of_session", key)


def _see_digests(
    connection: apsw.Connection, q: Queries, digests: Sequence[bytes], seen: ReadView
) -> ReadView:
    found: dict[bytes, Memory] = {
        digest: rows.memory_of(row)
        for digest in digests
        for row in rows.records(connection.execute(q["lesson_of_digest"], {"digest": digest}))
    }
    memories = {memory.memory_id: memory for memory in found.values()}
    return replace(
        seen,
        by_digest={digest: memory.memory_id for digest, memory in found.items()},
        memories={**seen.memories, **memories},
    )


def _fresh(connection: apsw.Connection, q: Queries, after: int) -> tuple[IndexRecord, ...]:
    found = rows.records(connection.execute(q["fresh_lessons"], {"after": after}))
    return tuple(map(index_record_of, found))


def _embeddings(
    connection: apsw.Connection, q: Queries, memory_ids: Sequence[str]
) -> dict[str, Vectors]:
    found = connection.execute(q["get_embeddings"], {"ids": json.dumps(memory_ids)})
    return {
        rows.text(row["memory_id"]): rows.vectors_of(row["pieces"], row["vectors"])
        for row in rows.records(found)
    }


def _edges(connection: apsw.Connection, q: Queries, memory_ids: Sequence[str]) -> tuple[Edge, ...]:
    asked = {"ids": json.dumps(memory_ids), "types": None, "limit": _ALL}
    found = map(edge_of, rows.records(connection.execute(q["edges_of"], asked)))
    return tuple(sorted(found, key=lambda edge: edge.key))


def _copies(
    connection: apsw.Connection, q: Queries, memory_ids: Sequence[str]
) -> dict[str, tuple[Copy, ...]]:
    asked = {"memory_ids": json.dumps([*dict.fromkeys(memory_ids)])}
    copies: dict[str, tuple[Copy, ...]] = {}
    for row in rows.records(connection.execute(q["copies_of"], asked)):
        copy = copy_of(row)
        copies[copy.memory_id] = (*copies.get(copy.memory_id, ()), copy)
    return copies


def _documents(
    connection: apsw.Connection, q: Queries, keys: Sequence[DocumentKey]
) -> dict[DocumentKey, Document]:
    return {
        key: document_of(row)
        for key in keys
        for row in rows.records(connection.execute(q["get_document"], _key_row(key)))
    }


def _key_row(key: DocumentKey) -> rows.Bindings:
    return {"collection": key.collection.value, "name": key.name}
