"""How often a commit waits for the server, and that many rows are put as few are."""

import logging
import re
from collections.abc import AsyncIterator

import pytest

from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.ports import NamespaceStore, Write
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.storage.neo4j import scope
from tests.contract.conftest import SERVER, Open
from tests.support.records import append, lesson

pytestmark = list(SERVER)
_WAY = re.compile(r"C: (BEGIN|RUN|COMMIT)\b")


@pytest.fixture
async def stores(open_neo4j: Open) -> AsyncIterator[Stores]:
    """Stores on Neo4j alone."""
    opened = await open_neo4j()
    yield opened
    await opened.close()


@pytest.mark.parametrize(
    ("write", "ways"),
    [
        (append(*map(str, range(30)), start=1), ["RUN"]),
        (append("one", *map(str, range(30))), ["RUN", "RUN"]),
        (append("one", session_id="s-2"), ["RUN", "RUN"]),
        (CreateMemories([lesson("a lesson")], [None]), ["BEGIN", "RUN", "RUN", "RUN", "COMMIT"]),
    ],
)
async def test_a_commit_takes_few_ways_however_many_its_records(
    store: NamespaceStore, caplog: pytest.LogCaptureFixture, write: Write[object], ways: list[str]
) -> None:
    await store.commit(append("one"))
    with caplog.at_level(logging.DEBUG, logger="neo4j.io"):
        await store.commit(write)
    told = [way[1] for record in caplog.records if (way := _WAY.search(record.getMessage()))]
    assert told == ways


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
