"""A small made-up neighbourhood, as a server would tell of it."""

from datetime import datetime

from anamnesis.memory.v1.entity_pb2 import Entity, EntityKind
from anamnesis.memory.v1.knowledge_pb2 import EDGE_TYPE_MENTIONS, GraphNode, MemoryEdge
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_EPISODIC,
    MEMORY_KIND_SEMANTIC,
    MEMORY_STATUS_ACTIVE,
    MEMORY_STATUS_ARCHIVED,
    TIME_PRECISION_MONTH,
    Fact,
    Memory,
)
from anamnesis_cli.params import timestamp
from tests.support.clock import SetClock

NOW = SetClock().now()
MARA = "e-" + "1" * 32


def entity(name: str, kind: str = "person", *aliases: str, entity_id: str = "") -> Entity:
    """An entity."""
    return Entity(
        entity_id=entity_id or f"e-{name}",
        name=name,
        kind=EntityKind.Value(f"ENTITY_KIND_{kind.upper()}"),
        aliases=aliases,
        mention_count=3,
    )


def reached(thing: Entity | Memory, *path: MemoryEdge) -> GraphNode:
    """A node of a walk."""
    if isinstance(thing, Entity):
        return GraphNode(node_id=thing.entity_id, entity=thing, path=path, hops=2, weight=1)
    return GraphNode(node_id=thing.memory_id, memory=thing, path=path, hops=1, weight=1)


def fact(
    subject: str,
    predicate: str,
    said: str,
    begin: str = "",
    end: str = "",
    *,
    superseded: bool = False,
    contradicted: bool = False,
    retracted: bool = False,
) -> Memory:
    """A fact; times are of the form 2026-03, the end is where it holds no more."""
    return Memory(
        memory_id=f"{subject} {predicate} {said}",
        kind=MEMORY_KIND_SEMANTIC,
        status=MEMORY_STATUS_ARCHIVED if retracted else MEMORY_STATUS_ACTIVE,
        fact=Fact(
            subject=subject,
            predicate=predicate,
            object=said,
            valid_from=timestamp(_month(begin)) if begin else None,
            valid_to=timestamp(_month(end)) if end else None,
            time_precision=TIME_PRECISION_MONTH,
            superseded=superseded,
            contradicted=contradicted,
            retracted=retracted,
        ),
    )


def drawer(memory_id: str, *names: str) -> Memory:
    """Something that was said, with whom it names."""
    return Memory(
        memory_id=memory_id,
        kind=MEMORY_KIND_EPISODIC,
        status=MEMORY_STATUS_ACTIVE,
        entities=names,
    )


def mentions(memory_id: str, entity_id: str) -> MemoryEdge:
    """The edge from a memory to whom it names."""
    return MemoryEdge(source_id=memory_id, target_id=entity_id, type=EDGE_TYPE_MENTIONS, weight=1.0)


def _month(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}-01")


CENTRE = entity("Mara Lindqvist", "person", "Mara", entity_id=MARA)
NODES = (
    reached(entity("Tom")),
    reached(entity("Lisbon", "place")),
    reached(entity("Porto", "place")),
    reached(entity("Juno", "agent"), mentions("d-1", MARA), mentions("d-1", "e-Juno")),
    reached(fact("Mara", "lives_in", "Lisbon", "2023-04")),
    reached(fact("mara", "lives_in", "Porto", "2021-01", "2023-04", superseded=True)),
    reached(fact("Mara", "married_to", "TOM", "2022-06")),
    reached(fact("Tom", "lives_in", "Lisbon", "2023-04", contradicted=True)),
    reached(fact("Mara", "allergic_to", "花生")),
    reached(fact("Mara", "owns", "a boat", retracted=True)),
    reached(drawer("d-1", "Mara")),
    reached(drawer("d-2", "Mara", "Juno")),
)
