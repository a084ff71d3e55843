"""Entities between the wire and the model."""

from collections.abc import Iterable

from anamnesis.memory.v1 import entity_pb2
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.knowledge.finding import EntityGroup


def to_named(named: Iterable[entity_pb2.NamedEntity]) -> tuple[Named, ...]:
    """The entities that a text names, as its caller states them."""
    return tuple(Named(one.name, to_entity_kind(one.kind), tuple(one.aliases)) for one in named)


def to_entity_kind(kind: "entity_pb2.EntityKind.ValueType") -> EntityKind:
    """A kind; UNSPECIFIED is UNKNOWN."""
    if not kind:
        return EntityKind.UNKNOWN
    return EntityKind(entity_pb2.EntityKind.Name(kind).removeprefix("ENTITY_KIND_").lower())


def from_entity_kind(kind: EntityKind) -> "entity_pb2.EntityKind.ValueType":
    """A kind for the wire."""
    name = "UNSPECIFIED" if kind is EntityKind.UNKNOWN else kind.name
    return entity_pb2.EntityKind.Value(f"ENTITY_KIND_{name}")


def from_group(group: EntityGroup) -> entity_pb2.Entity:
    """An entity with what was merged into it."""
    return entity_pb2.Entity(
        entity_id=group.root.entity_id,
        kind=from_entity_kind(group.kind),
        name=group.name,
        aliases=group.aliases,
        mention_count=group.mention_count,
        last_mention_time=to_timestamp(max((one.last_us for one in group.names), default=None)),
        merged=[
            entity_pb2.MergedEntity(entity_id=one.entity_id, name=one.name) for one in group.merged
        ],
    )
