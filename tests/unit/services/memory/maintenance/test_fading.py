"""What sleep archives, removes and protects, by the policy of the namespace; its clock is set."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis_memory.domain.lifecycle.forgetting import Protection
from anamnesis_memory.maintenance.usage.count import CountUses
from anamnesis_memory.memories.learn import tombstone_of
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Kind, Memory, Status, Tier, Work
from anamnesis_memory.model.memory_details import Fact, Lesson, Procedure, ProcedureStatus
from anamnesis_memory.model.sleep_runs import SleepRun
from anamnesis_memory.ports import ReadSet
from tests.support.life import look
from tests.support.memory_service import Served, serving
from tests.support.records import append
from tests.support.sleeping import (
    SPACE,
    adaptive,
    decided,
    edges,
    everything,
    linked,
    memory,
    slept,
    stored,
)

pytestmark = pytest.mark.slow

FADES_DAYS = 8
"""R = exp(-8 / 3) = 0.07 of a lesson that was never used."""
REMOVAL_DAYS = 30


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


async def forgotten(served: Served) -> SleepRun:
    """A run of forgetting."""
    return (await slept(served, Work.FORGET))[Work.FORGET]


async def statuses(served: Served) -> dict[str, Status]:
    """Which memories are there, and how."""
    return {name: one.status for name, one in (await everything(served)).items()}


async def test_adaptive_archives_what_has_faded_and_removes_it_a_month_later(
    served: Served,
) -> None:
    await adaptive(served)
    await stored(served, memory("one"), memory("other"))
    await linked(served, ("one", "other", EdgeType.SIMILAR_TO, 0.8))
    served.clock.move(days=6)
    assert "archived" not in (await forgotten(served)).counts
    served.clock.move(days=FADES_DAYS - 6)
    assert (await forgotten(served)).counts["archived"] == 2
    assert set((await statuses(served)).values()) == {Status.ARCHIVED}
    served.clock.move(days=REMOVAL_DAYS, seconds=-1)
    assert "removed" not in (await forgotten(served)).counts
    served.clock.move(seconds=1)
    assert (await forgotten(served)).counts["removed"] == 2
    assert await everything(served) == {}
    assert await edges(served) == {}


async def test_what_was_learned_and_forgotten_leaves_a_tombstone(served: Served) -> None:
    await adaptive(served)
    lesson = memory("lesson")
    await stored(served, lesson)
    for days in (FADES_DAYS, REMOVAL_DAYS):
        served.clock.move(days=days)
        await forgotten(served)
    async with served.calls.reading(SPACE) as opened:
        seen = await look(opened.store, ReadSet(tombstones=(tombstone_of(lesson),)))
    assert seen.tombstones == {tombstone_of(lesson)}


async def test_keep_never_forgets_what_was_observed(served: Served) -> None:
    drawers = [memory(f"said-{number}", Kind.EPISODIC) for number in range(3)]
    await stored(served, *drawers)
    for _ in range(4):
        served.clock.move(days=400)
        await slept(served)
    assert await statuses(served) == {one.memory_id: Status.ACTIVE for one in drawers}


async def test_keep_archives_derived_memories_that_nobody_uses(served: Served) -> None:
    await stored(served, memory("lesson", tier=Tier.COLD), memory("warm"))
    served.clock.move(days=29)
    assert "archived" not in (await forgotten(served)).counts
    served.clock.move(days=1)
    assert (await forgotten(served)).counts["archived"] == 1
    served.clock.move(days=4000)
    await forgotten(served)
    assert await statuses(served) == {"lesson": Status.ARCHIVED, "warm": Status.ACTIVE}


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (memory("held", pinned=True), Protection.PINNED),
        (memory("held", centrality=0.96), Protection.TOP_CENTRALITY),
        (
            memory("held", confidence=0.7, part=Lesson(validated=True)),
            Protection.VALIDATED_LESSON,
        ),
        (
            memory(
                "held",
                Kind.PROCEDURAL,
                part=Procedure("p", status=ProcedureStatus.ACTIVE, success_rate=0.6),
            ),
            Protection.PROVEN_PROCEDURE,
        ),
        (memory("held", Kind.SEMANTIC, part=Fact("ada", "keeps", "bees")), Protection.HOLDS_NOW),
    ],
    ids=lambda value: value.value if isinstance(value, Protection) else "",
)
async def test_what_is_protected_stays_and_is_counted(
    served: Served, held: Memory, why: Protection
) -> None:
    await adaptive(served)
    await stored(served, held, memory("other"))
    for _ in range(3):
        served.clock.move(days=100)
        run = await forgotten(served)
    assert await statuses(served) == {"held": Status.ACTIVE}
    assert run.counts == {"protected": 1, f"protected_{why.value}": 1}


async def test_a_drawer_stays_while_its_sessions_ledger_is_kept(served: Served) -> None:
    await adaptive(served)
    async with served.calls.writing(SPACE) as opened:
        await opened.store.commit(append("I keep bees", end_session=True))
    served.clock.move(days=300)
    run = await forgotten(served)
    assert run.counts == {"protected": 1, "protected_young_drawer": 1}
    assert list((await statuses(served)).values()) == [Status.ACTIVE]


async def test_what_is_archived_and_used_waits_another_month(served: Served) -> None:
    await adaptive(served)
    await stored(served, memory("one"))
    served.clock.move(days=FADES_DAYS)
    await forgotten(served)
    served.clock.move(days=20)
    async with served.calls.reading(SPACE) as opened:
        await served.calls.apply(opened, CountUses({"one": 2}))
    served.clock.move(days=29)
    assert "removed" not in (await forgotten(served)).counts
    served.clock.move(days=40)
    assert (await forgotten(served)).counts["removed"] == 1


async def test_a_policy_just_decided_removes_nothing_for_a_month(served: Served) -> None:
    await stored(served, memory("one", status=Status.ARCHIVED, archive_time_us=1))
    served.clock.move(days=300)
    await adaptive(served)
    assert "removed" not in (await forgotten(served)).counts
    served.clock.move(days=REMOVAL_DAYS)
    assert (await forgotten(served)).counts["removed"] == 1


async def test_cold_days_of_zero_archive_nothing(served: Served) -> None:
    await decided(served, cold_days=0)
    await stored(served, memory("one", tier=Tier.COLD))
    served.clock.move(days=1000)
    await slept(served)
    assert await statuses(served) == {"one": Status.ACTIVE}


async def test_many_are_let_go_of_in_small_batches(served: Served) -> None:
    await adaptive(served)
    await stored(served, *(memory(f"m-{number:03}") for number in range(130)))
    served.clock.move(days=FADES_DAYS)
    assert (await forgotten(served)).counts["archived"] == 130
    served.clock.move(days=REMOVAL_DAYS)
    assert (await forgotten(served)).counts["removed"] == 130
    assert await everything(served) == {}
