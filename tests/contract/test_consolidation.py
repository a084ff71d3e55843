"""Lessons become one, and two again, under the claim of a run, on every backend."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import duplicate_pb2, knowledge_pb2, memory_pb2, sleep_pb2, work_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import lesson_service_pb2 as lessons_pb
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.contract.conftest import Open
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.memory_service import Served, serving

SPACE = "n"
MERGED = duplicate_pb2.DUPLICATE_OUTCOME_MERGED
WARM = "Keep the cache of the order page warm."
DEPLOY = "Warm the cache of the order page before the deploy."
BOTH = "Keep the cache of the order page warm, and warm it before the deploy."
LATER = "Warm the cache of the order page before the deploy, and after 9:30."
EVENING = "Water the tomatoes in the evening."


@pytest.fixture
async def served(tmp_path: Path, clock: SetClock, open_stores: Open) -> AsyncIterator[Served]:
    """A service with no lesson."""
    async with serving(tmp_path, clock, open_stores) as running:
        yield running


async def learn(served: Served, content: str, agent_id: str = "") -> memory_pb2.Memory:
    """Store a lesson that all see."""
    new = pb.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        content=content,
        category="pattern",
        agent_id=agent_id,
        entities=[content.split(" ", maxsplit=1)[0]],
    )
    served.clock.move(seconds=1)
    request = pb.CreateMemoryRequest(namespace=SPACE, memory=new)
    return (await served.memory.CreateMemory(request)).memory


async def start(served: Served, lease_seconds: int = 60) -> admin_pb.StartRunResponse:
    """Ask for the run."""
    request = admin_pb.StartRunRequest(
        namespace=SPACE,
        phase=sleep_pb2.SLEEP_PHASE_MERGE,
        holder="test",
        lease_seconds=lease_seconds,
    )
    return await served.admin.StartRun(request)


async def settle(
    served: Served,
    lease: work_pb2.Lease,
    known: memory_pb2.Memory,
    other: memory_pb2.Memory,
    outcome: duplicate_pb2.DuplicateOutcome.ValueType = MERGED,
    content: str = "",
) -> lessons_pb.SettleDuplicateResponse:
    """Write what became of two lessons."""
    request = lessons_pb.SettleDuplicateRequest(
        namespace=SPACE,
        lease=lease,
        known_id=known.memory_id,
        known_etag=known.etag,
        other_id=other.memory_id,
        other_etag=other.etag,
        outcome=outcome,
        content=content,
    )
    return await served.lessons.SettleDuplicate(request)


async def texts(served: Served) -> list[str]:
    """The texts of all lessons, sorted."""
    listed = await served.memory.ListMemories(pb.ListMemoriesRequest(namespace=SPACE))
    ids = [one.memory_id for one in listed.memories]
    if not ids:
        return []
    asked = pb.BatchGetMemoriesRequest(namespace=SPACE, memory_ids=ids)
    return sorted(one.content for one in (await served.memory.BatchGetMemories(asked)).memories)


async def listed(served: Served) -> list[duplicate_pb2.Duplicate]:
    """What may be one."""
    request = lessons_pb.ListDuplicatesRequest(namespace=SPACE, all_visibilities=True)
    return list((await served.lessons.ListDuplicates(request)).duplicates)


async def named(served: Served) -> set[str]:
    """The names that memories have."""
    request = knowledge_pb.ListEntitiesRequest(namespace=SPACE)
    return {one.name for one in (await served.knowledge.ListEntities(request)).entities}


async def test_one_of_two_and_two_of_one(served: Served) -> None:
    known, other, third = [await learn(served, one) for one in (WARM, DEPLOY, EVENING)]
    run = await start(served)
    await settle(served, run.lease, other, third)
    assert await texts(served) == sorted([WARM, DEPLOY, EVENING]), "nothing of it says the same"
    settled = await settle(served, run.lease, known, other, content=BOTH)
    assert (settled.outcome, settled.memory.content) == (MERGED, BOTH)
    assert await texts(served) == sorted([BOTH, EVENING])
    assert await named(served) == {"Keep", "Warm", "Water"}
    undo = pb.UndoMergeRequest(namespace=SPACE, memory_id=known.memory_id)
    split = await served.memory.UndoMerge(undo)
    assert (split.memory.content, split.memory.provenance) == (WARM, known.provenance)
    assert (split.restored.memory_id, split.restored.content) == (other.memory_id, DEPLOY)
    assert await texts(served) == sorted([WARM, DEPLOY, EVENING])
    assert await named(served) == {"Keep", "Warm", "Water"}


async def test_what_was_merged_into_the_one_that_goes_stays(served: Served) -> None:
    known, other, third = [await learn(served, one) for one in (WARM, DEPLOY, LATER)]
    lease = (await start(served)).lease
    first = await settle(served, lease, other, third, content=LATER)
    await settle(served, lease, known, first.memory, content=f"{BOTH[:-1]}, and after 9:30.")
    asked = pb.GetMemoryRequest(namespace=SPACE, memory_id=known.memory_id, include_history=True)
    told = await served.memory.GetMemory(asked)
    kept = sorted(one.memory.content for one in told.copies)
    assert kept == sorted([WARM, DEPLOY, LATER, LATER])
    undo = pb.UndoMergeRequest(namespace=SPACE, memory_id=known.memory_id, copy_id=other.memory_id)
    split = await served.memory.UndoMerge(undo)
    assert (split.memory.content, split.restored.content) == (WARM, LATER)


async def test_an_erased_part_leaves_the_text_as_it_was_before(served: Served) -> None:
    known, other = await learn(served, WARM, "juno"), await learn(served, DEPLOY, "nova")
    await settle(served, (await start(served)).lease, known, other, content=BOTH)
    erasing = admin_pb.DeleteSubjectRequest(namespace=SPACE, agent_id="nova")
    await served.admin.DeleteSubject(erasing)
    assert await texts(served) == [WARM]
    searched = admin_pb.VerifyErasureRequest(namespace=SPACE, canaries=["deploy"])
    assert not (await served.admin.VerifyErasure(searched)).places


async def test_one_run_at_a_time_and_none_writes_for_another(
    served: Served, clock: SetClock
) -> None:
    known, other = await learn(served, WARM), await learn(served, DEPLOY)
    first = await start(served, 10)
    assert first.taken
    assert not (await start(served)).taken
    clock.move(seconds=11)
    second = await start(served)
    assert second.taken
    with pytest.raises(grpc.aio.AioRpcError) as lost:
        await settle(served, first.lease, known, other, content=BOTH)
    assert lost.value.code() is grpc.StatusCode.ABORTED
    await settle(served, second.lease, known, other, content=BOTH)
    with pytest.raises(grpc.aio.AioRpcError) as twice:
        await settle(served, second.lease, known, other, content=BOTH)
    assert twice.value.code() in (grpc.StatusCode.ABORTED, grpc.StatusCode.NOT_FOUND)
    end = admin_pb.FinishRunRequest(
        namespace=SPACE, run_id=second.run_id, lease=second.lease, counts={"merged": 1}
    )
    assert (await served.admin.FinishRun(end)).run.state == sleep_pb2.RUN_STATE_DONE
    assert (await start(served)).taken


async def test_what_others_rest_on_does_not_go(served: Served) -> None:
    known, other, third = [await learn(served, one) for one in (WARM, DEPLOY, EVENING)]
    for one in (known, other):
        edge = knowledge_pb.CreateEdgeRequest(
            namespace=SPACE,
            source_id=third.memory_id,
            target_id=one.memory_id,
            type=knowledge_pb2.EDGE_TYPE_SUPPORTS,
        )
        await served.knowledge.CreateEdge(edge)
    with pytest.raises(grpc.aio.AioRpcError) as held:
        await settle(served, (await start(served)).lease, known, other, content=BOTH)
    assert held.value.code() is grpc.StatusCode.ABORTED


async def test_identical_lessons_are_found_wherever_they_came_from(served: Served) -> None:
    embedder = served.behind.embedder
    assert isinstance(embedder, SwitchedEmbedder)
    embedder.available = False
    known, other = await learn(served, WARM), await learn(served, EVENING)
    assert await listed(served) == []
    change = pb.UpdateMemoryRequest(
        namespace=SPACE, memory_id=other.memory_id, change=pb.MemoryChange(content=WARM.upper())
    )
    change.update_mask.paths.append("content")
    await served.memory.UpdateMemory(change)
    (found,) = await listed(served)
    assert (found.known.memory_id, found.other.memory_id) == (known.memory_id, other.memory_id)
    assert found.certain
    settled = await settle(served, (await start(served)).lease, found.known, found.other)
    assert (settled.outcome, settled.memory.content) == (MERGED, WARM)
    assert await texts(served) == [WARM]
    assert await listed(served) == []


async def test_it_is_due_an_hour_after_lessons_came(served: Served) -> None:
    anywhere = admin_pb.StartRunRequest(phase=sleep_pb2.SLEEP_PHASE_MERGE, holder="test")
    await learn(served, WARM)
    assert not (await served.admin.StartRun(anywhere)).taken
    served.clock.move(seconds=3601)
    run = await served.admin.StartRun(anywhere)
    assert (run.taken, run.namespace) == (True, SPACE)
    assert not (await served.admin.StartRun(anywhere)).taken
    end = admin_pb.FinishRunRequest(
        namespace=SPACE, run_id=run.run_id, lease=run.lease, next_seconds=600
    )
    await served.admin.FinishRun(end)
    assert not (await served.admin.StartRun(anywhere)).taken
    served.clock.move(seconds=601)
    vanished = await served.admin.StartRun(anywhere)
    assert vanished.taken
    served.clock.move(seconds=61)
    again = await served.admin.StartRun(anywhere)
    assert again.taken
    end = admin_pb.FinishRunRequest(namespace=SPACE, run_id=again.run_id, lease=again.lease)
    await served.admin.FinishRun(end)
    served.clock.move(seconds=36_000)
    assert not (await served.admin.StartRun(anywhere)).taken


async def test_memory_sleeps_by_itself_too(served: Served) -> None:
    await learn(served, WARM)
    served.clock.move(seconds=3601)
    await served.bedtime.step()
    runs = (await served.admin.ListRuns(admin_pb.ListRunsRequest(namespace=SPACE))).runs
    assert sleep_pb2.SLEEP_PHASE_TIER in {one.phase for one in runs}
    await served.bedtime.step()
    again = (await served.admin.ListRuns(admin_pb.ListRunsRequest(namespace=SPACE))).runs
    assert len(again) == len(runs)
