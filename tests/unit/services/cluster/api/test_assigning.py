"""Tests of what moves lessons, and of GetCluster, over real channels and scripted memory."""

import grpc
import pytest
from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.cluster.v1.cluster_service_pb2_grpc import ClusterServiceStub
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2
from anamnesis_libs import errors
from tests.unit.services.cluster.api.test_clusters import reason
from tests.unit.services.cluster.running import TIMEOUT_S, Running, lesson, running

MINE = Caller(agent_id="x")


async def cluster(run: Running, **fields: object) -> pb.GetClusterResponse:
    request = pb.GetClusterRequest(namespace="n", **fields)  # type: ignore[arg-type]
    return await ClusterServiceStub(run.channel).GetCluster(request, timeout=TIMEOUT_S)


async def move(run: Running, memory_id: str, **fields: object) -> pb.AssignMemoryResponse:
    request = pb.AssignMemoryRequest(namespace="n", memory_id=memory_id, **fields)  # type: ignore[arg-type]
    return await ClusterServiceStub(run.channel).AssignMemory(request, timeout=TIMEOUT_S)


async def three(run: Running) -> None:
    """Two lessons in `t-a`, one in `t-c`."""
    await run.memory.put("n", lesson("a", 1, 0), lesson("b", 1, 0.1), lesson("c", 0, 1))
    await run.until(lambda: len(run.homes()) == 3)


async def test_a_cluster_is_got_by_its_id_or_a_member() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("s", 1, 0), lesson("p", 1, 0, agent_id="x"))
        await run.until(lambda: len(run.homes()) == 2)
        shared = (await cluster(run, cluster_id="t-s")).cluster
        assert (shared.label, shared.member_count) == ("Title s", 1)
        assert shared.visibility == event_pb2.VISIBILITY_SHARED
        private = (await cluster(run, memory_id="p", caller=MINE)).cluster
        assert (private.cluster_id, private.agent_id) == ("t-p", "x")
        assert private.visibility == event_pb2.VISIBILITY_PRIVATE_TO_AGENT
        for hidden in ({"cluster_id": "t-p"}, {"memory_id": "p"}):
            with pytest.raises(aio.AioRpcError) as absent:
                await cluster(run, **hidden)
            assert reason(absent.value) == "CLUSTER_NOT_FOUND"


async def test_a_lesson_moves_to_the_cluster_that_is_named_and_stays() -> None:
    async with running() as run:
        await three(run)
        moved = await move(run, "b", cluster_id="t-c")
        assert (moved.cluster.cluster_id, moved.cluster.member_count) == ("t-c", 2)
        assert moved.left_cluster_id == "t-a"
        await run.memory.put("n", lesson("b", 1, 0.1), lesson("d", 1, 0))  # b is told anew
        await run.until(lambda: not run.space().due)
        assert run.homes() == {"a": "t-a", "b": "t-c", "c": "t-c", "d": "t-a"}
        assert (await move(run, "b", cluster_id="t-c")).left_cluster_id == ""


async def test_a_lesson_that_is_let_go_returns_to_its_nearest() -> None:
    async with running() as run:
        await three(run)
        await move(run, "b", cluster_id="t-c")
        freed = await move(run, "b", nearest=True)
        assert (freed.cluster.cluster_id, freed.left_cluster_id) == ("t-a", "t-c")
        assert run.space().held == set()


async def test_the_nearest_of_a_lesson_that_is_near_none_is_a_cluster_of_its_own() -> None:
    async with running(join_cosine_min=0.75) as run:
        await three(run)
        await move(run, "a", cluster_id="t-c")
        await move(run, "b", cluster_id="t-c")
        alone = await move(run, "a", nearest=True)
        assert (alone.cluster.cluster_id, alone.cluster.label) == ("t-a", "Title a")


async def test_a_lesson_gets_a_cluster_of_its_own_once() -> None:
    async with running() as run:
        await three(run)
        first = await move(run, "a", new_cluster=True)
        again = await move(run, "a", new_cluster=True)
        assert first.cluster.cluster_id == again.cluster.cluster_id == "t-a-2"
        assert (first.left_cluster_id, again.left_cluster_id) == ("t-a", "")
        assert run.homes() == {"a": "t-a-2", "b": "t-a", "c": "t-c"}


async def test_who_sees_other_things_is_refused_and_told_why() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("s", 1, 0), lesson("p", 1, 0, agent_id="x"))
        await run.until(lambda: len(run.homes()) == 2)
        with pytest.raises(aio.AioRpcError) as refused:
            await move(run, "p", cluster_id="t-s", caller=MINE)
        assert refused.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert reason(refused.value) == "MEMORY_NOT_ASSIGNABLE"
        assert "UpdateMemory" in str(refused.value.details())
        for memory_id, place, why in (
            ("p", {"cluster_id": "t-s"}, "MEMORY_NOT_FOUND"),
            ("s", {"cluster_id": "t-p"}, "CLUSTER_NOT_FOUND"),
        ):
            with pytest.raises(aio.AioRpcError) as absent:
                await move(run, memory_id, **place)
            assert reason(absent.value) == why
        assert run.homes() == {"s": "t-s", "p": "t-p"}


