"""Edges that callers draw and take away."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.errors.not_found import EdgeNotFound, MemoryNotFound
from anamnesis_memory.dedup.detail import STATED, UNDONE
from anamnesis_memory.knowledge.graph.linking import CreateEdge, DeleteEdge
from anamnesis_memory.model.edges import Edge, EdgeType, symmetric
from anamnesis_memory.model.memory import Caller, Memory, Visibility
from anamnesis_memory.ports import CommitStamp, ReadView
from tests.support.records import lesson

STAMP = CommitStamp(9, 1_000)
ADA = Caller(user_id="ada")
CAUSED, ALIKE = EdgeType.CAUSED_BY, EdgeType.SIMILAR_TO


def seen(*memories: Memory, edges: tuple[Edge, ...] = ()) -> ReadView:
    """What a write finds."""
    return ReadView(memories={one.memory_id: one for one in memories}, edges=edges)


@pytest.fixture
def pair() -> tuple[Memory, Memory]:
    """Two memories; the one that is named first is kept second where order does not matter."""
    ids = sorted([lesson("one").memory_id, lesson("other").memory_id], reverse=True)
    one, other = (replace(lesson("text"), memory_id=memory_id) for memory_id in ids)
    return one, other


def test_an_edge_leads_from_the_first_to_the_second(pair: tuple[Memory, Memory]) -> None:
    one, other = pair
    write = CreateEdge(one.memory_id, other.memory_id, CAUSED, ADA, 0.5)
    decision = write.decide(seen(*pair), STAMP)
    edge = Edge(one.memory_id, other.memory_id, CAUSED, 0.5, 1_000, 1_000, STATED)
    assert decision.result == edge
    assert decision.edits.edges == (edge,)
    assert not decision.edits.any, "an edge takes no revision"


def test_an_edge_without_direction_is_kept_once(pair: tuple[Memory, Memory]) -> None:
    ids = [one.memory_id for one in pair]
    keys = {
        CreateEdge(*ends, ALIKE, ADA).decide(seen(*pair), STAMP).result.key
        for ends in ((ids[0], ids[1]), (ids[1], ids[0]))
    }
    assert {(one.source_id, one.target_id) for one in keys} == {symmetric(*ids)}


def test_an_edge_that_is_there_gets_the_weight_and_keeps_the_rest(
    pair: tuple[Memory, Memory],
) -> None:
    source_id, target_id = symmetric(*(one.memory_id for one in pair))
    split = Edge(source_id, target_id, ALIKE, 0.9, 5, 5, UNDONE)
    write = CreateEdge(target_id, source_id, ALIKE, ADA, 0.25)
    after = write.decide(seen(*pair, edges=(split,)), STAMP).result
    assert after == replace(split, weight=0.25, update_time_us=1_000)
    assert after.detail == UNDONE, "they were split, and stay so"


def test_both_ends_must_be_there_and_seen(pair: tuple[Memory, Memory]) -> None:
    one, other = pair
    hidden = replace(other, visibility=Visibility.PRIVATE_TO_USER, user_id="bob")
    write = CreateEdge(one.memory_id, other.memory_id, CAUSED, ADA)
    for found in (seen(one), seen(one, hidden), seen(other)):
        with pytest.raises(MemoryNotFound):
            write.decide(found, STAMP)
    with pytest.raises(InvalidArgument, match="another memory"):
        CreateEdge(one.memory_id, one.memory_id, CAUSED, ADA).decide(seen(one), STAMP)


def test_an_edge_is_taken_away_from_either_end(pair: tuple[Memory, Memory]) -> None:
    source_id, target_id = symmetric(*(one.memory_id for one in pair))
    edge = Edge(source_id, target_id, ALIKE, 0.9, 5, 5)
    write = DeleteEdge(target_id, source_id, ALIKE, ADA)
    assert write.decide(seen(*pair, edges=(edge,)), STAMP).edits.removed_edges == (edge.key,)


def test_what_is_not_there_or_not_seen_is_not_taken_away(pair: tuple[Memory, Memory]) -> None:
    one, other = pair
    edge = Edge(one.memory_id, other.memory_id, CAUSED, 0.9, 5, 5)
    hidden = replace(other, visibility=Visibility.PRIVATE_TO_USER, user_id="bob")
    write = DeleteEdge(one.memory_id, other.memory_id, CAUSED, ADA)
    turned = DeleteEdge(other.memory_id, one.memory_id, CAUSED, ADA)
    for asked, found in (
        (write, seen(*pair)),
        (write, seen(one, hidden, edges=(edge,))),
        (turned, seen(*pair, edges=(edge,))),
    ):
        with pytest.raises(EdgeNotFound):
            asked.decide(found, STAMP)
