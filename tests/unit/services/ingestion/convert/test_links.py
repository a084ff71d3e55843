"""Links as edges for the memory service: what was learned by its place, events by their drawers."""

from anamnesis.memory.v1.knowledge_pb2 import EDGE_TYPE_CAUSED_BY
from anamnesis_ingestion.convert.links import EDGES_MAX, from_links
from anamnesis_ingestion.learning.knowledge import FactKind, Knowledge, LearnedFact, LearnedLesson
from anamnesis_ingestion.learning.links.model import LearnedLink, LinkEnd, LinkType

FACT = LearnedFact(
    statement="Ada likes tea",
    subject="Ada",
    predicate="likes",
    object="tea",
    kind=FactKind.PREFERENCE,
    sources=(0,),
)


def _lesson(title: str) -> LearnedLesson:
    return LearnedLesson(title=title, context="", resolution="", category="error", sources=(4,))


def _link(source: LinkEnd, target: LinkEnd, weight: float = 0.5) -> LearnedLink:
    return LearnedLink(
        source=source, target=target, type=LinkType.CAUSED_BY, weight=weight, shown_by=(4, 7)
    )


def test_ends_that_nothing_holds_are_left_out() -> None:
    one, other = _lesson("one"), _lesson("other")
    links = [_link(other, 4), _link(4, 5), _link(_lesson("refused"), 4)]
    (edge,) = from_links(links, Knowledge((FACT,), (one, other)), {4: "m-4", 5: ""})
    assert (edge.source.place, edge.target.drawer_id) == (2, "m-4")
    assert (edge.type, list(edge.event_indices)) == (EDGE_TYPE_CAUSED_BY, [4, 7])


def test_the_surest_go_where_there_are_too_many() -> None:
    links = [_link(4, 5), *(_link(5, 4, 0.75) for _ in range(EDGES_MAX))]
    edges = from_links(links, Knowledge(), {4: "m-4", 5: "m-5"})
    assert [edge.weight for edge in edges] == [0.75] * EDGES_MAX
