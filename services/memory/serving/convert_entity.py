"""Entities between the wire and the model."""

from collections.abc import Iterable

from anamnesis.memory.v1 import entity_pb2
from services.memory.entities.kinds import EntityKind
from services.memory.entities.names import Named


def to_named(named: Iterable[entity_pb2.NamedEntity]) -> tuple[Named, ...]:
    """What a text names, as its caller states it."""
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
