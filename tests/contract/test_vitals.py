"""What use and sleep change of memories, on every backend, and when they were archived."""

from dataclasses import replace

import pytest

from anamnesis_memory.domain.lifecycle.vitals import Vitals
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter, Status, Tier
from anamnesis_memory.model.memory_details import Procedure
from anamnesis_memory.ports import NamespaceStore, WriteSet
from tests.support.clock import SetClock
from tests.support.life import created, everything, put
from tests.support.pipeline import now_us
from tests.support.records import lesson, rows

NOBODY = Caller()


def vitals(memory_id: str) -> Vitals:
    """How a memory fares that was of use."""
    return Vitals(memory_id, 7, 1_000, 2.5, 2_000, Tier.HOT, 0.75)


def faring(memory: Memory, there: Vitals) -> Memory:
    """A memory that fares so."""
    return replace(
        memory,
        hit_count=there.hit_count,
        last_hit_us=there.last_hit_us,
        stability_days=there.stability_days,
        review_us=there.review_us,
        tier=there.tier,
        centrality=there.centrality,
    )


async def test_a_memory_is_put_with_its_vitals(store: NamespaceStore) -> None:
    made = replace(faring(lesson("one"), vitals("")), archive_time_us=5, status=Status.ARCHIVED)
    await put(store, WriteSet(memories=(made,)))
    (held,) = await everything(store)
    assert held == replace(made, revision=1)
    again = replace(held, centrality=0.5, last_hit_us=None, archive_time_us=None, revision=2)
    await put(store, WriteSet(memories=(again,)))
    assert await everything(store) == [again]


async def test_vitals_change_and_take_no_revision(store: NamespaceStore, clock: SetClock) -> None:
    one, two = await created(store, lesson("one", tags=("tag",)), lesson("two"))
    clock.move(days=3)
    await store.put_embeddings({one.memory_id: rows(1.0)})
    assert await put(store, WriteSet(vitals=(vitals(one.memory_id),))) == store.revision == 1
    assert await everything(store) == [faring(one, vitals(one.memory_id)), two]
    (tagged,) = (await store.list_memories(MemoryFilter(tags=("tag",)), NOBODY, 0, 9)).items
    assert tagged.memory_id == one.memory_id
    assert list(await store.embeddings([one.memory_id])) == [one.memory_id]
    assert not (await store.changes(1, 9)).changes
    assert (await store.counts()).by_tier == {"hot": 1, "warm": 1}


async def test_vitals_of_what_is_gone_are_passed_over(store: NamespaceStore) -> None:
    one, two = await created(store, lesson("one"), lesson("two"))
    await store.commit(DeleteMemory(one.memory_id, NOBODY))
    told = tuple(vitals(each) for each in (one.memory_id, "nobody", two.memory_id))
    await put(store, WriteSet(vitals=told))
    assert await everything(store) == [faring(two, told[2])]


async def test_vitals_are_those_of_the_last_in_a_write(store: NamespaceStore) -> None:
    (one,) = await created(store, lesson("one"))
    last = replace(vitals(one.memory_id), hit_count=9, last_hit_us=None)
    await put(store, WriteSet(memories=(one,), vitals=(vitals(one.memory_id), last)))
    (held,) = await everything(store)
    assert (held.hit_count, held.last_hit_us) == (9, None)


async def test_what_is_archived_says_since_when(store: NamespaceStore, clock: SetClock) -> None:
    one, two = await created(store, lesson("one"), lesson("two"))
    clock.move(hours=1)
    since_us = now_us(clock)
    await put(store, WriteSet(archived_memories=(one.memory_id, "nobody")))
    clock.move(hours=1)
    await put(store, WriteSet(archived_memories=(one.memory_id,)))
    archived = replace(
        one,
        status=Status.ARCHIVED,
        archive_time_us=since_us,
        update_time_us=since_us,
        revision=2,
    )
    assert await everything(store) == [archived, two]


@pytest.mark.parametrize(
    ("triggers", "found"),
    [
        (("deploy",), ["steps", "tagged"]),
        (("DEPLOY", "other"), ["steps", "tagged"]),
        (("straße",), ["steps"]),
        (("STRASSE",), ["steps"]),
        (("entity",), []),
        ((), ["steps", "tagged", "named"]),
    ],
)
async def test_procedures_are_found_by_what_triggers_them(
    store: NamespaceStore, triggers: tuple[str, ...], found: list[str]
) -> None:
    part = Procedure("deploy", trigger_tags=("Deploy", "Straße"))
    steps = replace(lesson("steps"), kind=Kind.PROCEDURAL, part=part)
    named = replace(lesson("named"), entities=("entity",))
    await created(store, steps, lesson("tagged", tags=("deploY",)), named)
    listed = (await store.list_memories(MemoryFilter(triggers=triggers), NOBODY, 0, 9)).items
    assert [memory.content for memory in listed] == found
    by_tag = (await store.list_memories(MemoryFilter(tags=("deploy",)), NOBODY, 0, 9)).items
    assert [memory.content for memory in by_tag] == ["tagged"]


async def test_a_procedure_put_again_is_found_by_its_new_triggers(store: NamespaceStore) -> None:
    steps = replace(lesson("steps"), kind=Kind.PROCEDURAL, part=Procedure("a", trigger_tags=("x",)))
    await put(store, WriteSet(memories=(steps,)))
    await put(store, WriteSet(memories=(replace(steps, part=Procedure("a", trigger_tags=("y",))),)))
    for word, count in (("x", 0), ("y", 1)):
        where = MemoryFilter(triggers=(word,))
        assert len((await store.list_memories(where, NOBODY, 0, 9)).items) == count
