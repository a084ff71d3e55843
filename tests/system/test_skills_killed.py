"""Skills where processes are killed, and where two replicas make them: nothing is made twice."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.cluster.v1 import projection_service_pb2
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import sleep_pb2
from tests.support.cluster_replicas import Replicas, replicas
from tests.support.skill_answers import script
from tests.support.skill_lessons import learn, topic_of

SPACE = "team"
USERS = ("ada", "bo", "cy")


async def run(suite: Replicas, which: int) -> tuple[list[str], sleep_pb2.Run]:
    """Make what is ready at one replica; the clusters that were tried, and the run."""
    calls = suite.clients[which].cluster.CrystallizeReady(
        pb.CrystallizeReadyRequest(namespace=SPACE)
    )
    told = [one async for one in calls]
    return [one.cluster.cluster_id for one in told[:-1]], told[-1].run


async def skills(suite: Replicas) -> list[int]:
    """How many skills each user has."""
    listed = [
        projection_service_pb2.ListSkillsRequest(namespace=SPACE, caller=Caller(user_id=user))
        for user in USERS
    ]
    return [len((await suite.clients[1].projections.ListSkills(one)).skills) for one in listed]


async def taught(suite: Replicas) -> None:
    """Three clusters that are ready."""
    for user in USERS:
        await learn(suite.clients[0], SPACE, user=user)


@pytest.mark.slow
async def test_two_replicas_make_no_skill_twice(tmp_path: Path) -> None:
    async with replicas(tmp_path, script) as suite:
        await taught(suite)
        (one, ran), (other, also) = await asyncio.gather(run(suite, 0), run(suite, 1))
        states = {ran.state, also.state}
        assert states == {sleep_pb2.RUN_STATE_DONE, sleep_pb2.RUN_STATE_HELD_ELSEWHERE}
        assert sorted([*one, *other]) == sorted(map(topic_of, USERS))
        assert await skills(suite) == [1, 1, 1]


@pytest.mark.slow
@pytest.mark.parametrize("memory_too", [False, True], ids=["cluster", "both"])
async def test_a_run_that_is_killed_is_gone_on_with(
    tmp_path: Path, kept_in: Mapping[str, str], *, memory_too: bool
) -> None:
    async with replicas(tmp_path, script, kept_in) as suite:
        await taught(suite)
        done: list[str] = []
        with suppress(grpc.aio.AioRpcError):
            request = pb.CrystallizeReadyRequest(namespace=SPACE)
            async for told in suite.clients[0].cluster.CrystallizeReady(request):
                done.append(told.cluster.cluster_id)
                await asyncio.to_thread(suite.processes[0].kill)
        if memory_too:
            await suite.restart_memory()
        state: sleep_pb2.RunState.ValueType = sleep_pb2.RUN_STATE_HELD_ELSEWHERE
        async with asyncio.timeout(60):
            while state == sleep_pb2.RUN_STATE_HELD_ELSEWHERE:
                await asyncio.sleep(0.2)
                with suppress(grpc.aio.AioRpcError):
                    tried, ended = await run(suite, 1)
                    done, state = [*done, *tried], ended.state
        assert state == sleep_pb2.RUN_STATE_DONE
        assert await skills(suite) == [1, 1, 1]
        assert len(done) == len(set(done))
