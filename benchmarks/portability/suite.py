"""A running suite as its operator has it: filled over the API, moved with the command line."""

import asyncio
import subprocess
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio
from pydantic import TypeAdapter

from anamnesis.memory.v1.admin_service_pb2 import (
    WORK_CLUSTER,
    GetNamespaceRequest,
    GetStatsRequest,
    ListNamespacesRequest,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_LEARNING
from anamnesis.memory.v1.memory_service_pb2 import BatchCreateMemoriesRequest, NewMemory
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.namespace_pb2 import NamespaceStats
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_libs.rpc.peers import call, connect
from benchmarks.portability import texts
from benchmarks.recall.client import Client
from benchmarks.recall.suite import environment

LESSONS_AT_ONCE = 100
RESULTS_MAX = 50
_MESSAGE_BYTES_MAX = 64 << 20
_TIMEOUT_S = 300.0
_PAUSE_S = 0.2
_PEER = "the server"
_NOW = Timestamp(seconds=1_790_000_000)


class CommandFailed(Exception):
    """A command of the suite ended with an error; the message is what it said."""


Hit = tuple[str, float, tuple[str, ...]]
"""A memory's id, its score, and the ways that found it."""


@dataclass(frozen=True, slots=True)
class Told:
    """The output of a command, as far as the command told it."""

    records: int | Mapping[str, int] = 0
    bytes: int = 0
    findings: Sequence[object] = ()

    @property
    def records_of_all_types(self) -> int:
        """Records; an import tells them by type, and vectors apart from their memories."""
        if isinstance(self.records, int):
            return self.records
        return sum(self.records.values()) - self.records.get("embeddings", 0)


_TOLD = TypeAdapter(Told)
_WORK = b'{"type":"work",'


@dataclass(frozen=True, slots=True)
class Answers:
    """The hits of each question, best first, and the median time of a question."""

    hits: Sequence[Sequence[Hit]]
    median_ms: float


@dataclass(frozen=True, slots=True)
class Suite:
    """One server."""

    address: str
    channel: aio.Channel

    async def fill(self, namespace: str, turns: int, lessons: int) -> None:
        """Append conversations and lessons, and wait until all is indexed and sorted."""
        client = Client(self.channel)
        for session in texts.sessions(turns):
            await client.append(namespace, session)
        memory = MemoryServiceStub(self.channel)
        for part in _parts(texts.lessons(lessons), LESSONS_AT_ONCE):
            request = BatchCreateMemoriesRequest(namespace=namespace)
            for text in part:
                request.memories.append(NewMemory(kind=MEMORY_KIND_LEARNING, content=text))
            await call(memory.BatchCreateMemories, request, timeout_s=_TIMEOUT_S, peer=_PEER)
        await self.settled(namespace)

    async def settled(self, namespace: str) -> int:
        """Wait until all is embedded, indexed and sorted; answers the number of memories."""
        while True:
            stats = await self._stats(namespace)
            whole = stats.indexed_memories == stats.memories and not stats.pending_embeddings
            if whole and namespace not in await self._due():
                return stats.memories
            await asyncio.sleep(_PAUSE_S)

    async def _stats(self, namespace: str) -> NamespaceStats:
        stats = AdminServiceStub(self.channel).GetStats
        request = GetStatsRequest(namespace=namespace)
        return (await call(stats, request, timeout_s=_TIMEOUT_S, peer=_PEER)).stats

    async def _due(self) -> list[str]:
        """Namespaces whose lessons are still being sorted into topics."""
        due = AdminServiceStub(self.channel).ListNamespaces
        request = ListNamespacesRequest(due=WORK_CLUSTER)
        found = await call(due, request, timeout_s=_TIMEOUT_S, peer=_PEER)
        return [each.namespace for each in found.namespaces]

    async def ask(self, namespace: str) -> Answers:
        """Ask every question of the namespace as it is now."""
        admin, retrieval = AdminServiceStub(self.channel), RetrievalServiceStub(self.channel)
        about = GetNamespaceRequest(namespace=namespace)
        known = await call(admin.GetNamespace, about, timeout_s=_TIMEOUT_S, peer=_PEER)
        hits: list[Sequence[Hit]] = []
        took_ms: list[float] = []
        for question in texts.QUESTIONS:
            request = SearchRequest(
                namespace=namespace,
                query=question,
                limit=RESULTS_MAX,
                now=_NOW,
                at_least_revision=known.namespace.revision,
            )
            begun_s = time.perf_counter()
            page = await call(retrieval.Search, request, timeout_s=_TIMEOUT_S, peer=_PEER)
            took_ms.append(1000 * (time.perf_counter() - begun_s))
            assert not page.degraded, page.degraded
            hits.append([(r.memory.memory_id, r.score, tuple(r.routes)) for r in page.results])
        return Answers(hits, sorted(took_ms)[len(took_ms) // 2])

    def run(self, *arguments: str) -> Told:
        """Run a command of `anamnesis` against the server; answers what it tells as JSON.

        Raises:
            CommandFailed: it ended with an error.
        """
        done = subprocess.run(
            [
                *(sys.executable, "-m", "anamnesis_cli.main", "--server", self.address, "--json"),
                *arguments,
            ],
            env=environment(),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            raise CommandFailed(f"anamnesis {' '.join(arguments)}:\n{done.stderr}{done.stdout}")
        return _TOLD.validate_json(done.stdout)


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Suite]:
    """The suite at `host:port`."""
    channel = connect(address, message_bytes_max=_MESSAGE_BYTES_MAX)
    try:
        yield Suite(address, channel)
    finally:
        await channel.close()


def records_of(export: Path) -> Iterator[bytes]:
    """The lines of an export but for its frame.

    Manifest and trailer name where it was made; the cursors before the trailer tell how far the
    cluster service is, which goes on after an import, as does work.
    """
    held: deque[bytes] = deque()
    with export.open("rb") as lines:
        next(lines)
        for line in lines:
            if line.startswith(_WORK):
                continue
            held.append(line)
            if len(held) > len(("cursors", "trailer")):
                yield held.popleft()


def _parts(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (items[start : start + size] for start in range(0, len(items), size))
