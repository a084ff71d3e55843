"""Facts that fade, on every backend: none goes while another has its end from it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.knowledge.assert_fact import lines_wanted
from anamnesis_memory.maintenance.fading import LetFade
from anamnesis_memory.memories.policy import ChangePolicy
from anamnesis_memory.model.memory import Memory, Status
from anamnesis_memory.ports import NamespaceStore
from tests.contract.test_facts_erased import retract
from tests.support.clock import SetClock
from tests.support.stating import RULES, faults, said, stated, tell

FADES_DAYS = 60
REMOVAL_DAYS = 31


async def fade(store: NamespaceStore, *facts: Memory) -> Mapping[str, int]:
    """Let these go, if they may."""
    held = await store.memories([one.memory_id for one in facts], None)
    ids = [one.memory_id for one in held]
    committed = await store.commit(
        LetFade(ids, (), ledgers_kept=False, lines=lines_wanted(held, RULES))
    )
    return committed.result or {}


async def faded(store: NamespaceStore, clock: SetClock) -> Sequence[Memory]:
    """Porto and Lyon, archived long ago, and Turin, where she lives."""
    await store.commit(ChangePolicy(lambda one: replace(one, forgetting=Forgetting.ADAPTIVE)))
    cities = ("Porto", "Lyon", "Turin")
    facts = [(await tell(store, said(city, at))).memory for at, city in enumerate(cities)]
    clock.move(days=FADES_DAYS)
    assert await fade(store, *facts) == {"archived": 2}, "what holds now is protected"
    held = await store.memories([one.memory_id for one in facts], None)
    assert [one.status for one in held] == [Status.ARCHIVED, Status.ARCHIVED, Status.ACTIVE]
    clock.move(days=REMOVAL_DAYS)
    return facts


async def test_a_fact_that_ends_another_outlives_it(store: NamespaceStore, clock: SetClock) -> None:
    porto, lyon, turin = await faded(store, clock)
    before = await stated(store)
    assert await fade(store, lyon) == {}
    assert await stated(store) == before
    assert await fade(store, porto) == {"removed": 1}
    assert await fade(store, lyon, turin) == {"removed": 1}
    assert await stated(store) == {"shared Turin 2..None zarela 0.80"}
    assert not await faults(store)


async def test_those_that_end_each_other_go_together(
    store: NamespaceStore, clock: SetClock
) -> None:
    facts = await faded(store, clock)
    assert await fade(store, *facts) == {"removed": 2}
    assert await stated(store) == {"shared Turin 2..None zarela 0.80"}
    assert not await faults(store)


async def test_what_was_taken_back_goes_like_all_that_is_archived(
    store: NamespaceStore, clock: SetClock
) -> None:
    porto, lyon, turin = await faded(store, clock)
    await retract(store, turin)
    assert "shared Lyon 1..None zarela 0.80" in await stated(store)
    assert (await store.memories([lyon.memory_id], None))[0].status is Status.ACTIVE
    clock.move(days=FADES_DAYS + REMOVAL_DAYS)
    assert await fade(store, turin) == {"removed": 1}
    assert await fade(store, lyon) == {}, "it holds again"
    assert await stated(store) == {
        "shared Porto 0..1 zarela 0.80 x",
        "shared Lyon 1..None zarela 0.80",
    }
    assert await fade(store, porto) == {"removed": 1}
    assert not await faults(store)
