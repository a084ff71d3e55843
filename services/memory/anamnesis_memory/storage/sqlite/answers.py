"""Stored answers to requests in SQLite: kept for a day, or until what they speak of goes."""

from collections.abc import Mapping
from typing import TypeVar

import apsw

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.ports import Committed, IdempotentAnswer, RequestKey
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.answers import REQUEST_LIFETIME_US, Mentioned, StoredAnswer

R = TypeVar("R")
Queries = Mapping[str, str]


def known_answer(
    connection: apsw.Connection, q: Queries, remember: IdempotentAnswer[R]
) -> Committed[R] | None:
    """The answer that a request got.

    Raises:
        InvalidArgument: the id was used for another request.
    """
    key = remember.key
    asked = {"method": key.method, "request_id": key.request_id}
    found = connection.execute(q["get_request"], asked).fetchone()
    if found is None:
        return None
    digest, answer, revision = found
    if digest != key.digest:
        raise InvalidArgument(
            f"request_id {key.request_id!r} was used for another request; choose a new one",
            reason="REQUEST_ID_REUSED",
            metadata={"request_id": key.request_id},
        )
    return Committed(revision=rows.number(revision), replayed=rows.blob(answer))


def keep_answer(
    connection: apsw.Connection,
    q: Queries,
    key: RequestKey,
    answer: StoredAnswer,
    mentions: Mentioned,
) -> None:
    """Keep the answer to a request, and of what it speaks."""
    named = {"method": key.method, "request_id": key.request_id}
    connection.execute(
        q["put_request"],
        {
            **named,
            "digest": key.digest,
            "answer": answer.answer,
            "revision": answer.revision,
            "create_time_us": answer.create_time_us,
        },
    )
    connection.executemany(
        q["put_request_memory"], [{**named, "memory_id": one} for one in mentions.memory_ids]
    )
    connection.executemany(
        q["put_request_session"], [{**named, "session_id": one} for one in mentions.session_ids]
    )


def purge_answers(connection: apsw.Connection, q: Queries, now_us: int) -> None:
    """Let go of answers older than a day."""
    forget_answers(connection, q, "old_requests", {"before_us": now_us - REQUEST_LIFETIME_US})


def forget_answers(
    connection: apsw.Connection, q: Queries, found_by: str, key: rows.Bindings
) -> None:
    """Let go of the answers that a statement finds."""
    found: list[rows.Bindings] = [
        {"method": method, "request_id": request_id}
        for method, request_id in connection.execute(q[found_by], key)
    ]
    for table in ("requests", "request_memories", "request_sessions"):
        connection.executemany(q[f"forget_{table}"], found)
