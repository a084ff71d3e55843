"""Deleting memories from Neo4j, with everything that hangs on them."""

from collections.abc import Sequence

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.model.memory import Visibility
from anamnesis_memory.model.scopes import scope_named
from anamnesis_memory.ports import CommitStamp, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.entities import forget_mentions
from anamnesis_memory.storage.neo4j.facts import draw_facts, let_go_of_facts
from anamnesis_memory.storage.neo4j.puts import link_neighbours
from anamnesis_memory.storage.neo4j.rows import Properties, node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.neo4j.topics import renew_topics, shrink_topics


async def delete_memories(
    tx: ScopedTransaction, memory_ids: Sequence[str], stamp: CommitStamp
) -> bool:
    """Delete memories; of each only its id is left, in the log.

    Returns:
        Whether a topic lost a member.
    """
    found = await tx.each("get_doomed", memory_ids)
    doomed = [node(row) for row in found]
    ids = [rows.text(row["memory_id"]) for row in doomed]
    await forget_mentions(tx, ids)
    for statement in (
        "delete_requests_of_memories",
        "delete_copies_of_memories",
        "delete_embeddings",
        "delete_staged",
        "delete_memories",
    ):
        await tx.each(statement, ids)
    facts = [rows.text(row["fact_id"]) for row in doomed if row["fact_id"]]
    await let_go_of_facts(tx, facts)
    await draw_facts(tx, facts)
    await _clear_events(tx, doomed)
    await tx.put("put_deletions", [_left_of(row, stamp) for row in doomed])
    members = [row for row in doomed if row["topic_id"]]
    await shrink_topics(tx, [(rows.text(row["topic_id"]), row) for row in members], stamp)
    return bool(members)


def _left_of(row: Properties, stamp: CommitStamp) -> Row:
    owners = rows.text(row["agent_id"]), rows.text(row["user_id"])
    scope = scope_named(Visibility(rows.text(row["visibility"])), *owners)
    return {"memory_id": row["memory_id"], "revision": stamp.revision, "scope": scope}


async def let_go_of_vectors(tx: ScopedTransaction, edits: WriteSet, stamp: CommitStamp) -> bool:
    """Vectors, places in topics and stored answers of another text go; new vectors stay.

    Returns:
        Whether a topic lost a member.
    """
    ids = edits.stale_embeddings
    left = {rows.text(row["topic_id"]) for row in map(node, await tx.each("topics_left", ids))}
    await tx.each("delete_requests_of_memories", ids)
    await tx.each("delete_staged", ids)
    await tx.each("requeue_embeddings", [one for one in ids if one not in edits.embeddings])
    await renew_topics(tx, left, stamp)
    return bool(left)


async def _clear_events(tx: ScopedTransaction, doomed: Sequence[Properties]) -> None:
    """Empty the events whose text the drawers were, and close the chain over them."""
    places: list[Row] = [
        {name: row[name] for name in ("session_id", "event_index", "memory_id")}
        for row in doomed
        if row["event_index"] is not None
    ]
    await tx.put("clear_events", places)
    await tx.put("clear_stubs", places)
    await link_neighbours(tx, [{**place, "memory_id": None} for place in places])
