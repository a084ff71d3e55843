"""Facts that are told: what is stored, what becomes surer, what closes what."""

import pytest

from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.knowledge.write_outcome import CreateOutcome
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Memory, MemoryFilter, Status
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.model.memory_versions import CopyRole
from anamnesis_memory.ports import NamespaceStore
from tests.support.clock import SetClock
from tests.support.facts_told import ANYBODY, fact, listed, shown, take_back, tell

EVERYBODY = (*ANYBODY, "user:nadia", "user:piet")


async def memories(store: NamespaceStore) -> list[Memory]:
    """All that is kept, archived too."""
    where = MemoryFilter(include_archived=True)
    return list((await store.list_memories(where, None, 0, 500)).items)


def part(memory: Memory) -> Fact:
    """What a memory states."""
    assert isinstance(memory.part, Fact)
    return memory.part


async def test_a_new_fact_is_stored_with_its_identity(store: NamespaceStore) -> None:
    told = fact("Nadia", "likes", "tea", "2020")
    (made,) = await tell(store, told)
    assert (made.outcome, made.closed, made.closed_by) == (CreateOutcome.CREATED, (), ())
    (kept,) = await memories(store)
    assert kept == made.memory
    assert (kept.memory_id, kept.confidence) == (told.memory_id, 0.8)
    assert part(kept).fact_id
    assert part(kept).source == "chat"
    assert made.version is not None
    assert made.version.state.fact_id == part(kept).fact_id


async def test_another_source_makes_it_surer_once(store: NamespaceStore, clock: SetClock) -> None:
    first = fact("Nadia", "likes", "tea", source="chat")
    await tell(store, first)
    sure = []
    for source in ("chat", "mail", "mail", "cv"):
        clock.move(seconds=1)
        (made,) = await tell(store, fact(" nadia", "LIKES", "Tea", source=source))
        assert (made.outcome, made.memory.memory_id) == (CreateOutcome.MERGED, first.memory_id)
        sure.append(made.memory.confidence)
    assert sure == pytest.approx([0.8, 0.85, 0.85, 0.9])
    (kept,) = await memories(store)
    assert kept.content == first.content
    copies = await store.copies_of(first.memory_id)
    assert {copy.role for copy in copies} == {CopyRole.CONTRIBUTION}
    assert len(copies) == 4
    (known,) = await listed(store)
    assert known.sources == ("chat", "mail", "cv")


async def test_the_same_word_by_word_changes_nothing(store: NamespaceStore) -> None:
    first = fact("Nadia", "likes", "tea")
    await tell(store, first)
    revision = store.revision
    (made,) = await tell(store, fact("Nadia", "likes", "tea"))
    assert (made.outcome, made.memory.memory_id) == (CreateOutcome.MERGED, first.memory_id)
    assert store.revision == revision
    assert await store.copies_of(first.memory_id) == []


async def test_the_same_twice_in_one_write_is_one(store: NamespaceStore) -> None:
    twice = [fact("Nadia", "likes", "tea", source=source) for source in ("chat", "mail")]
    first, second = await tell(store, *twice)
    assert (first.outcome, second.outcome) == (CreateOutcome.CREATED, CreateOutcome.MERGED)
    (kept,) = await memories(store)
    assert first.memory == second.memory == kept
    assert kept.confidence == pytest.approx(0.85)


async def test_a_new_object_closes_the_old_one(store: NamespaceStore) -> None:
    old = fact("Nadia", "lives_in", "Rotterdam", "2018")
    await tell(store, old)
    (made,) = await tell(store, fact("Nadia", "lives_in", "Utrecht", "2021-03"))
    assert made.closed == (old.memory_id,)
    assert [shown(one) for one in await listed(store)] == [
        ("Rotterdam", "2018-01-01", "2021-03-01"),
        ("Utrecht", "2021-03-01", ""),
    ]
    kept = {one.memory_id: one for one in await memories(store)}
    assert (part(kept[old.memory_id]).superseded, kept[old.memory_id].status) == (
        True,
        Status.ACTIVE,
    )
    (edge,) = await store.edges_of([old.memory_id], [EdgeType.SUPERSEDES], 9)
    assert (edge.source_id, edge.target_id) == (made.memory.memory_id, old.memory_id)


async def test_an_older_truth_leaves_the_present_open(store: NamespaceStore) -> None:
    now = fact("Nadia", "lives_in", "Utrecht", "2021-03")
    await tell(store, now)
    (made,) = await tell(store, fact("Nadia", "lives_in", "Rotterdam", "2018"))
    assert (made.closed, made.closed_by) == ((), (now.memory_id,))
    assert part(made.memory).superseded
    assert [shown(one)[2] for one in await listed(store)] == ["2021-03-01", ""]


