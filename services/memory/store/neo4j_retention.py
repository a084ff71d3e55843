"""Expiring the ledger of a session in Neo4j, and knowing its events again by their stubs."""

from collections.abc import Sequence
from dataclasses import replace

from libs.storage.neo4j import Row, Value
from services.memory.ports import Seen
from services.memory.store import rows
from services.memory.store.neo4j_rows import Node, node
from services.memory.store.neo4j_scope import ScopedTransaction
from services.memory.stubs import Expiry, Stub, stub_mark

EVENTS_AT_ONCE = 1_000

Place = tuple[str, int, bytes]


async def see_stubs(
    tx: ScopedTransaction, places: Sequence[Place], seen: Seen, secret: bytes
) -> Seen:
    """What was seen, with the stubs at these places, where the ledger has expired."""
    digests = {(session_id, index): digest for session_id, index, digest in places}
    asked: list[Value] = [
        {"session_id": session_id, "event_index": index} for session_id, index in digests
    ]
    stubs: dict[tuple[str, int], Stub] = {}
    for row in map(node, await tx.run("get_stubs", keys=asked)):
        place = (rows.text(row["session_id"]), rows.number(row["event_index"]))
        same = rows.blob(row["mark"]) == stub_mark(secret, *place, digests[place])
        stubs[place] = Stub(rows.text(row["memory_id"]), same)
    return replace(seen, stubs=stubs)


async def expire(tx: ScopedTransaction, expiry: Expiry, secret: bytes) -> None:
    """Put a stub in the place of each event before an index, some at a time."""
    while found := await tx.run(
        "events_before",
        session_id=expiry.session_id,
        before_index=expiry.before_index,
        limit=EVENTS_AT_ONCE,
    ):
        stubs = [_stub_row(secret, expiry.session_id, node(row)) for row in found]
        await tx.put("put_stubs", stubs)
        await tx.put("delete_events", stubs)


def _stub_row(secret: bytes, session_id: str, event: Node) -> Row:
    index = rows.number(event["event_index"])
    return {
        "session_id": session_id,
        "event_index": index,
        "memory_id": event["memory_id"],
        "mark": stub_mark(secret, session_id, index, rows.blob(event["digest"])),
    }
