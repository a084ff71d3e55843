"""Two replicas of the memory service on one store: what each may rely on.

Only a server is shared; files belong to one process.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest

from anamnesis_libs.storage.neo4j import Neo4jGraph, ServerAddress, Transaction
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, LoggedChange, MemoryFilter, Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.storage.neo4j import last_seen
from anamnesis_memory.storage.neo4j.locks import lock_clock
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from tests.contract.conftest import SERVER, Open
from tests.support.records import append, lesson, new_event, rows

pytestmark = list(SERVER)
NOBODY = Caller()

Replicas = tuple[NamespaceStore, NamespaceStore]


@pytest.fixture
async def replicas(open_neo4j: Open, namespace: Namespace) -> AsyncIterator[Replicas]:
    """One namespace, open in two replicas with connections of their own."""
    stores: list[Stores] = [await open_neo4j(), await open_neo4j()]
    one, two = [await each.open(namespace) for each in stores]
    yield one, two
    for opened in (one, two):
        await opened.close()
    for each in stores:
        await each.close()


async def log_of(store: NamespaceStore) -> list[LoggedChange]:
    """The whole change log, page by page."""
    told: list[LoggedChange] = []
    after, head = 0, await store.refresh()
    while after < head:
        page = await store.changes(after, 7)
        told += page.changes
        after = page.revision
    return told


async def test_both_write_and_no_revision_is_given_twice_or_left_out(replicas: Replicas) -> None:
    writes = [
        replica.commit(append(f"event {number}", session_id=f"s-{number}"))
        for number in range(40)
        for replica in (replicas[number % 2],)
    ]
    done = await asyncio.gather(*writes)
    assert sorted(one.revision for one in done) == list(range(1, 41))
    one, two = replicas
    assert await log_of(one) == await log_of(two)
    assert [change.revision for change in await log_of(one)] == list(range(1, 41))


async def test_a_commit_waits_for_one_that_is_under_way_elsewhere(
    replicas: Replicas, neo4j_address: ServerAddress, namespace: Namespace
) -> None:
    graph = await Neo4jGraph.open(neo4j_address)
    locked, go_on = asyncio.Event(), asyncio.Event()

    async def hold(transaction: Transaction) -> None:
        tx = NamespaceGraph(graph, namespace.incarnation).within(transaction)
        await lock_clock(tx, "elsewhere")
        locked.set()
        await go_on.wait()
        await tx.put("put_clock", [{"revision": 7}])

    holding = asyncio.create_task(graph.write(hold))
    await locked.wait()
    waiting = asyncio.create_task(replicas[0].commit(append("one")))
    await asyncio.sleep(0.5)
    assert not waiting.done()
    go_on.set()
    assert (await waiting).revision == 8, "it read the clock behind the lock, not before it"
    await holding
    await graph.close()


@pytest.mark.parametrize("missed", [0, last_seen.MISSED_COMMITS])
async def test_both_append_to_one_session_and_lose_nothing(
    replicas: Replicas, monkeypatch: pytest.MonkeyPatch, missed: int
) -> None:
    monkeypatch.setattr(last_seen, "MISSED_COMMITS", missed)

    async def write(replica: NamespaceStore, numbers: range) -> None:
        for number in numbers:
            await replica.commit(AppendEvents("s", (new_event(f"event {number}"),)))

    await asyncio.gather(
        *(write(replicas[place % 2], range(place, 60, 6)) for place in range(6)),
    )
    events = (await replicas[0].list_events("s", -1, 500)).items
    assert [event.index for event in events] == list(range(60))
    assert {event.content for event in events} == {f"event {number}" for number in range(60)}


@pytest.mark.parametrize("missed", [0, last_seen.MISSED_COMMITS])
async def test_what_a_replica_has_seen_is_looked_at_again_when_the_other_came_between(
    replicas: Replicas, monkeypatch: pytest.MonkeyPatch, missed: int
) -> None:
    monkeypatch.setattr(last_seen, "MISSED_COMMITS", missed)
    for number, turn in enumerate((0, 0, 1, 0, 1, 1, 0, 0)):
        done = await replicas[turn].commit(append(f"event {number}", start=number))
        assert done.revision == number + 1
    again = await replicas[1].commit(append("event 0", "event 1"))
    assert again.revision == 8, "both are there"
    events = (await replicas[1].list_events("s-1", -1, 100)).items
    assert [event.content for event in events] == [f"event {number}" for number in range(8)]
    session = (await replicas[0].list_sessions(None, "", "", "", 1)).items[0]
    assert (session.event_count, session.next_drawer) == (8, 9)


async def test_a_replica_learns_of_the_others_commits_when_it_looks(replicas: Replicas) -> None:
    one, two = replicas
    done = await one.commit(append("said to one"))
    assert two.revision == 0
    for limit in (1, 10):
        assert not (await two.changes(0, limit)).changes, "nothing beyond what it knows to be whole"
    assert await two.refresh(done.revision) == two.revision == 1
    assert len((await two.changes(0, 10)).changes) == 1
    read = await two.list_memories(MemoryFilter(), NOBODY, 0, 10)
    assert [memory.content for memory in read.items] == ["said to one"]


async def test_topics_decided_on_in_one_replica_are_checked_in_the_other(
    replicas: Replicas,
) -> None:
    one, two = replicas
    made = await one.commit(CreateMemories([lesson("a lesson")], [rows(1.0)]))
    assert made.result is not None
    place = Assignment(made.result[0].memory.memory_id, "t", "label")
    await two.commit(AssignTopicMembers([place], 0, made.revision))
    assert await one.topic_progress() == await two.topic_progress() == (2, 1)


async def test_the_log_is_followed_without_a_gap_while_both_write(replicas: Replicas) -> None:
    """A follower that reads as far as a replica knows must not miss what is half applied."""
    one, two = replicas
    writing = asyncio.gather(
        *(
            replicas[number % 2].commit(append(*"abcde", session_id=f"s-{number}"))
            for number in range(60)
        )
    )
    seen: set[str] = set()
    after = 0
    while not writing.done() or after < await two.refresh():
        page = await two.changes(after, 3)
        seen |= {change.memory_id for change in page.changes}
        after = page.revision
        await two.refresh()
    await writing
    assert seen == {change.memory_id for change in await log_of(one)}
    assert len(seen) == 300
