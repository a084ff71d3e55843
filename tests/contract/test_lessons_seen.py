"""What a write of lessons compares with, on every backend, and texts that change."""

from dataclasses import replace

import numpy as np

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, Kind, Memory
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from anamnesis_memory.ports.upkeep import Binding
from tests.support.life import Put, answered, created, everything, look, put
from tests.support.records import DIMENSION, lesson, rows

NOBODY = Caller()
SAME, OTHER = b"same" * 8, b"other" * 5


async def digested(store: NamespaceStore, *contents: str) -> list[Memory]:
    """Lessons that say the same, in one write."""
    made = tuple(map(lesson, contents))
    await put(store, WriteSet(memories=made, digests={one.memory_id: SAME for one in made}))
    return await everything(store)


async def test_the_oldest_active_lesson_of_a_digest_is_seen(store: NamespaceStore) -> None:
    one, two, three = await digested(store, "one", "two", "three")
    seen = await look(store, ReadSet(digests=(SAME, OTHER)))
    assert seen.by_digest == {SAME: one.memory_id}
    assert seen.memories == {one.memory_id: one}
    await put(store, WriteSet(archived_memories=(one.memory_id,)))
    await store.commit(DeleteMemory(two.memory_id, NOBODY))
    seen = await look(store, ReadSet(digests=(SAME,), memories=(one.memory_id,)))
    assert seen.by_digest == {SAME: three.memory_id}
    assert set(seen.memories) == {one.memory_id, three.memory_id}


async def test_a_lesson_keeps_its_digest_as_long_as_it_says_the_same(store: NamespaceStore) -> None:
    (one,) = await digested(store, "one")
    await put(store, WriteSet(memories=(replace(one, tags=("new",), revision=2),)))
    assert (await look(store, ReadSet(digests=(SAME,)))).by_digest == {SAME: one.memory_id}
    changed = replace(one, content="another", revision=3)
    await put(store, WriteSet(memories=(changed,)))
    assert not (await look(store, ReadSet(digests=(SAME,)))).by_digest
    await put(store, WriteSet(memories=(changed,), digests={one.memory_id: OTHER}))
    seen = await look(store, ReadSet(digests=(SAME, OTHER)))
    assert seen.by_digest == {OTHER: one.memory_id}


async def test_lessons_behind_a_revision_are_seen(store: NamespaceStore) -> None:
    old, first = await created(store, lesson("old"), lesson("first"))
    await put(store, WriteSet(memories=(replace(lesson("fact"), kind=Kind.SEMANTIC),)))
    late, gone = await created(store, lesson("late"), lesson("gone"))
    await put(store, WriteSet(archived_memories=(gone.memory_id,)))
    await put(store, WriteSet(memories=(replace(first, importance=0.9, revision=5),)))
    await store.put_embeddings({late.memory_id: rows(1.0, 2.0), old.memory_id: rows(1.0)})
    fresh = (await look(store, ReadSet(fresh_after=1))).fresh
    assert [one.memory.content for one in fresh] == ["first", "late"]
    assert fresh[0].vectors is None
    assert fresh[1].vectors is not None
    assert np.array_equal(fresh[1].vectors, rows(1.0, 2.0))
    everyone = (await look(store, ReadSet(fresh_after=0))).fresh
    assert [one.memory.content for one in everyone] == ["old", "first", "late"]
    assert (await look(store, ReadSet(fresh_after=store.revision))).fresh == ()
    assert (await look(store, ReadSet())).fresh == ()


async def test_writes_of_one_batch_see_each_other(store: NamespaceStore) -> None:
    one = lesson("one")
    await put(store, WriteSet(memories=(one,), digests={one.memory_id: SAME}))
    seen = await look(store, ReadSet(digests=(SAME,), fresh_after=0))
    assert seen.by_digest == {SAME: one.memory_id}
    assert [each.memory.memory_id for each in seen.fresh] == [one.memory_id]


