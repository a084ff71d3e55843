"""Memory replicas on one Neo4j behind one name: one is added and one killed while callers write."""

import asyncio
import socket
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1 import ledger_service_pb2 as ledger
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Event
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_libs.storage.neo4j import ServerAddress
from tests.support.clients import Clients, clients_of
from tests.support.processes import Process, start

NAMESPACES = [f"placed-{each}" for each in range(12)]
EVENTS = 12
TIMEOUT_S = 60

pytestmark = [pytest.mark.server, pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(600)]


def free_address() -> str:
    """A loopback address that nobody listens on."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{held.getsockname()[1]}"


class Fleet:
    """Three places for memory, of which some run, with one ingestion and one retrieval."""

    def __init__(self, home: Path, neo4j: ServerAddress) -> None:
        self._home = home
        self._places = [free_address() for _ in range(3)]
        self._settings = {
            "ANAMNESIS_MODELS__EMBEDDER": "static",
            "ANAMNESIS_STORAGE__BACKEND": "neo4j",
            "ANAMNESIS_STORAGE__NEO4J_URI": neo4j.uri,
            "ANAMNESIS_STORAGE__NEO4J_CATALOGUE": f"placement-{uuid.uuid4().hex}",
            "ANAMNESIS_PEERS__MEMORY": ",".join(self._places),
        }
        self.running: list[Process] = []

    def start(self, at: int) -> Process:
        """Starts memory in one of the places."""
        home = self._home / f"memory-{at}" / "data"
        home.parent.mkdir(exist_ok=True)
        process = start(home, "memory", self._settings, self._places[at])
        self.running.append(process)
        return process

    @asynccontextmanager
    async def callers(self) -> AsyncIterator[Clients]:
        """Stubs of ingestion and retrieval, and of the first memory."""
        sides = {
            each: await asyncio.to_thread(start, self._home / each, each, self._settings)
            for each in ("ingestion", "retrieval")
        }
        self.running += sides.values()
        addresses = {each: process.address for each, process in sides.items()}
        memory = self._places[1]
        async with clients_of({**addresses, "memory": memory, "cluster": memory}) as clients:
            yield clients

    def stop(self) -> None:
        """Ends all that still run."""
        for process in self.running:
            if process.popen.poll() is None:
                process.kill()


def _said(number: int) -> str:
    return f"The kiln in hall {number} reached {900 + number} degrees."


async def _append(clients: Clients, namespace: str, number: int) -> None:
    """Append one event; once a request id, however often it has to be sent."""
    request = AppendEventsRequest(
        namespace=namespace,
        session_id="log",
        request_id=f"{namespace}-{number}",
        events=[Event(role=ROLE_USER, content=_said(number))],
        use_server_time=True,
    )
    await clients.ingestion.AppendEvents(request, timeout=TIMEOUT_S)


async def _written(clients: Clients, namespace: str) -> list[str]:
    request = ledger.ListEventsRequest(namespace=namespace, session_id="log", page_size=500)
    return [each.content for each in (await clients.ledger.ListEvents(request)).events]


async def test_one_comes_and_one_is_killed_and_nothing_is_lost_or_twice(
    tmp_path: Path, neo4j_address: ServerAddress
) -> None:
    fleet = Fleet(tmp_path, neo4j_address)
    try:
        first = await asyncio.to_thread(fleet.start, 0)
        await asyncio.to_thread(fleet.start, 1)
        async with fleet.callers() as clients:
            for number in range(EVENTS):
                if number == EVENTS // 3:
                    await asyncio.to_thread(fleet.start, 2)
                writing = asyncio.gather(*(_append(clients, each, number) for each in NAMESPACES))
                if number == 2 * EVENTS // 3:
                    await asyncio.to_thread(first.kill)
                await writing
            wanted = Counter(map(_said, range(EVENTS)))
            for namespace in NAMESPACES:
                assert Counter(await _written(clients, namespace)) == wanted
                search = SearchRequest(namespace=namespace, query="kiln hall 7 degrees")
                found = await clients.retrieval.Search(search, timeout=TIMEOUT_S)
                assert found.results
    finally:
        await asyncio.to_thread(fleet.stop)
