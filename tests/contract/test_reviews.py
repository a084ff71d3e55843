"""Reasons for review on every backend: who gets them, who loses them, and how they are told."""

from dataclasses import replace
from itertools import pairwise

import pytest

from anamnesis_memory.domain.facts.review import HOPS_MAX, NODES_MAX, Ground, ReviewReason
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import NamespaceStore, WriteSet
from anamnesis_memory.ports.upkeep import Record
from tests.support.life import edge, put
from tests.support.records import lesson

DERIVED = EdgeType.DERIVED_FROM
END_US = 1_000


async def chain(store: NamespaceStore, length: int) -> list[str]:
    """Memories of which each is derived from the one before; the first is the ground."""
    made = [lesson(f"number {place}") for place in range(length)]
    ids = [one.memory_id for one in made]
    edges = tuple(edge(late, early, DERIVED) for early, late in pairwise(ids))
    await put(store, WriteSet(memories=tuple(made), edges=edges))
    return ids


async def marked(store: NamespaceStore, ids: list[str]) -> list[str]:
    """Those that say that they are to be looked at again."""
    return [one.memory_id for one in await store.memories(ids, None) if one.needs_review]


async def reasons(store: NamespaceStore) -> list[Record]:
    """All that are kept."""
    async with store.export() as export:
        return [one async for page in export.pages for one in page if isinstance(one, ReviewReason)]


async def test_what_is_derived_from_a_shaken_ground_is_marked(store: NamespaceStore) -> None:
    ids = await chain(store, 3)
    before = store.revision
    revision = await put(store, WriteSet(shaken=(Ground(ids[0], END_US),)))
    assert revision == before + 1
    assert await marked(store, ids) == ids[1:]
    assert await reasons(store) == sorted(
        (ReviewReason(one, ids[0], END_US) for one in ids[1:]), key=lambda one: one.memory_id
    )
    told = (await store.changes(before, 10)).changes
    assert {one.memory_id for one in told if one.revision == revision} == {*ids[1:]}
    for memory in await store.memories(ids[1:], None):
        assert memory.revision == revision


async def test_a_mark_that_is_there_takes_no_revision_again(store: NamespaceStore) -> None:
    ids = await chain(store, 2)
    first = await put(store, WriteSet(shaken=(Ground(ids[0], END_US),)))
    await put(store, WriteSet(shaken=(Ground(ids[0], END_US), Ground(ids[0], None))))
    (derived,) = await store.memories(ids[1:], None)
    assert derived.revision == first
    assert len(await reasons(store)) == 2


async def test_the_edges_of_the_same_write_count(store: NamespaceStore) -> None:
    ids = await chain(store, 2)
    late, apart = lesson("late"), lesson("apart")
    await put(
        store,
        WriteSet(
            memories=(late, apart),
            edges=(edge(late.memory_id, ids[0], DERIVED), edge(apart.memory_id, ids[0])),
            removed_edges=(edge(ids[1], ids[0], DERIVED).key,),
            shaken=(Ground(ids[0], END_US),),
        ),
    )
    assert await marked(store, [*ids, late.memory_id, apart.memory_id]) == [late.memory_id]


async def test_a_walk_in_a_circle_leaves_its_ground_alone(store: NamespaceStore) -> None:
    ids = await chain(store, 3)
    await put(store, WriteSet(edges=(edge(ids[0], ids[2], DERIVED),)))
    await put(store, WriteSet(shaken=(Ground(ids[0], END_US),)))
    assert await marked(store, ids) == ids[1:]


async def test_a_walk_ends_at_its_hops(store: NamespaceStore) -> None:
    ids = await chain(store, HOPS_MAX + 3)
    await put(store, WriteSet(shaken=(Ground(ids[0], END_US),)))
    assert await marked(store, ids) == ids[1 : HOPS_MAX + 1]