async def test_vectors_are_seen(store: NamespaceStore) -> None:
    one, two = await created(store, lesson("one"), lesson("two"))
    await store.put_embeddings({one.memory_id: rows(1.0, 2.0)})
    seen = await look(store, ReadSet(embeddings=(one.memory_id, two.memory_id, "nobody")))
    assert list(seen.embeddings) == [one.memory_id]
    assert np.array_equal(seen.embeddings[one.memory_id], rows(1.0, 2.0))


async def test_a_changed_text_waits_for_new_vectors(store: NamespaceStore) -> None:
    one, two = await created(store, lesson("one"), lesson("two"))
    await store.put_embeddings({one.memory_id: rows(1.0), two.memory_id: rows(2.0)})
    binding = Binding("another", DIMENSION)
    await store.stage_embeddings(binding, {one.memory_id: rows(3.0), two.memory_id: rows(4.0)})
    changed = replace(one, content="another text", revision=2)
    stale = (one.memory_id, "nobody")
    await put(store, WriteSet(memories=(changed,), stale_embeddings=stale))
    assert list(await store.embeddings([one.memory_id, two.memory_id])) == [two.memory_id]
    assert list(await store.pending_embeddings(9)) == [one.memory_id]
    assert list(await store.unstaged(binding, 9)) == [one.memory_id]


async def test_a_changed_text_may_come_with_its_vectors(store: NamespaceStore) -> None:
    (one,) = await created(store, lesson("one"))
    await store.put_embeddings({one.memory_id: rows(1.0)})
    changed = replace(one, content="another text", revision=2)
    edits = WriteSet(
        memories=(changed,),
        stale_embeddings=(one.memory_id,),
        embeddings={one.memory_id: rows(5.0, 6.0)},
    )
    await put(store, edits)
    held = await store.embeddings([one.memory_id])
    assert np.array_equal(held[one.memory_id], rows(5.0, 6.0))
    assert not await store.pending_embeddings(9)


async def test_a_changed_text_leaves_its_topic(store: NamespaceStore) -> None:
    one, two = await created(store, lesson("one"), lesson("two"))
    await store.put_embeddings({one.memory_id: rows(1.0), two.memory_id: rows(3.0)})
    places = [Assignment(each.memory_id, "t-1", "label") for each in (one, two)]
    await store.commit(AssignTopicMembers(places, 0, None))
    changed = replace(one, content="another text", revision=3)
    await put(store, WriteSet(memories=(changed,), stale_embeddings=(one.memory_id,)))
    (topic,) = (await store.topics("", NOBODY, "", 9)).items
    assert (topic.member_count, topic.revision) == (1, 3)
    assert np.allclose(topic.centroid, rows(3.0)[0], atol=1e-6)
    assert list((await store.list_topic_members("t-1", 0, 9)).items) == [two.memory_id]
    assert (await store.topic_progress())[0] == 3


async def test_answers_that_hold_an_old_text_go(store: NamespaceStore) -> None:
    one, two = lesson("one"), lesson("two")
    await store.commit(Put(WriteSet(memories=(one,))), answered("r-1"))
    await store.commit(Put(WriteSet(memories=(two,))), answered("r-2"))
    changed = replace(one, content="another text")
    edits = WriteSet(memories=(changed,), stale_embeddings=(one.memory_id,))
    await store.commit(Put(edits), answered("r-3"))
    assert (await store.commit(Put(WriteSet()), answered("r-2"))).replayed is not None
    assert (await store.commit(Put(WriteSet()), answered("r-3"))).replayed is not None
    assert (await store.commit(Put(WriteSet()), answered("r-1"))).replayed is None


async def test_vectors_of_a_text_that_has_changed_since_are_not_kept(
    store: NamespaceStore,
) -> None:
    one, two = await created(store, lesson("one"), lesson("two"))
    await put(store, WriteSet(memories=(replace(one, content="another", revision=99),)))
    vectors = {one.memory_id: rows(1.0), two.memory_id: rows(2.0)}
    made_of = {one.memory_id: one.revision, two.memory_id: two.revision}
    assert await store.put_embeddings(vectors, made_of) == {two.memory_id}
    assert list(await store.embeddings([one.memory_id, two.memory_id])) == [two.memory_id]
    assert list(await store.pending_embeddings(9)) == [one.memory_id]
