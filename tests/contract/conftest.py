"""Every backend of the store port, behind one fixture; the test ids carry its name."""

import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from anamnesis_libs.storage.neo4j import ServerAddress
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.storage.neo4j.catalogue import Neo4jStores
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.backend_table import neo4j_version, note_backend
from tests.support.clock import SetClock
from tests.support.fake_store import Disk, FakeStores
from tests.support.records import BASE_US, DIMENSION

Open = Callable[[], Awaitable[Stores]]

__all__ = ["neo4j_version", "note_backend"]  # found here by pytest


@pytest.fixture
def clock() -> SetClock:
    """The stores' clock."""
    return SetClock()


SERVER = (pytest.mark.server, pytest.mark.timeout(600))


SLOW = pytest.mark.slow  # together they are; the fast tests hold the fake to the contract


@pytest.fixture(
    params=[
        "fake",
        pytest.param("sqlite", marks=SLOW),
        pytest.param("neo4j", marks=SERVER),
    ]
)
def open_stores(request: pytest.FixtureRequest) -> Open:
    """Opens the same stores each time it is called, as a process that starts again would."""
    opener: Open = request.getfixturevalue(f"open_{request.param}")
    return opener


@pytest.fixture
def open_fake(clock: SetClock) -> Open:
    """Opens the stores of one disk that is none."""
    disk = Disk()

    async def open_again() -> Stores:
        return FakeStores(disk, clock)

    return open_again


@pytest.fixture
def open_sqlite(tmp_path: Path, clock: SetClock) -> Iterator[Open]:
    """Opens the stores of one directory."""
    with ThreadPoolExecutor(4) as executor:

        async def open_again() -> Stores:
            return await SqliteStores.open_directory(tmp_path, executor, clock)

        yield open_again


@pytest.fixture
def open_neo4j(neo4j_address: ServerAddress, clock: SetClock) -> Open:
    """Opens the stores of one catalogue, apart from those of other tests in the same database."""
    catalogue = f"test-{uuid.uuid4().hex}"

    async def open_again() -> Stores:
        return await Neo4jStores.open_database(neo4j_address, clock, catalogue)

    return open_again


@pytest.fixture
async def stores(open_stores: Open) -> AsyncIterator[Stores]:
    """Open stores."""
    opened = await open_stores()
    yield opened
    await opened.close()


@pytest.fixture
def namespace() -> Namespace:
    """A namespace that the catalogue need not know."""
    return Namespace("team-a", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)


@pytest.fixture
async def store(stores: Stores, namespace: Namespace) -> AsyncIterator[NamespaceStore]:
    """An open, empty namespace."""
    opened = await stores.open(namespace)
    yield opened
    await opened.close()
