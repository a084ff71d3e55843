"""Tests of the graph over real channels, on SQLite and Neo4j: edges that are drawn, and walks."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import entity_pb2, event_pb2, memory_pb2, memory_service_pb2
from anamnesis.memory.v1 import knowledge_pb2 as graph
from anamnesis.memory.v1 import knowledge_service_pb2 as pb
from anamnesis_libs.errors import InvalidArgument
from tests.support.memory_service import Served, serving, serving_on_neo4j
from tests.support.messages import made
from tests.support.pipeline_calls import refused

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

ADA, BOB = Caller(user_id="ada"), Caller(user_id="bob")
CAUSED, ALIKE = graph.EDGE_TYPE_CAUSED_BY, graph.EDGE_TYPE_SIMILAR_TO
SUPPORTS, MENTIONS = graph.EDGE_TYPE_SUPPORTS, graph.EDGE_TYPE_MENTIONS
OUT, IN = graph.EDGE_DIRECTION_OUT, graph.EDGE_DIRECTION_IN


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.server)])
async def served(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service on either store."""
    service = (
        serving_on_neo4j(tmp_path, request.getfixturevalue("neo4j_address"))
        if request.param == "neo4j"
        else serving(tmp_path)
    )
    async with service as running:
        yield running


async def remember(served: Served, content: str, *names: str, **fields: object) -> str:
    """Store a memory that names these people; gives its id."""
    people = [
        entity_pb2.NamedEntity(name=name, kind=entity_pb2.ENTITY_KIND_PERSON) for name in names
    ]
    memory = made(
        memory_service_pb2.NewMemory,
        kind=memory_pb2.MEMORY_KIND_SEMANTIC,
        content=content,
        named_entities=people,
        **fields,
    )
    request = memory_service_pb2.CreateMemoryRequest(namespace="n", memory=memory)
    return (await served.memory.CreateMemory(request)).memory.memory_id


async def privately(served: Served, user_id: str, content: str, *names: str) -> str:
    """The same, seen by one user."""
    private = event_pb2.VISIBILITY_PRIVATE_TO_USER
    return await remember(served, content, *names, user_id=user_id, visibility=private)


async def entity_id(served: Served, name: str) -> str:
    request = pb.GetEntityRequest(namespace="n", caller=ADA, name=name)
    return (await served.knowledge.GetEntity(request)).entity.entity_id


async def draw(
    served: Served, source_id: str, target_id: str, type_: int = SUPPORTS, **fields: object
) -> pb.CreateEdgeResponse:
    given = {"namespace": "n", "caller": ADA, "type": type_, **fields}
    request = made(pb.CreateEdgeRequest, source_id=source_id, target_id=target_id, **given)
    return await served.knowledge.CreateEdge(request)


async def walk(served: Served, *start_ids: str, **fields: object) -> pb.TraverseResponse:
    given = {"namespace": "n", "caller": ADA, **fields}
    request = made(pb.TraverseRequest, start_ids=start_ids, **given)
    return await served.knowledge.Traverse(request)


def ids(answer: pb.TraverseResponse) -> Sequence[str]:
    return [node.node_id for node in answer.nodes]


async def test_what_is_reached_comes_in_short_with_its_path(served: Served) -> None:
    rain = await remember(served, "it rained on Tuesday and the roof of the shed leaked", "Mara")
    roof = await remember(served, "the roof was mended", "Mara", "Tom")
    tom = await entity_id(served, "Tom")
    edge = (await draw(served, roof, rain, CAUSED, weight=0.5)).edge
    assert (edge.source_id, edge.target_id, edge.weight) == (roof, rain, 0.5)
    answer = await walk(served, rain, types=[MENTIONS])
    assert set(ids(answer)) == {await entity_id(served, "Mara"), roof}
    (memory,) = [node.memory for node in answer.nodes if node.HasField("memory")]
    assert (memory.summary, memory.content, memory.overview) == ("the roof was mended", "", "")
    far = await walk(served, rain, types=[MENTIONS], hops_max=3)
    (node,) = [node for node in far.nodes if node.node_id == tom]
    assert (node.entity.name, node.hops, node.weight) == ("Tom", 3, 1.0)
    assert [one.type for one in node.path] == [MENTIONS] * 3
    assert far.truncated == "hops"
    assert (await walk(served, rain, types=[MENTIONS], hops_max=4)).truncated == ""


async def test_a_chain_of_causes_is_asked_for_by_name(served: Served) -> None:
    chain = [await remember(served, f"what happened {number}") for number in range(4)]
    for effect, cause in zip(chain[1:], chain, strict=False):
        await draw(served, effect, cause, CAUSED, weight=0.5)
    assert ids(await walk(served, chain[3])) == []
    causes = await walk(served, chain[3], types=[CAUSED], direction=OUT, hops_max=8)
    assert [(node.node_id, node.weight) for node in causes.nodes] == [
        (chain[2], 0.5),
        (chain[1], 0.25),
        (chain[0], 0.125),
    ]
    effects = await walk(served, chain[0], types=[CAUSED], direction=IN, hops_max=8)
    assert ids(effects) == chain[1:]
    strong = await walk(served, chain[3], types=[CAUSED], weight_min=0.6, hops_max=8)
    assert ids(strong) == []
    first = await walk(served, chain[3], types=[CAUSED], nodes_max=1, hops_max=8)
    assert (ids(first), first.truncated) == ([chain[2]], "nodes")


