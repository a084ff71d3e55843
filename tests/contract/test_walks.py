"""Walks over random graphs, on every backend: as all paths, written down and multiplied, say."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anamnesis_memory.knowledge.finding import EntityGroup
from anamnesis_memory.knowledge.graph.around import around
from anamnesis_memory.knowledge.graph.traverse import (
    TYPES,
    WalkBounds,
    Walked,
    WalkLimit,
    Way,
    walk,
)
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Caller, Memory, Visibility
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, Hop, Link
from tests.support.clock import SetClock
from tests.support.knowing import entity, mention
from tests.support.life import edge, put
from tests.support.records import lesson
from tests.support.small_graph import best_weights, transposed

ADA = Caller(user_id="ada")
SHARED = ("shared",)
NODES = 6
WEIGHTS = (0.125, 0.3, 0.5, 0.7, 1.0)

NODE, WHO = st.integers(0, NODES - 1), st.integers(0, 2)
EDGES = st.lists(
    st.tuples(NODE, NODE, st.sampled_from(WEIGHTS)).filter(lambda one: one[0] != one[1]),
    max_size=12,
    unique_by=lambda one: one[:2],
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A graph by numbers: edges, who is named where, whether two entities are one, who is hidden.

    The last memory is private to Bob where `hidden`.
    """

    edges: Sequence[tuple[int, int, float]]
    mentions: frozenset[tuple[int, int]]
    merged: bool
    hidden: bool


PLANS = st.builds(
    Plan,
    EDGES,
    st.frozensets(st.tuples(NODE, WHO), max_size=6),
    st.booleans(),
    st.booleans(),
)
on_each = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@dataclass(frozen=True, slots=True)
class Made:
    """A graph that is stored: the ids by number, and the links that may be seen."""

    memory_ids: Sequence[str]
    entity_ids: Sequence[str]
    links: Sequence[Link]


async def made(store: NamespaceStore, plan: Plan) -> Made:
    """Store a graph apart from all that are there."""
    mark = uuid4().hex[:12]
    ids = [f"{mark}-{number}" for number in range(NODES)]
    memories = [replace(lesson("text"), memory_id=one) for one in ids]
    if plan.hidden:
        memories[-1] = replace(memories[-1], visibility=Visibility.PRIVATE_TO_USER, user_id="bob")
    entity_ids = [f"e-{mark}-{number}" for number in range(1, 4)]
    edges = tuple(edge(ids[a], ids[b], EdgeType.SUPPORTS, weight) for a, b, weight in plan.edges)
    mentions = tuple(
        mention(
            ids[memory],
            entity_ids[named],
            f"Name {named}",
            scope="user:bob" if plan.hidden and memory == NODES - 1 else "shared",
        )
        for memory, named in sorted(plan.mentions)
    )
    parts = {entity_ids[1]: entity_ids[0]} if plan.merged else {}
    entities = tuple(entity(one, merged=parts.get(one, "")) for one in entity_ids)
    await put(
        store,
        WriteSet(memories=tuple(memories), edges=edges, entities=entities, mentions=mentions),
    )
    links = [
        *(Link(one.source_id, one.target_id, "supports", one.weight, 0) for one in edges),
        *(
            Link(one.memory_id, parts.get(one.entity_id, one.entity_id), MENTIONS, 1.0, 0)
            for one in mentions
        ),
    ]
    unseen = {ids[-1]} if plan.hidden else set()
    seen = [one for one in links if not {one.source_id, one.target_id} & unseen]
    return Made(ids, entity_ids, seen)


async def walked(store: NamespaceStore, start_id: str, direction: Direction, hops: int) -> Walked:
    return await walk(
        store, [start_id], Way(TYPES, direction, 0.0, SHARED), WalkBounds(hops, 2000), SetClock()
    )


def weights(found: Walked) -> dict[str, float]:
    return {one.node_id: one.weight for one in found.nodes}


@on_each
@given(PLANS, st.integers(1, 4))
async def test_the_best_of_all_paths_is_found(store: NamespaceStore, plan: Plan, hops: int) -> None:
    graph = await made(store, plan)
    start = graph.memory_ids[0]
    both_ways = [*graph.links, *transposed(graph.links)]
    for direction, links in (
        (Direction.OUT, graph.links),
        (Direction.IN, transposed(graph.links)),
        (Direction.BOTH, both_ways),
    ):
        found = weights(await walked(store, start, direction, hops))
        assert found == pytest.approx(best_weights(links, start, hops))


