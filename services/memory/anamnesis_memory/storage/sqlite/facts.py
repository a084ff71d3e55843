"""Facts in SQLite: what a write sees and keeps of them."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace

import apsw

from anamnesis_memory.domain.facts.versions import FactLine, FactVersion, Telling
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import ReadView, WriteSet
from anamnesis_memory.ports.knowledge import LineWanted
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import (
    fact_id_of,
    telling_of,
    telling_row,
    version_of,
    version_row,
)

Queries = Mapping[str, str]


def see_lines(
    connection: apsw.Connection, q: Queries, wanted: Iterable[LineWanted], seen: ReadView
) -> ReadView:
    """The view, with lines and the memories of their facts."""
    lines: dict[str, FactLine] = {}
    fact_ids: dict[str, None] = {}
    for one in wanted:
        line = _line(connection, q, one)
        if line is not None:
            lines[one.line_id] = line
            fact_ids |= dict.fromkeys(telling.fact_id for telling in line.tellings)
            fact_ids |= dict.fromkeys(version.state.fact_id for version in line.versions)
        fact_ids |= dict.fromkeys(one.fact_ids)
    held = memories_of_facts(connection, q, fact_ids)
    return replace(
        seen,
        lines=lines,
        by_fact={fact_id: memory.memory_id for fact_id, memory in held.items()},
        memories={**seen.memories, **{one.memory_id: one for one in held.values()}},
    )


def memories_of_facts(
    connection: apsw.Connection, q: Queries, fact_ids: Iterable[str]
) -> dict[str, Memory]:
    """The memories that hold facts, by fact."""
    asked = {"ids": json.dumps([*fact_ids])}
    found = map(rows.memory_of, rows.records(connection.execute(q["memories_of_facts"], asked)))
    return {fact_id_of(memory) or "": memory for memory in found}


def apply_facts(connection: apsw.Connection, q: Queries, edits: WriteSet) -> None:
    """Put and remove what the edits name of tellings and versions."""
    gone: list[rows.Bindings] = [{"telling_id": one} for one in edits.removed_tellings]
    connection.executemany(q["delete_telling"], gone)
    for fact_id in edits.removed_facts:
        forget_fact(connection, q, fact_id)
    for telling in edits.tellings:
        put_telling(connection, q, telling)
    for version in edits.fact_versions:
        put_version(connection, q, version)


def let_go_of_facts(connection: apsw.Connection, q: Queries, edits: WriteSet) -> None:
    """Take facts from memories that lose them in a write, so that others can take them over."""
    held = [fact_id for one in edits.memories if (fact_id := fact_id_of(one)) is not None]
    if held:
        touched = [*(one.memory_id for one in edits.memories), *edits.deleted_memories]
        asked = {"fact_ids": json.dumps(held), "memory_ids": json.dumps(touched)}
        connection.execute(q["let_go_of_facts"], asked)


def forget_fact(connection: apsw.Connection, q: Queries, fact_id: str) -> None:
    """Let go of all that is kept of a fact; if no memory holds it, of its name elsewhere too."""
    for statement in ("forget_closing", "delete_tellings_of_fact", "delete_versions_of_fact"):
        connection.execute(q[statement], {"fact_id": fact_id})


def put_telling(connection: apsw.Connection, q: Queries, telling: Telling) -> None:
    """Put a telling; that of a fact which no memory holds is passed over."""
    connection.execute(q["put_telling"], telling_row(telling))


def put_version(connection: apsw.Connection, q: Queries, version: FactVersion) -> None:
    """Put a version, or let go of a void one; that of no memory's fact is passed over."""
    statement = "delete_version" if version.void else "put_version"
    connection.execute(q[statement], version_row(version))


def _line(connection: apsw.Connection, q: Queries, wanted: LineWanted) -> FactLine | None:
    """A line as it stands, as much of it as matters; None where nothing was ever told on it."""
    key: rows.Bindings = {"line_id": wanted.line_id}
    whole = wanted.whole or bool(connection.execute(q["line_is_single"], key).fetchone())
    if not whole:
        key["keys"] = json.dumps(wanted.keys)
    of = "line" if whole else "keys"
    settled_us = connection.execute(q[f"{of}_settled"], key).get
    if settled_us is None:
        return None
    tellings = rows.records(connection.execute(q[f"tellings_of_{of}"], key))
    versions = rows.records(connection.execute(q[f"versions_of_{of}"], key))
    return FactLine(
        tuple(map(telling_of, tellings)),
        tuple(map(version_of, versions)),
        rows.number(settled_us),
    )
