"""What reads promise, on every backend."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.memory import (
    Caller,
    Kind,
    Memory,
    MemoryFilter,
    Origin,
    Provenance,
    Visibility,
)
from anamnesis_memory.ports import NamespaceStore
from tests.support.records import BASE_US, append, lesson, rows

NOBODY = Caller()


async def create(store: NamespaceStore, *memories: Memory) -> Sequence[Memory]:
    """Store memories without vectors."""
    made = await store.commit(CreateMemories(memories, [None] * len(memories)))
    assert made.result is not None
    return tuple(one.memory for one in made.result)


async def contents(
    store: NamespaceStore, where: MemoryFilter, caller: Caller = NOBODY
) -> list[str]:
    """Texts that a filter lets through."""
    return [memory.content for memory in (await store.list_memories(where, caller, 0, 100)).items]


async def test_a_memory_comes_back_as_it_was_stored(store: NamespaceStore) -> None:
    (made,) = await create(store, lesson("一 lesson", tags=("Alpha", "beta")))
    assert await store.memories([made.memory_id], NOBODY) == [made]
    assert made.create_time_us == made.update_time_us
    assert made.revision == 1


async def test_memories_come_in_the_order_asked_for(store: NamespaceStore) -> None:
    one, two, three = await create(store, lesson("one"), lesson("two"), lesson("three"))
    ids = [three.memory_id, "nobody", one.memory_id, two.memory_id]
    assert [memory.content for memory in await store.memories(ids, NOBODY)] == [
        "three",
        "one",
        "two",
    ]


FILTERS = [
    (MemoryFilter(), ["about cats", "about dogs", "a turn"]),
    (MemoryFilter(kinds=(Kind.LEARNING,)), ["about cats", "about dogs"]),
    (MemoryFilter(categories=("error",)), ["about cats"]),
    (MemoryFilter(tags=("PETS",)), ["about cats"]),
    (MemoryFilter(tags=("pets", "work")), ["about cats", "about dogs"]),
    (MemoryFilter(entities=("ada",)), ["about dogs"]),
    (MemoryFilter(agent_id="agent"), ["a turn"]),
    (MemoryFilter(user_id="ada"), ["a turn"]),
    (MemoryFilter(session_ids=("s-1", "s-2")), ["a turn"]),
    (MemoryFilter(origins=(Origin.GENERATED,)), ["about dogs"]),
    (MemoryFilter(min_importance=0.9), ["about cats"]),
    (MemoryFilter(start_time_us=BASE_US), ["a turn"]),
    (MemoryFilter(end_time_us=BASE_US), []),
    (MemoryFilter(kinds=(Kind.LEARNING,), tags=("pets",), min_importance=0.95), []),
]


@pytest.mark.parametrize(("where", "expected"), FILTERS)
async def test_every_filter_narrows(
    store: NamespaceStore, where: MemoryFilter, expected: list[str]
) -> None:
    cats = replace(lesson("about cats", tags=("Pets",)), category="error", importance=0.9)
    dogs = replace(
        lesson("about dogs", tags=("work",)),
        entities=("Ada",),
        provenance=Provenance(Origin.GENERATED, model="m"),
    )
    await create(store, cats, dogs)
    await store.commit(append("a turn"))
    assert await contents(store, where) == expected


async def test_callers_see_what_is_shared_and_what_is_theirs(store: NamespaceStore) -> None:
    await create(
        store,
        lesson("shared"),
        lesson("of agent a", visibility=Visibility.PRIVATE_TO_AGENT, agent_id="a"),
        lesson("of user u", visibility=Visibility.PRIVATE_TO_USER, user_id="u"),
        lesson("of nobody", visibility=Visibility.PRIVATE_TO_AGENT, agent_id=""),
    )
    assert await contents(store, MemoryFilter()) == ["shared"]
    assert await contents(store, MemoryFilter(), Caller(agent_id="a")) == ["shared", "of agent a"]
    assert await contents(store, MemoryFilter(), Caller(agent_id="b")) == ["shared"]
    assert len((await store.list_memories(MemoryFilter(), None, 0, 100)).items) == 4
    assert await contents(store, MemoryFilter(), Caller("a", "u")) == [
        "shared",
        "of agent a",
        "of user u",
    ]


async def test_pages_cover_everything_once(store: NamespaceStore) -> None:
    await create(store, *(lesson(f"lesson {number}") for number in range(7)))
    after: int | str | None = 0
    told: list[str] = []
    while after is not None:
        page = await store.list_memories(MemoryFilter(), NOBODY, int(after), 3)
        told += [memory.content for memory in page.items]
        after = page.next_after
    assert told == [f"lesson {number}" for number in range(7)]


async def test_the_change_log_tells_the_last_of_each_memory(store: NamespaceStore) -> None:
    one, two = await create(store, lesson("one"), lesson("two"))
    (three,) = await create(store, lesson("three"))
    await store.commit(DeleteMemory(one.memory_id, NOBODY))
    log = await store.changes(0, 100)
    assert log.revision == store.revision == 3
    assert [(c.revision, c.memory_id, c.deleted) for c in log.changes] == [
        (1, two.memory_id, False),
        (2, three.memory_id, False),
        (3, one.memory_id, True),
    ]
    later = await store.changes(2, 100)
    assert [change.memory_id for change in later.changes] == [one.memory_id]
    assert (await store.changes(3, 100)).changes == []


async def test_a_page_of_the_log_never_ends_inside_a_revision(store: NamespaceStore) -> None:
    await create(store, *(lesson(f"first {number}") for number in range(5)))
    await create(store, *(lesson(f"second {number}") for number in range(5)))
    first = await store.changes(0, 3)
    assert (first.revision, len(first.changes)) == (1, 5)
    second = await store.changes(first.revision, 3)
    assert (second.revision, len(second.changes)) == (2, 5)
    assert not (await store.changes(second.revision, 3)).changes


async def test_what_has_no_vector_is_pending_until_it_has_one(store: NamespaceStore) -> None:
    one, two = await create(store, lesson("one"), lesson("two"))
    assert list(await store.pending_embeddings(10)) == [one.memory_id, two.memory_id]
    await store.note_embedding_failures([two.memory_id], "model is away")
    await store.put_embeddings({one.memory_id: rows(1.0, 2.0), "gone": rows(1.0)})
    assert list(await store.pending_embeddings(10)) == [two.memory_id]
    assert (await store.counts()).pending_embeddings == 1
    kept = await store.embeddings([one.memory_id, two.memory_id])
    assert list(kept) == [one.memory_id]
    assert kept[one.memory_id] == pytest.approx(rows(1.0, 2.0))


async def test_index_records_carry_vectors_where_there_are_any(store: NamespaceStore) -> None:
    one, two = await create(store, lesson("one"), lesson("two"))
    await store.put_embeddings({two.memory_id: rows(2.0)})
    first, second = await store.index_records([one.memory_id, "gone", two.memory_id])
    assert (first.memory, first.vectors) == (one, None)
    assert second.vectors is not None
    assert second.vectors == pytest.approx(rows(2.0))


async def test_changes_to_index_are_the_changes_with_what_is_still_there(
    store: NamespaceStore,
) -> None:
    one, two = await create(store, lesson("one"), lesson("two"))
    await store.put_embeddings({two.memory_id: rows(2.0)})
    await store.commit(DeleteMemory(one.memory_id, NOBODY))
    await create(store, lesson("three"))
    for after in range(4):
        changes, records = await store.changes_to_index(after, 2)
        assert changes == await store.changes(after, 2)
        here = [change.memory_id for change in changes.changes if not change.deleted]
        asked = await store.index_records(here)
        assert [record.memory for record in records] == [record.memory for record in asked]
        assert [record.vectors is None for record in records] == [
            record.vectors is None for record in asked
        ]


async def test_what_was_just_appended_goes_to_the_index_as_it_is_stored(
    store: NamespaceStore,
) -> None:
    await store.commit(append("one", "two"))
    await store.commit(append("three", start=2))
    told = await store.changes_to_index(0, 64)
    changes, records = told
    assert told == await store.changes_to_index(0, 64)
    assert changes == await store.changes(0, 64)
    assert [record.memory.content for record in records] == ["one", "two", "three"]
    assert await store.changes_to_index(1, 64) == (
        await store.changes(1, 64),
        await store.index_records([records[2].memory.memory_id]),
    )


async def test_what_became_of_a_memory_before_it_was_asked_for_goes_to_the_index(
    store: NamespaceStore,
) -> None:
    await store.commit(append("one", "two"))
    one, two = (await store.list_memories(MemoryFilter(), NOBODY, 0, 9)).items
    await store.put_embeddings({one.memory_id: rows(2.0)})
    _, (first, _) = await store.changes_to_index(0, 64)
    assert first.vectors is not None
    await store.commit(append("three", start=2))
    await store.commit(DeleteMemory(two.memory_id, NOBODY))
    changes, records = await store.changes_to_index(0, 64)
    assert changes == await store.changes(0, 64)
    assert [record.memory.content for record in records] == ["one", "three"]


async def test_counts(store: NamespaceStore) -> None:
    await store.commit(append("one", "two"))
    await create(store, lesson("three"))
    counts = await store.counts()
    assert counts.by_kind == {"episodic": 2, "learning": 1}
    assert counts.by_status == {"active": 3}
    assert counts.by_tier == {"warm": 3}
    assert (counts.sessions, counts.events, counts.topics) == (1, 2, 0)
    assert counts.store_bytes > 0
