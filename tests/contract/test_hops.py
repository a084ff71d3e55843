"""One step of a walk over edges and mentions, on every backend."""

from collections.abc import Sequence
from dataclasses import replace

from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Visibility
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.ports.knowledge import MENTIONS, Direction, Hop, Link
from tests.support.knowing import entity, mention
from tests.support.life import edge, put
from tests.support.records import BASE_US, lesson

OUT, IN, BOTH = Direction.OUT, Direction.IN, Direction.BOTH
FOLLOWS, ALIKE = EdgeType.FOLLOWED_BY, EdgeType.SIMILAR_TO
ALL = (*EdgeType, MENTIONS)


async def hop(
    store: NamespaceStore,
    *node_ids: str,
    types: Sequence[str] = ALL,
    direction: Direction = BOTH,
    weight_min: float = 0.0,
    scopes: tuple[str, ...] | None = None,
    limit: int = 100,
) -> list[Link]:
    """One hop."""
    return list(await store.hop(Hop(node_ids, tuple(types), direction, weight_min, scopes, limit)))


async def three(store: NamespaceStore) -> tuple[str, str, str]:
    """Memories that everybody sees, that Bob sees, that an agent sees; in order of their ids."""
    one, two, last = sorted(
        (lesson("one"), lesson("two"), lesson("three")), key=lambda each: each.memory_id
    )
    bobs = replace(two, visibility=Visibility.PRIVATE_TO_USER, user_id="bob")
    agents = replace(last, visibility=Visibility.PRIVATE_TO_AGENT, agent_id="robot")
    await put(store, WriteSet(memories=(one, bobs, agents)))
    return one.memory_id, two.memory_id, last.memory_id


def link(source_id: str, target_id: str, type_: str = ALIKE, weight: float = 0.5) -> Link:
    """An edge as a walk sees it."""
    return Link(source_id, target_id, str(type_), weight, BASE_US)


def named(memory_id: str, entity_id: str, time_us: int = 5) -> Link:
    """A mention as a walk sees it."""
    return Link(memory_id, entity_id, MENTIONS, 1.0, time_us)


