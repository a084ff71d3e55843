"""What a model said of memories is kept with them, and the place up to which it was asked."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import grpc
import pytest

from anamnesis.memory.v1 import admin_service_pb2, event_pb2, ledger_service_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis.memory.v1.policy_pb2 import AgentSwitch, Policy
from anamnesis.memory.v1.sleep_pb2 import SLEEP_PHASE_REFINE
from anamnesis.memory.v1.work_pb2 import Lease
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.memory_service import Served, serving

SPACE = "n"


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service that has heard nothing."""
    async with serving(tmp_path, clock, open_stores) as running:
        yield running


async def append(
    served: Served, *importances: float, scored: bool = True, agent: str = ""
) -> list[str]:
    """One session more; the ids of its drawers."""
    request = ledger_service_pb2.AppendEventsRequest(
        namespace=SPACE,
        session_id=f"s-{agent}-{scored}-{len(importances)}",
        agent_id=agent,
        events=[
            event_pb2.Event(role=event_pb2.ROLE_USER, content=f"This was said {number} times.")
            for number in range(len(importances))
        ],
        importances=importances,
        scored=scored,
        use_server_time=True,
    )
    return [one.memory_id for one in (await served.ledger.AppendEvents(request)).results]


async def claim(served: Served) -> Lease:
    """The claim of a run."""
    begin = admin_service_pb2.StartRunRequest(
        namespace=SPACE, phase=SLEEP_PHASE_REFINE, holder="test"
    )
    return (await served.admin.StartRun(begin)).lease


async def unrefined(served: Served, limit: int = 0) -> pb.ListUnrefinedResponse:
    """The next memories."""
    return await served.memory.ListUnrefined(pb.ListUnrefinedRequest(namespace=SPACE, limit=limit))


def ids_of(page: pb.ListUnrefinedResponse) -> Sequence[str]:
    """The memories of a page."""
    return [one.memory_id for one in page.memories]


async def test_only_what_a_rule_scored_in_doubt_is_listed(served: Served) -> None:
    doubtful = await append(served, 0.34, 0.35, 0.5, 0.65, 0.66)
    await append(served, 0.5, scored=False)
    await append(served, 0.5, 0.5, agent="quiet")
    policy = Policy(agents=[AgentSwitch(agent_id="quiet", mining_off=True)])
    change = admin_service_pb2.UpdateNamespacePolicyRequest(namespace=SPACE, policy=policy)
    await served.admin.UpdateNamespacePolicy(change)
    page = await unrefined(served)
    assert ids_of(page) == sorted(doubtful[1:4])
    assert not page.more


async def test_what_was_said_is_kept_and_the_place_moves_with_it(served: Served) -> None:
    ids = sorted(await append(served, 0.4, 0.4, 0.4))
    lease = await claim(served)
    page = await unrefined(served, 2)
    assert (ids_of(page), page.more) == (ids[:2], True)
    said = pb.NewRefinement(
        memory_id=ids[0], etag=page.memories[0].etag, importance=0.8, reason="it is said often"
    )
    write = pb.RecordRefinementsRequest(
        namespace=SPACE, lease=lease, model="small", refinements=[said], through=page.through
    )
    done = await served.memory.RecordRefinements(write)
    assert (done.weighed, done.worded, done.refused, done.changed) == (1, 0, 0, 0)
    read = await served.memory.GetMemory(pb.GetMemoryRequest(namespace=SPACE, memory_id=ids[0]))
    told = read.memory.provenance.refinement
    assert (read.memory.importance, told.importance_before) == (0.8, 0.4)
    assert (told.model, told.reason) == ("small", "it is said often")
    rest = await unrefined(served)
    assert ids_of(rest) == ids[2:]
    nothing = pb.RecordRefinementsRequest(
        namespace=SPACE, lease=lease, model="small", through=rest.through
    )
    await served.memory.RecordRefinements(nothing)
    last = await unrefined(served)
    assert (ids_of(last), last.through, last.more) == ([], "", False)


async def test_many_of_one_revision_are_gone_through_in_parts(served: Served) -> None:
    ids = await append(served, *[0.5] * 600)
    lease = await claim(served)
    found: list[str] = []
    page = await unrefined(served, 250)
    while page.memories:
        found += ids_of(page)
        write = pb.RecordRefinementsRequest(
            namespace=SPACE, lease=lease, model="small", through=page.through
        )
        await served.memory.RecordRefinements(write)
        page = await unrefined(served, 250)
    assert sorted(found) == sorted(ids)


async def test_a_place_that_is_none_and_a_claim_of_another_phase_are_refused(
    served: Served,
) -> None:
    await append(served, 0.5)
    lease = await claim(served)
    for through in ("made-up", "999999999/x"):
        write = pb.RecordRefinementsRequest(
            namespace=SPACE, lease=lease, model="small", through=through
        )
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await served.memory.RecordRefinements(write)
        assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT


async def begun(served: Served) -> admin_service_pb2.StartRunResponse:
    """A run where one is due."""
    begin = admin_service_pb2.StartRunRequest(phase=SLEEP_PHASE_REFINE, holder="test")
    return await served.admin.StartRun(begin)


async def test_a_cycle_of_sleep_makes_it_due_once_for_what_is_new(served: Served) -> None:
    await append(served, 0.5)
    assert not (await begun(served)).taken
    for count in (2, 3):
        served.clock.move(hours=2)
        await served.bedtime.step()
        run = await begun(served)
        assert (run.taken, run.namespace) == (True, SPACE)
        done = admin_service_pb2.FinishRunRequest(
            namespace=SPACE, run_id=run.run_id, lease=run.lease
        )
        await served.admin.FinishRun(done)
        served.clock.move(hours=25)
        await served.bedtime.step()
        assert not (await begun(served)).taken
        await append(served, *[0.5] * count)
