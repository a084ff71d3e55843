"""Locking the clock and reading what the writes of one transaction want to see, in one answer."""

from collections.abc import Sequence
from typing import cast

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_memory.ports import ReadSet, RequestKey
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.answers import REQUEST_LIFETIME_US
from anamnesis_memory.storage.life_rows import document_of
from anamnesis_memory.storage.neo4j.draft import Loaded, LoadedAnswer
from anamnesis_memory.storage.neo4j.locks import there
from anamnesis_memory.storage.neo4j.rows import Properties, memory_of, node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.pipeline_rows import work_of


async def load(
    tx: ScopedTransaction,
    wanted: ReadSet,
    keys: Sequence[RequestKey],
    now_us: int,
    locked_by: str,
) -> tuple[Row, Loaded]:
    """Wait for every commit that is under way, then read the clock and what is wanted.

    The answers of the last day to these requests are read too; older answers go.

    Raises:
        StoreUnavailable: the namespace is not there.
    """
    since_us = now_us - REQUEST_LIFETIME_US
    places: list[Value] = [
        {"session_id": session_id, "event_index": index} for session_id, index in wanted.events
    ]
    work: list[Value] = [{"kind": kind.value, "session_id": name} for kind, name in wanted.work]
    asked: list[Value] = [{"method": key.method, "request_id": key.request_id} for key in keys]
    documents: list[Value] = [
        {"collection": key.collection.value, "name": key.name} for key in wanted.documents
    ]
    rows_found = await tx.run(
        "load",
        locked_by=locked_by,
        sessions=wanted.sessions,
        events=places,
        wings=wanted.wings,
        memories=wanted.memories,
        work=work,
        documents=documents,
        requests=asked,
        since_us=since_us,
    )
    found = there(rows_found)
    if keys and found["has_old_requests"]:
        await tx.run("purge_requests", before_us=since_us)
    return cast("Row", found["clock"]), _loaded_of(found)


def _loaded_of(found: Row) -> Loaded:
    sessions = [rows.session_of(node(row)) for row in _held(found, "sessions")]
    events = [rows.event_of(node(row)) for row in _held(found, "events")]
    wings = [rows.wing_of(node(row)) for row in _held(found, "wings")]
    memories = [*map(memory_of, _held(found, "memories"))]
    documents = [document_of(node(row)) for row in _held(found, "documents")]
    answers = [_answer_of(node(row)) for row in _held(found, "requests")]
    return Loaded(
        sessions={one.session_id: one for one in sessions},
        events={(one.session_id, one.index): one for one in events},
        wings={one.key: one for one in wings},
        memories={one.memory_id: one for one in memories},
        work={item.key: item for item in map(work_of, map(node, _held(found, "work")))},
        documents={one.key: one for one in documents},
        answers={(one.key.method, one.key.request_id): one for one in answers},
    )


def _held(found: Row, name: str) -> Sequence[Row]:
    """A list of maps inside a map."""
    return cast("Sequence[Row]", found[name])


def _answer_of(row: Properties) -> LoadedAnswer:
    method, request_id = rows.text(row["method"]), rows.text(row["request_id"])
    key = RequestKey(method, request_id, rows.blob(row["digest"]))
    return LoadedAnswer(key, rows.blob(row["answer"]), rows.number(row["revision"]))
