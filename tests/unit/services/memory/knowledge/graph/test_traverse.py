"""Walking a graph: what is reached, by which path, and what cuts it short."""

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.knowledge.graph.traverse import (
    TYPES,
    WalkBounds,
    Walked,
    WalkLimit,
    Way,
    walk,
)
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, Hop, Link
from tests.support.clock import SetClock
from tests.support.drawing import drawn
from tests.support.small_graph import SmallGraph, best_weights, transposed

SUPPORTS = "supports"
OUT = Way(direction=Direction.OUT)
IN = Way(direction=Direction.IN)
FAR = WalkBounds(hops_max=8)


def link(source_id: str, target_id: str, weight: float = 1.0, type_: str = SUPPORTS) -> Link:
    return Link(source_id, target_id, type_, weight, 0)


async def walked(
    graph: SmallGraph, *start_ids: str, way: Way = OUT, bounds: WalkBounds = FAR
) -> Walked:
    return await walk(graph, start_ids, way, bounds, SetClock())


def weights(found: Walked) -> dict[str, float]:
    return {one.node_id: one.weight for one in found.nodes}


async def test_the_heaviest_path_comes_first_and_counts() -> None:
    graph = SmallGraph([link("a", "b", 0.5), link("a", "c", 0.75), link("b", "d"), link("c", "d")])
    found = await walked(graph, "a")
    assert [(one.node_id, one.weight, one.hops) for one in found.nodes] == [
        ("c", 0.75, 1),
        ("d", 0.75, 2),
        ("b", 0.5, 1),
    ]
    assert found.nodes[1].path == (link("a", "c", 0.75), link("c", "d"))
    assert found.cut is WalkLimit.NONE


async def test_a_longer_path_that_is_heavier_counts_for_what_is_behind_it_too() -> None:
    graph = SmallGraph([link("a", "c", 0.25), link("a", "b"), link("b", "c"), link("c", "d")])
    found = await walked(graph, "a")
    assert weights(found) == {"b": 1.0, "c": 1.0, "d": 1.0}
    near = await walked(graph, "a", bounds=WalkBounds(hops_max=2))
    assert weights(near) == {"b": 1.0, "c": 1.0, "d": 0.25}, "d is three edges away by the other"


async def test_a_hop_is_one_query_for_all_nodes() -> None:
    graph = SmallGraph([link("a", "b"), link("a", "c"), link("b", "d"), link("c", "e")])
    await walked(graph, "a")
    assert [sorted(hop.node_ids) for hop in graph.hops] == [["a"], ["b", "c"], ["d", "e"]]


async def test_edges_are_followed_both_ways_or_one() -> None:
    graph = SmallGraph([link("a", "b"), link("c", "a")])
    assert weights(await walked(graph, "a")) == {"b": 1.0}
    assert weights(await walked(graph, "a", way=IN)) == {"c": 1.0}
    assert weights(await walked(graph, "a", way=Way())) == {"b": 1.0, "c": 1.0}


async def test_types_and_weights_are_chosen() -> None:
    graph = SmallGraph(
        [link("a", "b", 0.5), link("a", "c", 0.75, "caused_by"), link("a", "e-1", 1.0, MENTIONS)]
    )
    assert weights(await walked(graph, "a")) == {"b": 0.5, "e-1": 1.0}
    causes = Way(types=("caused_by",), direction=Direction.OUT)
    assert weights(await walked(graph, "a", way=causes)) == {"c": 0.75}
    heavy = Way(types=(*TYPES, "caused_by"), weight_min=0.75)
    assert weights(await walked(graph, "a", way=heavy)) == {"c": 0.75, "e-1": 1.0}


def test_a_story_and_a_guess_are_followed_only_by_name() -> None:
    assert {"followed_by", "caused_by", "may_duplicate"} & {*TYPES} == set()
    assert {MENTIONS, "derived_from", "supersedes", "co_recalled"} <= {*TYPES}


async def test_nothing_is_reached_through_what_is_not_seen() -> None:
    links = [link("a", "b"), link("b", "c"), link("a", "d", 0.5), link("d", "c", 0.5)]
    graph = SmallGraph(links, hidden=frozenset("b"))
    assert weights(await walked(graph, "a")) == {"d": 0.5, "c": 0.25}


async def test_a_merged_entity_is_one_node() -> None:
    graph = SmallGraph(
        [link("a", "e-2", 1.0, MENTIONS), link("b", "e-1", 0.5, MENTIONS)], parts={"e-2": "e-1"}
    )
    found = await walked(graph, "a", way=Way())
    assert weights(found) == {"e-1": 1.0, "b": 0.5}
    assert [one.target_id for one in found.nodes[1].path] == ["e-1", "e-1"]


async def test_several_starts_are_one_walk_and_none_of_them_is_reached() -> None:
    graph = SmallGraph([link("a", "b", 0.5), link("b", "c"), link("c", "a")])
    assert weights(await walked(graph, "a", "b")) == {"c": 1.0}


