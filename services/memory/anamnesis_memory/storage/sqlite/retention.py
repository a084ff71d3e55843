"""Expiring the ledger of a session in SQLite, and knowing its events again by their stubs."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

import apsw

from anamnesis_memory.model.stubs import Expiry, Stub, expired_places, stub_mark
from anamnesis_memory.ports import ReadSet, ReadView
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.stub_rows import stub_of_event, stub_row

Queries = Mapping[str, str]


def see_stubs(connection: apsw.Connection, q: Queries, wanted: ReadSet, seen: ReadView) -> ReadView:
    """The view, with the stubs at places where the ledger has expired."""
    places = list(expired_places(wanted.stubs, seen.sessions))
    if not places:
        return seen
    by_session: dict[str, dict[int, bytes]] = {}
    for session_id, index, digest in places:
        by_session.setdefault(session_id, {})[index] = digest
    secret = _secret(connection, q)
    stubs: dict[tuple[str, int], Stub] = {}
    for session_id, digests in by_session.items():
        asked = {"session_id": session_id, "indices": json.dumps(list(digests))}
        for row in rows.records(connection.execute(q["get_stubs"], asked)):
            index = rows.number(row["event_index"])
            mark = stub_mark(secret, session_id, index, digests[index])
            stub = Stub(rows.text(row["memory_id"]), rows.blob(row["mark"]) == mark)
            stubs[session_id, index] = stub
    return replace(seen, stubs=stubs)


def expire(connection: apsw.Connection, q: Queries, expiries: Iterable[Expiry]) -> None:
    """Put a stub in the place of each event that has expired."""
    for expiry in expiries:
        _expire(connection, q, expiry)


def _expire(connection: apsw.Connection, q: Queries, expiry: Expiry) -> None:
    key: rows.Bindings = {
        "session_id": expiry.session_id,
        "before_index": expiry.before_index,
    }
    secret = _secret(connection, q)
    events = rows.records(connection.execute(q["events_before"], key))
    connection.executemany(
        q["put_stub"], [stub_row(stub_of_event(secret, expiry.session_id, row)) for row in events]
    )
    connection.execute(q["delete_events_before"], key)


def forget_in_stubs(connection: apsw.Connection, q: Queries, memory_id: str) -> None:
    """Take a deleted memory out of the stub of its event."""
    connection.execute(q["forget_stub_memory"], {"memory_id": memory_id})


def _secret(connection: apsw.Connection, q: Queries) -> bytes:
    return rows.blob(connection.execute(q["get_secret"], {"name": "tombstones"}).get)
