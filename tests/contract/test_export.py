"""What operators rely on, on every backend: all of it at one revision, and back as it was."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from anamnesis_libs.errors import Conflict
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Caller, MemoryFilter, Namespace, Refinement, Topic
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.model.session import Event, Session, Wing
from anamnesis_memory.model.work import WorkItem
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.upkeep import (
    Binding,
    Cursors,
    Deletion,
    KeptMemory,
    Record,
    RecordType,
    Tombstone,
    TombstoneKey,
    TopicPlace,
)
from tests.support.records import BASE_US, append, lesson, rows

NOBODY = Caller()
OTHER = Binding("other", 4)
REFINEMENT = Refinement("small", 7, 0.5, "it is said often", summary=True)


async def fill(store: NamespaceStore) -> list[str]:
    """Events, one replaced; lessons, two in a topic, one deleted; gives the lessons' ids."""
    await store.commit(append("one", "two", "three", end_session=True))
    await store.commit(append("zwei", start=1))
    await store.commit(append("elsewhere", session_id="s-2"))
    lessons = [lesson(text, tags=("Tag",)) for text in ("cats", "dogs", "gone", "no vector")]
    refined = replace(lessons[0].provenance, scored=True, refinement=REFINEMENT)
    lessons[0] = replace(lessons[0], provenance=refined)
    await store.commit(CreateMemories(lessons, [rows(1.0), rows(2.0, 3.0), rows(4.0), None]))
    ids = [each.memory_id for each in lessons]
    places = [Assignment(memory_id, "t-1", "pets") for memory_id in ids[:3]]
    await store.commit(AssignTopicMembers(places, 0, 4))
    await store.commit(DeleteMemory(ids[2], NOBODY))
    return [ids[0], ids[1], ids[3]]


async def exported(store: NamespaceStore) -> list[Record]:
    """Every record."""
    async with store.export() as export:
        return [record async for page in export.pages for record in page]


def comparable(records: Sequence[Record]) -> list[object]:
    """The same with arrays as lists."""
    plain: list[object] = []
    for record in records:
        match record:
            case KeptMemory():
                vectors = None if record.vectors is None else record.vectors.tolist()
                plain.append((record.memory, vectors, record.pending, record.digest))
            case Copy():
                vectors = None if record.vectors is None else record.vectors.tolist()
                plain.append((replace(record, vectors=None), vectors))
            case Topic():
                plain.append(
                    (
                        repr(replace(record, centroid=np.zeros(0, np.float32))),
                        record.centroid.tolist(),
                    )
                )
            case _:
                plain.append(record)
    return plain


async def copy(store: NamespaceStore, stores: Stores, namespace: Namespace) -> NamespaceStore:
    """Everything in another store, put there in small batches, the last one twice."""
    target = replace(namespace, name="copy", incarnation=new_incarnation(BASE_US + 1_000_000))
    made = await stores.open(target)
    records = await exported(store)
    for start in range(0, len(records), 3):
        await made.import_batch(records[start : start + 3])
    await made.import_batch(records[-3:])
    return made


async def test_an_export_has_every_record_once_and_in_order(store: NamespaceStore) -> None:
    lessons = await fill(store)
    records = await exported(store)
    order: list[type[Record]] = [Wing, Session, KeptMemory, Event, Topic, TopicPlace, Deletion]
    order += [WorkItem, TombstoneKey, Tombstone, Cursors]
    places = [order.index(type(record)) for record in records]
    assert places == sorted(places)
    memories = [record for record in records if isinstance(record, KeptMemory)]
    listed = await store.list_memories(MemoryFilter(include_archived=True), None, 0, 100)
    assert [kept.memory for kept in memories] == list(listed.items)
    assert {kept.memory.memory_id for kept in memories if not kept.pending} == set(lessons[:2])
    assert all(kept.pending is (kept.vectors is None) for kept in memories)
    events = [record for record in records if isinstance(record, Event)]
    assert [(event.session_id, event.index) for event in events] == [
        ("s-1", 0),
        ("s-1", 1),
        ("s-1", 2),
        ("s-2", 0),
    ]
    assert {event.content for event in events} == {""}
    assert [record for record in records if isinstance(record, TopicPlace)] == [
        TopicPlace(memory_id, "t-1") for memory_id in lessons[:2]
    ]
    assert records[-1] == Cursors(store.revision, store.revision, 4)


