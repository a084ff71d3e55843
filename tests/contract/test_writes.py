"""What a commit promises, on every backend."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from anamnesis_libs.errors import Conflict, InvalidArgument
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import Appended, AppendEvents, AppendOutcome
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import (
    Caller,
    Memory,
    MemoryFilter,
    Namespace,
    Status,
    Visibility,
)
from anamnesis_memory.model.session import SessionState
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    IdempotentAnswer,
    NamespaceStore,
    ReadSet,
    ReadView,
    RequestKey,
    WriteSet,
)
from anamnesis_memory.ports.catalogue import Stores
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.records import DIMENSION, append, lesson, new_event, rows

NOBODY = Caller()
EVERYTHING = MemoryFilter(include_archived=True)


def remember(request_id: str, digest: bytes = b"d") -> IdempotentAnswer[Appended]:
    """Remembers how many events were appended."""
    key = RequestKey("Append", request_id, digest)
    return IdempotentAnswer(key, lambda done, _: str(done.count(AppendOutcome.APPENDED)).encode())


async def create(store: NamespaceStore, *memories: Memory) -> Sequence[Memory]:
    """Store memories without vectors."""
    made = await store.commit(CreateMemories(memories, [None] * len(memories)))
    assert made.result is not None
    return tuple(one.memory for one in made.result)


async def everything(store: NamespaceStore) -> list[Memory]:
    """All shared memories."""
    return list((await store.list_memories(EVERYTHING, NOBODY, 0, 500)).items)


async def test_append_stores_events_and_drawers_at_one_revision(store: NamespaceStore) -> None:
    done = await store.commit(append("one", "two"))
    assert done.revision == store.revision == 1
    assert done.result is not None
    drawers = await everything(store)
    assert [drawer.content for drawer in drawers] == ["one", "two"]
    assert {drawer.revision for drawer in drawers} == {1}
    assert [drawer.pointer for drawer in drawers] == [
        "§ W-001/R-01/D-001",
        "§ W-001/R-01/D-002",
    ]
    events = (await store.list_events("s-1", -1, 10)).items
    assert [(event.content, event.memory_id) for event in events] == [
        ("one", drawers[0].memory_id),
        ("two", drawers[1].memory_id),
    ]


async def test_the_same_events_again_change_nothing(store: NamespaceStore) -> None:
    await store.commit(append("one", "two"))
    again = await store.commit(append("one", "two"))
    assert again.revision == 1
    assert again.result is not None
    assert again.result.count(AppendOutcome.UNCHANGED) == 2
    assert len(await everything(store)) == 2


async def test_a_grown_session_adds_only_what_is_new(store: NamespaceStore) -> None:
    await store.commit(append("one", "two"))
    grown = await store.commit(append("one", "two", "three"))
    assert grown.result is not None
    assert grown.result.count(AppendOutcome.APPENDED) == 1
    assert grown.result.session.event_count == 3


async def test_another_event_at_an_index_archives_the_old_drawer(store: NamespaceStore) -> None:
    await store.commit(append("one", "two"))
    changed = await store.commit(append("one", "zwei"))
    assert changed.result is not None
    assert changed.result.count(AppendOutcome.REPLACED) == 1
    found = {memory.content: memory for memory in await everything(store)}
    assert found["two"].status is Status.ARCHIVED
    assert found["two"].revision == 2
    assert found["zwei"].status is Status.ACTIVE
    assert found["zwei"].pointer == "§ W-001/R-01/D-003"
    assert (await store.list_events("s-1", -1, 10)).items[1].content == "zwei"


async def test_events_without_index_follow_the_last(store: NamespaceStore) -> None:
    await store.commit(append("one"))
    write = AppendEvents("s-1", (new_event("two"), new_event("three")))
    done = await store.commit(write)
    assert done.result is not None
    assert [index for index, _, _ in done.result.results] == [1, 2]


async def test_sessions_of_one_person_share_a_wing_and_have_rooms_of_their_own(
    store: NamespaceStore,
) -> None:
    await store.commit(append("one", session_id="a"))
    await store.commit(append("two", session_id="b"))
    await store.commit(AppendEvents("c", (new_event("three", 0),), agent_id="robot"))
    places = [memory.pointer for memory in await everything(store)]
    assert places == ["§ W-001/R-01/D-001", "§ W-001/R-02/D-001", "§ W-002/R-01/D-001"]


async def test_ending_a_session_and_an_event_after_the_end(store: NamespaceStore) -> None:
    await store.commit(append("one", end_session=True))
    ended = await store.session("s-1")
    assert ended is not None
    assert ended.state is SessionState.ENDED
    await store.commit(append("two", start=1))
    opened = await store.session("s-1")
    assert opened is not None
    assert opened.state is SessionState.OPEN


async def test_a_known_request_gets_its_first_answer(store: NamespaceStore) -> None:
    first = await store.commit(AppendEvents("s", (new_event("one"),)), remember("r-1"))
    again = await store.commit(AppendEvents("s", (new_event("one"),)), remember("r-1"))
    assert first.result is not None
    assert again.replayed == b"1"
    assert len(await everything(store)) == 1


async def test_a_request_id_for_another_request_is_refused(store: NamespaceStore) -> None:
    await store.commit(append("one"), remember("r-1", b"one"))
    with pytest.raises(InvalidArgument) as refused:
        await store.commit(append("two"), remember("r-1", b"two"))
    assert refused.value.reason == "REQUEST_ID_REUSED"
    assert store.revision == 1


async def test_a_request_is_forgotten_after_a_day(store: NamespaceStore, clock: SetClock) -> None:
    await store.commit(AppendEvents("s", (new_event("one"),)), remember("r-1"))
    clock.move(hours=25)
    again = await store.commit(AppendEvents("s", (new_event("one"),)), remember("r-1"))
    assert again.replayed is None
    assert len(await everything(store)) == 2


@dataclass(frozen=True)
class Refusing:
    """A write that is refused after it looked."""

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Refuse."""
        raise Conflict("no")


