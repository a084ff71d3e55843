"""Entities in Neo4j: what a write sees and keeps of them and of their mentions."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import cast

from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.domain.entities.names import EntityName, KnownEntity, Mention
from anamnesis_memory.ports import ReadSet, ReadView
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import (
    FUZZY_MAX,
    entity_of,
    entity_row,
    mention_of,
    mention_row,
    name_of,
)
from anamnesis_memory.storage.neo4j.rows import node, texts
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction

_COUNTED = ("entity_id", "scope", "name")
_SPELLING = ("name", "folded", "core", "head", "tail")


async def see_entities(tx: ScopedTransaction, wanted: ReadSet, seen: ReadView) -> ReadView:
    """The view, with entities and mentions that a write wants to see."""
    keys = wanted.names
    if wanted.entities or keys is not None:
        found = await tx.run(
            "entities_meant",
            ids=list(dict.fromkeys(wanted.entities)),
            folded=sorted(keys.folded) if keys else [],
            cores=sorted(keys.cores) if keys else [],
            heads=sorted(keys.heads) if keys else [],
            tails=sorted(keys.tails) if keys else [],
            limit=FUZZY_MAX,
        )
        named = [one for one in map(named_entity, found) if one.names]
        seen = replace(seen, entities={one.entity_id: one for one in named})
    if wanted.mentions_of:
        seen = replace(seen, mentions=await _mentions(tx, wanted.mentions_of))
    return seen


def named_entity(row: Row) -> KnownEntity:
    """An entity with `names`, the first spelled first."""
    names = [name_of(node(one)) for one in cast("Sequence[Row]", row["names"])]
    return replace(entity_of(node(row)), names=tuple(sorted(names, key=_first_used)))


async def put_entities(
    tx: ScopedTransaction,
    entities: Sequence[KnownEntity],
    unmentioned: Sequence[str],
    mentions: Iterable[Mention],
) -> None:
    """Put entities, forget and count mentions, and let go of what has no name left.

    Memories are locked in the order in which who keeps vectors locks them.
    """
    ids = [one.entity_id for one in entities]
    await tx.put("put_entities", [dict(entity_row(one)) for one in entities])
    for statement in ("part_entities", "join_entities", "join_parts"):
        await tx.each(statement, ids)
    gone = await tx.each("forget_mentions", unmentioned)
    in_order = sorted(mentions, key=attrgetter("memory_id", "entity_id"))
    put: list[Row] = [dict(mention_row(one)) for one in in_order]
    again = await tx.put("forget_same_mentions", put)
    await _count_down(tx, [*gone, *again])
    made = await tx.put("put_mentions", put)
    await tx.put("count_names_up", _counted(made))
    await _settle(tx, gone, [*again, *made])


async def forget_mentions(tx: ScopedTransaction, memory_ids: Sequence[str]) -> None:
    """Forget whom memories mention, and let go of entities that have no name left."""
    gone = await tx.each("forget_mentions", memory_ids)
    await _count_down(tx, gone)
    await _settle(tx, gone, [])


async def _settle(tx: ScopedTransaction, gone: Sequence[Row], changed: Sequence[Row]) -> None:
    """Let go of the nameless among those that lost a mention; show the names of all others."""
    lost = sorted({rows.text(node(row)["entity_id"]) for row in gone})
    nameless = await tx.each("nameless", lost)
    apart, joined = _told_apart(nameless)
    await tx.each("delete_entities", apart)
    for entity_id in joined:
        for row in await tx.each("nameless", [entity_id]):
            await _forget(tx, row)
    touched = {rows.text(node(row)["entity_id"]) for row in changed}
    await tx.each("show_names", sorted({*lost, *touched}))


def _told_apart(found: Iterable[Row]) -> tuple[list[str], list[str]]:
    """Entities that nobody merged; and all others, which change with each of them that goes."""
    apart: list[str] = []
    joined: list[str] = []
    for row in found:
        merged = node(row)["merged_into_id"] or row["part_ids"]
        (joined if merged else apart).append(rows.text(node(row)["entity_id"]))
    return apart, joined


async def _forget(tx: ScopedTransaction, row: Row) -> None:
    """Delete an entity; its parts move to the whole that it was part of, or to the eldest part."""
    held, part_ids = node(row), list(texts(row["part_ids"]))
    whole_id = rows.text(held["merged_into_id"]) or (part_ids[0] if part_ids else "")
    if part_ids:
        await tx.run("move_parts", ids=part_ids, whole_id=whole_id)
    await tx.each("delete_entities", [rows.text(held["entity_id"])])
    await tx.each("join_entities", part_ids)


async def _count_down(tx: ScopedTransaction, gone: Iterable[Row]) -> None:
    """Take mentions out of the names that they were counted into."""
    lost = Counter(tuple(rows.text(node(row)[name]) for name in _COUNTED) for row in gone)
    names: list[Row] = [
        {**dict(zip(_COUNTED, key, strict=True)), "gone": count} for key, count in lost.items()
    ]
    await tx.put("count_names_down", names)
    await tx.put("tell_names_again", names)


def _counted(made: Iterable[Row]) -> list[Row]:
    """Mentions as what they add to names."""
    counted: dict[tuple[object, ...], Row] = {}
    for row in made:
        key = tuple(row[name] for name in _COUNTED)
        counted[key] = _added(counted.get(key), row)
    return list(counted.values())


def _added(before: Row | None, row: Row) -> Row:
    """The row of a name after one more mention, on top of others of the same name."""
    held = node(row)
    alias, time_us = rows.number(held["is_alias"]), rows.number(held["time_us"])
    count, first_us, last_us = 0, time_us, time_us
    if before is not None:
        known = node(before)
        count = rows.number(known["mention_count"])
        alias = min(alias, rows.number(known["is_alias"]))
        first_us = min(time_us, rows.number(known["first_us"]))
        last_us = max(time_us, rows.number(known["last_us"]))
    return {
        "entity_id": row["entity_id"],
        "scope": row["scope"],
        "spelling": {name: row[name] for name in _SPELLING},
        "mention_count": count + 1,
        "is_alias": alias,
        "first_us": first_us,
        "last_us": last_us,
    }


async def _mentions(
    tx: ScopedTransaction, memory_ids: Sequence[str]
) -> Mapping[str, tuple[Mention, ...]]:
    mentions: dict[str, list[Mention]] = {}
    for row in await tx.each("mentions_of", list(dict.fromkeys(memory_ids))):
        mention = mention_of(node(row))
        mentions.setdefault(mention.memory_id, []).append(mention)
    order = attrgetter("entity_id", "spelling.name")
    return {key: tuple(sorted(held, key=order)) for key, held in mentions.items()}


def _first_used(name: EntityName) -> tuple[int, bool, str, str]:
    return name.first_us, name.is_alias, name.spelling.name, name.scope
