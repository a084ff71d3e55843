"""What models cost, on every backend: reports add up, and take no revision."""

import asyncio

from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.model.usage import HOUR_US, TOTAL_MAX, HourUsage
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from tests.support.records import BASE_US, DIMENSION, append

FIRST_US = 1_000 * HOUR_US


def cost(hour: int, purpose: str, calls: int = 1) -> HourUsage:
    """What some calls cost."""
    return HourUsage(FIRST_US + hour * HOUR_US, purpose, calls, 100 * calls, 7 * calls)


async def test_reports_add_up(store: NamespaceStore) -> None:
    assert await store.usage(0) == []
    await store.commit(ReportUsage([cost(0, "segment"), cost(1, "label"), cost(1, "label", 2)]))
    await store.commit(ReportUsage([cost(1, "extract"), cost(0, "segment", 4)]))
    await store.commit(ReportUsage([]))
    assert await store.usage(0) == [
        cost(1, "extract"),
        cost(1, "label", 3),
        cost(0, "segment", 5),
    ]
    assert await store.usage(FIRST_US + HOUR_US) == [cost(1, "extract"), cost(1, "label", 3)]
    assert await store.usage(FIRST_US + 2 * HOUR_US) == []
    assert (store.revision, await store.refresh()) == (0, 0)


async def test_nothing_is_lost_when_many_report_at_once(store: NamespaceStore) -> None:
    reports = [ReportUsage([cost(0, "extract", number)]) for number in range(1, 21)]
    await asyncio.gather(*map(store.commit, reports), store.commit(append("one")))
    assert await store.usage(0) == [cost(0, "extract", 210)]
    assert store.revision == 1


async def test_each_namespace_pays_for_itself(stores: Stores, store: NamespaceStore) -> None:
    space = Namespace("other", new_incarnation(BASE_US), BASE_US, "model", DIMENSION)
    other = await stores.open(space)
    await store.commit(ReportUsage([cost(0, "extract")]))
    assert await other.usage(0) == []
    await other.close()


async def test_a_sum_stops_where_a_store_could_not_hold_it(store: NamespaceStore) -> None:
    most = HourUsage(FIRST_US, "extract", 2**63 - 1, 2**63 - 1, 2**63 - 1)
    for _ in range(3):
        await store.commit(ReportUsage([most]))
    whole = HourUsage(FIRST_US, "extract", TOTAL_MAX, TOTAL_MAX, TOTAL_MAX)
    assert await store.usage(0) == [whole]
    async with store.export() as export:
        assert whole in [record async for page in export.pages for record in page]
