"""Loading what a write wants and applying what it decides, inside one SQLite transaction."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import apsw

from anamnesis_memory.model.memory import Memory, Vectors
from anamnesis_memory.model.memory_details import Procedure
from anamnesis_memory.model.scopes import scope_of
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.ports import (
    CommitStamp,
    Committed,
    IdempotentAnswer,
    ReadSet,
    ReadView,
    Write,
    WriteSet,
)
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.answers import StoredAnswer, mentioned
from anamnesis_memory.storage.knowledge_rows import fact_id_of
from anamnesis_memory.storage.sqlite.answers import forget_answers, keep_answer, known_answer
from anamnesis_memory.storage.sqlite.facts import forget_fact, let_go_of_facts
from anamnesis_memory.storage.sqlite.knowledge import apply_knowledge, see_knowledge
from anamnesis_memory.storage.sqlite.life import apply_life, erase_session, forget_in_life, see_life
from anamnesis_memory.storage.sqlite.retention import expire, forget_in_stubs, see_stubs
from anamnesis_memory.storage.sqlite.topics import assign_members, leave_topic, name_topics
from anamnesis_memory.storage.sqlite.uploads import put_uploads, see_uploads
from anamnesis_memory.storage.sqlite.work import apply_pipeline, forget_in_activities, see_pipeline

R = TypeVar("R")
Queries = Mapping[str, str]


def run_write(
    connection: apsw.Connection,
    q: Queries,
    write: Write[R],
    remember: IdempotentAnswer[R] | None,
    stamp: CommitStamp,
) -> tuple[Committed[R], WriteSet]:
    """Load, decide, apply one write; a failure leaves nothing of it behind.

    Returns:
        What was committed, and the edits that were applied.

    Raises:
        AnamnesisError: the write was refused.
    """
    if remember and (known := known_answer(connection, q, remember)):
        return known, WriteSet()
    with connection:
        seen = _load(connection, q, write.wanted())
        decision = write.decide(seen, stamp)
        revision = stamp.revision if decision.edits.any else stamp.revision - 1
        _apply(connection, q, decision.edits, stamp)
        if remember:
            answer = StoredAnswer(
                remember.encode(decision.result, revision), revision, stamp.now_us
            )
            told = mentioned(seen, decision.edits, tells_memories=remember.tells_memories)
            keep_answer(connection, q, remember.key, answer, told)
    return Committed(revision=revision, result=decision.result), decision.edits


def put_embedding(connection: apsw.Connection, q: Queries, memory_no: int, rows_: Vectors) -> None:
    """Keep the vectors of one memory and take it out of the pending set."""
    connection.execute(q["put_embedding"], rows.embedding_row(memory_no, rows_))
    connection.execute(q["delete_pending"], {"memory_no": memory_no})


def memory_no(
    connection: apsw.Connection, q: Queries, memory_id: str, revision: int | None = None
) -> int | None:
    """The number of a memory in its file, at a revision of its own if that is given, or None."""
    query = "get_memory_no" if revision is None else "get_memory_no_at"
    key = {"memory_id": memory_id, "revision": revision}
    found = connection.execute(q[query], key).fetchone()
    return None if found is None else rows.number(found[0])


def _load(connection: apsw.Connection, q: Queries, wanted: ReadSet) -> ReadView:
    sessions = {
        session_id: rows.session_of(row)
        for session_id in wanted.sessions
        for row in rows.records(connection.execute(q["get_session"], {"session_id": session_id}))
    }
    wings = {
        key: rows.wing_of(row)
        for key in wanted.wings
        for row in rows.records(connection.execute(q["get_wing"], {"wing_key": key}))
    }
    next_wing = 1
    if len(wings) < len(wanted.wings):
        next_wing = rows.number(connection.execute(q["next_wing"]).get)
    memories = []
    if wanted.memories:
        found = connection.execute(q["get_memories"], {"memory_ids": json.dumps(wanted.memories)})
        memories = [rows.memory_of(row) for row in rows.records(found)]
    seen = ReadView(
        sessions=sessions,
        events=_load_events(connection, q, wanted.events),
        wings=wings,
        next_wing=next_wing,
        memories={memory.memory_id: memory for memory in memories},
        topics_revision=get_meta(connection, q, "topics_revision") if wanted.topics else 0,
    )
    seen = see_uploads(connection, q, wanted, see_stubs(connection, q, wanted, seen))
    seen = see_life(connection, q, wanted, see_pipeline(connection, q, wanted, seen))
    return see_knowledge(connection, q, wanted, seen)


def _load_events(
    connection: apsw.Connection, q: Queries, keys: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Event]:
    by_session: dict[str, list[int]] = {}
    for session_id, index in keys:
        by_session.setdefault(session_id, []).append(index)
    return {
        (event.session_id, event.index): event
        for session_id, indices in by_session.items()
        for row in rows.records(
            connection.execute(
                q["get_events"], {"session_id": session_id, "indices": json.dumps(indices)}
            )
        )
        for event in (rows.event_of(row),)
    }


def get_meta(connection: apsw.Connection, q: Queries, key: str) -> int:
    """One of the namespace's counters."""
    return rows.number(connection.execute(q["get_meta"], {"key": key}).get)