async def test_an_export_counts_by_itself(store: NamespaceStore) -> None:
    await fill(store)
    async with store.export() as export:
        assert export.revision == store.revision
        assert export.counts == {
            RecordType.WINGS: 1,
            RecordType.SESSIONS: 2,
            RecordType.SEGMENTS: 0,
            RecordType.MEMORIES: 8,
            RecordType.EMBEDDINGS: 2,
            RecordType.STUBS: 0,
            RecordType.EVENTS: 4,
            RecordType.TOPICS: 1,
            RecordType.TOPIC_MEMBERS: 2,
            RecordType.DELETIONS: 1,
            RecordType.ACTIVITIES: 0,
            RecordType.WORK: 3,
            RecordType.TOMBSTONES: 1,
            RecordType.USAGES: 0,
            RecordType.UPLOADS: 0,
            RecordType.EDGES: 0,
            RecordType.COPIES: 0,
            RecordType.DOCUMENTS: 0,
            RecordType.ENTITIES: 0,
            RecordType.MENTIONS: 0,
            RecordType.TELLINGS: 0,
            RecordType.FACT_VERSIONS: 0,
            RecordType.REASONS: 0,
        }


async def test_an_export_is_of_one_revision_whatever_is_written_meanwhile(
    store: NamespaceStore,
) -> None:
    lessons = await fill(store)
    before = await exported(store)
    async with store.export() as export:
        await store.commit(append("late", session_id="s-9"))
        await store.commit(DeleteMemory(lessons[0], NOBODY))
        seen = [record async for page in export.pages for record in page]
    assert comparable(seen) == comparable(before)
    assert comparable(await exported(store)) != comparable(before)


async def test_what_was_exported_comes_back_as_it_was(
    store: NamespaceStore, stores: Stores, namespace: Namespace
) -> None:
    await fill(store)
    made = await copy(store, stores, namespace)
    assert comparable(await exported(made)) == comparable(await exported(store))
    assert made.revision == store.revision
    assert (await made.changes(0, 100)) == (await store.changes(0, 100))
    events = (await made.list_events("s-1", -1, 10)).items
    assert [event.content for event in events] == ["one", "zwei", "three"]
    assert events == (await store.list_events("s-1", -1, 10)).items
    tagged = MemoryFilter(tags=("tag",))
    found = (await made.list_memories(tagged, None, 0, 10)).items
    assert found == (await store.list_memories(tagged, None, 0, 10)).items
    assert await made.topic_progress() == await store.topic_progress()
    await made.close()


async def test_a_copy_goes_on_where_the_original_stopped(
    store: NamespaceStore, stores: Stores, namespace: Namespace
) -> None:
    await fill(store)
    made = await copy(store, stores, namespace)
    committed = await made.commit(append("four", start=3))
    assert committed.revision == store.revision + 1
    last = (await made.list_memories(MemoryFilter(session_ids=("s-1",)), None, 0, 10)).items[-1]
    assert last.pointer == "§ W-001/R-01/D-005"
    await made.close()


async def test_a_namespace_takes_the_place_of_the_one_that_was_meant(
    stores: Stores, namespace: Namespace
) -> None:
    catalogue = stores.catalogue
    other = replace(namespace, incarnation=new_incarnation(BASE_US + 5_000_000))
    assert await catalogue.replace(namespace, "")
    assert not await catalogue.replace(other, "")
    assert not await catalogue.replace(other, other.incarnation)
    assert await catalogue.get(namespace.name) == namespace
    assert await catalogue.replace(other, namespace.incarnation)
    assert await catalogue.get(namespace.name) == other


async def test_what_is_discarded_is_gone_unless_the_catalogue_names_it(
    stores: Stores, namespace: Namespace
) -> None:
    first = await stores.open(namespace)
    await first.commit(append("one"))
    await first.close()
    await stores.discard(namespace)
    again = await stores.open(namespace)
    assert again.revision == 0
    assert (await again.counts()).events == 0
    await again.commit(append("two"))
    await again.close()
    await stores.catalogue.create(namespace)
    await stores.discard(namespace)
    named = await stores.open(namespace)
    assert (await named.counts()).events == 1
    await named.close()


