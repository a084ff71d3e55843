"""Every backend of the store port, behind one fixture; the test ids carry its name."""

from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.memory.ids import new_incarnation
from services.memory.model import Namespace
from services.memory.ports import NamespaceStore, Stores
from services.memory.store.sqlite_catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.records import BASE_US, DIMENSION

Open = Callable[[], Awaitable[Stores]]


@pytest.fixture
def clock() -> SetClock:
    """The stores' clock."""
    return SetClock()


@pytest.fixture(params=["sqlite"])
async def open_stores(tmp_path: Path, clock: SetClock) -> AsyncIterator[Open]:
    """Opens the same stores each time it is called, as a process that starts again would."""
    with ThreadPoolExecutor(4) as executor:

        async def open_again() -> Stores:
            return await SqliteStores.open_directory(tmp_path, executor, clock)

        yield open_again


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
