"""Facts and names that tests of what is known of the world begin with."""

from dataclasses import replace

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity, Mention, Spelling
from anamnesis_memory.domain.facts.interval import Interval
from anamnesis_memory.domain.facts.key import Statement
from anamnesis_memory.domain.facts.versions import FactState, FactVersion, Telling
from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports.knowledge import LineWanted
from tests.support.records import lesson

DAY_US = 24 * 3600 * 1_000_000
ALWAYS = Interval()


def telling(
    telling_id: str,
    object_: str = "Porto",
    told: Interval = ALWAYS,
    *,
    subject: str = "Ada",
    predicate: str = "lives in",
    scope: str = "shared",
    known_from_us: int = 5,
    single_valued: bool = False,
) -> Telling:
    """Somebody says where Ada lives."""
    return Telling(
        telling_id,
        Statement(scope, subject, predicate, object_),
        told,
        "ada",
        0.75,
        known_from_us,
        single_valued,
    )


def version(of: Telling, known_from_us: int = 5, known_to_us: int | None = None) -> FactVersion:
    """What is known by one telling."""
    state = FactState(
        of.fact_id, of.statement, of.told, of.confidence, (of.source,), 5, of.telling_id
    )
    return FactVersion(state, known_from_us, known_to_us)


def fact(of: Telling, memory: Memory | None = None) -> Memory:
    """The memory that holds what is told."""
    said = of.statement
    part = Fact(
        said.subject,
        said.predicate,
        said.object,
        of.told.from_us,
        of.told.to_us,
        fact_id=of.fact_id,
        source=of.source,
    )
    held = memory or lesson(f"{said.subject} {said.predicate} {said.object}")
    return replace(held, kind=Kind.SEMANTIC, part=part)


def wanted_line(of: Telling, *, whole: bool = False) -> LineWanted:
    """The line of what is told, as far as it concerns that statement."""
    return LineWanted(of.statement.line_id, (of.statement.key,), (of.fact_id,), whole)


def entity(entity_id: str, kind: EntityKind = EntityKind.PERSON, merged: str = "") -> KnownEntity:
    """An entity, as old as the number in its id."""
    return KnownEntity(entity_id, kind, int(entity_id.rpartition("-")[2]), merged)


def mention(
    memory_id: str,
    entity_id: str,
    name: str,
    *,
    scope: str = "shared",
    is_alias: bool = False,
    time_us: int = 5,
    kind: EntityKind = EntityKind.PERSON,
) -> Mention:
    """A memory names an entity."""
    return Mention(memory_id, entity_id, scope, Spelling.of(name, kind), is_alias, time_us)
