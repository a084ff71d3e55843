"""Cold start through a running suite: skills come as proposals, and a kill leaves nothing half."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from grpc import aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import admin_service_pb2 as admin_pb
from anamnesis.memory.v1 import lesson_service_pb2 as lesson_pb
from anamnesis.memory.v1 import memory_pb2, policy_pb2
from anamnesis.memory.v1 import memory_service_pb2 as memory_pb
from anamnesis.memory.v1 import procedure_service_pb2 as procedure_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as retrieval_pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import Process, start

OLD, NEW = "kitchen", "bakery"
JUNO = Caller(agent_id="juno")
LESSONS = 300
SETTINGS = {"ANAMNESIS_MODELS__EMBEDDER": "static"}


@asynccontextmanager
async def running(directory: Path) -> AsyncIterator[tuple[Process, Clients]]:
    """A suite over a directory, killed at the end if it still runs."""
    process = await asyncio.to_thread(start, directory, settings=SETTINGS)
    try:
        async with clients_of(everywhere(process.address)) as clients:
            yield process, clients
    finally:
        await asyncio.to_thread(process.kill)


async def kitchen(clients: Clients, lessons: int) -> None:
    """A namespace that learned, and gives to whoever may read it."""
    policy = policy_pb2.Policy(seeds_to=["*"])
    await clients.admin.CreateNamespace(
        admin_pb.CreateNamespaceRequest(namespace=OLD, policy=policy)
    )
    new = [
        memory_pb.NewMemory(
            kind=memory_pb2.MEMORY_KIND_PROCEDURAL,
            content=f"Way {number}: turn the oven to mark {number}, wait {number} minutes",
            procedure=memory_pb2.Procedure(
                name=f"way-{number}", status=memory_pb2.PROCEDURE_STATUS_ACTIVE
            ),
        )
        for number in range(lessons)
    ]
    for first in range(0, lessons, 50):
        batch = memory_pb.BatchCreateMemoriesRequest(
            namespace=OLD, memories=new[first : first + 50]
        )
        await clients.memory.BatchCreateMemories(batch)


async def count(clients: Clients) -> int:
    """The memories of the new namespace."""
    stats = await clients.admin.GetStats(admin_pb.GetStatsRequest(namespace=NEW))
    return stats.stats.memories


@pytest.mark.slow
async def test_a_context_says_where_a_lesson_was_learned(tmp_path: Path) -> None:
    async with running(tmp_path) as (_, clients):
        await kitchen(clients, 1)
        text = "The SQLite database is locked: turn on WAL and set a busy timeout"
        new = lesson_pb.NewLesson(content=text)
        await clients.lessons.CreateLesson(lesson_pb.CreateLessonRequest(namespace=OLD, lesson=new))
        request = lesson_pb.SeedNamespaceRequest(namespace=NEW, source_namespace=OLD, caller=JUNO)
        given = (await clients.lessons.SeedNamespace(request)).memories
        assert len(given) == 2
        asked = retrieval_pb.BuildContextRequest(
            namespace=NEW, query="the database is locked", caller=JUNO
        )
        told = await clients.retrieval.BuildContext(asked)
        assert f"learned in {OLD}: {text}" in told.text
        (way,) = [one for one in given if one.kind == memory_pb2.MEMORY_KIND_PROCEDURAL]
        got = await clients.memory.GetMemory(
            memory_pb.GetMemoryRequest(namespace=NEW, memory_id=way.memory_id, caller=JUNO)
        )
        assert got.memory.procedure.status == memory_pb2.PROCEDURE_STATUS_DRAFT
        await clients.procedures.RecordRun(
            procedure_pb.RecordRunRequest(
                namespace=NEW, memory_id=way.memory_id, success=True, caller=JUNO
            )
        )
        gone = await clients.lessons.WithdrawSeed(
            lesson_pb.WithdrawSeedRequest(namespace=NEW, source_namespace=OLD, caller=JUNO)
        )
        assert (gone.withdrawn, gone.confirmed) == (1, 1)
        assert text not in (await clients.retrieval.BuildContext(asked)).text


@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.0, 0.02, 0.1])
async def test_a_kill_leaves_all_or_nothing_and_is_gone_on_with(
    tmp_path: Path, after_s: float
) -> None:
    seeding = lesson_pb.SeedNamespaceRequest(
        namespace=NEW, source_namespace=OLD, caller=JUNO, limit=LESSONS
    )
    withdrawal = lesson_pb.WithdrawSeedRequest(namespace=NEW, source_namespace=OLD, caller=JUNO)
    async with running(tmp_path) as (process, clients):
        await kitchen(clients, LESSONS)
        await killed(process, clients.lessons.SeedNamespace(seeding), after_s)
    async with running(tmp_path) as (process, clients):
        with suppress(aio.AioRpcError):
            assert await count(clients) in (0, LESSONS)
        await clients.lessons.SeedNamespace(seeding)
        assert await count(clients) == LESSONS
        await killed(process, clients.lessons.WithdrawSeed(withdrawal), after_s)
    async with running(tmp_path) as (_, clients):
        await clients.lessons.WithdrawSeed(withdrawal)
        assert await count(clients) == 0
        asked = admin_pb.VerifyErasureRequest(namespace=NEW, canaries=["turn the oven to mark"])
        assert not (await clients.admin.VerifyErasure(asked)).places


async def killed(process: Process, call: object, after_s: float) -> None:
    """Kill a suite so long after a call was sent."""
    sent = asyncio.ensure_future(call)  # type: ignore[call-overload]
    await asyncio.sleep(after_s)
    await asyncio.to_thread(process.kill)
    with suppress(aio.AioRpcError):
        await sent
