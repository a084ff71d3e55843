"""Links that a trajectory shows, as edges for the memory service."""

from collections.abc import Iterator, Mapping, Sequence

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis_ingestion.convert.enums import LINK_TYPE
from anamnesis_ingestion.learning.knowledge import Knowledge
from anamnesis_ingestion.learning.links.model import LearnedLink, LinkEnd

EDGES_MAX = 1000


def from_links(
    links: Sequence[LearnedLink], knowledge: Knowledge, drawers: Mapping[int, str]
) -> list[pb.LearnedEdge]:
    """The edges of a segment, the surest if there are too many.

    What was learned is named by its place: facts, lessons, procedures. Links to events that no
    drawer holds are left out.
    """
    learned: tuple[LinkEnd, ...] = (*knowledge.lessons, *knowledge.procedures)
    ends: dict[LinkEnd, pb.LearnedEnd] = {
        index: pb.LearnedEnd(drawer_id=drawer) for index, drawer in drawers.items() if drawer
    }
    for place, one in enumerate(learned, len(knowledge.facts)):
        ends.setdefault(one, pb.LearnedEnd(place=place))
    edges = _edges(links, ends)
    return sorted(edges, key=lambda edge: -edge.weight)[:EDGES_MAX]


def _edges(
    links: Sequence[LearnedLink], ends: Mapping[LinkEnd, pb.LearnedEnd]
) -> Iterator[pb.LearnedEdge]:
    for link in links:
        if link.source in ends and link.target in ends:
            yield pb.LearnedEdge(
                source=ends[link.source],
                target=ends[link.target],
                type=LINK_TYPE.to_pb(link.type),
                weight=link.weight,
                event_indices=link.shown_by,
            )