def set_meta(connection: apsw.Connection, q: Queries, key: str, value: int) -> None:
    """Set one of the namespace's counters."""
    connection.execute(q["set_meta"], {"key": key, "value": value})


def _apply(connection: apsw.Connection, q: Queries, edits: WriteSet, stamp: CommitStamp) -> None:
    for wing in edits.wings:
        put_wing(connection, q, wing)
    for session in edits.sessions:
        put_session(connection, q, session)
    connection.executemany(q["put_event"], map(rows.event_row, edits.events))
    _apply_memories(connection, q, edits, stamp)
    if edits.topic_members:
        assign_members(connection, q, edits.topic_members, stamp)
        set_meta(connection, q, "topics_revision", stamp.revision)
    if edits.topic_labels:
        name_topics(connection, q, edits.topic_labels, stamp)
        set_meta(connection, q, "topics_revision", stamp.revision)
    if edits.assigned_revision is not None:
        set_meta(connection, q, "assigned_revision", edits.assigned_revision)
    connection.executemany(q["forget_readers"], [{"scope": one} for one in edits.forgotten_readers])
    apply_pipeline(connection, q, edits)
    expire(connection, q, edits.expired)
    put_uploads(connection, q, edits.uploads)
    for session_id in edits.erased_sessions:
        erase_session(connection, q, session_id)
    for session_id, first_index in edits.truncated:
        connection.execute(
            q["delete_events_from"], {"session_id": session_id, "first_index": first_index}
        )
    apply_life(connection, q, edits)
    apply_knowledge(connection, q, edits, stamp)


def _apply_memories(
    connection: apsw.Connection, q: Queries, edits: WriteSet, stamp: CommitStamp
) -> None:
    for memory_id in edits.stale_embeddings:
        _let_go_of_vectors(connection, q, memory_id, stamp)
    let_go_of_facts(connection, q, edits)
    for memory in edits.memories:
        name = memory.memory_id
        put_memory(connection, q, memory, edits.embeddings.get(name), edits.digests.get(name))
    archived = [
        {"memory_id": memory_id, "now_us": stamp.now_us, "revision": stamp.revision}
        for memory_id in edits.archived_memories
    ]
    connection.executemany(q["archive_memory"], archived)
    for memory_id in edits.deleted_memories:
        _delete_memory(connection, q, memory_id, stamp)
    for memory_id in edits.forgotten_answers:
        forget_answers(connection, q, "requests_of_memory", {"memory_id": memory_id})


