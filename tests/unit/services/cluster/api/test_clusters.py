"""Tests of ClusterService over real channels, against scripted memory services."""

import asyncio

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc import aio
from grpc_status import rpc_status

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.cluster.v1.cluster_service_pb2_grpc import ClusterServiceStub
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis_libs import errors
from anamnesis_libs.revisions import reaches
from tests.support.memory_spaces import token
from tests.unit.services.cluster.running import TIMEOUT_S, Running, lesson, running


async def clusters(run: Running, **fields: object) -> pb.ListClustersResponse:
    request = pb.ListClustersRequest(namespace="n", **fields)  # type: ignore[arg-type]
    return await ClusterServiceStub(run.channel).ListClusters(request, timeout=TIMEOUT_S)


async def members(run: Running, cluster_id: str, **fields: object) -> list[str]:
    request = pb.ListClusterMemoriesRequest(namespace="n", cluster_id=cluster_id, **fields)  # type: ignore[arg-type]
    answer = await ClusterServiceStub(run.channel).ListClusterMemories(request, timeout=TIMEOUT_S)
    return [memory.memory_id for memory in answer.memories]


def reason(failed: aio.AioRpcError) -> str:
    status = rpc_status.from_call(failed)  # type: ignore[arg-type]
    assert status is not None
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    return str(info.reason)


async def test_clusters_are_listed_with_their_members() -> None:
    async with running() as run:
        revision = await run.memory.put(
            "n", lesson("a", 1, 0), lesson("b", 0, 1), lesson("c", 1, 0)
        )
        stepping = asyncio.create_task(run.until(lambda: len(run.homes()) == 3))
        answer = await clusters(run, at_least_revision=revision)
        await stepping
        assert [(one.cluster_id, one.label, one.member_count) for one in answer.clusters] == [
            ("t-a", "Title a", 2),
            ("t-b", "Title b", 1),
        ]
        assert answer.clusters[0].namespace == "n"
        assert reaches(answer.revision, revision)
        assert await members(run, "t-a") == ["a", "c"]


async def test_waiting_for_a_revision_works_where_nothing_is_due() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: not run.space().due)
        written = token(run.space().revision)
        answer = await clusters(run, at_least_revision=written)
        assert int(answer.revision.rpartition("-")[2], 16) >= run.space().assigned
        await run.memory.delete("n", "a")
        assert not run.space().due
        gone = token(run.space().revision)
        assert (await clusters(run, at_least_revision=gone)).revision == gone


async def test_waiting_works_where_nobody_follows_yet() -> None:
    async with running() as run:
        revision = await run.memory.put("n", lesson("a", 1, 0))
        assert len((await clusters(run, at_least_revision=revision)).clusters) == 1


async def test_waiting_ends_with_the_deadline_and_says_for_what() -> None:
    async with running() as run:
        revision = await run.memory.put("n", lesson("late"))
        request = pb.ListClustersRequest(namespace="n", at_least_revision=revision)
        with pytest.raises(aio.AioRpcError) as late:
            await ClusterServiceStub(run.channel).ListClusters(request, timeout=1.0)
        assert late.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_revision_of_the_future_is_refused_at_once() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        with pytest.raises(aio.AioRpcError) as refused:
            await clusters(run, at_least_revision=token(99))
        assert reason(refused.value) == "REVISION_IN_FUTURE"


async def test_a_caller_sees_its_own_clusters_only() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("s", 1, 0), lesson("p", 1, 0, agent_id="x"))
        await run.until(lambda: len(run.homes()) == 2)
        assert [one.cluster_id for one in (await clusters(run)).clusters] == ["t-s"]
        mine = await clusters(run, caller=Caller(agent_id="x"))
        assert [one.cluster_id for one in mine.clusters] == ["t-p", "t-s"]
        assert await members(run, "t-p", caller=Caller(agent_id="x")) == ["p"]
        with pytest.raises(aio.AioRpcError) as absent:
            await members(run, "t-p", caller=Caller(agent_id="y"))
        assert reason(absent.value) == "CLUSTER_NOT_FOUND"


async def test_pages_pass_through() -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0), lesson("b", 0, 1), lesson("c", -1, 0))
        await run.until(lambda: len(run.homes()) == 3)
        first = await clusters(run, page_size=2)
        rest = await clusters(run, page_size=2, page_token=first.next_page_token)
        ids = [one.cluster_id for one in (*first.clusters, *rest.clusters)]
        assert (ids, rest.next_page_token) == (["t-a", "t-b", "t-c"], "")


@pytest.mark.parametrize("rpc", ["ListTopics", "ListTopicMembers", "BatchGetMemories"])
async def test_errors_of_memory_pass_through(rpc: str) -> None:
    async with running() as run:
        await run.memory.put("n", lesson("a", 1, 0))
        await run.until(lambda: "a" in run.homes())
        run.memory.fail(rpc, errors.EmbeddingModelMismatch("a", "b"))
        with pytest.raises(aio.AioRpcError) as failed:
            await (clusters(run) if rpc == "ListTopics" else members(run, "t-a"))
        assert failed.value.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert reason(failed.value) == "EMBEDDING_MODEL_MISMATCH"


async def test_no_such_namespace_is_not_found() -> None:
    async with running() as run:
        for ask in (clusters(run), members(run, "t-a")):
            with pytest.raises(aio.AioRpcError) as absent:
                await ask
            assert reason(absent.value) == "NAMESPACE_NOT_FOUND"