async def test_two_that_begin_at_once_contradict_each_other(store: NamespaceStore) -> None:
    one, other = (fact("Nadia", "lives_in", city, "2018") for city in ("Delft", "Gouda"))
    await tell(store, one)
    (made,) = await tell(store, other)
    assert made.closed == ()
    assert all(part(kept).contradicted for kept in await memories(store))
    (edge,) = await store.edges_of([one.memory_id], [EdgeType.CONTRADICTS], 9)
    assert {edge.source_id, edge.target_id} == {one.memory_id, other.memory_id}
    await tell(store, fact("Nadia", "lives_in", "Utrecht", "2021"))
    assert [shown(known)[2] for known in await listed(store)] == ["2021-01-01", "2021-01-01", ""]


async def test_what_comes_back_is_a_fact_of_its_own(store: NamespaceStore) -> None:
    for city, since in (("Delft", "2018"), ("Gouda", "2019"), ("Delft", "2020")):
        await tell(store, fact("Nadia", "lives_in", city, since))
    assert [shown(one) for one in await listed(store)] == [
        ("Delft", "2018-01-01", "2019-01-01"),
        ("Gouda", "2019-01-01", "2020-01-01"),
        ("Delft", "2020-01-01", ""),
    ]
    assert len(await memories(store)) == 3


async def test_objects_of_other_predicates_add_up(store: NamespaceStore) -> None:
    made = await tell(
        store, fact("Nadia", "likes", "tea", "2018"), fact("Nadia", "likes", "rain", "2020")
    )
    assert [one.closed for one in made] == [(), ()]
    assert [shown(one)[2] for one in await listed(store)] == ["", ""]


async def test_who_states_it_or_the_namespace_says_what_is_single_valued(
    store: NamespaceStore,
) -> None:
    pet = [
        fact("Nadia", "has_pet", name, since, single_valued=True)
        for name, since in (("Rex", "2018"), ("Mia", "2020"))
    ]
    assert (await tell(store, *pet))[1].closed == (pet[0].memory_id,)
    colours = [
        fact("door", "colour", name, since) for name, since in (("red", "2018"), ("blue", "2020"))
    ]
    added = SingleValued(added=frozenset({"Colour"}))
    assert (await tell(store, *colours, predicates=added))[1].closed == (colours[0].memory_id,)
    many = SingleValued(removed=frozenset({"lives_in"}))
    homes = [fact("Piet", "lives_in", *home) for home in (("Delft", "2018"), ("Gouda", "2020"))]
    assert (await tell(store, *homes, predicates=many))[1].closed == ()


async def test_only_the_same_subject_and_predicate_is_touched(store: NamespaceStore) -> None:
    others = [
        fact("Piet", "lives_in", "Delft", "2018"),
        fact("Nadia", "works_at", "Halden", "2018"),
        fact("Nadia", "lives_in", "Delft", "2018", user_id="nadia"),
    ]
    await tell(store, *others)
    before = {one.memory_id: one for one in await memories(store)}
    (made,) = await tell(store, fact("Nadia", "lives_in", "Utrecht", "2021"))
    assert made.closed == ()
    after = {one.memory_id: one for one in await memories(store)}
    assert {key: after[key] for key in before} == before


async def test_private_facts_never_meet_shared_ones(store: NamespaceStore) -> None:
    told = [
        fact("Nadia", "lives_in", "Delft", "2018", source=source, user_id=user)
        for source, user in (("chat", ""), ("mail", "nadia"), ("cv", "piet"), ("note", "nadia"))
    ]
    made = [(await tell(store, one))[0] for one in told]
    assert [one.outcome for one in made] == [
        *(CreateOutcome.CREATED, CreateOutcome.CREATED, CreateOutcome.CREATED),
        CreateOutcome.MERGED,
    ]
    known = {one.memory.user_id: one for one in await listed(store, scopes=EVERYBODY)}
    assert {user: one.sources for user, one in known.items()} == {
        "": ("chat",),
        "nadia": ("mail", "note"),
        "piet": ("cv",),
    }
    assert not any(one.contradicted or one.superseded for one in known.values())
    assert [one.sources for one in await listed(store)] == [("chat",)]


async def test_told_again_after_it_was_taken_back_it_is_awake(
    store: NamespaceStore, clock: SetClock
) -> None:
    told = fact("Nadia", "lives_in", "Delft", "2018")
    await tell(store, told)
    await take_back(store, told.memory_id)
    clock.move(hours=1)
    (made,) = await tell(store, fact("Nadia", "lives_in", "Delft", "2018", source="mail"))
    assert made.memory.memory_id == told.memory_id
    assert (made.memory.status, part(made.memory).retracted) == (Status.ACTIVE, False)
    (known,) = await listed(store)
    assert known.sources == ("mail",)
    assert known.memory.confidence == pytest.approx(0.8)
