"""The clock of who said something, as every backend keeps it, through a reopening and an export."""

from dataclasses import replace

import pytest

from anamnesis_memory.model.memory import MemoryFilter, Namespace
from anamnesis_memory.model.session import Event
from anamnesis_memory.operations.portable import Encoder, decode
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.upkeep import KeptMemory
from tests.contract.conftest import Open
from tests.support.records import append

CLOCKS = (None, -720, -210, 0, 345, 840)


async def say(store: NamespaceStore) -> None:
    """Say one line on each clock."""
    write = append(*map(str, CLOCKS))
    events = zip(write.events, CLOCKS, strict=True)
    said = tuple(replace(event, utc_offset_minutes=minutes) for event, minutes in events)
    await store.commit(replace(write, events=said))


async def kept(store: NamespaceStore) -> tuple[list[int | None], list[int | None]]:
    """The clocks of the events, and of their drawers."""
    events = await store.list_events("s-1", -1, 100)
    drawers = await store.list_memories(MemoryFilter(), None, 0, 100)
    return (
        [one.utc_offset_minutes for one in events.items],
        [one.utc_offset_minutes for one in drawers.items],
    )


async def test_an_event_and_its_drawer_keep_their_clock(
    store: NamespaceStore, open_stores: Open, namespace: Namespace
) -> None:
    await say(store)
    assert await kept(store) == (list(CLOCKS), list(CLOCKS))
    again: Stores = await open_stores()
    reopened = await again.open(namespace)
    assert await kept(reopened) == (list(CLOCKS), list(CLOCKS))
    await reopened.close()
    await again.close()


async def test_another_clock_is_no_other_event(store: NamespaceStore) -> None:
    await say(store)
    done = await store.commit(append(*map(str, CLOCKS)))
    assert done.result is not None
    assert {outcome.value for _, _, outcome in done.result.results} == {"unchanged"}
    assert await kept(store) == (list(CLOCKS), list(CLOCKS))


async def test_an_export_has_the_clocks(store: NamespaceStore) -> None:
    await say(store)
    async with store.export() as export:
        records = [record async for page in export.pages for record in page]
    lines = Encoder().records(records).splitlines()
    read = list(map(decode, lines))
    assert [one.utc_offset_minutes for one in read if isinstance(one, Event)] == list(CLOCKS)
    memories = [one.memory for one in read if isinstance(one, KeptMemory)]
    assert [one.utc_offset_minutes for one in memories] == list(CLOCKS)


@pytest.mark.parametrize("kind", ["event", "memory"])
async def test_an_export_of_before_there_were_clocks_has_none(
    store: NamespaceStore, kind: str
) -> None:
    await say(store)
    async with store.export() as export:
        records = [record async for page in export.pages for record in page]
    lines = Encoder().records(records).splitlines()
    old = [line for line in lines if line.startswith(f'{{"type":"{kind}"'.encode())]
    for line, minutes in zip(old, CLOCKS, strict=True):
        field = f',"utc_offset_minutes":{"null" if minutes is None else minutes}'.encode()
        assert field in line
        read = decode(line.replace(field, b""))
        told = read.memory if isinstance(read, KeptMemory) else read
        assert isinstance(told, Event) or isinstance(read, KeptMemory)
        assert told.utc_offset_minutes is None  # type: ignore[union-attr]