def put_wing(connection: apsw.Connection, q: Queries, wing: Wing) -> None:
    """Put a wing of the palace."""
    row: rows.Bindings = {"wing": wing.wing, "wing_key": wing.key, "next_room": wing.next_room}
    connection.execute(q["put_wing"], row)


def put_session(connection: apsw.Connection, q: Queries, session: Session) -> None:
    """Put a session."""
    connection.execute(q["put_session"], rows.session_row(session))


def put_memory(
    connection: apsw.Connection,
    q: Queries,
    memory: Memory,
    vectors: Vectors | None,
    digest: bytes | None = None,
) -> None:
    """Put a memory with its labels, and its vectors or its place among those that wait.

    Without a digest it keeps the one that it has, as long as it says the same.
    """
    row: rows.Bindings = {
        **rows.memory_row(memory),
        "digest": digest,
        "fact_id": fact_id_of(memory),
    }
    connection.set_last_insert_rowid(0)
    number = rows.number(connection.execute(q["put_memory"], row).get)
    key, is_new = {"memory_no": number}, connection.last_insert_rowid() == number
    if not is_new:
        connection.execute(q["delete_labels"], key)
        connection.execute(q["delete_staged"], key)
    connection.executemany(
        q["put_label"],
        [{**key, "label": label.casefold(), "is_entity": of} for label, of in _labels(memory)],
    )
    if vectors is not None:
        put_embedding(connection, q, number, vectors)
    elif is_new or not connection.execute(q["embedding_of_memory"], key).fetchone():
        connection.execute(q["put_pending"], key)


def _labels(memory: Memory) -> Iterator[tuple[str, int]]:
    """The labels by which a memory is found, each with its class: tag, entity, trigger tag."""
    yield from ((tag, 0) for tag in memory.tags)
    yield from ((name, 1) for name in memory.entities)
    if isinstance(memory.part, Procedure):
        yield from ((tag, 2) for tag in memory.part.trigger_tags)


def _let_go_of_vectors(
    connection: apsw.Connection, q: Queries, memory_id: str, stamp: CommitStamp
) -> None:
    """Vectors, place in a topic and stored answers go: they are of another text."""
    number = memory_no(connection, q, memory_id)
    if number is None:
        return
    if leave_topic(connection, q, number, stamp):
        set_meta(connection, q, "topics_revision", stamp.revision)
    key = {"memory_no": number}
    for statement in ("delete_embedding", "delete_staged", "put_pending"):
        connection.execute(q[statement], key)
    forget_answers(connection, q, "requests_of_memory", {"memory_id": memory_id})


def _delete_memory(
    connection: apsw.Connection, q: Queries, memory_id: str, stamp: CommitStamp
) -> None:
    number = memory_no(connection, q, memory_id)
    if number is None:
        return
    key = {"memory_no": number}
    by_id: rows.Bindings = {"memory_id": memory_id}
    (held,) = rows.records(
        connection.execute(q["get_memories"], {"memory_ids": json.dumps([memory_id])})
    )
    if leave_topic(connection, q, number, stamp):
        set_meta(connection, q, "topics_revision", stamp.revision)
    tables = ("labels", "embedding", "staged", "pending", "memory")
    for statement in (f"delete_{table}" for table in tables):
        connection.execute(q[statement], key)
    connection.execute(q["note_deleted_no"], key)
    place = {"session_id": held["session_id"], "event_index": held["event_index"]}
    connection.execute(q["clear_event_memory"], {**place, **by_id})
    forget_in_stubs(connection, q, memory_id)
    forget_in_activities(connection, q, memory_id)
    forget_in_life(connection, q, memory_id)
    if held["fact_id"] is not None:
        forget_fact(connection, q, rows.text(held["fact_id"]))
    forget_answers(connection, q, "requests_of_memory", by_id)
    scope = scope_of(rows.memory_of(held))
    connection.execute(q["put_deletion"], {**by_id, "revision": stamp.revision, "scope": scope})
