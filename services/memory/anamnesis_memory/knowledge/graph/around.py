"""Surroundings of memories and entities: a walk, then one batch each of what it reached."""

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.clock import Clock
from anamnesis_memory.domain.entities.names import ID_PREFIX
from anamnesis_memory.knowledge.finding import EntityGroup, groups_of
from anamnesis_memory.knowledge.graph.traverse import Reached, WalkBounds, WalkLimit, Way, walk
from anamnesis_memory.model.memory import Caller, Memory
from anamnesis_memory.model.scopes import scopes_of
from anamnesis_memory.ports import NamespaceStore


@dataclass(frozen=True, slots=True)
class Node:
    """A memory or an entity, and how it was reached."""

    reached: Reached
    is_: Memory | EntityGroup


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes, best path first, and what cut the walk short."""

    nodes: tuple[Node, ...]
    cut: WalkLimit


async def around(
    store: NamespaceStore,
    start_ids: Sequence[str],
    caller: Caller,
    way: Way,
    bounds: WalkBounds,
    clock: Clock,
) -> Neighbourhood:
    """Walk as far as the caller sees, from those of these that are there and to be seen.

    What went while it walked is left out, with all that was reached through it.
    """
    starts = await _read(store, start_ids, caller)
    walked = await walk(store, starts, way, bounds, clock)
    found = starts | await _read(store, [one.node_id for one in walked.nodes], caller)
    nodes = tuple(
        Node(one, found[one.node_id])
        for one in walked.nodes
        if all(link.source_id in found and link.target_id in found for link in one.path)
    )
    return Neighbourhood(nodes, walked.cut)


async def _read(
    store: NamespaceStore, node_ids: Sequence[str], caller: Caller
) -> dict[str, Memory | EntityGroup]:
    """The nodes that the caller may see; entities stand under the one that they are part of."""
    entity_ids = [one for one in node_ids if one.startswith(ID_PREFIX)]
    memory_ids = [one for one in node_ids if not one.startswith(ID_PREFIX)]
    memories = await store.memories(memory_ids, caller) if memory_ids else []
    groups = await groups_of(store, entity_ids, scopes_of(caller))
    return {one.memory_id: one for one in memories} | {one.ids[0]: one for one in groups}
