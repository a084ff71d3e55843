"""What else a commit promises, on every backend: found by simulation and by mutation."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, Memory, MemoryFilter, Visibility
from anamnesis_memory.ports import IdempotentAnswer, Listing, NamespaceStore, RequestKey
from tests.support.records import BASE_US, append, lesson, new_event, rows

T = TypeVar("T")
C = TypeVar("C", int, str)

NOBODY = Caller()
EVERYTHING = MemoryFilter(include_archived=True)


def remembered(request_id: str) -> IdempotentAnswer[tuple[Created, ...]]:
    """Remembers which memories were made."""
    return IdempotentAnswer(
        RequestKey("Create", request_id, b"d"),
        lambda made, revision: (
            f"{revision}:{','.join(one.memory.memory_id for one in made)}".encode()
        ),
    )


async def create(
    store: NamespaceStore, *memories: Memory, request_id: str = ""
) -> Sequence[Memory]:
    """Store memories without vectors."""
    made = await store.commit(
        CreateMemories(memories, [None] * len(memories)),
        remembered(request_id) if request_id else None,
    )
    assert made.result is not None
    return tuple(one.memory for one in made.result)


async def everything(store: NamespaceStore) -> list[Memory]:
    """All shared memories."""
    return list((await store.list_memories(EVERYTHING, NOBODY, 0, 500)).items)


async def test_an_answer_is_not_lost_with_memories_that_it_does_not_name(
    store: NamespaceStore,
) -> None:
    one, two = await create(store, lesson("one"), lesson("two"), request_id="r")
    await store.commit(DeleteMemory(one.memory_id, NOBODY))
    (three,) = await create(store, lesson("three"), request_id="r")
    await store.commit(DeleteMemory(two.memory_id, NOBODY))
    again = await store.commit(CreateMemories([lesson("three")], [None]), remembered("r"))
    assert again.replayed is not None
    assert again.replayed.decode().endswith(three.memory_id)
    assert [memory.content for memory in await everything(store)] == ["three"]


async def test_an_assignment_says_what_came_before_it(store: NamespaceStore) -> None:
    await create(store, lesson("one"))
    _, assigned = await asyncio.gather(
        store.commit(CreateMemories([lesson("two")], [None])),
        store.commit(AssignTopicMembers([], 0, 1)),
    )
    assert assigned.result == 2, "a lesson came in between: not everything is assigned"
    assert (await store.topic_progress()) == (0, 1)


async def pages_of(
    ask: Callable[[C, int], Awaitable[Listing[T]]], start: C, limit: int
) -> list[Sequence[T]]:
    """Every page of a list, each of at most so many."""
    pages: list[Sequence[T]] = []
    after: C | None = start
    while after is not None:
        page = await ask(after, limit)
        assert len(page.items) <= limit
        pages.append(page.items)
        following = page.next_after
        assert following is None or type(following) is type(start)
        after = following
    return pages


async def test_every_list_comes_in_pages_that_join_without_gap_or_overlap(
    store: NamespaceStore,
) -> None:
    for number in range(4):
        await store.commit(append("a", "b", "c", "d", session_id=f"s-{number}"))
    made = await create(store, *(lesson(f"lesson {number}") for number in range(4)))
    ids = [memory.memory_id for memory in made]
    await store.put_embeddings({memory_id: rows(1.0) for memory_id in ids})
    places = [Assignment(memory_id, f"t-{place}", "") for place, memory_id in enumerate(ids)]
    await store.commit(AssignTopicMembers(places, 0, None))
    together = [Assignment(memory_id, "t-0", "") for memory_id in ids]

    sessions = await pages_of(
        lambda after, limit: store.list_sessions(NOBODY, "", "", after, limit), "", 2
    )
    assert [[one.session_id for one in page] for page in sessions] == [
        ["s-0", "s-1"],
        ["s-2", "s-3"],
    ]
    events = await pages_of(lambda after, limit: store.list_events("s-1", after, limit), -1, 3)
    assert [[one.index for one in page] for page in events] == [[0, 1, 2], [3]]
    topics = await pages_of(lambda after, limit: store.topics("", NOBODY, after, limit), "", 3)
    assert [[one.topic_id for one in page] for page in topics] == [["t-0", "t-1", "t-2"], ["t-3"]]
    revision, _ = await store.topic_progress()
    await store.commit(AssignTopicMembers(together, revision, None))
    members = await pages_of(
        lambda after, limit: store.list_topic_members("t-0", after, limit), 0, 2
    )
    assert [list(page) for page in members] == [ids[:2], ids[2:]]
    memories = await pages_of(
        lambda after, limit: store.list_memories(EVERYTHING, NOBODY, after, limit), 0, 6
    )
    assert [len(page) for page in memories] == [6, 6, 6, 2]


async def test_a_session_spans_its_events_in_whatever_order_they_come(
    store: NamespaceStore,
) -> None:
    for index in (5, 9, 1):
        await store.commit(append("text", start=index))
    session = await store.session("s-1")
    assert session is not None
    assert (session.start_time_us, session.end_time_us) == (BASE_US + 1, BASE_US + 9)
    assert (session.event_count, session.next_index, session.next_drawer) == (3, 10, 4)
    assert session.create_time_us <= session.update_time_us
    assert session.revision == 3


async def test_a_session_keeps_what_its_first_write_said_of_it(store: NamespaceStore) -> None:
    write = AppendEvents(
        "s-1",
        (new_event("one", 0),),
        agent_id="agent",
        user_id="ada",
        label="monday",
        parent_session_id="s-0",
        visibility=Visibility.PRIVATE_TO_USER,
    )
    await store.commit(write)
    await store.commit(AppendEvents("s-1", (new_event("two", 1),), agent_id="agent", user_id="ada"))
    session = await store.session("s-1")
    assert session is not None
    assert (session.agent_id, session.user_id, session.label) == ("agent", "ada", "monday")
    assert session.parent_session_id == "s-0"
    assert session.visibility is Visibility.PRIVATE_TO_USER
