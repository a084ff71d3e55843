"""Reasons to look at memories again, in SQLite, inside the transaction of a write."""

import json
from collections.abc import Iterable, Mapping

import apsw

from anamnesis_memory.domain.facts.review import Ground, ReviewReason, Walk, lifted
from anamnesis_memory.ports import CommitStamp, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import reason_of, reason_row

Queries = Mapping[str, str]


def apply_reviews(
    connection: apsw.Connection, q: Queries, edits: WriteSet, stamp: CommitStamp
) -> None:
    """Give and take away reasons for review, and mark the memories whose need has changed.

    What a write puts says itself whether it needs review for a ground that is deleted.
    """
    put = {memory.memory_id for memory in edits.memories}
    touched = _forget_reasons(connection, q, edits.deleted_memories) - put
    touched |= _lift(connection, q, edits.lifted)
    for memory_id in edits.reviewed:
        connection.execute(q["delete_reasons_of_memory"], {"memory_id": memory_id})
    reasons = [one for ground in edits.shaken for one in _shaken(connection, q, ground)]
    reasons += edits.reasons
    put_reasons(connection, q, reasons)
    touched |= {*edits.reviewed, *(one.memory_id for one in reasons)}
    marks: list[rows.Bindings] = [
        {"memory_id": one, "now_us": stamp.now_us, "revision": stamp.revision}
        for one in sorted(touched)
    ]
    connection.executemany(q["mark_for_review"], marks)


def put_reasons(connection: apsw.Connection, q: Queries, reasons: Iterable[ReviewReason]) -> None:
    """Put reasons; those that lack their memory or ground are passed over."""
    connection.executemany(q["put_reason"], map(reason_row, reasons))


def _forget_reasons(connection: apsw.Connection, q: Queries, memory_ids: Iterable[str]) -> set[str]:
    """Take away what deleted memories have and give of reasons; answers who had them."""
    touched: set[str] = set()
    for memory_id in memory_ids:
        connection.execute(q["delete_reasons_of_memory"], {"memory_id": memory_id})
        left = connection.execute(q["delete_reasons_of_ground"], {"ground_id": memory_id})
        touched |= {rows.text(found) for (found,) in left}
    return touched


def _lift(connection: apsw.Connection, q: Queries, grounds: Iterable[Ground]) -> set[str]:
    """Take away the reasons that are undone; answers who had them."""
    touched: set[str] = set()
    for ground in grounds:
        found = connection.execute(q["reasons_of_ground"], {"ground_id": ground.ground_id})
        gone = lifted(map(reason_of, rows.records(found)), [ground])
        for reason in gone:
            connection.execute(q["delete_reason"], reason_row(reason))
        touched |= {reason.memory_id for reason in gone}
    return touched


def _shaken(connection: apsw.Connection, q: Queries, ground: Ground) -> frozenset[ReviewReason]:
    """The reasons of all that is derived from a ground, a bounded query a hop."""
    walk = Walk.below(ground.ground_id)
    while walk.front:
        asked: rows.Bindings = {
            "grounds": json.dumps(walk.front),
            "limit": len(walk.found) + walk.nodes_left + 2,
        }
        found = connection.execute(q["derived_of"], asked)
        walk = walk.further([rows.text(source_id) for (source_id,) in found])
    return walk.reasons(ground)
