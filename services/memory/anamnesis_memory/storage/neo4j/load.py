"""Locking the clock and reading what the writes of one transaction want to see, in one answer."""

from collections.abc import Sequence
from typing import cast

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_memory.ports import ReadSet, RequestKey
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.answers import REQUEST_LIFETIME_US
from anamnesis_memory.storage.life_rows import document_of
from anamnesis_memory.storage.neo4j.draft import Loaded, LoadedAnswer
from anamnesis_memory.storage.neo4j.locks import LockNeeded, there
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
    asked = _asked(wanted, keys, now_us)
    found = there(await tx.run("load", locked_by=locked_by, **asked))
    if keys and found["has_old_requests"]:
        await tx.run("purge_requests", before_us=asked["since_us"])
    return cast("Row", found["clock"]), _loaded_of(found)


async def look(
    tx: ScopedTransaction, wanted: ReadSet, keys: Sequence[RequestKey], now_us: int
) -> tuple[Row, Loaded]:
    """Read the clock, then what is wanted, without waiting for anybody.

    Raises:
        StoreUnavailable: the namespace is not there.
        LockNeeded: answers of before the last day are to go.
    """
    found = there(await tx.look(**_asked(wanted, keys, now_us)))
    if keys and found["has_old_requests"]:
        raise LockNeeded
    return cast("Row", found["clock"]), _loaded_of(found)


def _asked(wanted: ReadSet, keys: Sequence[RequestKey], now_us: int) -> dict[str, Value]:
    """The parameters of `load`."""
    return {
        "sessions": wanted.sessions,
        "events": [
            {"session_id": session_id, "event_index": index} for session_id, index in wanted.events
        ],
        "wings": wanted.wings,
        "memories": wanted.memories,
        "work": [{"kind": kind.value, "session_id": name} for kind, name in wanted.work],
        "documents": [
            {"collection": key.collection.value, "name": key.name} for key in wanted.documents
        ],
        "requests": [{"method": key.method, "request_id": key.request_id} for key in keys],
        "since_us": now_us - REQUEST_LIFETIME_US,
    }


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
