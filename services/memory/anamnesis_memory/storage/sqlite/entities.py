"""Entities in SQLite: what a write sees and keeps of them and of their mentions."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import apsw

from anamnesis_memory.domain.entities.names import KnownEntity, Mention, NameKeys
from anamnesis_memory.ports import ReadSet, ReadView, WriteSet
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.knowledge_rows import (
    FUZZY_MAX,
    entity_groups,
    entity_of,
    entity_row,
    mention_of,
    mention_row,
    with_names,
)

Queries = Mapping[str, str]


def see_entities(
    connection: apsw.Connection, q: Queries, wanted: ReadSet, seen: ReadView
) -> ReadView:
    """The view, with entities and mentions that a write wants to see."""
    if wanted.entities or wanted.names is not None:
        ids = dict.fromkeys(wanted.entities)
        if wanted.names is not None:
            ids |= dict.fromkeys(_meant(connection, q, wanted.names))
        groups = groups_of(connection, q, [*ids])
        every = dict.fromkeys(one for group in groups.values() for one in group)
        found = entities_of(connection, q, [*every], None)
        seen = replace(seen, entities={one.entity_id: one for one in found})
    if wanted.mentions_of:
        seen = replace(seen, mentions=_mentions(connection, q, wanted.mentions_of))
    return seen


def entities_of(
    connection: apsw.Connection,
    q: Queries,
    entity_ids: Sequence[str],
    scopes: Iterable[str] | None,
) -> list[KnownEntity]:
    """Entities with the names in some scopes, in the order asked for; None is all."""
    asked: rows.Bindings = {"entity_ids": json.dumps([*dict.fromkeys(entity_ids)])}
    found = rows.records(connection.execute(q["get_entities"], asked))
    asked["scopes"] = None if scopes is None else json.dumps([*scopes])
    names = rows.records(connection.execute(q["names_of_entities"], asked))
    return with_names(map(entity_of, found), names)


def groups_of(
    connection: apsw.Connection, q: Queries, entity_ids: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """For each known entity, the ids of the whole that it is part of and of all the parts."""
    asked = {"entity_ids": json.dumps([*dict.fromkeys(entity_ids)])}
    up = rows.records(connection.execute(q["wholes_of_entities"], asked))
    wholes = {rows.text(row["asked_id"]): rows.text(row["whole_id"]) for row in up}
    below = {"whole_ids": json.dumps([*dict.fromkeys(wholes.values())])}
    down = rows.records(connection.execute(q["parts_of_wholes"], below))
    parts = [(rows.text(row["whole_id"]), rows.text(row["entity_id"])) for row in down]
    return entity_groups(wholes, parts)


def apply_entities(connection: apsw.Connection, q: Queries, edits: WriteSet) -> None:
    """Put entities, count mentions into their names, let go of those that have none left."""
    for entity in edits.entities:
        put_entity(connection, q, entity)
    touched: set[str] = set()
    for memory_id in (*edits.deleted_memories, *edits.unmentioned):
        for mention in _mentions(connection, q, [memory_id]).get(memory_id, ()):
            _uncount(connection, q, mention)
            touched.add(mention.entity_id)
    for mention in edits.mentions:
        put_mention(connection, q, mention)
    for entity_id in sorted(touched):
        if not connection.execute(q["is_named"], {"entity_id": entity_id}).fetchone():
            _forget(connection, q, entity_id)


def put_entity(connection: apsw.Connection, q: Queries, entity: KnownEntity) -> None:
    """Put an entity; its names come with mentions."""
    connection.execute(q["put_entity"], entity_row(entity))


def put_mention(connection: apsw.Connection, q: Queries, mention: Mention) -> None:
    """Put a mention and count it; one that lacks its memory or entity is passed over."""
    row = mention_row(mention)
    before = rows.records(connection.execute(q["get_mention"], row))
    if before and mention_of(before[0]) == mention:
        return
    for known in before:
        _uncount(connection, q, mention_of(known))
    connection.execute(q["put_mention"], row)
    if connection.changes():
        connection.execute(q["count_name"], row)


def _meant(connection: apsw.Connection, q: Queries, keys: NameKeys) -> list[str]:
    """The entities that names may mean: all that share a name, some that share an end of one."""
    found: dict[str, None] = {}
    for key, names, limit in (
        ("folded", keys.folded, None),
        ("core", keys.cores, None),
        ("head", keys.heads, FUZZY_MAX),
        ("tail", keys.tails, FUZZY_MAX),
    ):
        asked: rows.Bindings = {"keys": json.dumps(sorted(filter(None, names)))}
        if limit is not None:
            asked["limit"] = limit
        ids = connection.execute(q[f"entities_of_{key}"], asked) if any(names) else ()
        found |= dict.fromkeys(rows.text(entity_id) for (entity_id,) in ids)
    return [*found]


def _mentions(
    connection: apsw.Connection, q: Queries, memory_ids: Iterable[str]
) -> dict[str, tuple[Mention, ...]]:
    asked = {"memory_ids": json.dumps([*dict.fromkeys(memory_ids)])}
    mentions: dict[str, tuple[Mention, ...]] = {}
    for row in rows.records(connection.execute(q["mentions_of"], asked)):
        mention = mention_of(row)
        mentions[mention.memory_id] = (*mentions.get(mention.memory_id, ()), mention)
    return mentions


def _uncount(connection: apsw.Connection, q: Queries, mention: Mention) -> None:
    """Take a mention out of the name that it was counted into."""
    name: rows.Bindings = {"entity_id": mention.entity_id, "name": mention.spelling.name}
    connection.execute(q["delete_mention"], {**name, "memory_id": mention.memory_id})
    for statement in ("uncount_name", "delete_uncounted", "retell_name"):
        connection.execute(q[statement], {**name, "scope": mention.scope})


def _forget(connection: apsw.Connection, q: Queries, entity_id: str) -> None:
    """Delete an entity; its parts move to the whole that it was part of, or to the eldest part."""
    (gone,) = rows.records(
        connection.execute(q["get_entities"], {"entity_ids": json.dumps([entity_id])})
    )
    key: rows.Bindings = {"entity_id": entity_id}
    parts = rows.records(connection.execute(q["parts_of_entity"], key))
    into = rows.text(gone["merged_into_id"]) or (parts[0]["entity_id"] if parts else "")
    connection.execute(q["move_parts"], {**key, "into": into})
    connection.execute(q["delete_entity"], key)
