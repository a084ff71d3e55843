"""Taking a namespace out of the catalogue, on every backend."""

from dataclasses import replace

from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.work import WorkItem, WorkState
from anamnesis_memory.ports import WriteSet
from anamnesis_memory.ports.catalogue import Stores
from tests.contract.conftest import Open
from tests.support.life import everything, put
from tests.support.records import BASE_US, append

LATER_US = 2**62


async def make_due(stores: Stores, namespace: Namespace, work: Work, at_us: int) -> None:
    """Work in a namespace, noted as its writers note it."""
    await stores.catalogue.set_due(namespace.name, work, at_us)
    store = await stores.open(namespace)
    item = WorkItem(work, "", WorkState.PENDING, at_us, BASE_US)
    await put(store, WriteSet(work=(item,)))
    await store.close()


async def test_a_namespace_goes_with_what_is_due_in_it(
    open_stores: Open, namespace: Namespace
) -> None:
    stores = await open_stores()
    other = replace(namespace, name="team-b", incarnation=new_incarnation(BASE_US))
    for one in (namespace, other):
        await stores.catalogue.create(one)
        await make_due(stores, one, Work.SEGMENT, 5)
        await make_due(stores, one, Work.FORGET, 6)
    assert await stores.catalogue.remove(namespace)
    assert not await stores.catalogue.remove(namespace)
    await stores.close()
    again = await open_stores()
    assert await again.catalogue.get(namespace.name) is None
    assert [one.name for one in (await again.catalogue.list("", 9)).items] == ["team-b"]
    due = await again.catalogue.due(tuple(Work), LATER_US, 9)
    assert [(one.name, one.at_us) for one in due] == [("team-b", 5), ("team-b", 6)]
    await again.close()


async def test_another_incarnation_is_not_removed(stores: Stores, namespace: Namespace) -> None:
    await stores.catalogue.create(namespace)
    await make_due(stores, namespace, Work.SEGMENT, 5)
    later = replace(namespace, incarnation=new_incarnation(BASE_US))
    assert not await stores.catalogue.remove(later)
    assert await stores.catalogue.get(namespace.name) == namespace
    assert len(await stores.catalogue.due((Work.SEGMENT,), LATER_US, 9)) == 1


async def test_what_was_due_is_not_due_in_a_namespace_of_the_same_name(
    stores: Stores, namespace: Namespace
) -> None:
    await stores.catalogue.create(namespace)
    await make_due(stores, namespace, Work.SEGMENT, 5)
    await stores.catalogue.remove(namespace)
    later = replace(namespace, incarnation=new_incarnation(BASE_US))
    assert await stores.catalogue.create(later) == later
    assert not await stores.catalogue.due((Work.SEGMENT,), LATER_US, 9)
    await make_due(stores, later, Work.SEGMENT, 7)
    (due,) = await stores.catalogue.due((Work.SEGMENT,), LATER_US, 9)
    assert due.at_us == 7


async def test_a_removed_namespace_leaves_no_store(stores: Stores, namespace: Namespace) -> None:
    await stores.catalogue.create(namespace)
    store = await stores.open(namespace)
    await store.commit(append("one"))
    await store.close()
    await stores.discard(namespace)
    named = await stores.open(namespace)
    assert len(await everything(named)) == 1, "what the catalogue names stays"
    await named.close()
    await stores.catalogue.remove(namespace)
    await stores.discard(namespace)
    again = await stores.open(namespace)
    assert (again.revision, await everything(again)) == (0, [])
    await again.close()
