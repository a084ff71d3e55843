"""Putting what a draft holds: few statements, each over many rows."""

from collections.abc import Sequence
from itertools import pairwise

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.session import Event
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.draft import Draft, LoadedAnswer
from anamnesis_memory.storage.neo4j.facts import hang_facts, move_facts
from anamnesis_memory.storage.neo4j.knowledge import put_knowledge
from anamnesis_memory.storage.neo4j.life import put_life
from anamnesis_memory.storage.neo4j.rows import embedding_row, memory_row, node, session_row
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.neo4j.work import put_pipeline


async def put_draft(tx: ScopedTransaction, draft: Draft) -> None:
    """Put records first, then what hangs between them."""
    wings: list[Row] = [
        {"wing": wing.wing, "wing_key": wing.key, "next_room": wing.next_room}
        for wing in draft.wings.values()
    ]
    sessions = [session_row(session) for session in draft.sessions.values()]
    await tx.put("put_wings", wings)
    await tx.put("put_sessions", sessions)
    founded = [row for row in sessions if row["session_id"] in draft.founded]
    await tx.put("link_sessions", founded)
    await tx.put("put_events", [rows.event_row(event) for event in draft.events.values()])
    await _put_memories(tx, draft)
    await tx.put(
        "archive_memories",
        [
            {"memory_id": memory_id, "now_us": stamp.now_us, "revision": stamp.revision}
            for memory_id, stamp in draft.archived.items()
        ],
    )
    secret = draft.clock.tombstone_key
    await put_pipeline(tx, draft.pipeline, draft.memories.values(), secret)
    await put_life(tx, draft.life)
    await put_knowledge(tx, draft.knowledge)
    await _put_order(tx, draft)
    await _put_answers(tx, draft.answers)


async def link_neighbours(tx: ScopedTransaction, places: Sequence[Row]) -> None:
    """Mend the chain of drawers around places in sessions, with the drawer there or without."""
    for row in map(node, await tx.put("neighbours", places)):
        before, at, after = row["before"], row["at"], row["after"]
        chain = [memory_id for memory_id in (before, at, after) if memory_id]
        if before and at and after:
            await tx.put("cut", [{"before": before, "after": after}])
        await tx.put("follow", [{"before": one, "after": two} for one, two in pairwise(chain)])


async def _put_memories(tx: ScopedTransaction, draft: Draft) -> None:
    memories = list(draft.memories.values())
    first = draft.clock.last_memory_no + 1
    draft.clock.last_memory_no += len(memories)
    await move_facts(tx, memories, (*draft.memories, *draft.doomed))
    put = await tx.put(
        "put_memories",
        [
            {**memory_row(memory, number), "digest": _digest(draft, memory)}
            for number, memory in enumerate(memories, start=first)
        ],
    )
    created = {rows.text(row["memory_id"]) for row in map(node, put) if row["created"]}
    changed = [one.memory_id for one in memories if one.memory_id not in created]
    await tx.each("delete_staged", changed)
    await tx.each("drop_tags", changed)
    await hang_facts(tx, memories)
    await tx.put(
        "put_embeddings",
        [embedding_row(memory_id, vectors) for memory_id, vectors in draft.vectors.items()],
    )


def _digest(draft: Draft, memory: Memory) -> str | None:
    """The digest of a lesson's exact text in hexadecimal: an index does not take bytes."""
    digest = draft.life.digests.get(memory.memory_id)
    return None if digest is None else digest.hex()


async def _put_order(tx: ScopedTransaction, draft: Draft) -> None:
    """Link the drawers of each session in the order of their events."""
    await tx.each("unfollow", draft.displaced)
    appended: dict[str, list[Event]] = {}
    mended: list[Row] = []
    for event in sorted(draft.events.values(), key=lambda event: event.index):
        if event.index < draft.grown_from.get(event.session_id, 0):
            mended.append(_place(event))
        elif event.memory_id:
            appended.setdefault(event.session_id, []).append(event)
    grown = [_place(events[0]) for name, events in appended.items() if draft.grown_from[name]]
    await tx.put("follow_on", grown)
    links: list[Row] = [
        {"before": one.memory_id, "after": two.memory_id}
        for events in appended.values()
        for one, two in pairwise(events)
    ]
    await tx.put("follow", links)
    await link_neighbours(tx, mended)


def _place(event: Event) -> Row:
    return {
        "session_id": event.session_id,
        "event_index": event.index,
        "memory_id": event.memory_id or None,
    }


async def _put_answers(tx: ScopedTransaction, answers: Sequence[LoadedAnswer]) -> None:
    kept: list[Row] = [
        {
            "method": answer.key.method,
            "request_id": answer.key.request_id,
            "properties": {
                "digest": answer.key.digest,
                "answer": answer.answer,
                "revision": answer.revision,
                "create_time_us": answer.create_time_us,
            },
            "memory_ids": answer.mentions.memory_ids,
            "session_ids": answer.mentions.session_ids,
        }
        for answer in answers
    ]
    await tx.put("put_requests", kept)