async def test_a_vector_that_is_let_go_of_waits_for_a_new_one(store: NamespaceStore) -> None:
    cats, dogs, _ = await fill(store)
    waiting = list(await store.pending_embeddings(100))
    await store.requeue_embeddings([cats, "nobody"])
    assert set(await store.pending_embeddings(100)) == {*waiting, cats}
    assert list(await store.embeddings([cats, dogs])) == [dogs]


async def test_a_topic_is_computed_anew_from_its_members(store: NamespaceStore) -> None:
    cats, dogs, _ = await fill(store)
    (topic,) = (await store.topics("", None, "", 10)).items
    damaged = replace(topic, member_count=7, centroid=topic.centroid * 3)
    await store.import_batch([damaged])
    before = store.revision
    await store.repair_topics(["t-1", "nobody"])
    (mended,) = (await store.topics("", None, "", 10)).items
    assert mended.member_count == 2
    held = await store.embeddings([cats, dogs])
    mean = (held[cats].mean(axis=0) + held[dogs].mean(axis=0)) / 2
    assert mended.centroid == pytest.approx(mean)
    assert store.revision == mended.revision == before + 1
    assert (await store.topic_progress())[0] == store.revision


async def test_vectors_of_another_model_wait_beside_those_in_use(store: NamespaceStore) -> None:
    cats, *_ = await fill(store)
    everything = len(await store.unstaged(OTHER, 100))
    assert everything == 8
    await store.stage_embeddings(OTHER, {cats: np.ones((1, 4), np.float32), "nobody": rows(1.0)})
    assert cats not in await store.unstaged(OTHER, 100)
    assert (await store.embeddings([cats]))[cats].shape == (1, 8)
    assert await store.binding() is None
    third = Binding("third", 2)
    await store.stage_embeddings(third, {})
    assert len(await store.unstaged(OTHER, 100)) == len(await store.unstaged(third, 100)) == 8


async def test_vectors_are_switched_all_at_once_or_not(store: NamespaceStore) -> None:
    cats, dogs, none = await fill(store)
    four = np.eye(4, dtype=np.float32)
    await store.stage_embeddings(OTHER, {cats: four[:1]})
    before = comparable(await exported(store))
    with pytest.raises(Conflict):
        await store.switch_embeddings(OTHER)
    with pytest.raises(Conflict):
        await store.switch_embeddings(Binding("third", 4))
    assert comparable(await exported(store))[:-1] == before[:-1]

    await store.stage_embeddings(OTHER, {cats: four[:1], dogs: four[1:3]})
    revision = store.revision
    assert await store.switch_embeddings(OTHER) == store.revision == revision + 1
    assert await store.binding() == OTHER
    async with store.export() as export:
        assert export.binding == OTHER
    held = await store.embeddings([cats, dogs, none])
    assert [array.shape for array in held.values()] == [(1, 4), (2, 4)]
    (topic,) = (await store.topics("", None, "", 10)).items
    assert topic.centroid == pytest.approx([0.5, 0.25, 0.25, 0.0])
    waiting = await store.pending_embeddings(100)
    assert none in waiting
    assert not {cats, dogs} & set(waiting)
    assert await store.unstaged(Binding("third", 4), 100)


async def test_staged_vectors_go_with_their_memory(store: NamespaceStore) -> None:
    cats, dogs, none = await fill(store)
    ids = list(await store.unstaged(OTHER, 100))
    ones = np.ones((1, 4), np.float32)
    await store.stage_embeddings(OTHER, dict.fromkeys(ids, ones))
    assert not await store.unstaged(OTHER, 100)
    await store.commit(DeleteMemory(none, NOBODY))
    (again,) = await store.memories([dogs], None)
    await store.commit(CreateMemories([replace(again, content="wolves")], [rows(5.0)]))
    assert list(await store.unstaged(OTHER, 100)) == [dogs]
    assert cats in await store.embeddings([cats])
