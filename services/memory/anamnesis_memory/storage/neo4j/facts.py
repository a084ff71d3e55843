"""Facts in Neo4j: what a write sees and keeps of them, and what it leaves to be reviewed.

Lines are read at the write's turn, when what the writes before it did is put. A review reaches
further than the records of a write, so it is done behind them, in the same transaction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import cast

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.domain.facts.review import Ground, ReviewReason, Walk, lifted
from anamnesis_memory.domain.facts.versions import FactLine, FactVersion, Telling, by_record
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import (
    fact_id_of,
    reason_of,
    reason_row,
    telling_of,
    telling_row,
    version_of,
    version_row,
)
from anamnesis_memory.storage.neo4j.rows import memory_of, node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction


async def see_lines(
    tx: ScopedTransaction, wanted: Sequence[LineWanted], seen: ReadView
) -> ReadView:
    """The view, with lines and the memories of their facts."""
    some = [one.line_id for one in wanted if not one.whole]
    found = map(node, await tx.each("single_lines", some))
    single = {rows.text(row["line_id"]) for row in found}
    asked: list[Row] = [
        {
            "line_id": one.line_id,
            "keys": None if one.whole or one.line_id in single else list(one.keys),
        }
        for one in wanted
    ]
    lines: dict[str, FactLine] = {}
    for row in await tx.put("see_lines", asked):
        if (line := _line_of(row)) is not None:
            lines[rows.text(node(row)["line_id"])] = line
    held = await memories_of_facts(tx, _fact_ids(wanted, lines.values()))
    return replace(
        seen,
        lines=lines,
        by_fact={fact_id: memory.memory_id for fact_id, memory in held.items()},
        memories={**seen.memories, **{one.memory_id: one for one in held.values()}},
    )


async def memories_of_facts(tx: ScopedTransaction, fact_ids: Iterable[str]) -> dict[str, Memory]:
    """The memories that hold facts, by fact."""
    found = map(memory_of, await tx.each("memories_of_facts", list(dict.fromkeys(fact_ids))))
    return {fact_id_of(memory) or "": memory for memory in found}


async def put_facts(
    tx: ScopedTransaction, tellings: Iterable[Telling], versions: Iterable[FactVersion]
) -> None:
    """Put tellings and versions; a void one goes, that of no memory's fact is passed over."""
    await tx.put("put_tellings", [_telling_row(one) for one in tellings])
    kept = list(versions)
    gone = [dict(version_row(one)) for one in kept if one.void]
    await tx.put("delete_versions", gone)
    await tx.put("put_versions", [dict(version_row(one)) for one in kept if not one.void])


async def forget_facts(tx: ScopedTransaction, fact_ids: Sequence[str]) -> None:
    """Let go of all that is kept of facts; of those that no memory holds, of their names too."""
    await tx.each("forget_closings", fact_ids)
    await tx.each("delete_tellings_of_facts", fact_ids)
    await tx.each("delete_versions_of_facts", fact_ids)


async def let_go_of_facts(tx: ScopedTransaction, fact_ids: Sequence[str]) -> None:
    """Let go of what is kept of facts, but for those that another memory holds by now."""
    found = await tx.each("held_facts", fact_ids)
    held = {rows.text(node(row)["fact_id"]) for row in found}
    await forget_facts(tx, [one for one in fact_ids if one not in held])


async def move_facts(
    tx: ScopedTransaction, memories: Iterable[Memory], losers: Iterable[str]
) -> None:
    """Take facts that these memories will hold from those of `losers` that hold them now."""
    taken: list[Row] = [
        {"fact_id": fact_id, "memory_id": memory.memory_id}
        for memory in memories
        if (fact_id := fact_id_of(memory))
    ]
    if taken:
        await tx.run("move_facts", rows=taken, losers=list(losers))


async def hang_facts(tx: ScopedTransaction, memories: Iterable[Memory]) -> None:
    """Hang what is kept of facts on the memories that hold them now."""
    held = map(fact_id_of, memories)
    await tx.each("hang_facts", [one for one in dict.fromkeys(held) if one])