@on_each
@given(EDGES, st.integers(1, 4))
async def test_backwards_is_forwards_on_the_transposed_graph(
    store: NamespaceStore, edges: Sequence[tuple[int, int, float]], hops: int
) -> None:
    one = await made(store, Plan(edges, frozenset(), merged=False, hidden=False))
    turned = [(b, a, weight) for a, b, weight in edges]
    other = await made(store, Plan(turned, frozenset(), merged=False, hidden=False))
    for start in range(NODES):
        back = await walked(store, one.memory_ids[start], Direction.IN, hops)
        forth = await walked(store, other.memory_ids[start], Direction.OUT, hops)
        number = {memory_id: at for at, memory_id in enumerate(one.memory_ids)}
        again = {memory_id: at for at, memory_id in enumerate(other.memory_ids)}
        assert {number[key]: value for key, value in weights(back).items()} == {
            again[key]: value for key, value in weights(forth).items()
        }


async def test_nodes_come_as_they_are_and_as_their_caller_sees_them(
    store: NamespaceStore,
) -> None:
    plan = Plan(
        [(0, 1, 0.5), (1, 5, 1.0), (5, 2, 1.0)],
        frozenset([(1, 0), (3, 1), (4, 2), (5, 2)]),
        merged=True,
        hidden=True,
    )
    graph = await made(store, plan)
    ids = graph.memory_ids
    starts = [ids[0], ids[5], graph.entity_ids[2], "nobody", "e-nobody"]
    found = await around(store, starts, ADA, Way(scopes=SHARED), WalkBounds(4), SetClock())
    kinds = {one.reached.node_id: one.is_ for one in found.nodes}
    assert set(kinds) == {ids[1], ids[3], ids[4], graph.entity_ids[0]}
    assert found.cut is WalkLimit.NONE
    named = kinds[graph.entity_ids[0]]
    assert isinstance(named, EntityGroup)
    assert (named.name, named.aliases) == ("Name 0", ("Name 1",))
    assert isinstance(kinds[ids[4]], Memory), "by the one whom it names"
    for node in found.nodes:
        assert all(ids[5] not in (link.source_id, link.target_id) for link in node.reached.path)
    mine = await around(
        store, [ids[0]], Caller(user_id="bob"), Way(scopes=None), WalkBounds(4), SetClock()
    )
    assert ids[2] in {one.reached.node_id for one in mine.nodes}, "Bob sees what lies between"


async def test_a_part_of_an_entity_is_a_way_in(store: NamespaceStore) -> None:
    graph = await made(store, Plan([], frozenset([(0, 0), (1, 1)]), merged=True, hidden=False))
    found = await around(
        store, [graph.entity_ids[1]], ADA, Way(scopes=SHARED), WalkBounds(1), SetClock()
    )
    assert {one.reached.node_id for one in found.nodes} == {*graph.memory_ids[:2]}


async def test_edges_of_hebb_and_of_lineage_are_walked_as_they_are_kept(
    store: NamespaceStore,
) -> None:
    one, two = (replace(lesson("text"), memory_id=f"x-{at}") for at in range(2))
    kept = Edge(one.memory_id, two.memory_id, EdgeType.CO_RECALLED, 0.1, 5, 9, "")
    await put(store, WriteSet(memories=(one, two), edges=(kept,)))
    found = await walked(store, two.memory_id, Direction.BOTH, 1)
    assert found.nodes[0].path == (Link(one.memory_id, two.memory_id, "co_recalled", 0.1, 5),)


async def test_what_goes_while_it_is_walked_through_takes_along_what_is_behind(
    store: NamespaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(((0, 1, 1.0), (1, 2, 1.0)), frozenset(), merged=False, hidden=False)
    first, gone, behind, *_ = (await made(store, plan)).memory_ids
    hop = store.hop

    async def hop_and_lose(asked: Hop) -> Sequence[Link]:
        links = await hop(asked)
        if behind in {one.target_id for one in links}:
            await put(store, WriteSet(deleted_memories=(gone,)))
        return links

    way, bounds = Way(TYPES, Direction.OUT, 0.0, SHARED), WalkBounds(hops_max=2)
    before = await around(store, [first], ADA, way, bounds, SetClock())
    assert [one.reached.node_id for one in before.nodes] == [gone, behind]
    monkeypatch.setattr(store, "hop", hop_and_lose)
    assert not (await around(store, [first], ADA, way, bounds, SetClock())).nodes