@pytest.mark.parametrize(
    ("bounds", "cut", "reached"),
    [
        (WalkBounds(hops_max=1), WalkLimit.HOPS, "bc"),
        (WalkBounds(nodes_max=1, hops_max=8), WalkLimit.NODES, "b"),
        (WalkBounds(edges_max=1, hops_max=8), WalkLimit.EDGES, "bd"),
        (WalkBounds(hops_max=2), WalkLimit.HOPS, "bcd"),
        (WalkBounds(hops_max=3), WalkLimit.NONE, "bcd"),
    ],
)
async def test_a_bound_ends_the_walk_and_is_named(
    bounds: WalkBounds, cut: WalkLimit, reached: str
) -> None:
    graph = SmallGraph([link("a", "b"), link("a", "c", 0.5), link("b", "d", 0.5)])
    found = await walked(graph, "a", bounds=bounds)
    assert ("".join(sorted(weights(found))), found.cut) == (reached, cut)


async def test_what_is_not_among_the_best_is_not_followed() -> None:
    graph = SmallGraph([link("a", "b"), link("a", "c", 0.5), link("b", "d"), link("c", "x")])
    found = await walked(graph, "a", bounds=WalkBounds(hops_max=8, nodes_max=2))
    assert weights(found) == {"b": 1.0, "d": 1.0}
    asked = {one for hop in graph.hops for one in hop.node_ids}
    assert asked == {"a", "b", "c"}, "nothing behind d can be as near as d"
    assert [hop.weight_min for hop in graph.hops] == [0.0, 0.0]


async def test_edges_too_light_to_lead_to_one_of_the_best_are_not_asked_for() -> None:
    links = [link("a", "b"), link("a", "c", 0.5), link("a", "d", 0.25), link("b", "x", 0.5)]
    graph = SmallGraph([*links, link("b", "y", 0.25), link("b", "z")])
    found = await walked(graph, "a", bounds=WalkBounds(hops_max=2, nodes_max=2))
    assert (weights(found), found.cut) == ({"b": 1.0, "z": 1.0}, WalkLimit.NODES)
    assert [hop.node_ids for hop in graph.hops] == [("a",), ("b",)]
    assert graph.hops[1].weight_min == pytest.approx(0.5)


async def test_a_walk_ends_where_nothing_can_be_nearer() -> None:
    many = [link(f"m-{number}", "e-1", 1.0, MENTIONS) for number in range(9)]
    graph = SmallGraph([*many, link("m-1", "x"), link("m-2", "e-2", 1.0, MENTIONS)])
    found = await walked(graph, "e-1", way=Way(), bounds=WalkBounds(hops_max=3, nodes_max=5))
    assert weights(found) == dict.fromkeys((f"m-{number}" for number in range(5)), 1.0)
    assert (len(graph.hops), found.cut) == (1, WalkLimit.NODES)


async def test_no_hop_begins_when_time_is_up() -> None:
    clock = SetClock()

    class Slow(SmallGraph):
        async def hop(self, hop: Hop) -> Sequence[Link]:
            clock.move(seconds=2)
            return await SmallGraph.hop(self, hop)

    graph = Slow([link("a", "b"), link("b", "c"), link("c", "d")])
    found = await walk(graph, ["a"], OUT, WalkBounds(hops_max=8, time_s=3), clock)
    assert (weights(found), found.cut) == ({"b": 1.0, "c": 1.0}, WalkLimit.TIME)


NAMES = "abcdefg"
LINKS = st.lists(
    st.builds(
        link,
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.7, 0.9, 1.0]),
    ),
    max_size=14,
    unique_by=lambda one: (one.source_id, one.target_id),
)


@drawn(150)
@given(LINKS, st.integers(1, 5))
def test_the_best_of_all_paths_is_found(links: list[Link], hops_max: int) -> None:
    found = asyncio.run(walked(SmallGraph(links), "a", bounds=WalkBounds(hops_max=hops_max)))
    assert weights(found) == pytest.approx(best_weights(links, "a", hops_max))


@drawn(150)
@given(LINKS, st.integers(1, 5), st.integers(1, 4))
def test_a_bound_on_nodes_keeps_the_best(links: list[Link], hops_max: int, nodes_max: int) -> None:
    graph = SmallGraph(links)
    every = asyncio.run(walked(graph, "a", bounds=WalkBounds(hops_max=hops_max)))
    few = asyncio.run(walked(graph, "a", bounds=WalkBounds(hops_max=hops_max, nodes_max=nodes_max)))
    assert few.nodes == every.nodes[:nodes_max]


@drawn(150)
@given(LINKS, st.integers(1, 5))
def test_backwards_is_forwards_on_the_transposed_graph(links: list[Link], hops_max: int) -> None:
    bounds = WalkBounds(hops_max=hops_max)
    back = asyncio.run(walked(SmallGraph(links), "a", way=IN, bounds=bounds))
    forth = asyncio.run(walked(SmallGraph(transposed(links)), "a", bounds=bounds))
    assert weights(back) == weights(forth)
    assert [one.hops for one in back.nodes] == [one.hops for one in forth.nodes]
    for one in back.nodes:
        assert [each.target_id for each in one.path] == ["a", *(x.source_id for x in one.path[:-1])]


@drawn(100)
@given(LINKS, st.integers(1, 5))
def test_both_ways_from_one_node_to_another_weigh_the_same(
    links: list[Link], hops_max: int
) -> None:
    bounds = WalkBounds(hops_max=hops_max)
    forth = weights(asyncio.run(walked(SmallGraph(links), "a", bounds=bounds)))
    for node in NAMES[1:]:
        back = weights(asyncio.run(walked(SmallGraph(links), node, way=IN, bounds=bounds)))
        assert back.get("a") == pytest.approx(forth.get(node))
