"""What goes with erased memories: all that rests on them alone, in whatever batches."""

import random
from dataclasses import replace

import pytest

from anamnesis_memory.erasure import batch as erasing_module
from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.erasure.erase_memories import EraseMemories, LineageGrew
from anamnesis_memory.erasure.planning import trace
from anamnesis_memory.model.edges import Edge, EdgeType, derived_from, source_ids
from anamnesis_memory.model.memory import Kind, Memory, MemoryFilter, Namespace, Topic
from anamnesis_memory.model.memory_details import Lesson
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    NamespaceStore,
    ReadSet,
    ReadView,
    TopicMember,
    WriteSet,
)
from anamnesis_memory.ports.life import ErasureSubject
from tests.support.clock import SetClock
from tests.support.fake_store import Disk, FakeStores
from tests.support.lineages import OTHER, SUBJECT, memory, owned, random_world
from tests.support.records import BASE_US, rows

ADA = ErasureSubject(user_id=SUBJECT)


class Put:
    """A write of tests: puts what it is given."""

    def __init__(self, edits: WriteSet) -> None:
        self._edits = edits

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """As given."""
        return Decision(None, self._edits)


@pytest.fixture
async def store() -> NamespaceStore:
    """An empty store."""
    stores = FakeStores(Disk(), SetClock())
    space = await stores.catalogue.create(Namespace("space", "1", BASE_US, "model", 8))
    return await stores.open(space)


async def put(store: NamespaceStore, *memories: Memory, copies: tuple[Copy, ...] = ()) -> None:
    edges = tuple(edge for one in memories for edge in derived_from(one, BASE_US))
    await store.commit(Put(WriteSet(memories=memories, edges=edges, copies=copies)))


async def ids(store: NamespaceStore) -> set[str]:
    page = await store.list_memories(MemoryFilter(include_archived=True), None, 0, 1000)
    return {one.memory_id for one in page.items}


def contribution(copy_id: str, of: str, text: Memory, *, merged: bool = False) -> Copy:
    return Copy(copy_id, of, CopyRole.CONTRIBUTION, text, BASE_US, 0.9, merged)


@pytest.mark.parametrize("seed", range(60))
async def test_nothing_stands_on_what_was_erased_and_the_rest_is_untouched(
    store: NamespaceStore, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasing_module, "BATCH_MAX", 3)
    monkeypatch.setattr(erasing_module, "FALLING_MAX", 4 if seed % 2 else 1000)
    world = random_world(seed)
    await put(store, *world.memories.values())
    # circles that rest on nothing that was ever seen are nobody's to erase
    circles = set(world.memories) - world.standing(())
    drawers = [one for one, below in world.sources.items() if not below]
    erased = random.Random(seed).sample(drawers, 4)
    erasing = Erasing(store)
    await erasing.memories(erased)
    left = await ids(store)
    assert left == world.standing(erased, circles)
    for one in await store.memories(sorted(left), None):
        gone = set(source_ids(world.memories[one.memory_id])) - left
        assert one.needs_review == bool(gone)
        assert not gone & set(source_ids(one))
    assert erasing.gone == set(world.memories) - left
    assert erasing.receipt.records["memories"] == len(erasing.gone)
    assert erasing.receipt.derived == erasing.gone - set(erased)


async def test_a_lesson_goes_on_as_what_somebody_else_had_merged_into_it(
    store: NamespaceStore,
) -> None:
    lesson = replace(
        owned(memory("l", lesson=True), SUBJECT), content="hers", tags=("her-tag", "both")
    )
    hers = contribution("c-1", "l", replace(owned(memory("c"), SUBJECT), content="hers again"))
    his = replace(memory("d", lesson=True), content="his", tags=("both",), user_id=OTHER)
    version = Copy("c-3", "l", CopyRole.VERSION, lesson, BASE_US)
    await put(store, lesson, copies=(hers, contribution("c-2", "l", his), version))
    await store.put_embeddings({"l": rows(1.0)})
    erasing = Erasing(store, ADA)
    await erasing.memories(["l"])
    (after,) = await store.memories(["l"], None)
    assert (after.content, after.user_id, after.tags, after.needs_review) == (
        "his",
        OTHER,
        ("both",),
        True,
    )
    assert not await store.copies_of("l")
    assert not await store.embeddings(["l"])
    assert erasing.receipt.kept == {"l"}
    found, _ = await store.occurrences(["hers", "her-tag"])
    assert not found


