"""Writes that share a commit see each other, as if each had been alone."""

import asyncio

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.ledger.append import AppendEvents, AppendOutcome
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, MemoryFilter, Status
from anamnesis_memory.ports import NamespaceStore
from tests.contract.test_writes import remember
from tests.support.records import append, lesson, new_event, rows

NOBODY = Caller()
EVERYTHING = MemoryFilter(include_archived=True)


async def contents(store: NamespaceStore) -> dict[str, Status]:
    """Texts and whether they are active."""
    listed = await store.list_memories(EVERYTHING, None, 0, 500)
    return {memory.content: memory.status for memory in listed.items}


async def test_a_later_write_replaces_what_an_earlier_one_appended(store: NamespaceStore) -> None:
    first, second, third = await asyncio.gather(
        store.commit(append("one", "two")),
        store.commit(append("uno")),
        store.commit(append("uno", "two", "three")),
    )
    assert [done.revision for done in (first, second, third)] == [1, 2, 3]
    assert second.result is not None
    assert third.result is not None
    assert second.result.count(AppendOutcome.REPLACED) == 1
    assert [outcome for _, _, outcome in third.result.results] == [
        AppendOutcome.UNCHANGED,
        AppendOutcome.UNCHANGED,
        AppendOutcome.APPENDED,
    ]
    assert await contents(store) == {
        "one": Status.ARCHIVED,
        "two": Status.ACTIVE,
        "uno": Status.ACTIVE,
        "three": Status.ACTIVE,
    }
    events = (await store.list_events("s-1", -1, 10)).items
    assert [event.content for event in events] == ["uno", "two", "three"]
    pointers = [m.pointer for m in (await store.list_memories(EVERYTHING, None, 0, 9)).items]
    assert pointers == [f"§ W-001/R-01/D-{number:03}" for number in (1, 2, 3, 4)]


async def test_new_sessions_of_one_batch_get_rooms_of_their_own(store: NamespaceStore) -> None:
    await asyncio.gather(
        store.commit(append("a", session_id="a")),
        store.commit(append("b", session_id="b")),
        store.commit(AppendEvents("c", (new_event("c", 0),), agent_id="robot")),
        store.commit(AppendEvents("d", (new_event("d", 0),), agent_id="robot")),
    )
    listed = (await store.list_memories(EVERYTHING, None, 0, 10)).items
    assert [memory.pointer for memory in listed] == [
        "§ W-001/R-01/D-001",
        "§ W-001/R-02/D-001",
        "§ W-002/R-01/D-001",
        "§ W-002/R-02/D-001",
    ]


async def test_a_request_twice_in_one_batch_is_done_once(store: NamespaceStore) -> None:
    write = AppendEvents("s", (new_event("one"),))
    first, again = await asyncio.gather(
        store.commit(write, remember("r")), store.commit(write, remember("r"))
    )
    assert first.result is not None
    assert (again.result, again.replayed) == (None, b"1")
    assert list(await contents(store)) == ["one"]


async def test_made_found_deleted_in_one_batch(store: NamespaceStore) -> None:
    kept, gone = lesson("kept"), lesson("gone")
    await asyncio.gather(
        store.commit(CreateMemories([kept, gone], [rows(1.0), rows(3.0)])),
        store.commit(AssignTopicMembers([Assignment(kept.memory_id, "t", "l")], 0, None)),
        store.commit(AssignTopicMembers([Assignment(gone.memory_id, "t", "l")], 2, None)),
        store.commit(DeleteMemory(gone.memory_id, NOBODY)),
        store.commit(append("said after")),
    )
    assert list(await contents(store)) == ["kept", "said after"]
    (topic,) = (await store.topics("", None, "", 10)).items
    assert (topic.member_count, topic.revision) == (1, 4)
    assert await store.topic_progress() == (4, 0)
    assert [(c.revision, c.deleted) for c in (await store.changes(0, 10)).changes] == [
        (1, False),
        (4, True),
        (5, False),
    ]


async def test_an_answer_of_the_same_batch_goes_with_its_memory(store: NamespaceStore) -> None:
    event = new_event("secret", 0)
    write = AppendEvents("s", (event,))
    await asyncio.gather(
        store.commit(write, remember("r")),
        store.commit(DeleteMemory(event.memory_id, NOBODY)),
    )
    assert (await store.commit(AppendEvents("s", ()), remember("r"))).replayed is None
