"""Edges between memories, on every backend."""

from dataclasses import replace

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.edges import EdgeType, derived_from
from anamnesis_memory.model.memory import Caller, Namespace
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from tests.contract.conftest import Open
from tests.support.life import created, edge, look, put, stated
from tests.support.records import lesson

NOBODY = Caller()
FOLLOWS, ALIKE = EdgeType.FOLLOWED_BY, EdgeType.SIMILAR_TO


async def three(store: NamespaceStore) -> tuple[str, str, str]:
    """The ids of three memories, in order."""
    made = await created(store, lesson("one"), lesson("two"), lesson("three"))
    one, two, last = (memory.memory_id for memory in made)
    return one, two, last


async def test_edges_are_kept_by_key_and_take_no_revision(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    held = [edge(one, two, FOLLOWS), edge(one, two, ALIKE), edge(last, one, ALIKE)]
    assert await put(store, WriteSet(edges=tuple(held))) == store.revision == 1
    assert list(await store.list_edges((), None, 10)) == sorted(held, key=lambda each: each.key)
    assert [each.type for each in await store.list_edges((FOLLOWS,), None, 10)] == [FOLLOWS]


async def test_an_edge_put_again_has_what_is_new_and_is_as_old_as_it_was(
    store: NamespaceStore,
) -> None:
    one, two, _ = await three(store)
    first = edge(one, two)
    await put(store, WriteSet(edges=(first,)))
    again = replace(
        first,
        weight=0.75,
        detail='{"differs": ["7", "8"]}',
        create_time_us=first.create_time_us + 5,
        update_time_us=first.update_time_us + 5,
    )
    await put(store, WriteSet(edges=(again,)))
    expected = replace(again, create_time_us=first.create_time_us)
    assert list(await store.list_edges((), None, 10)) == [expected]


async def test_an_edge_that_lacks_an_end_is_passed_over(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    lost = (edge(one, "nobody"), edge("nobody", one), edge(one, last), edge(one, two))
    await put(store, WriteSet(edges=lost, deleted_memories=(last,)))
    assert [each.target_id for each in await store.list_edges((), None, 10)] == [two]


async def test_an_edge_may_come_with_its_ends(store: NamespaceStore) -> None:
    one, two = lesson("one"), lesson("two")
    await put(store, WriteSet(memories=(one, two), edges=(edge(one.memory_id, two.memory_id),)))
    assert len(await store.list_edges((), None, 10)) == 1


async def test_an_edge_goes_with_either_end(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    held = (edge(one, two), edge(two, last), edge(last, one))
    await put(store, WriteSet(edges=held))
    await store.commit(DeleteMemory(two, NOBODY))
    assert [each.key for each in await store.list_edges((), None, 10)] == [held[2].key]
    assert not await store.edges_of([two], (), 10)


async def test_edges_are_removed_before_others_are_put(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    await put(store, WriteSet(edges=(edge(one, two), edge(two, last))))
    gone = edge(one, two).key
    assert await put(store, WriteSet(removed_edges=(gone, edge(one, last).key))) == 1
    assert gone not in [each.key for each in await store.list_edges((), None, 10)]
    again = replace(edge(two, last), create_time_us=7)
    await put(store, WriteSet(removed_edges=(again.key,), edges=(again,)))
    assert list(await store.list_edges((), None, 10)) == [again]


async def test_the_heaviest_edges_of_memories_come_first(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    held = (
        edge(one, two, ALIKE, 0.25),
        edge(last, one, FOLLOWS, 0.75),
        edge(one, last, ALIKE, 0.5),
        edge(two, last, ALIKE, 1.0),
        edge(one, two, FOLLOWS, 0.5),
    )
    await put(store, WriteSet(edges=held))
    found = await store.edges_of([one], (), 10)
    assert [each.weight for each in found] == [0.75, 0.5, 0.5, 0.25]
    assert [each.key for each in found[1:3]] == sorted(each.key for each in (held[2], held[4]))
    assert [each.key for each in await store.edges_of([one], (), 1)] == [held[1].key]
    assert {each.key for each in await store.edges_of([one], (ALIKE,), 10)} == {
        held[0].key,
        held[2].key,
    }
    both = await store.edges_of([one, two, "nobody"], (), 10)
    assert len(both) == 5, "an edge between two of them is told once"
    assert not await store.edges_of([], (), 10)


async def test_edges_are_listed_from_a_place_on(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    pairs = [(one, two), (one, last), (two, last), (last, one)]
    held = [edge(*pair, kind) for pair in pairs for kind in (ALIKE, FOLLOWS)]
    await put(store, WriteSet(edges=tuple(held)))
    found = list(await store.list_edges((), None, 3))
    while page := await store.list_edges((), found[-1].key, 3):
        found += page
    assert found == sorted(held, key=lambda each: each.key)


async def test_a_write_sees_the_edges_of_memories(store: NamespaceStore) -> None:
    one, two, last = await three(store)
    held = (edge(two, one), edge(last, one), edge(two, last))
    await put(store, WriteSet(edges=held))
    seen = await look(store, ReadSet(edges_of=(one, "nobody")))
    assert seen.edges == tuple(sorted(held[:2], key=lambda each: each.key))
    assert (await look(store, ReadSet())).edges == ()


async def test_what_was_derived_is_told_by_edges(store: NamespaceStore) -> None:
    (source,) = await created(store, lesson("source"))
    fact = stated("Ada lives in Rome", source.memory_id, "gone")
    await put(store, WriteSet(memories=(fact,), edges=derived_from(fact, 9)))
    (held,) = await store.list_edges((EdgeType.DERIVED_FROM,), None, 10)
    assert (held.source_id, held.target_id) == (fact.memory_id, source.memory_id)


async def test_edges_are_there_after_a_restart(open_stores: Open, namespace: Namespace) -> None:
    first = await open_stores()
    store = await first.open(namespace)
    one, two, _ = await three(store)
    await put(store, WriteSet(edges=(edge(one, two),)))
    await store.close()
    await first.close()
    second = await open_stores()
    reopened = await second.open(namespace)
    assert list(await reopened.list_edges((), None, 10)) == [edge(one, two)]
    await reopened.close()
    await second.close()
