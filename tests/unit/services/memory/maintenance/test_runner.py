"""One worker a phase, runs that go on where they stopped, and what is recorded of them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from pathlib import Path

import pytest

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import ledger_service_pb2, sleep_pb2, work_pb2
from anamnesis_libs.errors import InvalidArgument, LeaseLost
from anamnesis_memory.maintenance.due_notes import CYCLE
from anamnesis_memory.maintenance.reinforce import SetCentrality
from anamnesis_memory.maintenance.runner import Sleeper, SleepRequest
from anamnesis_memory.maintenance.scheduler import CYCLE_PHASES
from anamnesis_memory.maintenance.writes import Batch
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.model.sleep_runs import (
    PHASES,
    RUNS_MAX,
    RunState,
    SleepRun,
    document_of,
    new_run,
)
from anamnesis_memory.model.work import Lease, WorkItem, WorkState
from anamnesis_memory.ports import WriteSet
from anamnesis_memory.ports.pipeline import WorkFilter
from tests.support.life import put
from tests.support.memory_service import SLEEP_RULES, Served, serving
from tests.support.pipeline_calls import claim, refused, talk
from tests.support.sleeping import SPACE, edges, everything, linked, memory, runs, slept, stored

pytestmark = pytest.mark.slow


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


@pytest.fixture
def other(served: Served) -> Sleeper:
    """The sleeper of another replica on the same store."""
    return Sleeper(served.calls, SLEEP_RULES, None)


async def begun(served: Served, phase: Work) -> AsyncGenerator[Progress | SleepRun, None]:
    """A run of a phase that has told how far it is once."""
    told = served.sleeper.run(SleepRequest(SPACE, (phase,)))
    assert isinstance(await anext(told), Progress)
    return told


async def item(served: Served, phase: Work) -> WorkItem:
    """The work of a phase."""
    async with served.calls.reading(SPACE) as opened:
        (found,) = await opened.store.list_work(WorkFilter(kinds=(phase,)), None, 2)
        return found


async def test_all_phases_run_in_order_and_are_recorded_newest_first(served: Served) -> None:
    await stored(served, memory("one"))
    done = await slept(served)
    assert tuple(done) == PHASES
    assert {run.state for run in done.values()} == {RunState.DONE}
    async with served.calls.reading(SPACE) as opened:
        assert await runs(opened.store) == list(reversed(done.values()))


@pytest.mark.parametrize("phase", [Work.REINFORCE, Work.TIER, Work.FORGET])
async def test_one_worker_is_at_a_phase(served: Served, other: Sleeper, phase: Work) -> None:
    await stored(served, *(memory(f"m{number}") for number in range(60)))
    told = await begun(served, phase)
    held = await slept(served, sleeper=other)
    states = {done: run.state for done, run in held.items()}
    assert states.pop(phase) is RunState.HELD_ELSEWHERE
    assert set(states.values()) == {RunState.DONE}
    last = [one async for one in told][-1]
    assert isinstance(last, SleepRun)
    assert last.state is RunState.DONE
    assert (await slept(served, phase, sleeper=other))[phase].state is RunState.DONE


async def test_who_lost_the_lease_changes_nothing_more(served: Served, other: Sleeper) -> None:
    await stored(served, memory("one"))
    told = await begun(served, Work.REINFORCE)
    lease = Lease(Work.REINFORCE, "", (await item(served, Work.REINFORCE)).token)
    served.clock.move(minutes=10)
    assert (await slept(served, Work.REINFORCE, sleeper=other))[Work.REINFORCE].state is (
        RunState.DONE
    )
    late = Batch(lease, 1, new_run(Work.REINFORCE, 1), SetCentrality({"one": 0.5}))
    async with served.calls.reading(SPACE) as opened:
        with pytest.raises(LeaseLost):
            await opened.store.commit(late)
    assert (await everything(served))["one"].centrality == 0.0
    await told.aclose()
    assert (await item(served, Work.REINFORCE)).state is WorkState.DONE


async def test_a_run_whose_caller_goes_away_lets_go_of_its_lease(
    served: Served, other: Sleeper
) -> None:
    await stored(served, *(memory(f"m{number}") for number in range(60)))
    told = await begun(served, Work.TIER)
    await told.aclose()
    left = await item(served, Work.TIER)
    assert (left.state, left.reason) == (WorkState.FAILED, "CUT_OFF")
    served.clock.move(seconds=1)
    assert (await slept(served, Work.TIER, sleeper=other))[Work.TIER].state is RunState.DONE
    async with served.calls.reading(SPACE) as opened:
        assert [run.state for run in await runs(opened.store)] == [RunState.DONE, RunState.FAILED]


async def test_a_run_that_vanished_is_taken_over_when_its_lease_is_out(
    served: Served, other: Sleeper
) -> None:
    await stored(served, memory("one"))
    told = await begun(served, Work.FORGET)
    assert (await slept(served, Work.FORGET, sleeper=other))[Work.FORGET].state is (
        RunState.HELD_ELSEWHERE
    )
    served.clock.move(seconds=SLEEP_RULES.lease_us / 1e6)
    assert (await slept(served, Work.FORGET, sleeper=other))[Work.FORGET].state is RunState.DONE
    await told.aclose()


async def test_edges_fade_once_though_the_cycle_was_cut_off(served: Served) -> None:
    names = [f"m{number:02}" for number in range(50)]
    await stored(served, *map(memory, names))
    pairs = [(names[0], name, EdgeType.CO_RECALLED, 0.8) for name in names[1:]]
    await linked(served, *pairs)
    cut = await cut_off_while_fading(served)
    faded = [weight for weight in (await edges(served)).values() if weight < 0.8]
    assert len(faded) in range(SLEEP_RULES.batch_max, len(pairs), SLEEP_RULES.batch_max)
    assert cut.cursor
    done = (await slept(served, Work.REINFORCE))[Work.REINFORCE]
    assert done.counts == {"edges_decayed": len(pairs) - len(faded)}
    assert await rounded(served) == {0.76}
    await slept(served, Work.REINFORCE)
    assert await rounded(served) == {0.722}


async def rounded(served: Served) -> set[float]:
    """The weights of all edges."""
    return {round(weight, 6) for weight in (await edges(served)).values()}


async def cut_off_while_fading(served: Served) -> SleepRun:
    """A run of reinforcing that is cancelled when its first edges have faded."""
    running = asyncio.create_task(slept(served, Work.REINFORCE))
    async with served.calls.reading(SPACE) as opened:
        while True:
            await asyncio.sleep(0)
            kept = await runs(opened.store)
            if kept and kept[0].counts.get("edges_decayed"):
                break
        running.cancel()
        await asyncio.wait({running})
        assert running.cancelled()
        (run,) = await runs(opened.store)
        return run


async def test_the_last_thousand_runs_are_kept(served: Served) -> None:
    await stored(served, memory("one"))
    old = [new_run(Work.TIER, number) for number in range(1, RUNS_MAX + 3)]
    async with served.calls.reading(SPACE) as opened:
        await put(opened.store, WriteSet(documents=tuple(document_of(one, 1) for one in old)))
        await slept(served, Work.TIER)
        kept = await runs(opened.store)
    assert len(kept) == RUNS_MAX
    assert kept[0].state is RunState.DONE
    assert kept[-1].run_id == old[3].run_id


async def test_the_rpc_tells_progress_and_runs(served: Served) -> None:
    await stored(served, *(memory(f"m{number}") for number in range(60)))
    request = pb.RunSleepCycleRequest(
        namespace=SPACE, phases=[sleep_pb2.SLEEP_PHASE_TIER, sleep_pb2.SLEEP_PHASE_REINFORCE]
    )
    told = [one async for one in served.admin.RunSleepCycle(request)]
    ended = [one.run for one in told if one.HasField("run")]
    assert [run.phase for run in ended] == sorted(request.phases)
    assert {run.state for run in ended} == {sleep_pb2.RUN_STATE_DONE}
    stages = [one.progress.stage for one in told if one.HasField("progress")]
    assert set(stages) == {"reinforce", "tier"}
    last = [one.progress for one in told if one.HasField("progress")][-1]
    assert (last.done, last.total) == (60, 60)


async def test_runs_are_listed_by_pages_and_phase(served: Served) -> None:
    await stored(served, memory("one"))
    for _ in range(3):
        served.clock.move(hours=1)
        await slept(served)
    request = pb.ListRunsRequest(namespace=SPACE, page_size=5)
    first = await served.admin.ListRuns(request)
    request.page_token = first.next_page_token
    rest = [*(await served.admin.ListRuns(request)).runs]
    times = [run.start_time.ToNanoseconds() for run in [*first.runs, *rest]]
    assert times == sorted(times, reverse=True)
    assert len(first.runs) == 5
    tier = pb.ListRunsRequest(namespace=SPACE, phase=sleep_pb2.SLEEP_PHASE_TIER)
    found = (await served.admin.ListRuns(tier)).runs
    assert [run.phase for run in found] == [sleep_pb2.SLEEP_PHASE_TIER] * 3
    assert all(run.HasField("end_time") for run in found)


@pytest.mark.parametrize("kind", ["REINFORCE", "TIER", "FORGET"])
async def test_nobody_else_may_claim_it_or_call_it_done(served: Served, kind: str) -> None:
    await talk(served)
    value = work_pb2.WorkKind.Value(f"WORK_KIND_{kind}")
    error = await refused(claim(served, value))
    assert isinstance(error, InvalidArgument)
    request = ledger_service_pb2.CompleteWorkRequest(
        namespace="n", lease=work_pb2.Lease(kind=value, token=1)
    )
    assert (await refused(served.ledger.CompleteWork(request))).reason == "FIELD_INVALID"


async def due(served: Served) -> Sequence[str]:
    """Namespaces that are to sleep now."""
    catalogue = served.behind.stores.catalogue
    return [one.name for one in await catalogue.due((CYCLE,), served.calls.now_us(), 9)]


async def test_a_namespace_sleeps_an_hour_after_it_was_written_to(served: Served) -> None:
    await talk(served)
    served.clock.move(minutes=59)
    await talk(served, "other")
    assert await due(served) == []
    served.clock.move(minutes=1)
    assert await due(served) == ["n"]
    assert not await served.bedtime.step()
    async with served.calls.reading("n") as opened:
        assert {run.phase for run in await runs(opened.store)} == set(PHASES) - {Work.RETAIN}
    assert await due(served) == []


async def test_a_namespace_at_rest_sleeps_once_a_day(served: Served) -> None:
    await talk(served)
    served.clock.move(hours=1)
    await served.bedtime.step()
    served.clock.move(hours=23)
    assert await due(served) == []
    served.clock.move(hours=1)
    assert await due(served) == ["n"]


async def test_what_another_replica_has_done_since_is_not_done_again(served: Served) -> None:
    await talk(served)
    served.clock.move(hours=2)
    await slept(served, *CYCLE_PHASES)
    await served.bedtime.step()
    async with served.calls.reading("n") as opened:
        assert len(await runs(opened.store)) == len(CYCLE_PHASES)
