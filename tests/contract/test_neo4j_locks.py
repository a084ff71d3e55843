"""Keeping vectors beside commits: for which of them it waits, and which of them wait for it."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.neo4j import Neo4jGraph, ServerAddress, Transaction
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.model.memory import Caller, MemoryFilter, Namespace
from anamnesis_memory.operations.portable import ExportTally
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.upkeep import KeptMemory
from anamnesis_memory.storage.neo4j.locks import lock_clock, lock_embeddings
from anamnesis_memory.storage.neo4j.rows import embedding_row
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph, ScopedTransaction
from tests.contract.conftest import SERVER, Open
from tests.support.records import append, rows

pytestmark = list(SERVER)
NOBODY = Caller()
UNTOUCHED_S = 0.5


@pytest.fixture
async def stores(open_neo4j: Open) -> AsyncIterator[Stores]:
    """Stores on Neo4j alone."""
    opened = await open_neo4j()
    yield opened
    await opened.close()


@pytest.fixture
async def scope(
    neo4j_address: ServerAddress, namespace: Namespace
) -> AsyncIterator[NamespaceGraph]:
    """The namespace, past the store."""
    graph = await Neo4jGraph.open(neo4j_address)
    yield NamespaceGraph(graph, namespace.incarnation)
    await graph.close()


class Held:
    """A transaction that is open until it is told to commit."""

    def __init__(self, scope: NamespaceGraph) -> None:
        self._scope = scope
        self.ready, self.go_on = asyncio.Event(), asyncio.Event()

    @asynccontextmanager
    async def doing(self, *steps: tuple[str, object]) -> AsyncIterator[None]:
        """Take the steps, stay open inside, and commit at the end at the latest."""
        running = asyncio.create_task(self._scope.graph.write(lambda tx: self._run(tx, steps)))
        await self.ready.wait()
        yield
        self.go_on.set()
        await running

    async def _run(self, transaction: Transaction, steps: tuple[tuple[str, object], ...]) -> None:
        tx = self._scope.within(transaction)
        for name, given in steps:
            await _step(tx, name, given)
        self.ready.set()
        await self.go_on.wait()


async def _step(tx: ScopedTransaction, name: str, given: object) -> None:
    if name == "clock":
        await lock_clock(tx, "elsewhere")
    elif name == "embeddings":
        await lock_embeddings(tx, "elsewhere")
    else:
        await tx.put("put_embeddings", [embedding_row(str(given), rows(1.0))])


async def _one(store: NamespaceStore) -> str:
    done = await store.commit(append("one"))
    assert done.result is not None
    return done.result.results[0][1]


async def test_vectors_are_kept_while_a_commit_is_under_way(
    store: NamespaceStore, scope: NamespaceGraph
) -> None:
    memory_id = await _one(store)
    async with Held(scope).doing(("clock", None)):
        await store.note_embedding_failures([memory_id], "no model")
        await store.put_embeddings({memory_id: rows(1.0)})
        assert not await store.pending_embeddings(9)
    assert memory_id in await store.embeddings([memory_id])


async def test_a_commit_goes_on_while_vectors_are_kept(
    store: NamespaceStore, scope: NamespaceGraph
) -> None:
    await _one(store)
    async with Held(scope).doing(("embeddings", None)):
        assert (await store.commit(append("two", start=1))).revision == 2


async def test_a_delete_waits_for_who_keeps_vectors_and_takes_them_along(
    store: NamespaceStore, scope: NamespaceGraph
) -> None:
    memory_id = await _one(store)
    held = Held(scope)
    async with held.doing(("embeddings", None), ("put", memory_id)):
        deleting = asyncio.create_task(store.commit(DeleteMemory(memory_id, NOBODY)))
        await asyncio.sleep(UNTOUCHED_S)
        assert not deleting.done()
    await deleting
    await store.put_embeddings({memory_id: rows(1.0)})
    assert not await store.embeddings([memory_id])


async def test_a_discard_waits_for_who_keeps_vectors_and_leaves_nothing(
    store: NamespaceStore, stores: Stores, scope: NamespaceGraph, namespace: Namespace
) -> None:
    memory_id = await _one(store)
    async with Held(scope).doing(("embeddings", None), ("put", memory_id)):
        discarding = asyncio.create_task(stores.discard(namespace))
        await asyncio.sleep(UNTOUCHED_S)
        assert not discarding.done()
    await discarding
    with pytest.raises(StoreUnavailable):
        await store.put_embeddings({memory_id: rows(1.0)})
    count = "MATCH (x {ns: $ns}) RETURN {count: count(*)} AS row"
    assert await scope.graph.read(count, {"ns": namespace.incarnation}) == [{"count": 0}]


async def _append_on(store: NamespaceStore, session_id: str) -> None:
    for number in itertools.count():
        await store.commit(append(f"event {number}", session_id=session_id, start=number))


async def _embed_on(store: NamespaceStore) -> None:
    while True:
        pending = await store.pending_embeddings(16)
        await store.put_embeddings({one: rows(1.0) for one in reversed(pending)})


async def _delete_on(store: NamespaceStore) -> None:
    while True:
        listed = (await store.list_memories(MemoryFilter(), NOBODY, 0, 1)).items
        for memory in listed:
            await store.commit(DeleteMemory(memory.memory_id, NOBODY))


async def test_an_export_tells_of_each_memory_its_vectors_or_that_it_waits_for_them(
    store: NamespaceStore,
) -> None:
    busy = [_append_on(store, f"s-{number}") for number in range(4)]
    running = [asyncio.create_task(one) for one in (*busy, _embed_on(store), _delete_on(store))]
    for number in range(5):
        async with store.export() as export:
            records = [record async for page in export.pages for record in page]
        tally = ExportTally()
        tally.add(records)
        assert tally.counts == export.counts
        kept = [record for record in records if isinstance(record, KeptMemory)]
        assert [one for one in kept if one.pending is (one.vectors is not None)] == []
        await store.commit(append("between", session_id=f"between-{number}"))
        assert not [one for one in running if one.done()]
    for one in running:
        one.cancel()
    await asyncio.gather(*running, return_exceptions=True)