async def test_a_walk_ends_at_its_nodes(store: NamespaceStore) -> None:
    ground = lesson("ground")
    below = [lesson(f"number {place}") for place in range(NODES_MAX + 5)]
    ids = sorted(one.memory_id for one in below)
    edges = tuple(edge(one, ground.memory_id, DERIVED) for one in ids)
    await put(store, WriteSet(memories=(ground, *below), edges=edges))
    await put(store, WriteSet(shaken=(Ground(ground.memory_id, END_US),)))
    assert await marked(store, ids) == ids[:NODES_MAX]


@pytest.mark.parametrize(
    ("now_us", "left"), [(None, [None]), (END_US + 1, [None]), (END_US, [END_US, None])]
)
async def test_an_end_that_moves_on_lifts_what_it_had_set(
    store: NamespaceStore, now_us: int | None, left: list[int | None]
) -> None:
    ids = await chain(store, 2)
    other = await chain(store, 2)
    shaken = (Ground(ids[0], END_US), Ground(ids[0], None), Ground(other[0], END_US))
    await put(store, WriteSet(shaken=shaken))
    await put(store, WriteSet(lifted=(Ground(ids[0], now_us),)))
    held = {
        one.ended_us
        for one in await reasons(store)
        if isinstance(one, ReviewReason) and one.ground_id == ids[0]
    }
    assert held == {*left}
    assert await marked(store, [*ids, *other]) == [ids[1], other[1]]


async def test_the_last_reason_takes_the_mark_along(store: NamespaceStore) -> None:
    ids = await chain(store, 3)
    await put(store, WriteSet(shaken=(Ground(ids[0], END_US),)))
    revision = await put(store, WriteSet(lifted=(Ground(ids[0], None),)))
    assert await marked(store, ids) == []
    assert await reasons(store) == []
    assert {one.revision for one in await store.memories(ids[1:], None)} == {revision}


async def test_a_confirmation_is_of_one_memory(store: NamespaceStore) -> None:
    ids = await chain(store, 3)
    await put(store, WriteSet(shaken=(Ground(ids[0], END_US), Ground(ids[0], None))))
    await put(store, WriteSet(reviewed=(ids[1],)))
    assert await marked(store, ids) == [ids[2]]
    assert {one.memory_id for one in await reasons(store) if isinstance(one, ReviewReason)} == {
        ids[2]
    }


async def test_reasons_are_put_after_all_is_taken_away(store: NamespaceStore) -> None:
    ids = await chain(store, 2)
    reason = ReviewReason(ids[1], ids[0], END_US)
    await put(
        store, WriteSet(reasons=(reason,), reviewed=(ids[1],), lifted=(Ground(ids[0], None),))
    )
    assert await reasons(store) == [reason]
    assert await marked(store, ids) == [ids[1]]
    lost = (ReviewReason("nobody", ids[0], 1), ReviewReason(ids[1], "nobody", 1))
    await put(store, WriteSet(reasons=lost))
    assert await reasons(store) == [reason]


async def test_reasons_go_with_the_memory_and_with_the_ground(store: NamespaceStore) -> None:
    ids = await chain(store, 3)
    await put(store, WriteSet(shaken=(Ground(ids[0], END_US), Ground(ids[1], None))))
    await put(store, WriteSet(deleted_memories=(ids[0],)))
    assert await reasons(store) == [ReviewReason(ids[2], ids[1], None)]
    assert await marked(store, ids) == [ids[2]]
    await put(store, WriteSet(deleted_memories=(ids[2],)))
    assert await reasons(store) == []


async def test_what_is_put_as_its_ground_goes_says_itself_what_it_needs(
    store: NamespaceStore,
) -> None:
    ids = await chain(store, 3)
    await put(store, WriteSet(shaken=(Ground(ids[0], END_US),)))
    held: Memory
    (held,) = await store.memories([ids[1]], None)
    again = replace(held, content="what is left", revision=0)
    await put(store, WriteSet(memories=(again,), deleted_memories=(ids[0],)))
    assert await marked(store, ids) == [ids[1]]
