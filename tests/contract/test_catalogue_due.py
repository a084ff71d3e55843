"""Where work is due, on every backend, as its callers ask: noted around each commit."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.sleep_runs import HANDED_OUT
from anamnesis_memory.ports import NamespaceStore, Write
from anamnesis_memory.ports.catalogue import Due, Stores
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.pipeline import MINUTE_US, claims, cut, now_us
from tests.support.records import BASE_US, DIMENSION, append

IDLE_US = 30 * MINUTE_US


async def opened(stores: Stores, name: str) -> NamespaceStore:
    """A namespace that the catalogue knows."""
    space = Namespace(name, new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    return await stores.open(await stores.catalogue.create(space))


async def noted(
    stores: Stores, name: str, store: NamespaceStore, write: Write[object], work: Work, at_us: int
) -> None:
    """Commit, and say before and after from when work may be ready."""
    await stores.catalogue.set_due(name, work, at_us)
    await store.commit(write)
    await stores.catalogue.set_due(name, work, at_us)


async def due(
    stores: Stores, clock: SetClock, *works: Work, limit: int = 10, in_us: int = 0
) -> Sequence[Due]:
    """Where work may be ready by a time from now."""
    return await stores.catalogue.due(works or tuple(Work), now_us(clock) + in_us, limit)


async def test_namespaces_are_told_from_when_their_work_is_ready(
    stores: Stores, clock: SetClock
) -> None:
    for name, idle_us in (("late", IDLE_US), ("now", 0), ("soon", MINUTE_US)):
        store = await opened(stores, name)
        write = replace(append("one"), idle_us=idle_us)
        await noted(stores, name, store, write, Work.SEGMENT, now_us(clock) + idle_us)
        await store.close()
    assert [(one.name, one.work) for one in await due(stores, clock)] == [("now", Work.SEGMENT)]
    assert [one.at_us for one in await due(stores, clock)] == [now_us(clock)]
    soon = await due(stores, clock, Work.SEGMENT, Work.LABEL, in_us=MINUTE_US)
    assert [one.name for one in soon] == ["now", "soon"]
    assert [one.name for one in await due(stores, clock, in_us=IDLE_US, limit=2)] == ["now", "soon"]
    assert await due(stores, clock, Work.LABEL, Work.CLUSTER, in_us=IDLE_US) == []


async def test_what_was_claimed_is_due_when_the_claim_ends(stores: Stores, clock: SetClock) -> None:
    store = await opened(stores, "space")
    write = append("one", end_session=True)
    await noted(stores, "space", store, write, Work.SEGMENT, now_us(clock))
    (found,) = await due(stores, clock)
    ((item, _),) = (await claims(store, clock, Work.SEGMENT)).items
    await stores.catalogue.reschedule(found, item.expires_us)
    assert await due(stores, clock) == []
    clock.move(minutes=1)
    (again,) = await due(stores, clock)
    assert (again.name, again.at_us) == ("space", item.expires_us)
    await cut(store, item, (0, 0, "one"))
    await stores.catalogue.reschedule(again, None)
    assert await due(stores, clock, Work.SEGMENT, in_us=IDLE_US) == []
    await store.close()


async def test_what_becomes_due_while_somebody_looks_is_due(
    stores: Stores, clock: SetClock
) -> None:
    store = await opened(stores, "space")
    for number in range(3):
        first, second = (
            append("one", session_id=f"{number}-{place}", end_session=True) for place in (1, 2)
        )
        await noted(stores, "space", store, first, Work.SEGMENT, now_us(clock))
        (found,) = await due(stores, clock, Work.SEGMENT)
        ((item, _),) = (await claims(store, clock, Work.SEGMENT)).items
        await asyncio.gather(
            noted(stores, "space", store, second, Work.SEGMENT, now_us(clock)),
            stores.catalogue.reschedule(found, None),
        )
        (again,) = await due(stores, clock, Work.SEGMENT)
        ((other, _),) = (await claims(store, clock, Work.SEGMENT)).items
        for each in (item, other):
            await cut(store, each, (0, 0, "one"))
        await stores.catalogue.reschedule(again, None)
        assert await due(stores, clock, Work.SEGMENT, in_us=IDLE_US) == []
    await store.close()


async def test_of_two_who_looked_the_earlier_time_counts(stores: Stores, clock: SetClock) -> None:
    store = await opened(stores, "space")
    for name, idle_us in (("a", 0), ("b", MINUTE_US)):
        write = replace(append("one", session_id=name), idle_us=idle_us)
        await noted(stores, "space", store, write, Work.SEGMENT, now_us(clock) + idle_us)
    (one,), (two,) = await due(stores, clock), await due(stores, clock)
    found = await claims(store, clock, Work.SEGMENT)
    await stores.catalogue.reschedule(one, found.next_us)
    await stores.catalogue.reschedule(two, None)
    (again,) = await due(stores, clock, in_us=MINUTE_US)
    assert again.at_us == now_us(clock) + MINUTE_US
    await store.close()


async def test_what_is_due_is_due_after_a_restart(open_stores: Open, clock: SetClock) -> None:
    first = await open_stores()
    store = await opened(first, "space")
    await noted(first, "space", store, append("one", end_session=True), Work.SEGMENT, now_us(clock))
    await store.close()
    await first.close()
    second = await open_stores()
    (found,) = await due(second, clock)
    assert (found.name, found.work, found.at_us) == ("space", Work.SEGMENT, now_us(clock))
    await second.catalogue.set_due("space", Work.SEGMENT, now_us(clock) + IDLE_US)
    assert [one.at_us for one in await due(second, clock)] == [now_us(clock)]
    await second.close()


async def test_other_catalogues_are_not_told_of(stores: Stores, clock: SetClock) -> None:
    space = Namespace("unknown", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    store = await stores.open(space)
    await store.commit(append("one", end_session=True))
    assert await due(stores, clock, in_us=IDLE_US) == []
    await store.close()


@pytest.mark.parametrize("phase", HANDED_OUT)
async def test_a_phase_of_sleep_is_due_from_its_note_on(
    stores: Stores, clock: SetClock, phase: Work
) -> None:
    store = await opened(stores, "space")
    for at_us in (IDLE_US, MINUTE_US, IDLE_US):
        await stores.catalogue.set_due("space", phase, now_us(clock) + at_us)
    assert await due(stores, clock, phase) == []
    clock.move(minutes=1)
    assert await due(stores, clock, Work.REINFORCE) == []
    (found,) = await due(stores, clock, phase)
    assert (found.name, found.work, found.at_us) == ("space", phase, now_us(clock))
    await stores.catalogue.set_due("space", phase, now_us(clock) + IDLE_US)
    await stores.catalogue.reschedule(found, None)
    (heard,) = await due(stores, clock, phase)
    await stores.catalogue.reschedule(heard, None)
    assert await due(stores, clock, phase, in_us=IDLE_US) == []
    await store.close()
