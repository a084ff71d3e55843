"""Neo4j going away: what was acknowledged is there, once; what was not is told as an error."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.neo4j import ServerAddress
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.storage.neo4j.catalogue import Neo4jStores
from tests.contract.conftest import SERVER
from tests.support.bolt_proxy import BoltProxy
from tests.support.clock import SetClock
from tests.support.records import append, new_event
from tools.neo4j.install import missing_tools
from tools.neo4j.server import Neo4jServer

pytestmark = list(SERVER)


@pytest.fixture
async def proxy(neo4j_address: ServerAddress) -> AsyncIterator[BoltProxy]:
    """A way to the shared server that can break."""
    async with BoltProxy(neo4j_address.uri).running() as proxy:
        yield proxy


@pytest.fixture
async def store(
    proxy: BoltProxy, neo4j_address: ServerAddress, clock: SetClock, namespace: Namespace
) -> AsyncIterator[NamespaceStore]:
    """A namespace reached over the proxy."""
    address = replace(neo4j_address, uri=proxy.uri)
    stores = await Neo4jStores.open_database(address, clock, namespace.incarnation)
    opened = await stores.open(namespace)
    yield opened
    await opened.close()
    await stores.close()


async def test_a_commit_whose_answer_was_lost_happens_once(
    store: NamespaceStore, proxy: BoltProxy
) -> None:
    proxy.armed = True
    done = await asyncio.gather(
        *(store.commit(AppendEvents("s", (new_event(f"event {number}"),))) for number in range(5))
    )
    assert proxy.cuts == 1
    assert [one.revision for one in done] == [1, 2, 3, 4, 5]
    events = (await store.list_events("s", -1, 100)).items
    assert [event.content for event in events] == [f"event {number}" for number in range(5)]


async def test_a_namespace_is_removed_though_the_answer_was_lost(
    proxy: BoltProxy, neo4j_address: ServerAddress, clock: SetClock, namespace: Namespace
) -> None:
    address = replace(neo4j_address, uri=proxy.uri)
    stores = await Neo4jStores.open_database(address, clock, namespace.incarnation)
    await stores.catalogue.create(namespace)
    proxy.armed = True
    assert await stores.catalogue.remove(namespace)
    assert proxy.cuts == 1
    assert await stores.catalogue.get(namespace.name) is None
    await stores.close()


async def test_many_lost_answers_lose_and_double_nothing(
    store: NamespaceStore, proxy: BoltProxy
) -> None:
    for number in range(10):
        proxy.armed = True
        await store.commit(AppendEvents("s", (new_event(f"event {number}"),)))
    assert proxy.cuts == 10
    events = (await store.list_events("s", -1, 100)).items
    assert [event.content for event in events] == [f"event {number}" for number in range(10)]
    assert store.revision == 10


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Neo4jServer]:
    """A server that this test may kill."""
    if missing := missing_tools():
        pytest.skip(missing)
    server = Neo4jServer(tmp_path / "neo4j")
    server.start()
    yield server
    server.kill()


@pytest.mark.long
async def test_what_was_acknowledged_outlives_the_server(
    own_server: Neo4jServer, clock: SetClock, namespace: Namespace
) -> None:
    stores = await Neo4jStores.open_database(ServerAddress(own_server.uri), clock, "catalogue")
    opened = await stores.open(namespace)
    acknowledged: set[str] = set()

    async def write(session: int) -> None:
        """Append one event after another; what was refused is not sent again.

        Refusals come at once while the server is away: without a pause none were left behind it.
        """
        for number in range(10_000):
            text = f"{session}: {number}"
            try:
                await opened.commit(append(text, session_id=f"s-{session}", start=number))
                acknowledged.add(text)
            except StoreUnavailable:
                await asyncio.sleep(0.1)

    async def more_than(count: int) -> None:
        """Wait until so many were acknowledged; a server that just started takes its time."""
        async with asyncio.timeout(60):
            while len(acknowledged) <= count:  # noqa: ASYNC110  # counted by the writers
                await asyncio.sleep(0.1)

    writing = asyncio.gather(*map(write, range(4)))
    await more_than(20)
    await asyncio.to_thread(own_server.kill)
    before = len(acknowledged)
    await asyncio.to_thread(own_server.start)
    await more_than(before)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await opened.close()
    again = await stores.open(namespace)
    stored = [
        event.content
        for session in range(4)
        for event in (await again.list_events(f"s-{session}", -1, 20_000)).items
    ]
    assert acknowledged <= set(stored)
    assert len(stored) == len(set(stored))
    await again.close()
    await stores.close()
