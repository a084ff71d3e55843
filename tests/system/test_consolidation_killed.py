"""Consolidation where processes are killed: nothing is done twice, nothing is half done."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import grpc
import pytest

from anamnesis.cluster.v1.cluster_service_pb2 import ConsolidateRequest, ConsolidationDecision
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import duplicate_pb2, memory_pb2, sleep_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from tests.support.cluster_replicas import Replicas, replicas
from tests.support.openai_chat_script import Asked, Given
from tests.support.openai_server import OpenAIServer

SPACE = "team"
PAIRS = {
    "cache": ("Keep the cache of the shop warm.", "before the deploy"),
    "tomatoes": ("Water the tomatoes in the evening.", "before it is dark"),
    "invoice": ("Send the invoice to the accountant every Friday.", "with the receipts"),
    "backup": ("Check the backup of the photo archive every month.", "on the second disk"),
    "passport": ("Renew the passport of the whole family in spring.", "at the town hall"),
}
"""By a word that no other has: a lesson, and what the lesson beside it says besides."""


def both(subject: str) -> str:
    """The lesson that says more, and so the text for both."""
    lesson, more = PAIRS[subject]
    return f"{lesson[:-1]}, {more}."


async def learn(suite: Replicas) -> None:
    """Store two lessons about each subject, that may be one."""
    for text in (each for key in PAIRS for each in (PAIRS[key][0], both(key))):
        new = pb.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=text, category="pattern")
        request = pb.CreateMemoryRequest(namespace=SPACE, memory=new)
        await suite.clients[0].memory.CreateMemory(request, timeout=60)


async def texts(suite: Replicas) -> list[str]:
    """All lessons, sorted."""
    memory = suite.clients[0].memory
    listed = await memory.ListMemories(pb.ListMemoriesRequest(namespace=SPACE), timeout=30)
    ids = [one.memory_id for one in listed.memories]
    asked = pb.BatchGetMemoriesRequest(namespace=SPACE, memory_ids=ids)
    read = await memory.BatchGetMemories(asked, timeout=30)
    return sorted(one.content for one in read.memories)


async def run(suite: Replicas, which: int) -> tuple[list[ConsolidationDecision], sleep_pb2.Run]:
    """Consolidate at one replica."""
    calls = suite.clients[which].cluster.Consolidate(ConsolidateRequest(namespace=SPACE))
    told = [one async for one in calls]
    return [one.decision for one in told if one.HasField("decision")], told[-1].run


def _same_subject(asked: Asked) -> Given:
    """Two lessons of one subject are one; those of two subjects are two."""
    told = [subject for subject in PAIRS if subject in asked.prompt]
    if len(told) > 1:
        return {"verdict": "different", "reason": "two subjects", "text": ""}
    return {"verdict": "same", "reason": "one subject", "text": both(told[0])}


BORNE = {"sentences": [{"number": 1, "borne_by": "both"}], "lost": []}


def script(server: OpenAIServer) -> None:
    """A model that knows the subjects."""
    server.chat.answer("merge_lessons", _same_subject)
    server.chat.answer("merge_check", BORNE)


def merged(decisions: Sequence[ConsolidationDecision]) -> list[str]:
    """The lessons that went."""
    outcome = duplicate_pb2.DUPLICATE_OUTCOME_MERGED
    return [one.other_id for one in decisions if one.outcome == outcome]


@pytest.mark.slow
async def test_two_replicas_do_nothing_twice(tmp_path: Path) -> None:
    async with replicas(tmp_path, script) as suite:
        await learn(suite)
        (one, ran), (other, also) = await asyncio.gather(run(suite, 0), run(suite, 1))
        states = {ran.state, also.state}
        assert states == {sleep_pb2.RUN_STATE_DONE, sleep_pb2.RUN_STATE_HELD_ELSEWHERE}
        gone = [*merged(one), *merged(other)]
        assert len(gone) == len(set(gone)) == len(PAIRS)
        assert await texts(suite) == sorted(map(both, PAIRS))


async def broken_off(suite: Replicas) -> list[str]:
    """Run at the first replica, which is killed after two merges; the lessons that went."""
    seen: list[ConsolidationDecision] = []
    with suppress(grpc.aio.AioRpcError):
        async for told in suite.clients[0].cluster.Consolidate(ConsolidateRequest(namespace=SPACE)):
            seen += [told.decision] if told.HasField("decision") else []
            if len(merged(seen)) == 2:
                await asyncio.to_thread(suite.processes[0].kill)
    return merged(seen)


@pytest.mark.slow
@pytest.mark.parametrize("memory_too", [False, True], ids=["cluster", "both"])
async def test_a_run_that_is_killed_is_gone_on_with(
    tmp_path: Path, kept_in: Mapping[str, str], *, memory_too: bool
) -> None:
    async with replicas(tmp_path, script, kept_in) as suite:
        await learn(suite)
        gone = await broken_off(suite)
        decisions, ran = await run(suite, 1)
        assert (decisions, ran.state) == ([], sleep_pb2.RUN_STATE_HELD_ELSEWHERE)
        if memory_too:
            await suite.restart_memory()
        async with asyncio.timeout(60):
            while ran.state == sleep_pb2.RUN_STATE_HELD_ELSEWHERE:
                await asyncio.sleep(0.2)
                with suppress(grpc.aio.AioRpcError):
                    decisions, ran = await run(suite, 1)
        assert ran.state == sleep_pb2.RUN_STATE_DONE
        gone += merged(decisions)
        assert len(gone) == len(set(gone))
        assert await texts(suite) == sorted(map(both, PAIRS))
        listed = await suite.clients[0].admin.ListRuns(admin_pb.ListRunsRequest(namespace=SPACE))
        states = [one.state for one in listed.runs]
        assert states == [sleep_pb2.RUN_STATE_DONE, sleep_pb2.RUN_STATE_RUNNING]
