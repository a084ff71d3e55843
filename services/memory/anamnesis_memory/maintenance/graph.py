"""The memory graph of a namespace as arrays, for PageRank: one graph for each scope.

What only some may see must not lend weight to what others see: an edge counts only between
memories of one visibility and owner, and an entity is another node in every scope. An edge leads
from what rests on something to what it rests on.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from anamnesis_memory.domain.lifecycle.centrality import FloatArray, pagerank, percentile_ranks
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Kind, Memory
from anamnesis_memory.model.scopes import scope_of

MENTION_WEIGHT = 0.5
FOLLOWED_WEIGHT = 0.5
CENTRALITY_STEP = 0.005
"""A change of centrality that is worth a write."""

_FORWARD = frozenset(
    {EdgeType.DERIVED_FROM, EdgeType.CAUSED_BY, EdgeType.SUPPORTS, EdgeType.PART_OF}
)
_BACKWARD = frozenset({EdgeType.SUPERSEDES})
"""A superseded memory leads to the one that took its place."""
_BOTH_WAYS = frozenset({EdgeType.CO_RECALLED, EdgeType.SIMILAR_TO, EdgeType.FOLLOWED_BY})
LINKS = tuple(sorted(_FORWARD | _BACKWARD | _BOTH_WAYS))
"""Edges that lend weight; a contradiction and a guess of a duplicate do not."""


@dataclass(slots=True)
class ScopeGraph:
    """Nodes are numbered as they come; those of memories are `memory_nodes`."""

    memory_ids: list[str] = field(default_factory=list)
    memory_nodes: "array[int]" = field(default_factory=lambda: array("q"))
    known: "array[float]" = field(default_factory=lambda: array("d"))
    sources: "array[int]" = field(default_factory=lambda: array("q"))
    targets: "array[int]" = field(default_factory=lambda: array("q"))
    weights: "array[float]" = field(default_factory=lambda: array("d"))
    entities: dict[str, int] = field(default_factory=dict)
    node_count: int = 0

    def add(self, memory: Memory) -> int:
        """A memory with its mentions; answers its node."""
        node = self._node()
        self.memory_ids.append(memory.memory_id)
        self.memory_nodes.append(node)
        self.known.append(memory.centrality)
        for name in {entity.casefold() for entity in memory.entities}:
            if name not in self.entities:
                self.entities[name] = self._node()
            self.join(node, self.entities[name], MENTION_WEIGHT)
        return node

    def link(self, source: int, target: int, weight: float) -> None:
        """An edge."""
        self.sources.append(source)
        self.targets.append(target)
        self.weights.append(weight)

    def join(self, one: int, other: int, weight: float) -> None:
        """An edge that counts both ways."""
        self.link(one, other, weight)
        self.link(other, one, weight)

    def centralities(self) -> FloatArray:
        """The percentile of each memory's PageRank among the memories of this graph."""
        scores = pagerank(
            self.node_count,
            np.frombuffer(self.sources, np.int64) if self.sources else np.zeros(0, np.int64),
            np.frombuffer(self.targets, np.int64) if self.targets else np.zeros(0, np.int64),
            np.frombuffer(self.weights, np.float64) if self.weights else np.zeros(0, np.float64),
        )
        return percentile_ranks(scores[np.asarray(self.memory_nodes, np.int64)])

    def changed(self) -> list[tuple[str, float]]:
        """Memories whose centrality has changed, with the new one."""
        ranks = self.centralities()
        moved = np.abs(ranks - np.asarray(self.known)) > CENTRALITY_STEP
        return [(self.memory_ids[at], float(ranks[at])) for at in np.flatnonzero(moved)]

    def _node(self) -> int:
        self.node_count += 1
        return self.node_count - 1


class MemoryGraph:
    """All graphs of a namespace, as they are read: first memories, then edges, then `follow`."""

    def __init__(self) -> None:
        self._scopes: dict[str, ScopeGraph] = {}
        self._places: dict[str, tuple[ScopeGraph, int]] = {}
        self._sessions: dict[str, list[tuple[int, str]]] = {}

    @property
    def scopes(self) -> Sequence[ScopeGraph]:
        """The graphs, one for each scope."""
        return tuple(self._scopes.values())

    def add_memories(self, memories: Iterable[Memory]) -> None:
        """Memories with what they mention."""
        for memory in memories:
            graph = self._scopes.setdefault(scope_of(memory), ScopeGraph())
            self._places[memory.memory_id] = graph, graph.add(memory)
            if memory.kind is Kind.EPISODIC and memory.event_index is not None:
                said = self._sessions.setdefault(memory.session_id, [])
                said.append((memory.event_index, memory.memory_id))

    def add_edges(self, edges: Iterable[Edge]) -> int:
        """Edges between memories of one scope; answers how many count."""
        counted = 0
        for edge in edges:
            source, target = self._places.get(edge.source_id), self._places.get(edge.target_id)
            if source is None or target is None or source[0] is not target[0]:
                continue
            counted += 1
            _add(source[0], edge, source[1], target[1])
        return counted

    def follow(self) -> None:
        """Each drawer is joined to the one said before it in its session."""
        for said in self._sessions.values():
            said.sort()
            for (_, before), (_, after) in pairwise(said):
                (graph, one), (other_graph, other) = self._places[before], self._places[after]
                if graph is other_graph:
                    graph.join(one, other, FOLLOWED_WEIGHT)


def _add(graph: ScopeGraph, edge: Edge, source: int, target: int) -> None:
    if edge.type in _BOTH_WAYS:
        graph.join(source, target, edge.weight)
    elif edge.type in _BACKWARD:
        graph.link(target, source, edge.weight)
    else:
        graph.link(source, target, edge.weight)
