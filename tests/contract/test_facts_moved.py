"""Facts that others see from now on, on every backend: where they were, they were never told."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.memories.editing.update import MemoryEdit, Text
from anamnesis_memory.memories.undo_merge import UndoMerge
from anamnesis_memory.model.memory import Caller, Memory, Status, Visibility
from anamnesis_memory.ports import NamespaceStore, ReadSet
from tests.contract.test_facts_erased import retract
from tests.support.clock import SetClock
from tests.support.life import look
from tests.support.stating import (
    change,
    fact_of,
    faults,
    private,
    reviewed,
    said,
    stated,
    tell,
    versions,
)

OWNER = "zarela"
TO_USER = MemoryEdit(visibility=Visibility.PRIVATE_TO_USER)
TO_ALL = MemoryEdit(visibility=Visibility.SHARED)


async def named(store: NamespaceStore) -> set[tuple[str, str, int]]:
    """Her names by scope, and how often they are mentioned."""
    entities = await store.list_entities(None, None, "", 99)
    return {
        (name.scope, name.spelling.name, name.count)
        for one in entities
        for name in one.names
        if name.spelling.name in ("Nadia", "Nadezhda")
    }


async def mentions(store: NamespaceStore, memory: Memory) -> set[str]:
    """The scopes in which a memory mentions anybody."""
    seen = await look(store, ReadSet(mentions_of=(memory.memory_id,)))
    return {one.scope for one in seen.mentions[memory.memory_id]}


async def test_a_narrowed_fact_leaves_the_line_of_all_for_that_of_its_owner(
    store: NamespaceStore, clock: SetClock
) -> None:
    await tell(store, said("Porto", 0))
    await tell(store, private(said("Ghent", 0)))
    clock.move(days=1)
    lyon = (await tell(store, said("Lyon", 1, persons=["Nadezhda"]))).memory
    clock.move(days=1)
    await tell(store, said("lyon", 1, user="bob"))
    recorded = {one.known_from_us for one in await versions(store)}
    after = await change(store, lyon.memory_id, OWNER, TO_USER)
    assert await stated(store) == {
        "shared Porto 0..None zarela 0.80",
        "user:zarela Ghent 0..1 zarela 0.80 x",
        "user:zarela Lyon 1..None zarela+bob 0.85",
    }
    assert fact_of(after).fact_id != fact_of(lyon).fact_id
    assert await named(store) == {
        ("shared", "Nadia", 1),
        ("user:zarela", "Nadia", 2),
        ("user:zarela", "Nadezhda", 1),
    }
    moved = [one for one in await versions(store) if one.state.statement.object == "Lyon"]
    assert {one.known_from_us for one in moved} <= recorded, "its owner knew it before"
    assert not await faults(store)


async def test_a_widened_fact_is_told_to_all_from_now_on(
    store: NamespaceStore, clock: SetClock
) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    lyon = (await tell(store, private(said("Lyon", 1)))).memory
    again = private(said("LYON", 1, persons=["Nadezhda"]))
    clock.move(seconds=1)
    await tell(store, replace(again, part=replace(fact_of(again), source="a diary")))
    assert "user:zarela Lyon 1..None zarela+a diary 0.85" in await stated(store)
    clock.move(days=1)
    before = {one.known_from_us for one in await versions(store)}
    await change(store, lyon.memory_id, OWNER, TO_ALL)
    assert await stated(store) == {
        "shared Porto 0..1 zarela 0.80 x",
        "shared Lyon 1..None zarela 0.80",
    }
    assert await named(store) == {("shared", "Nadia", 2)}
    assert min(one.known_from_us for one in await versions(store)) > max(before)
    (closed,) = await store.memories([porto.memory_id], None)
    assert fact_of(closed).superseded
    assert not await faults(store)


async def test_what_is_known_there_already_stays_where_it_is(store: NamespaceStore) -> None:
    shared = (await tell(store, said("Lyon", 1))).memory
    await tell(store, private(said("Lyon", 1)))
    before = await stated(store)
    with pytest.raises(InvalidArgument, match="callers who see the same fact"):
        await change(store, shared.memory_id, OWNER, TO_USER)
    assert await stated(store) == before
    assert not await faults(store)


async def test_what_was_derived_moves_along_and_is_reviewed_by_where_it_stands(
    store: NamespaceStore,
) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    child = said("Porto FC", predicate="likes", sources=[porto.memory_id])
    liked = (await tell(store, child)).memory
    lyon = (await tell(store, said("Lyon", 1))).memory
    assert await reviewed(store, [liked.memory_id]) == [True]
    await change(store, porto.memory_id, OWNER, TO_USER)
    assert await stated(store) == {
        "user:zarela Porto 0..None zarela 0.80",
        "user:zarela Porto FC None..None zarela 0.80",
        "shared Lyon 1..None zarela 0.80",
    }
    assert await reviewed(store, [liked.memory_id]) == [False], "nothing closes it there"
    assert await mentions(store, liked) == {"user:zarela"}
    await change(store, lyon.memory_id, OWNER, TO_USER)
    assert await reviewed(store, [liked.memory_id]) == [True]
    assert not await faults(store)


async def test_a_fact_that_was_taken_back_moves_without_its_history(
    store: NamespaceStore,
) -> None:
    lyon = (await tell(store, said("Lyon", 1))).memory
    await retract(store, lyon)
    after = await change(store, lyon.memory_id, OWNER, TO_USER)
    assert (fact_of(after).retracted, fact_of(after).fact_id) == (True, "")
    assert after.status is Status.ARCHIVED
    assert not await faults(store)
    again = await tell(store, said("Lyon", 1))
    assert again.memory.memory_id != lyon.memory_id
    with pytest.raises(InvalidArgument, match="retracted"):
        await change(store, lyon.memory_id, OWNER, MemoryEdit(status=Status.ACTIVE))


async def test_who_corrects_a_text_or_looked_at_it_has_reviewed_it(store: NamespaceStore) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    likes = [said(f"club {n}", predicate="likes", sources=[porto.memory_id]) for n in range(3)]
    ids = [(await tell(store, one)).memory.memory_id for one in likes]
    await tell(store, said("Lyon", 1))
    assert await reviewed(store, ids) == [True, True, True]
    await change(store, ids[0], OWNER, MemoryEdit(text=Text("She likes it still.", "", "")))
    await change(store, ids[1], OWNER, MemoryEdit(needs_review=False))
    assert await reviewed(store, ids) == [False, False, True]
    await change(store, ids[0], OWNER, MemoryEdit(needs_review=True))
    await tell(store, said("Turin", 2))
    assert await reviewed(store, ids) == [True, False, True]
    assert not await faults(store)


async def test_what_was_told_again_is_not_split_off(store: NamespaceStore) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    await tell(store, said("porto", 0, user="bob"))
    with pytest.raises(InvalidArgument, match="RetractFact"):
        await store.commit(UndoMerge(porto.memory_id, Caller()))
