"""Walking the graph, best path first: one query a hop, for all nodes of it at once.

The weight of a path is the product of its edges', and no edge weighs more than 1, so that a path
only gets lighter. That makes two things exact:

- A node counts by the best of all paths within the hops: each hop starts from the nodes that the
  last one reached better than before (Bellman 1958, Ford 1956, hop by hop).
- Once more than `nodes_max` nodes are known, what cannot lead to something as good as the last of
  the best need not be followed, be it a node or an edge: all behind it is lighter still, or as
  light and farther. So a walk from what is often mentioned ends early.

An entity that others are part of is one node: a hop asks for all of them, and their ends come back
as that one.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from heapq import nsmallest
from typing import Protocol

from anamnesis_libs.clock import Clock
from anamnesis_memory.domain.entities.names import ID_PREFIX
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, Hop, Link

BY_NAME_ONLY = (EdgeType.FOLLOWED_BY, EdgeType.CAUSED_BY, EdgeType.MAY_DUPLICATE)
"""Types that lead along a story, or are only a guess: not followed unless named."""

TYPES = (MENTIONS, *(one.value for one in EdgeType if one not in BY_NAME_ONLY))
"""The types that are followed where none is named."""

EDGES_MAX = 10_000
"""Edges that one hop looks at, the heaviest first."""

_ROUNDING = 1 - 1e-9
"""The rounding error allowed for products of weights."""


class GraphReads(Protocol):
    """The reads that a walk needs of a store; see `KnowledgeReads`."""

    async def hop(self, hop: Hop) -> Sequence[Link]:
        """Go one step from many nodes."""
        ...

    async def entity_groups(self, entity_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """For each entity, the ids of those that are one with it."""
        ...


class WalkLimit(StrEnum):
    """The bounds that can end a walk before all was seen; of several, the first here counts."""

    NONE = ""
    TIME = "time"
    EDGES = "edges"
    NODES = "nodes"
    HOPS = "hops"


@dataclass(frozen=True, slots=True)
class WalkBounds:
    """The bounds of a walk.

    Args:
        hops_max: edges of a path.
        nodes_max: nodes, the best.
        time_s: no hop begins later.
        edges_max: edges of one hop.
    """

    hops_max: int = 2
    nodes_max: int = 100
    time_s: float = 1.0
    edges_max: int = EDGES_MAX


@dataclass(frozen=True, slots=True)
class Way:
    """The edges that a walk may follow; see `Hop`."""

    types: tuple[str, ...] = TYPES
    direction: Direction = Direction.BOTH
    weight_min: float = 0.0
    scopes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reached:
    """A node by its best path; `weight` in (0, 1]. One where a walk began has no path."""

    node_id: str
    weight: float = 1.0
    path: tuple[Link, ...] = ()

    @property
    def hops(self) -> int:
        """Edges from where the walk began."""
        return len(self.path)

    @property
    def place(self) -> tuple[float, int, str]:
        """The sort key of the node: by weight, the greatest first, then by hops."""
        return -self.weight, self.hops, self.node_id

    def on(self, node_id: str, link: Link) -> "Reached":
        """The node behind one more edge."""
        return Reached(node_id, self.weight * link.weight, (*self.path, link))

    def leads_to(self, place: "Reached") -> bool:
        """True if a node as good as that one may lie behind one more edge."""
        return (-self.weight, self.hops + 1) <= (-place.weight, place.hops)

    def betters(self, other: "Reached | None") -> bool:
        """True if this path to the node is better than the other."""
        if other is None or self.weight != other.weight:
            return other is None or self.weight > other.weight
        return (self.hops, self.path) < (other.hops, other.path)


@dataclass(frozen=True, slots=True)
class Walked:
    """The nodes that a walk reached, best first and without its start, and the bound it met."""

    nodes: tuple[Reached, ...]
    cut: WalkLimit


async def walk(
    graph: GraphReads, start_ids: Iterable[str], way: Way, bounds: WalkBounds, clock: Clock
) -> Walked:
    """Walk from nodes that are there and seen, each under the id of what it is part of."""
    deadline_s = clock.monotonic_s() + bounds.time_s
    known = {one: Reached(one) for one in start_ids}
    starts = frozenset(known)
    fresh: Collection[str] = starts
    cuts = set()
    for _ in range(bounds.hops_max):
        frontier, weight_min = _worth_following(known, fresh, starts, bounds.nodes_max)
        if not frontier:
            fresh = ()
            break
        if clock.monotonic_s() > deadline_s:
            cuts.add(WalkLimit.TIME)
            break
        heavy = replace(way, weight_min=max(way.weight_min, weight_min))
        links = await _hop(graph, frontier, heavy, bounds.edges_max + 1)
        if len(links) > bounds.edges_max:
            cuts.add(WalkLimit.EDGES)
        fresh = _relax(known, frontier, links[: bounds.edges_max], way.direction)
    if fresh:
        cuts.add(WalkLimit.HOPS)
    reached = [one for one in known.values() if one.path]
    if len(reached) > bounds.nodes_max:
        cuts.add(WalkLimit.NODES)
    best = nsmallest(bounds.nodes_max, reached, key=lambda one: one.place)
    return Walked(tuple(best), next((cut for cut in WalkLimit if cut in cuts), WalkLimit.NONE))


def _worth_following(
    known: Mapping[str, Reached], fresh: Collection[str], starts: Collection[str], nodes_max: int
) -> tuple[Mapping[str, Reached], float]:
    """The nodes that were reached better than before, and may lead to one of the best.

    With them comes what an edge must weigh to lead there. Both are told by the last of the best,
    once more than enough nodes are known.
    """
    if len(known) - len(starts) <= nodes_max:
        return {one: known[one] for one in fresh}, 0.0
    reached = (one for one in known.values() if one.path)
    last = nsmallest(nodes_max, reached, key=lambda one: one.place)[-1]
    frontier = {one: known[one] for one in fresh if known[one].leads_to(last)}
    heaviest = max((one.weight for one in frontier.values()), default=last.weight)
    return frontier, last.weight / heaviest * _ROUNDING


async def _hop(
    graph: GraphReads, frontier: Mapping[str, Reached], way: Way, limit: int
) -> Sequence[Link]:
    """The links of one step from these nodes, and from the parts of each."""
    entity_ids = [one for one in frontier if one.startswith(ID_PREFIX)]
    groups = await graph.entity_groups(entity_ids) if entity_ids else {}
    node_ids = dict.fromkeys(each for one in frontier for each in groups.get(one, (one,)))
    hop = Hop(tuple(node_ids), way.types, way.direction, way.weight_min, way.scopes, limit)
    return await graph.hop(hop)


def _relax(
    known: dict[str, Reached],
    frontier: Mapping[str, Reached],
    links: Iterable[Link],
    direction: Direction,
) -> Collection[str]:
    """Follow edges from the frontier; the nodes that they reach better than before."""
    fresh: dict[str, None] = {}
    for link in links:
        for here, there in _ends(link, direction):
            start, before = frontier.get(here), known.get(there)
            if start is None or (before and start.weight * link.weight < before.weight):
                continue
            reached = start.on(there, link)
            if reached.betters(before):
                known[there] = reached
                fresh[there] = None
    return fresh


def _ends(link: Link, direction: Direction) -> Iterator[tuple[str, str]]:
    """The ends of a link, in each direction that may be followed."""
    if direction is not Direction.IN:
        yield link.source_id, link.target_id
    if direction is not Direction.OUT:
        yield link.target_id, link.source_id
