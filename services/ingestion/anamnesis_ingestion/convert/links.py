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
    places: dict[LinkEnd, int] = {}
    for place, one in enumerate(learned, len(knowledge.facts)):
        places.setdefault(one, place)
    edges = _edges(links, places, drawers)
    return sorted(edges, key=lambda edge: -edge.weight)[:EDGES_MAX]


def _edges(
    links: Sequence[LearnedLink], places: Mapping[LinkEnd, int], drawers: Mapping[int, str]
) -> Iterator[pb.LearnedEdge]:
    for link in links:
        source, target = (_end(one, places, drawers) for one in (link.source, link.target))
        if source is not None and target is not None:
            yield pb.LearnedEdge(
                source=source,
                target=target,
                type=LINK_TYPE.to_pb(link.type),
                weight=link.weight,
                event_indices=link.shown_by,
            )


def _end(
    end: LinkEnd, places: Mapping[LinkEnd, int], drawers: Mapping[int, str]
) -> pb.LearnedEnd | None:
    if isinstance(end, int):
        drawer = drawers.get(end)
        return pb.LearnedEnd(drawer_id=drawer) if drawer else None
    return pb.LearnedEnd(place=places[end]) if end in places else None
