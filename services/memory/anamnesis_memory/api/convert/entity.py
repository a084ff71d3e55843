"""Entities between the wire and the model."""

from collections.abc import Iterable

from anamnesis.memory.v1 import entity_pb2
from anamnesis_memory.api.convert.enums import ENTITY_KIND
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.knowledge.finding import EntityGroup


def to_named(named: Iterable[entity_pb2.NamedEntity]) -> tuple[Named, ...]:
    """The entities that a text names, as its caller states them."""
    return tuple(
        Named(one.name, ENTITY_KIND.from_pb(one.kind), tuple(one.aliases)) for one in named
    )


def from_group(group: EntityGroup) -> entity_pb2.Entity:
    """An entity with what was merged into it."""
    return entity_pb2.Entity(
        entity_id=group.root.entity_id,
        kind=ENTITY_KIND.to_pb(group.kind),
        name=group.name,
        aliases=group.aliases,
        mention_count=group.mention_count,
        last_mention_time=to_timestamp(max((one.last_us for one in group.names), default=None)),
        merged=[
            entity_pb2.MergedEntity(entity_id=one.entity_id, name=one.name) for one in group.merged
        ],
    )
