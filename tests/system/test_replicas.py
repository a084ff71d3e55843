"""Two cluster replicas on one memory: each namespace has one of them, and the other in its need."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from anamnesis.cluster.v1 import cluster_service_pb2
from anamnesis.memory.v1 import (
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    work_pb2,
)
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import Process, start

LEASE_S = 3
TIMEOUT_S = 30
STATIC = {"ANAMNESIS_MODELS__EMBEDDER": "static"}


@dataclass(frozen=True, slots=True)
class Replicas:
    """Cluster replicas by process id, and stubs that reach memory and one replica each."""

    processes: dict[int, Process]
    clients: dict[int, Clients]

    @property
    def memory(self) -> Clients:
        return next(iter(self.clients.values()))

    async def holder(self, namespace: str) -> int:
        """The process that follows a namespace; 0 for none."""
        request = ledger_service_pb2.ListWorkRequest(
            namespace=namespace, states=[work_pb2.WORK_STATE_CLAIMED]
        )
        items = (await self.memory.ledger.ListWork(request)).items
        return int(items[0].holder.split("/")[1]) if items else 0

    async def learn(self, namespace: str, text: str) -> str:
        """Store a lesson; gives the revision."""
        lesson = memory_service_pb2.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=text)
        request = memory_service_pb2.CreateMemoryRequest(namespace=namespace, memory=lesson)
        return (await self.memory.memory.CreateMemory(request)).revision

    async def clustered(self, pid: int, namespace: str, revision: str) -> int:
        """How many lessons are in clusters, as one replica tells once it has reached a revision."""
        request = cluster_service_pb2.ListClustersRequest(
            namespace=namespace, at_least_revision=revision
        )
        answer = await self.clients[pid].cluster.ListClusters(request, timeout=TIMEOUT_S)
        return sum(one.member_count for one in answer.clusters)


@asynccontextmanager
async def replicas(data_dir: Path) -> AsyncIterator[Replicas]:
    """A memory service and two cluster services."""
    memory = await asyncio.to_thread(start, data_dir, "memory", STATIC)
    settings = {
        **STATIC,
        "ANAMNESIS_PEERS__MEMORY": memory.address,
        "ANAMNESIS_CLUSTERS__LEASE_S": str(LEASE_S),
    }
    started = [await asyncio.to_thread(start, data_dir, "cluster", settings) for _ in range(2)]
    processes = {process.popen.pid: process for process in started}
    try:
        first, second = (
            {**everywhere(memory.address), "cluster": process.address} for process in started
        )
        async with clients_of(first) as one, clients_of(second) as two:
            yield Replicas(processes, dict(zip(processes, (one, two), strict=True)))
    finally:
        for process in (*started, memory):
            if process.popen.poll() is None:
                process.popen.send_signal(signal.SIGCONT)
                process.stop()


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stalled"])
async def test_a_replica_that_is_gone_is_taken_over(tmp_path: Path, end: signal.Signals) -> None:
    async with replicas(tmp_path / "data") as run:
        revision = await run.learn("team", "wash apples before eating")
        for pid in run.processes:
            assert await run.clustered(pid, "team", revision) == 1
        holder = await run.holder("team")
        (other,) = run.processes.keys() - {holder}
        run.processes[holder].popen.send_signal(end)
        revision = await run.learn("team", "bring an umbrella in November")
        assert await run.clustered(other, "team", revision) == 2
        assert await run.holder("team") == other
        if end is signal.SIGSTOP:
            run.processes[holder].popen.send_signal(signal.SIGCONT)
            revision = await run.learn("team", "lock the door at night")
            assert await run.clustered(holder, "team", revision) == 3
            assert await run.holder("team") == other


@pytest.mark.slow
async def test_a_replica_that_stops_politely_is_replaced_at_once(tmp_path: Path) -> None:
    async with replicas(tmp_path / "data") as run:
        revision = await run.learn("team", "wash apples before eating")
        for pid in run.processes:
            assert await run.clustered(pid, "team", revision) == 1
        holder = await run.holder("team")
        (other,) = run.processes.keys() - {holder}
        assert await asyncio.to_thread(run.processes[holder].stop) == 0
        assert await run.holder("team") in (0, other)
        revision = await run.learn("team", "bring an umbrella in November")
        assert await run.clustered(other, "team", revision) == 2
