"""Facts that are erased, on every backend: what is left is as if they had never been told."""

import random

import pytest

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.erasure.delete_memories import deleted
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.erasure.erase_subject import SubjectErasure
from anamnesis_memory.knowledge.assert_fact import lines_wanted
from anamnesis_memory.knowledge.retracting import RetractFact
from anamnesis_memory.memories.editing.update import MemoryEdit
from anamnesis_memory.model.memory import Caller, Memory, Namespace, Status, Visibility
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.life import ErasureSubject
from tests.support.clock import SetClock
from tests.support.stating import (
    RULES,
    change,
    fact_of,
    faults,
    reviewed,
    said,
    stated,
    tell,
    versions,
)

NOBODY = Caller()
ADA = ErasureSubject(user_id="zarela")
CITIES = ("Porto", "porto", "Lyon", "Turin", "Ghent")
USERS = ("zarela", "bob", "cleo")


async def delete(store: NamespaceStore, memory: Memory) -> None:
    await deleted(store, DeleteMemory(memory.memory_id, NOBODY), store.commit)


async def traces(store: NamespaceStore, *texts: str) -> list[str]:
    """Where one of these is, in records and files."""
    await store.scrub()
    return [one.place for one in (await store.occurrences(texts))[0]]


async def ever(store: NamespaceStore) -> list[FactVersion]:
    """All that was ever known."""
    async with store.export() as export:
        kept = [one async for page in export.pages for one in page]
    return [one for one in kept if isinstance(one, FactVersion)]


async def retract(store: NamespaceStore, memory: Memory) -> None:
    (line,) = lines_wanted([memory], RULES)
    await store.commit(RetractFact(memory.memory_id, NOBODY, "", line, RULES))


async def moved(store: NamespaceStore, clock: SetClock) -> tuple[Memory, Memory, Memory]:
    """Porto, then Lyon, then Turin; each is told a day after the other."""
    made = []
    for since, city in enumerate(("Porto", "Lyon", "Turin")):
        made.append((await tell(store, said(city, since, user=USERS[since]))).memory)
        clock.move(days=1)
    return made[0], made[1], made[2]


async def test_what_a_deleted_fact_had_closed_ends_where_the_next_one_begins(
    store: NamespaceStore, clock: SetClock
) -> None:
    porto, lyon, turin = await moved(store, clock)
    assert "shared Porto 0..1 zarela 0.80 x" in await stated(store)
    await delete(store, lyon)
    assert await stated(store) == {
        "shared Porto 0..2 zarela 0.80 x",
        "shared Turin 2..None cleo 0.80",
    }
    edges = await store.edges_of([porto.memory_id], (), 9)
    assert [(one.source_id, one.target_id) for one in edges] == [(turin.memory_id, porto.memory_id)]
    await delete(store, turin)
    (after,) = await store.memories([porto.memory_id], None)
    assert (fact_of(after).valid_to_us, fact_of(after).superseded) == (None, False)
    assert not await faults(store)


async def test_nothing_is_known_of_it_at_any_time(store: NamespaceStore, clock: SetClock) -> None:
    _, lyon, turin = await moved(store, clock)
    (known_from_us,) = (
        one.known_from_us
        for one in await versions(store)
        if one.state.first_telling_id in turin.memory_id
    )
    await delete(store, lyon)
    then = await versions(store, known_from_us - 1)
    assert [one.state.statement.object for one in then] == ["Porto"]
    assert not await traces(store, "lyon", fact_of(lyon).fact_id)


async def test_nothing_says_that_it_had_once_closed_another(
    store: NamespaceStore, clock: SetClock
) -> None:
    """Lyon closed Porto until it was known that Ghent came between."""
    made = {}
    for since, city in ((0, "Porto"), (3, "Lyon"), (3, "Turin"), (1, "Ghent")):
        made[city] = (await tell(store, said(city, since))).memory
        clock.move(days=1)
    lyon = made["Lyon"]
    before = {one.state.fact_id for one in await ever(store)}
    await delete(store, lyon)
    after = await ever(store)
    assert {one.state.fact_id for one in after} == before - {fact_of(lyon).fact_id}
    assert any(one.state.closed_by for one in after if one.known_to_us is not None)
    assert not await traces(store, "lyon", fact_of(lyon).fact_id)
    assert not await faults(store)


async def test_what_is_hidden_is_not_named_as_what_had_closed_another(
    store: NamespaceStore, clock: SetClock
) -> None:
    made = {}
    for since, city in ((0, "Porto"), (2, "Lyon"), (1, "Ghent")):
        made[city] = (await tell(store, said(city, since))).memory
        clock.move(days=1)
    was = fact_of(made["Lyon"]).fact_id
    hidden = MemoryEdit(visibility=Visibility.PRIVATE_TO_USER)
    await change(store, made["Lyon"].memory_id, "zarela", hidden)
    assert not await traces(store, was)
    assert not await faults(store)


async def test_what_a_deleted_fact_had_marked_is_lifted_and_what_lost_it_is_to_be_reviewed(
    store: NamespaceStore,
) -> None:
    porto = (await tell(store, said("Porto", 0))).memory
    below = [porto.memory_id]
    child = (await tell(store, said("Porto FC", predicate="likes", sources=below))).memory
    lyon = (await tell(store, said("Lyon", 1))).memory
    both = said("the sea", predicate="misses", sources=[porto.memory_id, lyon.memory_id])
    missed = (await tell(store, both)).memory
    ids = [child.memory_id, missed.memory_id]
    assert await reviewed(store, ids) == [True, False]
    await delete(store, lyon)
    assert await reviewed(store, ids) == [False, True]
    await tell(store, said("Turin", 2))
    assert await reviewed(store, ids) == [True, True]
    await delete(store, (await tell(store, said("Turin", 2))).memory)
    assert await reviewed(store, ids) == [False, True], "what was erased stays a reason"
    assert not await faults(store)


