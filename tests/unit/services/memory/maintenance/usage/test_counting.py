"""The loop that counts uses: everything that waits, once, whatever became of a namespace."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_memory.maintenance.usage import flusher
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.maintenance.usage.flusher import UsageFlusher
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Memory, Namespace
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated
from tests.support.records import lesson


@pytest.fixture
async def behind(tmp_path: Path) -> AsyncIterator[Operated]:
    """An empty data directory."""
    async with operated(tmp_path, SwitchedEmbedder()) as opened:
        yield opened


def unchanged(_: OpenNamespace) -> None:
    """Nobody follows."""


def calls_of(behind: Operated, full: str = "") -> Calls:
    """Calls of a server whose disk is full for one namespace."""

    async def touched(namespace: Namespace) -> None:
        if namespace.name == full:
            raise StoreUnavailable("the disk is full")

    return Calls(behind.namespaces, behind.stores.catalogue, SetClock(), unchanged, touched)


async def kept(behind: Operated, name: str, *texts: str) -> list[str]:
    """The ids of memories."""
    made = [lesson(text) for text in texts]
    async with behind.namespaces.writing(name) as opened:
        await opened.store.commit(CreateMemories(made, [None] * len(made)))
    return [one.memory_id for one in made]


async def held(behind: Operated, name: str, ids: list[str]) -> list[Memory]:
    """Memories as they are."""
    async with behind.namespaces.reading(name) as opened:
        return list(await opened.store.memories(ids, None))


async def test_what_waits_is_counted_once_and_takes_no_revision(behind: Operated) -> None:
    ids = await kept(behind, "n", "one", "two")
    uses = UsageBuffer()
    counter = UsageFlusher(calls_of(behind), uses)
    uses.fetched("n", ids)
    assert not await counter.step()
    await counter.step()
    assert [one.hit_count for one in await held(behind, "n", ids)] == [2, 2]
    assert [one.revision for one in await held(behind, "n", ids)] == [1, 1]
    async with behind.namespaces.reading("n") as opened:
        (edge,) = await opened.store.list_edges((EdgeType.CO_RECALLED,), None, 10)
    assert {edge.source_id, edge.target_id} == {*ids}


async def test_many_uses_are_counted_in_parts_each_link_once(
    behind: Operated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flusher, "MEMORIES_A_WRITE", 2)
    ids = await kept(behind, "n", "one", "two", "three", "four", "five")
    uses = UsageBuffer()
    uses.fetched("n", ids)
    await UsageFlusher(calls_of(behind), uses).step()
    assert [one.hit_count for one in await held(behind, "n", ids)] == [2] * 5
    async with behind.namespaces.reading("n") as opened:
        edges = await opened.store.list_edges((EdgeType.CO_RECALLED,), None, 50)
    assert [edge.weight for edge in edges] == [pytest.approx(0.1)] * 10


async def test_a_namespace_that_is_gone_or_fails_holds_up_no_other(behind: Operated) -> None:
    full, well = await kept(behind, "full", "one"), await kept(behind, "well", "one")
    uses = UsageBuffer()
    for name, ids in (("gone", ["x"]), ("full", full), ("well", well)):
        uses.fetched(name, ids)
    with capture_logs() as logs:
        await UsageFlusher(calls_of(behind, full="full"), uses).step()
    (lost,) = logs
    assert (lost["event"], lost["namespace"], lost["hits"]) == ("adoption.lost", "full", 1)
    assert [one.hit_count for one in await held(behind, "full", full)] == [0]
    assert [one.hit_count for one in await held(behind, "well", well)] == [2]
    assert await behind.stores.catalogue.get("gone") is None
