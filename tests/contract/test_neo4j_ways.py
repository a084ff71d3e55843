"""How often a commit waits for the server, and that many rows are put as few are."""

import logging
import re
from collections.abc import AsyncIterator

import pytest

from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.storage.neo4j import scope
from tests.contract.conftest import SERVER, Open
from tests.support.records import append

pytestmark = list(SERVER)
_WAY = re.compile(r"C: (BEGIN|RUN|COMMIT)\b")


@pytest.fixture
async def stores(open_neo4j: Open) -> AsyncIterator[Stores]:
    """Stores on Neo4j alone."""
    opened = await open_neo4j()
    yield opened
    await opened.close()


async def test_a_commit_takes_four_ways_however_many_its_events(
    store: NamespaceStore, caplog: pytest.LogCaptureFixture
) -> None:
    await store.commit(append("one"))
    with caplog.at_level(logging.DEBUG, logger="neo4j.io"):
        await store.commit(append("one", *map(str, range(30))))
    ways = [way[1] for record in caplog.records if (way := _WAY.search(record.getMessage()))]
    assert ways == ["BEGIN", "RUN", "RUN", "COMMIT"]


async def test_what_is_too_much_for_one_statement_is_put_in_several(
    store: NamespaceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scope, "ROWS_MAX", 1)
    told = await store.commit(append("one", "two", "three"))
    assert (told.revision, store.revision) == (1, 1)
    session = (await store.list_sessions(None, "", "", "", 1)).items[0]
    events = (await store.list_events(session.session_id, -1, 10)).items
    assert [event.content for event in events] == ["one", "two", "three"]
    assert (await store.commit(append("one", "two", "three"))).revision == 1