async def test_a_fact_that_others_told_too_loses_a_source(
    store: NamespaceStore, clock: SetClock
) -> None:
    known = (await tell(store, said("Porto", 0, user="bob", persons=["Nadia"]))).memory
    clock.move(days=1)
    await tell(store, said("porto", 0, user="zarela", persons=["Nadezhda"]))
    clock.move(days=1)
    await tell(store, said("PORTO", 0, user="cleo"))
    assert await stated(store) == {"shared Porto 0..None bob+zarela+cleo 0.90"}
    await SubjectErasure(store, ADA).run()
    assert await stated(store) == {"shared Porto 0..None bob+cleo 0.85"}
    (after,) = await store.memories([known.memory_id], None)
    assert after.confidence == pytest.approx(0.85)
    assert after.needs_review
    left = {one.name for one in await store.list_entities(None, None, "", 9)}
    assert left == {"Nadia", "Porto"}
    assert not await traces(store, "zarela", "Nadezhda")
    assert not await faults(store)


async def test_what_others_told_of_names_beside_a_fact_stays(
    store: NamespaceStore, clock: SetClock
) -> None:
    """What went may have told it too, and later: then only a text that has it keeps it."""
    for user, city, *aliases in (
        ("zarela", "porto", "Nadezhda"),
        ("bob", "Porto", "Nadja"),
        ("cleo", "PORTO", "Nad"),
        ("zarela", "pORTO", "Nadyusha", "Nad"),
    ):
        told = said(city, 0, user=user)
        await tell(store, told, Named("Nadia", EntityKind.PERSON, tuple(aliases)))
        clock.move(days=1)
    (before,) = await store.list_entities(EntityKind.PERSON, None, "", 9)
    assert set(before.aliases) == {"Nadezhda", "Nadja", "Nad", "Nadyusha"}
    await SubjectErasure(store, ADA).run()
    (after,) = await store.list_entities(EntityKind.PERSON, None, "", 9)
    assert (after.name, after.aliases, after.kind) == ("Nadia", ("Nadja",), EntityKind.PERSON)
    assert not await traces(store, "zarela", "Nadezhda", "Nadyusha")
    assert not await faults(store)


async def test_a_fact_goes_on_as_what_somebody_else_had_told(
    store: NamespaceStore, clock: SetClock
) -> None:
    hers = (await tell(store, said("Porto", 0, user="zarela", persons=["Nadezhda"]))).memory
    clock.move(days=1)
    await tell(store, said("porto", 0, user="bob"))
    await tell(store, said("Lyon", 1, user="bob"))
    await SubjectErasure(store, ADA).run()
    assert await stated(store) == {"shared porto 0..1 bob 0.80 x", "shared Lyon 1..None bob 0.80"}
    (after,) = await store.memories([hers.memory_id], None)
    assert (after.user_id, fact_of(after).fact_id, fact_of(after).superseded) == (
        "bob",
        fact_of(hers).fact_id,
        True,
    )
    edges = await store.edges_of([hers.memory_id], (), 9)
    assert len(edges) == 1, "it is closed by Lyon still"
    assert not await traces(store, "zarela", "Nadezhda")
    assert not await faults(store)


async def test_who_told_it_again_cannot_keep_what_was_taken_back(store: NamespaceStore) -> None:
    hers = (await tell(store, said("Porto", 0, user="zarela"))).memory
    await tell(store, said("porto", 0, user="bob"))
    await retract(store, hers)
    await SubjectErasure(store, ADA).run()
    assert await stated(store) == set()
    (after,) = await store.memories([hers.memory_id], None)
    assert (after.status, fact_of(after).retracted, after.user_id) == (
        Status.ARCHIVED,
        True,
        "bob",
    )
    assert not await faults(store)
    again = (await tell(store, said("Porto", 0, user="cleo"))).memory
    assert (again.memory_id, again.status) == (hers.memory_id, Status.ACTIVE)
    await SubjectErasure(store, ErasureSubject(user_id="cleo")).run()
    assert await stated(store) == set(), "nobody says it who has not taken it back"
    assert not await faults(store)


@pytest.mark.parametrize("seed", range(12))
async def test_what_is_left_is_as_if_the_subject_had_said_nothing(
    stores: Stores, namespace: Namespace, store: NamespaceStore, clock: SetClock, seed: int
) -> None:
    chance = random.Random(seed)
    told = [
        said(
            chance.choice(CITIES),
            chance.choice((None, 0, 1, 2, 3)),
            user=chance.choice(USERS),
            predicate=chance.choice(("lives_in", "likes")),
        )
        for _ in range(14)
    ]
    beside = await other(stores, namespace)
    for one in told:
        clock.move(days=1)
        await tell(store, one)
        if one.user_id != "zarela":
            await tell(beside, one)
    await SubjectErasure(store, ADA).run()
    assert await stated(store) == await stated(beside)
    assert not await faults(store)
    assert not await traces(store, "zarela")
    await beside.close()


async def other(stores: Stores, namespace: Namespace) -> NamespaceStore:
    """A namespace beside."""
    return await stores.open(
        await stores.catalogue.create(
            Namespace(
                f"{namespace.name}-beside",
                f"{namespace.incarnation}2",
                namespace.create_time_us,
                namespace.embedding_model,
                namespace.embedding_dimension,
            )
        )
    )
