"""A store on SQLite with a set clock, for each test."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.records import BASE_US, DIMENSION


@pytest.fixture
def clock() -> SetClock:
    """The store's clock."""
    return SetClock()


@pytest.fixture
async def store(tmp_path: Path, clock: SetClock) -> AsyncIterator[NamespaceStore]:
    """An empty namespace."""
    with ThreadPoolExecutor(2) as executor:
        stores = await SqliteStores.open_directory(tmp_path, executor, clock)
        namespace = Namespace("team-a", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
        opened = await stores.open(namespace)
        yield opened
        await opened.close()
        await stores.close()