async def draw_facts(
    tx: ScopedTransaction, fact_ids: Iterable[str], memory_ids: Iterable[str] = ()
) -> None:
    """Draw facts, and those of memories, as relationships between the entities they are about.

    They follow from what is put, and are drawn anew in the same transaction.
    """
    held = await tx.each("facts_of_memories", list(dict.fromkeys(memory_ids)))
    of_memories = (rows.text(node(row)["fact_id"]) for row in held)
    ids = sorted({*fact_ids, *of_memories})
    await tx.each("undraw_facts", ids)
    await tx.each("draw_facts", ids)


async def put_reasons(tx: ScopedTransaction, reasons: Iterable[ReviewReason]) -> None:
    """Put reasons as they are; one that lacks a memory is passed over."""
    await tx.put("put_reasons", [dict(reason_row(one)) for one in reasons])


async def reasons_given(tx: ScopedTransaction, ground_ids: Sequence[str]) -> list[ReviewReason]:
    """The reasons that name these grounds."""
    found = await tx.each("reasons_of_grounds", ground_ids)
    return [reason_of(node(row)) for row in found]


async def review(
    tx: ScopedTransaction, edits: WriteSet, left: Iterable[ReviewReason], stamp: CommitStamp
) -> None:
    """Give and take away reasons, and mark the memories whose need has changed.

    `left` are the reasons that went with deleted grounds; what the write puts says itself whether
    it needs review for those.
    """
    touched = {one.memory_id for one in left} - {one.memory_id for one in edits.memories}
    gone = [one for ground in edits.lifted for one in await _undone(tx, ground)]
    await tx.put("delete_reasons", [dict(reason_row(one)) for one in gone])
    await tx.each("forget_reasons", edits.reviewed)
    reasons = [one for ground in edits.shaken for one in await _shaken(tx, ground)]
    reasons += edits.reasons
    await put_reasons(tx, reasons)
    touched |= {*edits.reviewed, *(one.memory_id for one in (*gone, *reasons))}
    if touched:
        ids = sorted(touched)
        await tx.run("mark_for_review", ids=ids, now_us=stamp.now_us, revision=stamp.revision)


async def _undone(tx: ScopedTransaction, ground: Ground) -> Iterable[ReviewReason]:
    """The reasons that a ground no longer gives."""
    return lifted(await reasons_given(tx, [ground.ground_id]), [ground])


async def _shaken(tx: ScopedTransaction, ground: Ground) -> Iterable[ReviewReason]:
    """The reasons of all that is derived from a ground, a bounded query a hop."""
    walk = Walk.below(ground.ground_id)
    while walk.front:
        limit = len(walk.found) + walk.nodes_left + 2
        found = await tx.run("derived_from", ids=walk.front, limit=limit)
        walk = walk.further([rows.text(node(row)["memory_id"]) for row in found])
    return walk.reasons(ground)


def _telling_row(telling: Telling) -> Row:
    """A telling as stored; a standing one may be found by its line alone."""
    row = telling_row(telling)
    single = telling.single_valued and telling.known_to_us is None
    return row | {"single_line": row["line_id"] if single else None}


def _line_of(row: Row) -> FactLine | None:
    """A line as it stands; None where nothing was ever told on it."""
    changed = [node(row)["told_us"], node(row)["held_us"]]
    known = [rows.number(us) for us in changed if us is not None]
    if not known:
        return None
    tellings = [telling_of(node(one)) for one in cast("Sequence[Row]", row["tellings"])]
    versions = [version_of(node(one)) for one in cast("Sequence[Row]", row["versions"])]
    versions.sort(key=attrgetter("state.told_us", "state.first_telling_id"))
    return FactLine(tuple(by_record(tellings)), tuple(versions), max(known))


def _fact_ids(wanted: Iterable[LineWanted], lines: Iterable[FactLine]) -> Iterable[str]:
    """The facts whose memories are wanted."""
    for line in lines:
        yield from (telling.fact_id for telling in line.tellings)
        yield from (version.state.fact_id for version in line.versions)
    for one in wanted:
        yield from one.fact_ids
