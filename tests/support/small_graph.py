"""A graph of a few nodes that a test writes down, and the naive way to find its best paths."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from anamnesis_memory.ports.knowledge import Direction, Hop, Link


@dataclass(slots=True)
class SmallGraph:
    """Implements the part of a store that a walk needs; `hops` keeps what was asked.

    Args:
        links: the edges; ends that are part of another stand as themselves here.
        parts: by entity that was merged, the one that it is part of.
        hidden: nodes that nobody may see.
    """

    links: Sequence[Link]
    parts: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    hops: list[Hop] = field(default_factory=list)

    async def hop(self, hop: Hop) -> Sequence[Link]:
        """See `KnowledgeReads.hop`."""
        self.hops.append(hop)
        found = {self._shown(link) for link in self.links if self._goes(link, hop)}
        return sorted(found, key=lambda link: (-link.weight, link))[: hop.limit]

    async def entity_groups(self, entity_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """See `KnowledgeReads.entity_groups`."""
        roots = {one: self.parts.get(one, one) for one in entity_ids}
        return {
            one: (root, *sorted(part for part, of in self.parts.items() if of == root))
            for one, root in roots.items()
        }

    def _goes(self, link: Link, hop: Hop) -> bool:
        out = hop.direction is not Direction.IN and link.source_id in hop.node_ids
        back = hop.direction is not Direction.OUT and link.target_id in hop.node_ids
        return (
            (out or back)
            and link.type in hop.types
            and link.weight >= hop.weight_min
            and not {link.source_id, link.target_id} & self.hidden
        )

    def _shown(self, link: Link) -> Link:
        ends = (self.parts.get(end, end) for end in (link.source_id, link.target_id))
        source_id, target_id = ends
        return replace(link, source_id=source_id, target_id=target_id)


def transposed(links: Sequence[Link]) -> list[Link]:
    """Every edge the other way round."""
    return [replace(one, source_id=one.target_id, target_id=one.source_id) for one in links]


def best_weights(links: Sequence[Link], start_id: str, hops_max: int) -> dict[str, float]:
    """By node, the weight of the best of all paths along the edges, each counted out."""
    best: dict[str, float] = {}
    for path in _paths(links, start_id, hops_max):
        weight = 1.0
        for link in path:
            weight *= link.weight
        end = path[-1].target_id
        best[end] = max(best.get(end, 0.0), weight)
    best.pop(start_id, None)
    return best


def _paths(links: Sequence[Link], start_id: str, hops_max: int) -> Iterator[tuple[Link, ...]]:
    if hops_max == 0:
        return
    for link in links:
        if link.source_id == start_id:
            yield (link,)
            for rest in _paths(links, link.target_id, hops_max - 1):
                yield (link, *rest)
