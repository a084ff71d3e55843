"""Putting what a draft holds: few statements, each over many rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.session import Event
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.draft import Clock, Draft, LoadedAnswer
from anamnesis_memory.storage.neo4j.facts import hang_facts, move_facts
from anamnesis_memory.storage.neo4j.knowledge import put_knowledge
from anamnesis_memory.storage.neo4j.life import put_life
from anamnesis_memory.storage.neo4j.locks import LockNeeded
from anamnesis_memory.storage.neo4j.rows import embedding_row, memory_row, node, session_row
from anamnesis_memory.storage.neo4j.scope import ROWS_MAX, ScopedTransaction
from anamnesis_memory.storage.neo4j.work import put_pipeline
from anamnesis_memory.storage.pipeline_rows import work_row


async def put_draft(
    tx: ScopedTransaction, draft: Draft, closing: Callable[[Clock], Row] | None = None
) -> Row:
    """Put what nearly every commit has in one statement, then what few have besides.

    Returns:
        The row of the clock that was put with it, as `closing` made it; empty without that.
    """
    memories = list(draft.memories.values())
    order = _order(draft)
    together = _together(draft, order)
    clock = closing(draft.clock) if closing else {}
    await move_facts(tx, memories, (*draft.memories, *draft.doomed))
    await tx.each("unfollow", draft.displaced)
    put = await tx.put_together({**together, "put_clock": [clock] if closing else []})
    await _put_on_memories(tx, draft, put)
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
    await link_neighbours(tx, order.mended)
    return clock


async def put_appended(
    tx: ScopedTransaction,
    draft: Draft,
    closing: Callable[[Clock], Row],
    before: Row,
    locked_by: str,
) -> bool:
    """Put what was appended, lock and clock with it, if the clock is as it was `before`.

    Returns:
        False where another commit came between, or no drawer was put: then the clock tells.

    Raises:
        LockNeeded: the order of drawers is to be mended, or there is too much for one statement.
    """
    order = _order(draft)
    together = _together(draft, order)
    if order.mended or max(map(len, together.values())) > ROWS_MAX:
        raise LockNeeded
    rows_put = {**together, "put_clock": [closing(draft.clock)]}
    return bool(await tx.put_unmoved(rows_put, before, locked_by))


def _together(draft: Draft, order: "_Order") -> dict[str, Sequence[Row]]:
    """The rows of what nearly every commit has, but for the clock, which counts its memories."""
    sessions = [session_row(session) for session in draft.sessions.values()]
    return {
        "put_wings": [
            {"wing": wing.wing, "wing_key": wing.key, "next_room": wing.next_room}
            for wing in draft.wings.values()
        ],
        "put_sessions": sessions,
        "link_sessions": [row for row in sessions if row["session_id"] in draft.founded],
        "put_events": [rows.event_row(event) for event in draft.events.values()],
        "put_memories": _numbered(draft, list(draft.memories.values())),
        "put_work": [dict(work_row(item)) for item in draft.pipeline.work.values()],
        "follow_on": order.grown,
        "follow": order.links,
        "put_requests": _answers(draft.answers),
    }


async def link_neighbours(tx: ScopedTransaction, places: Sequence[Row]) -> None:
    """Mend the chain of drawers around places in sessions, with the drawer there or without."""
    for row in map(node, await tx.put("neighbours", places)):
        before, at, after = row["before"], row["at"], row["after"]
        chain = [memory_id for memory_id in (before, at, after) if memory_id]
        if before and at and after:
            await tx.put("cut", [{"before": before, "after": after}])
        await tx.put("follow", [{"before": one, "after": two} for one, two in pairwise(chain)])


def _numbered(draft: Draft, memories: Sequence[Memory]) -> list[Row]:
    """The rows of memories, each with the next number of the clock."""
    first = draft.clock.last_memory_no + 1
    draft.clock.last_memory_no += len(memories)
    return [
        {**memory_row(memory, number), "digest": _digest(draft, memory)}
        for number, memory in enumerate(memories, start=first)
    ]


async def _put_on_memories(tx: ScopedTransaction, draft: Draft, put: Sequence[Row]) -> None:
    """Put what hangs on memories; `put` says of each if it is new."""
    memories = list(draft.memories.values())
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


@dataclass(frozen=True, slots=True)
class _Order:
    """The order of drawers in their sessions: what follows on what was there, or on another.

    Where a drawer was put between others the order is mended there.
    """

    grown: list[Row]
    links: list[Row]
    mended: list[Row]


def _order(draft: Draft) -> _Order:
    """The links between the drawers of each session, in the order of their events."""
    appended: dict[str, list[Event]] = {}
    mended: list[Row] = []
    for event in sorted(draft.events.values(), key=lambda event: event.index):
        if event.index < draft.grown_from.get(event.session_id, 0):
            mended.append(_place(event))
        elif event.memory_id:
            appended.setdefault(event.session_id, []).append(event)
    grown = [_place(events[0]) for name, events in appended.items() if draft.grown_from[name]]
    links: list[Row] = [
        {"before": one.memory_id, "after": two.memory_id}
        for events in appended.values()
        for one, two in pairwise(events)
    ]
    return _Order(grown, links, mended)


def _place(event: Event) -> Row:
    return {
        "session_id": event.session_id,
        "event_index": event.index,
        "memory_id": event.memory_id or None,
    }


def _answers(answers: Sequence[LoadedAnswer]) -> list[Row]:
    return [
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