async def test_a_lesson_without_a_vector_cannot_be_moved_yet() -> None:
    async with running() as run:
        await three(run)
        await run.memory.put("n", lesson("late"))
        with pytest.raises(aio.AioRpcError) as refused:
            await move(run, "late", cluster_id="t-a")
        assert reason(refused.value) == "MEMORY_NOT_ASSIGNABLE"


async def test_a_move_is_decided_anew_where_topics_changed_meanwhile() -> None:
    async with running() as run:
        await three(run)
        run.memory.fail("AssignTopicMembers", errors.Conflict("topics have changed"))
        assert (await move(run, "b", cluster_id="t-c")).cluster.member_count == 2


async def regrouped(run: Running) -> list[pb.RunInitialClusteringResponse]:
    request = pb.RunInitialClusteringRequest(namespace="n")
    call = ClusterServiceStub(run.channel).RunInitialClustering(request, timeout=TIMEOUT_S)
    return [told async for told in call]


async def test_all_lessons_are_grouped_anew_and_those_placed_by_hand_stay() -> None:
    async with running(join_cosine_min=0.99, link_cosine_min=0.6, vector_wait_s=0.1) as run:
        near = [lesson(name, 1, number / 10) for number, name in enumerate("abcd")]
        await run.memory.put("n", *near, lesson("x", 0, 1), lesson("late"))
        await run.until(lambda: len(run.homes()) == 5)
        assert len(set(run.homes().values())) > 2
        await move(run, "d", cluster_id="t-x")
        run.memory.fail("AssignTopicMembers", errors.Conflict("topics have changed"))
        *steps, last = await regrouped(run)
        assert {one.progress.stage for one in steps} == {"read", "embed", "group", "move"}
        assert run.homes() == {"a": "t-a", "b": "t-a", "c": "t-a", "x": "t-x", "d": "t-x"}
        told = last.summary
        assert (told.lessons, told.clusters, told.waiting) == (5, 2, 1)
        again = (await regrouped(run))[-1].summary
        assert (again.moved, again.clusters) == (0, 2)


async def test_grouping_waits_for_the_vectors_of_lessons_learned_a_moment_ago() -> None:
    async with running(join_cosine_min=0.6) as run:
        await run.memory.put("n", lesson("a", 1, 0), lesson("late"))
        request = pb.RunInitialClusteringRequest(namespace="n")
        call = ClusterServiceStub(run.channel).RunInitialClustering(request, timeout=TIMEOUT_S)
        async for told in call:
            if told.progress.stage == "embed":
                assert (told.progress.done, told.progress.total) == (1, 2)
                await run.memory.put("n", lesson("late", 1, 0.1))
        assert (told.summary.lessons, told.summary.waiting) == (2, 0)
        assert run.homes() == {"a": "t-a", "late": "t-a"}


async def test_a_cluster_is_named_by_what_its_lessons_have_in_common() -> None:
    async with running() as run:
        told = [lesson("x", 0, 1), *(lesson(name, 1, 0) for name in "abcd")]
        for one in told:
            one.content = "An invoice" if one.memory_id == "x" else "Slow pods fail the probe"
            one.lesson.title = ""
        await run.memory.put("n", *told[:2])
        await run.until(lambda: len(run.homes()) == 2)
        assert run.space().topics["t-a"].label == "slow pods fail probe"
        await run.memory.put("n", *told[2:])
        await run.until(lambda: run.space().topics["t-a"].label == "pods, probe, slow")


async def test_lessons_are_grouped_anew_by_themselves_when_they_have_grown() -> None:
    async with running(join_cosine_min=0.999, link_cosine_min=0.7) as run:
        near = [lesson(f"m-{number:02}", 1, number / 60) for number in range(30)]
        far = [lesson(f"x-{number}", 0, 1) for number in range(3)]
        await run.memory.put("n", *near, *far)
        await run.until(lambda: len(run.homes()) == 33 and len(run.space().topics) == 2)
        assert run.homes()["m-29"] == run.homes()["m-00"] != run.homes()["x-0"]


async def test_lessons_are_not_grouped_anew_where_that_is_turned_off() -> None:
    async with running(join_cosine_min=0.999, link_cosine_min=0.7, regroup_lessons_max=0) as run:
        await run.memory.put("n", *(lesson(f"m-{n:02}", 1, n / 60) for n in range(30)))
        await run.until(lambda: not run.space().due)
        assert len(run.space().topics) > 1


async def test_a_cluster_is_not_named_after_a_lesson_that_became_somebodys_own() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0), lesson("b", 1, 0))
        await run.until(lambda: len(run.homes()) == 2)
        assert run.space().topics["t-a"].label == "Title a"
        await run.memory.delete("n", "a")
        await run.memory.put("n", lesson("a", 1, 0, agent_id="x"))
        await run.until(lambda: run.space().topics["t-a"].label == "Title b")
        await run.until(lambda: "a" in run.homes())
        assert run.homes()["a"] != "t-a"