async def test_what_was_derived_from_a_lesson_that_becomes_another_goes(
    store: NamespaceStore,
) -> None:
    lesson = owned(memory("l", lesson=True), SUBJECT)
    await put(
        store,
        lesson,
        memory("fact", ("l",)),
        copies=(contribution("c", "l", memory("d", lesson=True)),),
    )
    await Erasing(store, ADA).memories(["l"])
    assert await ids(store) == {"l"}


async def test_deleting_a_lesson_takes_what_was_merged_into_it_along(
    store: NamespaceStore,
) -> None:
    await put(
        store,
        memory("l", lesson=True),
        copies=(contribution("c", "l", memory("d", lesson=True)),),
    )
    erasing = Erasing(store)
    await erasing.memories(["l"])
    assert not await ids(store)
    assert erasing.receipt.records["copies"] == 1


async def test_what_is_derived_meanwhile_is_looked_at_before_anything_goes(
    store: NamespaceStore,
) -> None:
    await put(store, memory("a"))
    lineage, _ = await trace(store, ["a"], ledger_stays=False)
    await put(store, memory("b", ("a",)))
    with pytest.raises(LineageGrew):
        await store.commit(EraseMemories(lineage))
    assert await ids(store) == {"a", "b"}


async def test_old_versions_of_what_stays_go_for_they_may_quote(store: NamespaceStore) -> None:
    fact = memory("f", ("a", "b"))
    version = Copy("v", "f", CopyRole.VERSION, replace(fact, content="quotes a"), BASE_US)
    await put(store, memory("a"), memory("b"), fact, copies=(version,))
    await Erasing(store).memories(["a"])
    (after,) = await store.memories(["f"], None)
    assert source_ids(after) == ("b",)
    assert not await store.copies_of("f")
    edges = await store.edges_of(["f"], (), 10)
    assert [(edge.target_id, edge.type) for edge in edges] == [("b", EdgeType.DERIVED_FROM)]


async def test_a_topic_that_loses_a_member_is_named_after_one_that_it_keeps(
    store: NamespaceStore,
) -> None:
    titled = [
        replace(memory(one, lesson=True), part=Lesson(title=f"title of {one}")) for one in "ab"
    ]
    await put(store, *titled)
    await store.put_embeddings({one.memory_id: rows(1.0) for one in titled})
    members = tuple(TopicMember(one, "t", "title of a", "shared") for one in "ab")
    await store.commit(Put(WriteSet(topic_members=members)))
    await Erasing(store).memories(["a"])
    topics: list[Topic] = [*(await store.topics("t", None, "", 2)).items]
    assert [topic.label for topic in topics] == ["title of b"]
    found, _ = await store.occurrences(["title of a"])
    assert not found


async def test_a_topic_is_not_named_by_a_whole_sentence_when_its_founder_goes(
    store: NamespaceStore,
) -> None:
    said = "When the kiln cracks a glaze, cool the kiln slower and open it the next day."
    untitled = [
        replace(memory(one, lesson=True), content=said, part=Lesson(title="")) for one in "ab"
    ]
    await put(store, *untitled)
    await store.put_embeddings({one.memory_id: rows(1.0) for one in untitled})
    members = tuple(TopicMember(one, "t", "kiln", "shared") for one in "ab")
    await store.commit(Put(WriteSet(topic_members=members)))
    await Erasing(store).memories(["a"])
    topics: list[Topic] = [*(await store.topics("t", None, "", 2)).items]
    assert [topic.label for topic in topics] == ["kiln cracks glaze slower"]


async def test_an_edge_that_quotes_the_old_text_of_a_memory_goes_with_the_text(
    store: NamespaceStore,
) -> None:
    lesson = owned(memory("l", lesson=True), SUBJECT)
    await put(
        store,
        lesson,
        memory("n", lesson=True),
        copies=(contribution("c", "l", memory("d", lesson=True)),),
    )
    similar = Edge("l", "n", EdgeType.SIMILAR_TO, 0.9, BASE_US, BASE_US, '["her word"]')
    await store.commit(Put(WriteSet(edges=(similar,))))
    await Erasing(store, ADA).memories(["l"])
    assert not await store.edges_of(["l"], (), 10)
    assert (await store.memories(["n"], None))[0].kind is Kind.LEARNING