async def test_edges_are_followed_either_way(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    await put(store, WriteSet(edges=(edge(one, two), edge(two, last), edge(last, one, FOLLOWS))))
    assert await hop(store, one, direction=OUT) == [link(one, two)]
    assert await hop(store, one, direction=IN) == [link(last, one, FOLLOWS)]
    assert await hop(store, one) == [link(one, two), link(last, one, FOLLOWS)]
    assert await hop(store, one, types=(FOLLOWS,)) == [link(last, one, FOLLOWS)]
    assert await hop(store, one, types=()) == []
    assert await hop(store, "nobody", "e-nobody") == []
    assert await hop(store) == []


async def test_an_edge_between_two_nodes_is_told_once(store: NamespaceStore) -> None:
    one, two, _ = await three(store)
    await put(store, WriteSet(edges=(edge(one, two), edge(two, one))))
    assert await hop(store, one, two, one) == [link(one, two), link(two, one)]


async def test_the_heaviest_come_first(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    held = (
        edge(one, two, ALIKE, 0.25),
        edge(one, last, ALIKE, 0.5),
        edge(last, one, ALIKE, 0.75),
        edge(one, two, FOLLOWS, 0.5),
    )
    await put(store, WriteSet(edges=held))
    found = [
        link(last, one, ALIKE, 0.75),
        link(one, two, FOLLOWS, 0.5),
        link(one, last, ALIKE, 0.5),
        link(one, two, ALIKE, 0.25),
    ]
    assert await hop(store, one) == found
    assert await hop(store, one, limit=2) == found[:2]
    assert await hop(store, one, weight_min=0.5) == found[:3]


async def test_an_edge_is_seen_where_both_its_ends_are(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    await put(store, WriteSet(edges=(edge(one, two), edge(one, last), edge(two, last))))
    assert await hop(store, one, scopes=("shared",)) == []
    assert await hop(store, one, scopes=("shared", "user:bob")) == [link(one, two)]
    assert await hop(store, two, scopes=("shared", "user:bob")) == [link(one, two)]
    assert await hop(store, one, scopes=("agent:robot",)) == []
    assert await hop(store, one, scopes=("shared", "agent:robot")) == [link(one, last)]
    assert await hop(store, one, scopes=("shared", "user:robot", "agent:bob")) == []
    assert await hop(store, one, scopes=()) == []


async def test_mentions_lead_from_memories_to_entities(store: NamespaceStore) -> None:
    one, two, _ = await three(store)
    said = (mention(one, "e-1", "Ada"), mention(two, "e-1", "Ada", time_us=7))
    await put(store, WriteSet(entities=(entity("e-1"),), mentions=said, edges=(edge(one, two),)))
    assert await hop(store, one) == [named(one, "e-1"), link(one, two)]
    assert await hop(store, one, direction=OUT, types=(MENTIONS,)) == [named(one, "e-1")]
    assert await hop(store, one, direction=IN) == []
    assert await hop(store, "e-1") == [named(one, "e-1"), named(two, "e-1", 7)]
    assert await hop(store, "e-1", direction=IN, limit=1) == [named(one, "e-1")]
    assert await hop(store, "e-1", direction=OUT) == []
    assert await hop(store, one, "e-1", types=(ALIKE,)) == [link(one, two)]
    assert await hop(store, one, "e-1", types=(MENTIONS,)) == [
        named(one, "e-1"),
        named(two, "e-1", 7),
    ]


async def test_mentions_are_seen_in_their_scope(store: NamespaceStore) -> None:
    one, two, _ = await three(store)
    said = (mention(one, "e-1", "Ada"), mention(two, "e-1", "Ada", scope="user:bob"))
    await put(store, WriteSet(entities=(entity("e-1"),), mentions=said))
    both = [named(one, "e-1"), named(two, "e-1")]
    assert await hop(store, "e-1", scopes=("shared",)) == both[:1]
    assert await hop(store, "e-1", scopes=("shared", "user:bob")) == both
    assert await hop(store, two, scopes=("shared",)) == []
    assert await hop(store, two, scopes=("user:bob",)) == both[1:]


async def test_what_is_part_of_another_stands_as_that_one(store: NamespaceStore) -> None:
    one, two, _ = await three(store)
    parts = (
        replace(entity("e-1"), merged_into_id="e-3"),
        replace(entity("e-2"), merged_into_id="e-1"),
        entity("e-3"),
    )
    said = (
        mention(one, "e-1", "Ada", time_us=7),
        mention(one, "e-3", "Ada L.", time_us=6),
        mention(one, "e-3", "Countess", time_us=8),
        mention(two, "e-2", "Lady"),
    )
    await put(store, WriteSet(entities=parts, mentions=said))
    assert await hop(store, one) == [named(one, "e-3", 6)]
    assert await hop(store, two) == [named(two, "e-3")]
    every = [named(one, "e-3", 6), named(two, "e-3")]
    for node in ("e-1", "e-2", "e-3"):
        assert await hop(store, node) == every
    assert await hop(store, "e-1", "e-3", "e-2", limit=1) == every[:1]
    await put(store, WriteSet(entities=(entity("e-2"),)))
    assert await hop(store, two) == [named(two, "e-2")]
    assert await hop(store, "e-3") == every[:1]


async def test_a_hop_ends_with_what_is_deleted(store: NamespaceStore) -> None:
    one, two, _ = await three(store)
    said = (mention(one, "e-1", "Ada"), mention(two, "e-1", "Ada"))
    await put(store, WriteSet(entities=(entity("e-1"),), mentions=said, edges=(edge(one, two),)))
    await put(store, WriteSet(deleted_memories=(two,)))
    assert await hop(store, one, "e-1") == [named(one, "e-1")]


async def test_one_edge_is_read(store: NamespaceStore) -> None:
    one, two, _ = await three(store)
    await put(store, WriteSet(edges=(edge(one, two),)))
    assert await store.edge(one, two, ALIKE) == edge(one, two)
    assert await store.edge(two, one, ALIKE) is None
    assert await store.edge(one, two, FOLLOWS) is None
