"""Facts and names of before there were lines and entities, told anew on every backend."""

from dataclasses import replace

from anamnesis_memory.memories.retelling import RETELL_KEY, retell, retelling_due
from anamnesis_memory.model.memory import Memory, Status
from anamnesis_memory.model.memory_details import Fact
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.upkeep import KeptMemory
from tests.support.facts_told import fact
from tests.support.stating import faults, stated

PORTO = fact("Zarela", "lives_in", "Porto", "2020")
AGAIN = fact("zarela", "lives_in", "Porto", "2020", source="mail")
FAITH = replace(fact("Faith", "likes", "tea"), status=Status.ARCHIVED)


def of_before(number: int, memory: Memory) -> KeptMemory:
    """A memory as a version stored it that knew of no lines."""
    return KeptMemory(replace(memory, revision=number, create_time_us=number), None)


async def keep(store: NamespaceStore) -> None:
    """Three facts of before, of which two are one."""
    memories = [of_before(number, one) for number, one in enumerate((PORTO, AGAIN, FAITH), 1)]
    await store.import_batch([*memories, retelling_due()])


async def test_facts_of_before_stand_on_lines(store: NamespaceStore) -> None:
    await keep(store)
    assert await stated(store) == set()
    await retell(store, "team-a")
    assert len(await stated(store)) == 2
    kept = await store.memories([PORTO.memory_id, AGAIN.memory_id, FAITH.memory_id], None)
    assert [one.memory_id for one in kept] == [PORTO.memory_id, FAITH.memory_id]
    assert all(isinstance(one.part, Fact) and one.part.fact_id for one in kept)
    assert kept[1].status is Status.ARCHIVED
    assert await store.list_entities(None, None, "", 9)
    assert await faults(store) == []


async def test_it_is_done_once(store: NamespaceStore) -> None:
    await keep(store)
    await retell(store, "team-a")
    assert await store.document(RETELL_KEY) is None
    before = store.revision
    await retell(store, "team-a")
    assert store.revision == before
