"""What the driver's wrapper promises: trying again, and errors that say what to do."""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator

import pytest
from neo4j import AsyncGraphDatabase
from neo4j.exceptions import ClientError

from anamnesis_libs.errors import SetupInvalid, StoreUnavailable
from anamnesis_libs.storage import neo4j
from anamnesis_libs.storage.neo4j import Neo4jGraph, ServerAddress, Transaction

pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]


@pytest.fixture
async def graph(neo4j_address: ServerAddress) -> AsyncIterator[Neo4jGraph]:
    opened = await Neo4jGraph.open(neo4j_address)
    yield opened
    await opened.close()


async def test_it_is_a_neo4j(graph: Neo4jGraph) -> None:
    assert (await graph.version()).startswith("Neo4j/5.26")


async def test_a_deadlock_is_tried_again(graph: Neo4jGraph) -> None:
    one, two = uuid.uuid4().hex, uuid.uuid4().hex
    await graph.write(
        lambda tx: tx.run("UNWIND $ids AS id CREATE (:Probe {id: id, n: 0})", {"ids": [one, two]})
    )
    meeting = asyncio.Barrier(2)
    runs: list[str] = []

    async def add(first: str, second: str) -> None:
        async def work(tx: Transaction) -> None:
            again = first in runs
            runs.append(first)
            await tx.run("MATCH (p:Probe {id: $id}) SET p.n = p.n + 1", {"id": first})
            if not again:
                await meeting.wait()
            await tx.run("MATCH (p:Probe {id: $id}) SET p.n = p.n + 1", {"id": second})

        await graph.write(work)

    await asyncio.gather(add(one, two), add(two, one))
    found = await graph.read(
        "MATCH (p:Probe) WHERE p.id IN $ids RETURN {n: p.n} AS row", {"ids": [one, two]}
    )
    assert [row["n"] for row in found] == [2, 2]
    assert len(runs) == 3, "one of the two was the victim, and ran again"
    await graph.write(
        lambda tx: tx.run("MATCH (p:Probe) WHERE p.id IN $ids DELETE p", {"ids": [one, two]})
    )


async def test_a_failing_transaction_leaves_nothing(graph: Neo4jGraph) -> None:
    name = uuid.uuid4().hex

    async def work(tx: Transaction) -> None:
        await tx.run("CREATE (:Probe {id: $id})", {"id": name})
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await graph.write(work)
    assert not await graph.read("MATCH (p:Probe {id: $id}) RETURN {id: p.id} AS row", {"id": name})


async def test_a_wrong_statement_is_a_fault_of_ours(graph: Neo4jGraph) -> None:
    with pytest.raises(ClientError):
        await graph.read("MATCH", {})


async def test_a_server_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neo4j, "RETRY_S_MAX", 0.2)
    with pytest.raises(StoreUnavailable, match=r"storage\.neo4j_uri"):
        await Neo4jGraph.open(ServerAddress("bolt://127.0.0.1:1"))


async def test_who_comes_late_in_an_outage_does_not_wait_as_long_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(neo4j, "RETRY_S_MAX", 2.0)
    driver = AsyncGraphDatabase.driver("bolt://127.0.0.1:1")
    graph = Neo4jGraph(driver, "neo4j")
    waited_s = []
    for _ in range(3):
        begun_s = time.monotonic()
        with pytest.raises(StoreUnavailable) as told:
            await graph.read("RETURN {one: 1} AS row", {})
        waited_s.append(time.monotonic() - begun_s)
        assert told.value.retry_after_s
    await graph.close()
    # the second may use up what the first left of the time; the third is told at once
    assert waited_s[0] > 0.5
    assert waited_s[2] < waited_s[0] / 2


async def test_an_address_that_is_none() -> None:
    with pytest.raises(SetupInvalid, match=r"storage\.neo4j_uri"):
        await Neo4jGraph.open(ServerAddress("nonsense"))