async def test_an_edge_is_drawn_once_and_taken_away(served: Served) -> None:
    one, other = sorted([await remember(served, "one"), await remember(served, "other")])
    first = await draw(served, other, one, ALIKE, weight=0.25, request_id="r")
    assert (first.edge.source_id, first.edge.target_id) == (one, other)
    served.clock.move(hours=1)
    again = await draw(served, one, other, ALIKE)
    assert again.edge.weight == 1.0
    assert again.edge.create_time == first.edge.create_time
    assert await draw(served, other, one, ALIKE, weight=0.25, request_id="r") == first
    (node,) = (await walk(served, one)).nodes
    assert (node.node_id, node.path[0]) == (other, again.edge)
    gone = pb.DeleteEdgeRequest(
        namespace="n", caller=ADA, source_id=other, target_id=one, type=ALIKE
    )
    await served.knowledge.DeleteEdge(gone)
    assert ids(await walk(served, one)) == []
    error = await refused(served.knowledge.DeleteEdge(gone))
    assert (error.reason, error.metadata["type"]) == ("EDGE_NOT_FOUND", "SIMILAR_TO")


async def test_nothing_leads_through_what_the_caller_may_not_see(served: Served) -> None:
    start = await remember(served, "Mara came", "Mara")
    hidden = await privately(served, "bob", "Mara owes Bob money", "Mara", "Ivo")
    behind = await remember(served, "the money was paid")
    await draw(served, start, hidden, caller=BOB)
    await draw(served, hidden, behind, caller=BOB)
    mara = await entity_id(served, "Mara")
    assert ids(await walk(served, start, hops_max=8)) == [mara]
    assert ids(await walk(served, hidden)) == [], "where it may not begin"
    seen = await walk(served, start, hops_max=8, caller=BOB)
    assert {hidden, behind, mara} < set(ids(seen))
    for source_id, target_id in ((start, hidden), (hidden, start)):
        request = made(
            pb.CreateEdgeRequest,
            namespace="n",
            caller=ADA,
            source_id=source_id,
            target_id=target_id,
            type=SUPPORTS,
        )
        assert (await refused(served.knowledge.CreateEdge(request))).reason == "MEMORY_NOT_FOUND"
        gone = made(
            pb.DeleteEdgeRequest,
            namespace="n",
            caller=ADA,
            source_id=source_id,
            target_id=target_id,
            type=SUPPORTS,
        )
        assert (await refused(served.knowledge.DeleteEdge(gone))).reason == "EDGE_NOT_FOUND"


async def test_what_is_merged_is_one_node_and_two_again_after_a_split(served: Served) -> None:
    one = await remember(served, "Mara came", "Mara")
    other = await remember(served, "Lindqvist called", "Lindqvist")
    mara, called = await entity_id(served, "Mara"), await entity_id(served, "Lindqvist")
    assert ids(await walk(served, one, hops_max=4)) == [mara]
    merge = pb.MergeEntitiesRequest(namespace="n", caller=ADA, entity_id=mara, merged_ids=[called])
    await served.knowledge.MergeEntities(merge)
    answer = await walk(served, one, hops_max=4)
    assert ids(answer) == [mara, other]
    assert [each.name for each in answer.nodes[0].entity.merged] == ["Lindqvist"]
    assert [each.target_id for each in answer.nodes[1].path] == [mara, mara]
    assert set(ids(await walk(served, called, hops_max=1))) == {one, other}
    split = pb.SplitEntityRequest(namespace="n", caller=ADA, entity_id=called)
    await served.knowledge.SplitEntity(split)
    assert ids(await walk(served, one, hops_max=4)) == [mara]


async def test_what_cannot_be_asked_is_refused(served: Served) -> None:
    one = await remember(served, "one")
    mara = await remember(served, "Mara came", "Mara")
    asked = {"namespace": "n", "caller": ADA, "source_id": one}
    for fields in (
        {"target_id": one, "type": SUPPORTS},
        {"target_id": mara, "type": graph.EDGE_TYPE_DERIVED_FROM},
        {"target_id": mara, "type": SUPPORTS, "weight": 0.0},
        {"target_id": mara, "type": SUPPORTS, "weight": 1.5},
    ):
        request = made(pb.CreateEdgeRequest, **{**asked, **fields})
        assert isinstance(await refused(served.knowledge.CreateEdge(request)), InvalidArgument)
    named = made(
        pb.CreateEdgeRequest,
        **asked,
        target_id=await entity_id(served, "Mara"),
        type=SUPPORTS,
    )
    assert (await refused(served.knowledge.CreateEdge(named))).reason == "MEMORY_NOT_FOUND"
    ahead = pb.TraverseRequest(
        namespace="n", caller=ADA, start_ids=[one], at_least_revision="0" * 20 + "-1"
    )
    error = await refused(served.knowledge.Traverse(ahead))
    assert error.reason == "REVISION_OF_ANOTHER_INCARNATION"
    assert ids(await walk(served, "nobody", "e-nobody")) == []
