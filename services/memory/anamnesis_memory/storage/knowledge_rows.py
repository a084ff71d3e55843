"""Rows of facts, reasons, entities and mentions to values and back; shared by the databases."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import EntityName, KnownEntity, Mention, Spelling
from anamnesis_memory.domain.facts.interval import EARLIEST_US, Interval
from anamnesis_memory.domain.facts.key import Statement, folded
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.domain.facts.versions import FactState, FactVersion, Telling
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports.knowledge import FactPlace
from anamnesis_memory.storage import rows

BEFORE_ALL_US = EARLIEST_US - 1

FUZZY_MAX = 300
"""Number of entities looked at that share an end of a name."""


def fact_id_of(memory: Memory) -> str | None:
    """The fact that a memory holds, if it holds one that is told on a line."""
    part = memory.part
    return part.fact_id or None if isinstance(part, Fact) else None


def telling_row(telling: Telling) -> rows.Bindings:
    """A telling as stored, with what it is found by."""
    return {
        "telling_id": telling.telling_id,
        "fact_id": telling.fact_id,
        **_statement_row(telling.statement),
        "from_us": telling.told.first_us,
        "to_us": telling.told.after_us,
        "source": telling.source,
        "confidence": telling.confidence,
        "single_valued": int(telling.single_valued),
        "known_from_us": telling.known_from_us,
        "known_to_us": telling.known_to_us,
    }


def telling_of(row: rows.Record) -> Telling:
    """A row of tellings."""
    return Telling(
        telling_id=rows.text(row["telling_id"]),
        statement=_statement_of(row),
        told=_interval_of(row),
        source=rows.text(row["source"]),
        confidence=rows.real(row["confidence"]),
        known_from_us=rows.number(row["known_from_us"]),
        single_valued=bool(row["single_valued"]),
        known_to_us=rows.optional(row["known_to_us"]),
    )


def version_row(version: FactVersion) -> rows.Bindings:
    """A version as stored, with what it is found by: `of_subject` and its like are folded."""
    state = version.state
    statement = state.statement
    return {
        "fact_id": state.fact_id,
        "known_from_us": version.known_from_us,
        "known_to_us": version.known_to_us,
        **_statement_row(statement),
        "from_us": state.interval.first_us,
        "to_us": state.interval.after_us,
        "told_confidence": state.told_confidence,
        "sources": json.dumps(state.sources, ensure_ascii=False),
        "told_us": state.told_us,
        "first_telling_id": state.first_telling_id,
        "closed_by": json.dumps(state.closed_by),
        "contradicted": int(state.contradicted),
        "of_subject": folded(statement.subject),
        "of_predicate": folded(statement.predicate),
        "of_object": folded(statement.object),
    }


def version_of(row: rows.Record) -> FactVersion:
    """A row of versions."""
    state = FactState(
        fact_id=rows.text(row["fact_id"]),
        statement=_statement_of(row),
        interval=_interval_of(row),
        told_confidence=rows.real(row["told_confidence"]),
        sources=tuple(json.loads(rows.text(row["sources"]))),
        told_us=rows.number(row["told_us"]),
        first_telling_id=rows.text(row["first_telling_id"]),
        closed_by=tuple(json.loads(rows.text(row["closed_by"]))),
        contradicted=bool(row["contradicted"]),
    )
    return FactVersion(state, rows.number(row["known_from_us"]), rows.optional(row["known_to_us"]))


def place_row(after: FactPlace | None) -> rows.Bindings:
    """Behind which place a list of facts begins; None is its first."""
    place = after or FactPlace(BEFORE_ALL_US, BEFORE_ALL_US, "", "")
    return {
        "after_from_us": place.from_us,
        "after_to_us": place.to_us,
        "after_key": place.key,
        "after_fact_id": place.fact_id,
    }


def reason_row(reason: ReviewReason) -> rows.Bindings:
    """A reason as stored; `reason_key` tells it from others of its memory and ground."""
    ended = "" if reason.ended_us is None else str(reason.ended_us)
    return {**asdict(reason), "reason_key": ended}


def reason_of(row: rows.Record) -> ReviewReason:
    """A row of reasons."""
    return ReviewReason(
        rows.text(row["memory_id"]), rows.text(row["ground_id"]), rows.optional(row["ended_us"])
    )


def entity_row(entity: KnownEntity) -> rows.Bindings:
    """An entity as stored, without its names."""
    return {
        "entity_id": entity.entity_id,
        "kind": entity.kind.value,
        "create_time_us": entity.create_time_us,
        "merged_into_id": entity.merged_into_id,
    }


def entity_of(row: rows.Record) -> KnownEntity:
    """A row of entities, without its names."""
    return KnownEntity(
        entity_id=rows.text(row["entity_id"]),
        kind=EntityKind(rows.text(row["kind"])),
        create_time_us=rows.number(row["create_time_us"]),
        merged_into_id=rows.text(row["merged_into_id"]),
    )


def name_of(row: rows.Record) -> EntityName:
    """A row of names."""
    return EntityName(
        scope=rows.text(row["scope"]),
        spelling=_spelling_of(row),
        is_alias=bool(row["is_alias"]),
        count=rows.number(row["mention_count"]),
        first_us=rows.number(row["first_us"]),
        last_us=rows.number(row["last_us"]),
    )


def with_names(entities: Iterable[KnownEntity], names: Sequence[rows.Record]) -> list[KnownEntity]:
    """Entities with their names, rows that are in order; those that have none are left out."""
    named: dict[str, list[EntityName]] = {}
    for row in names:
        named.setdefault(rows.text(row["entity_id"]), []).append(name_of(row))
    return [
        replace(one, names=tuple(named[one.entity_id]))
        for one in entities
        if one.entity_id in named
    ]


def entity_groups(
    wholes: Mapping[str, str], parts: Iterable[tuple[str, str]]
) -> dict[str, tuple[str, ...]]:
    """For each entity, the whole that it is part of and the other parts, from pairs in order."""
    groups: dict[str, list[str]] = {whole_id: [whole_id] for whole_id in wholes.values()}
    for whole_id, entity_id in parts:
        groups[whole_id].append(entity_id)
    return {entity_id: tuple(groups[whole_id]) for entity_id, whole_id in wholes.items()}


def mention_row(mention: Mention) -> rows.Bindings:
    """A mention as stored."""
    return {
        "memory_id": mention.memory_id,
        "entity_id": mention.entity_id,
        "scope": mention.scope,
        **asdict(mention.spelling),
        "is_alias": int(mention.is_alias),
        "time_us": mention.time_us,
    }


def mention_of(row: rows.Record) -> Mention:
    """A row of mentions."""
    return Mention(
        memory_id=rows.text(row["memory_id"]),
        entity_id=rows.text(row["entity_id"]),
        scope=rows.text(row["scope"]),
        spelling=_spelling_of(row),
        is_alias=bool(row["is_alias"]),
        time_us=rows.number(row["time_us"]),
    )


def _spelling_of(row: rows.Record) -> Spelling:
    return Spelling(*(rows.text(row[name]) for name in Spelling.__slots__))


def _statement_row(statement: Statement) -> rows.Bindings:
    return {
        "line_id": statement.line_id,
        "fact_key": statement.key,
        "scope": statement.scope,
        "subject": statement.subject,
        "predicate": statement.predicate,
        "object": statement.object,
    }


def _statement_of(row: rows.Record) -> Statement:
    return Statement(
        *(rows.text(row[name]) for name in ("scope", "subject", "predicate", "object"))
    )


def _interval_of(row: rows.Record) -> Interval:
    return Interval.stored(rows.number(row["from_us"]), rows.number(row["to_us"]))
