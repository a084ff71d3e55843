"""Filling of what a namespace of an older version lacks, from its memories when it is opened.

The source is JSON, which Cypher does not read. A step fills some memories under the lock of the
clock, which knows how far filling has come; so it may stop anywhere, and replicas may share it.
"""

from collections.abc import Sequence

from anamnesis_libs.storage.neo4j import Row, Transaction
from anamnesis_memory.model.edges import EdgeType, derived_from
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.life_rows import edge_row
from anamnesis_memory.storage.neo4j.locks import lock_clock
from anamnesis_memory.storage.neo4j.rows import memory_of, node, trigger_keys
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph, ScopedTransaction

FILLED_AT_ONCE = 500


async def fill(scope: NamespaceGraph) -> None:
    """Make trigger tags of procedures, edges to what memories were taken from, and archive times.

    Raises:
        StoreUnavailable: the server does not answer.
    """

    async def work(transaction: Transaction) -> bool:
        return await _fill_some(scope.within(transaction))

    (clock,) = await scope.read("get_clock")
    while not node(clock)["filled"] and await scope.graph.write(work):
        pass


async def _fill_some(tx: ScopedTransaction) -> bool:
    """Fill some; answers whether there may be more."""
    clock = node(await lock_clock(tx, "fill"))
    if clock["filled"]:
        return False
    after = rows.optional(clock["filled_to"]) or 0
    found = await tx.run("list_unfilled", after=after, limit=FILLED_AT_ONCE)
    await tx.put("put_archive_times", [_named(row) for row in found])
    await tx.put("put_trigger_keys", [_triggered(row) for row in found])
    await tx.put(f"put_edges_{EdgeType.DERIVED_FROM}", _edges(found))
    last = rows.number(node(found[-1])["memory_no"]) if found else after
    await tx.run("note_filled", filled=len(found) < FILLED_AT_ONCE, filled_to=last)
    return len(found) == FILLED_AT_ONCE


def _named(row: Row) -> Row:
    return {"memory_id": row["memory_id"]}


def _triggered(row: Row) -> Row:
    return {"memory_id": row["memory_id"], "trigger_keys": trigger_keys(memory_of(row))}


def _edges(found: Sequence[Row]) -> list[Row]:
    memories = map(memory_of, found)
    return [
        dict(edge_row(edge))
        for memory in memories
        for edge in derived_from(memory, memory.create_time_us)
    ]