@dataclass(frozen=True)
class Broken:
    """A write whose edits cannot be applied: a topic member without a topic id."""

    memory: Memory

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Fail like a fault of ours, half-way."""
        edits = WriteSet(memories=(self.memory,))
        if edits.any:
            raise ZeroDivisionError
        return Decision(None, edits)


async def test_a_refused_write_changes_nothing_and_harms_no_neighbour(
    store: NamespaceStore,
) -> None:
    outcomes = await asyncio.gather(
        store.commit(append("one", session_id="a")),
        store.commit(Refusing()),
        store.commit(Broken(lesson("half"))),
        store.commit(append("two", session_id="b")),
        return_exceptions=True,
    )
    assert isinstance(outcomes[1], Conflict)
    assert isinstance(outcomes[2], ZeroDivisionError)
    assert [memory.content for memory in await everything(store)] == ["one", "two"]
    assert store.revision == 2


async def test_concurrent_writers_of_one_session_lose_nothing(store: NamespaceStore) -> None:
    writes = [AppendEvents("s", (new_event(f"event {number}"),)) for number in range(100)]
    await asyncio.gather(*map(store.commit, writes))
    events = (await store.list_events("s", -1, 500)).items
    assert [event.index for event in events] == list(range(100))
    assert {event.content for event in events} == {f"event {number}" for number in range(100)}


async def test_committed_state_is_there_after_a_restart(
    open_stores: Open, namespace: Namespace
) -> None:
    first = await open_stores()
    store = await first.open(namespace)
    await store.commit(append("one"))
    await store.close()
    await first.close()
    second = await open_stores()
    reopened = await second.open(namespace)
    assert reopened.revision == 1
    assert [memory.content for memory in await everything(reopened)] == ["one"]
    await reopened.close()
    await second.close()


async def test_delete_takes_everything_of_a_memory_along(store: NamespaceStore) -> None:
    await store.commit(append("secret canary", "other"), remember("r-1"))
    (drawer, other) = await everything(store)
    await store.put_embeddings({drawer.memory_id: rows(1.0)})
    await store.commit(DeleteMemory(drawer.memory_id, NOBODY))
    assert await everything(store) == [other]
    assert await store.embeddings([drawer.memory_id]) == {}
    assert (await store.list_events("s-1", -1, 10)).items[0].content == ""
    again = await store.commit(AppendEvents("s-1", ()), remember("r-1"))
    assert again.replayed is None, "the answer that named it is gone with it"


async def test_delete_is_refused_for_what_is_not_seen_or_has_changed(store: NamespaceStore) -> None:
    (private,) = await create(
        store, lesson("mine", visibility=Visibility.PRIVATE_TO_AGENT, agent_id="a")
    )
    with pytest.raises(MemoryNotFound):
        await store.commit(DeleteMemory(private.memory_id, Caller(agent_id="b")))
    with pytest.raises(MemoryNotFound):
        await store.commit(DeleteMemory("nobody", Caller(agent_id="a")))
    with pytest.raises(Conflict):
        await store.commit(DeleteMemory(private.memory_id, Caller(agent_id="a"), etag="old"))
    await store.commit(DeleteMemory(private.memory_id, Caller(agent_id="a"), etag=private.etag))
    assert await store.memories([private.memory_id], None) == []


async def test_topics_keep_members_and_centroids(store: NamespaceStore) -> None:
    one, two, three = await create(store, lesson("one"), lesson("two"), lesson("three"))
    await store.put_embeddings(
        {one.memory_id: rows(1.0), two.memory_id: rows(3.0), three.memory_id: rows(9.0)}
    )
    places = [Assignment(memory.memory_id, "t-1", "label") for memory in (one, two, three)]
    await store.commit(AssignTopicMembers(places, 0, 1))
    (topic,) = (await store.topics("", NOBODY, "", 10)).items
    expected = (rows(1.0)[0] + rows(3.0)[0] + rows(9.0)[0]) / 3
    assert topic.member_count == 3
    assert topic.centroid == pytest.approx(expected, abs=1e-6)
    assert await store.topic_progress() == (2, 1)

    again = AssignTopicMembers([Assignment(one.memory_id, "t-1", "label")], 2, None)
    await store.commit(again)
    (same,) = (await store.topics("", NOBODY, "", 10)).items
    assert (same.member_count, same.create_time_us) == (3, topic.create_time_us)

    await store.commit(DeleteMemory(three.memory_id, NOBODY))
    (left,) = (await store.topics("t-1", NOBODY, "", 10)).items
    assert left.member_count == 2
    assert left.centroid == pytest.approx((rows(1.0)[0] + rows(3.0)[0]) / 2, abs=1e-6)
    assert list((await store.list_topic_members("t-1", 0, 10)).items) == [
        one.memory_id,
        two.memory_id,
    ]


async def test_centroids_stay_exact_however_members_come_and_go(store: NamespaceStore) -> None:
    chance = np.random.default_rng(16)
    lessons = await create(store, *(lesson(f"{number}") for number in range(160)))
    drawn = chance.normal(size=(len(lessons), 1, DIMENSION))
    units = (drawn / np.linalg.norm(drawn, axis=2, keepdims=True)).astype(np.float32)
    vectors = {one.memory_id: unit for one, unit in zip(lessons, units, strict=True)}
    await store.put_embeddings(vectors)
    there = list(vectors)
    for _ in range(60):
        moved = chance.choice(there, size=min(24, len(there)), replace=False)
        places = [Assignment(str(one), f"t-{chance.integers(2)}", "l") for one in moved]
        revision, _ = await store.topic_progress()
        await store.commit(AssignTopicMembers(places, revision, None))
        if len(there) > 100:
            gone = there.pop(int(chance.integers(len(there))))
            await store.commit(DeleteMemory(gone, NOBODY))
    topics = (await store.topics("", None, "", 10)).items
    assert len(topics) == 2
    for topic in topics:
        members = (await store.list_topic_members(topic.topic_id, 0, 999)).items
        exact = np.mean([vectors[one][0] for one in members], axis=0, dtype=np.float64)
        assert topic.member_count == len(members)
        assert topic.centroid == pytest.approx(exact, abs=1e-6)


async def test_decisions_on_old_topics_are_refused(store: NamespaceStore) -> None:
    one, two = await create(store, lesson("one"), lesson("two"))
    await store.put_embeddings({one.memory_id: rows(1.0), two.memory_id: rows(3.0)})
    await store.commit(AssignTopicMembers([Assignment(one.memory_id, "t", "l")], 0, None))
    with pytest.raises(Conflict):
        await store.commit(AssignTopicMembers([Assignment(two.memory_id, "u", "l")], 0, None))


async def test_a_private_topic_is_seen_by_its_owner_only(store: NamespaceStore) -> None:
    (mine,) = await create(
        store, lesson("mine", visibility=Visibility.PRIVATE_TO_USER, user_id="ada")
    )
    await store.put_embeddings({mine.memory_id: rows(1.0)})
    await store.commit(AssignTopicMembers([Assignment(mine.memory_id, "t", "l")], 0, None))
    assert not (await store.topics("", NOBODY, "", 10)).items
    assert not (await store.topics("", Caller(user_id="bob"), "", 10)).items
    assert len((await store.topics("", Caller(user_id="ada"), "", 10)).items) == 1


async def test_the_catalogue_lists_namespaces(stores: Stores, namespace: Namespace) -> None:
    catalogue = stores.catalogue
    assert await catalogue.get("team-a") is None
    made = await catalogue.create(namespace)
    assert await catalogue.create(namespace) == made
    assert [one.name for one in (await catalogue.list("", 10)).items] == ["team-a"]
    assert not (await catalogue.list("team-a", 10)).items
