"""Expiring the ledger of a session in Neo4j, and knowing its events again by their stubs."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_memory.model.stubs import EventStub, Expiry, Stub, stub_mark
from anamnesis_memory.ports import ReadView
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.stub_rows import stub_of_event, stub_row

EVENTS_AT_ONCE = 1_000

Place = tuple[str, int, bytes]


async def see_stubs(
    tx: ScopedTransaction, places: Sequence[Place], seen: ReadView, secret: bytes
) -> ReadView:
    """The view, with the stubs at these places, where the ledger has expired."""
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
        left = (stub_of_event(secret, expiry.session_id, node(row)) for row in found)
        stubs = [dict(stub_row(stub)) for stub in left]
        await tx.put("put_stubs", stubs)
        await tx.put("delete_events", stubs)


async def put_stubs(tx: ScopedTransaction, stubs: Sequence[EventStub]) -> None:
    """Put stubs as they were, in the order of their places, and hang their drawers in that order.

    Events behind them come later. What is of no session is passed over.
    """
    rows_put: list[Row] = [dict(stub_row(stub)) for stub in stubs]
    await tx.put("put_stubs", rows_put)
    chained: dict[str, list[EventStub]] = {}
    for stub in stubs:
        if stub.memory_id:
            chained.setdefault(stub.session_id, []).append(stub)
    first: list[Row] = [dict(stub_row(chain[0])) for chain in chained.values()]
    await tx.put("follow_on", first)
    links: list[Row] = [
        {"before": one.memory_id, "after": two.memory_id}
        for chain in chained.values()
        for one, two in pairwise(chain)
    ]
    await tx.put("follow", links)
