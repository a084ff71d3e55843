"""The suite in this process, called through its port; what it holds open can be looked at."""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.event_pb2 import ROLE_ASSISTANT, ROLE_USER, Event
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_cli.process import build_service
from anamnesis_libs.rpc.peers import call, connect
from anamnesis_libs.run.module import ServiceContext, ServiceModule
from anamnesis_libs.run.suite import Suite
from anamnesis_libs.settings import Index, Log, Models, Server, Storage
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.wiring import MemoryModule

TIMEOUT_S = 60.0
REST_S = 10.0
LOOK_S = 0.05
MIB = 1024 * 1024
TALK_AT_S = 1_770_000_000
PROCESS = Path("/proc/self")


@dataclass(frozen=True, slots=True)
class Held:
    """The resources that the process holds at one moment; memory in MiB."""

    open: int
    accounted_mib: float
    rss_mib: float
    files: int


class Service:
    """The few calls that the benchmark makes."""

    def __init__(self, channel: aio.Channel, namespaces: OpenNamespaces) -> None:
        self._ingestion = IngestionServiceStub(channel)
        self._retrieval = RetrievalServiceStub(channel)
        self._namespaces = namespaces

    async def fill(
        self, namespace: str, texts: list[str], user_id: str = "", session_id: str = "s"
    ) -> float:
        """Append a session, a user's own where one is named, and wait until it can be found.

        Returns:
            Milliseconds that the search took that waited for it.
        """
        events = [_event(index, text) for index, text in enumerate(texts)]
        request = AppendEventsRequest(
            namespace=namespace,
            session_id=f"{user_id}-{session_id}",
            user_id=user_id,
            events=events,
        )
        appended = await call(self._ingestion.AppendEvents, request, timeout_s=TIMEOUT_S)
        return await self.search(namespace, texts[0], appended.revision, user_id)

    async def search(
        self, namespace: str, query: str, revision: str = "", user_id: str = ""
    ) -> float:
        """Ask, and check that there is an answer.

        Returns:
            Milliseconds until it came.
        """
        request = SearchRequest(namespace=namespace, query=query, at_least_revision=revision)
        request.caller.user_id = user_id
        start = time.perf_counter()
        found = await call(self._retrieval.Search, request, timeout_s=TIMEOUT_S)
        taken_ms = (time.perf_counter() - start) * 1000
        assert found.results, namespace
        assert not found.degraded, found.degraded
        return taken_ms

    async def resting(self, open_max: int, memory_mib: int) -> bool:
        """True if open namespaces are within the bounds once callers and workers let go of them.

        What somebody holds is never closed, so that more is open for as long as that takes.
        """
        ends = time.monotonic() + REST_S
        while (held := self.held()).open > open_max or held.accounted_mib > memory_mib:
            if time.monotonic() > ends:
                return False
            await asyncio.sleep(LOOK_S)
        return True

    def held(self) -> Held:
        """The resources that the process holds now."""
        status = (PROCESS / "status").read_text()
        rss_kib = int(status.split("VmRSS:")[1].split()[0])
        return Held(
            open=len(self._namespaces.all),
            accounted_mib=self._namespaces.memory_bytes / MIB,
            rss_mib=rss_kib / 1024,
            files=sum(1 for _ in (PROCESS / "fd").iterdir()),
        )


@asynccontextmanager
async def running(open_max: int, memory_bytes_max: int) -> AsyncIterator[Service]:
    """A suite on a free port with an empty folder, which is gone in the end."""
    modules: dict[str, ServiceModule] = {}

    def build(name: str, context: ServiceContext) -> ServiceModule:
        modules[name] = build_service(name, context)
        return modules[name]

    with tempfile.TemporaryDirectory(prefix="anamnesis-namespaces-") as folder:
        settings = Settings(
            server=Server(listen="127.0.0.1:0", data_dir=Path(folder)),
            storage=Storage(namespaces_open_max=open_max),
            index=Index(memory_bytes_max=memory_bytes_max),
            models=Models(embedder="static"),
            log=Log(level="warning"),
        )
        suite = Suite(settings, "all", build, load_counter(settings.retrieval.tokenizer))
        await suite.start()
        memory = modules["memory"]
        assert isinstance(memory, MemoryModule)
        channel = connect(suite.address, message_bytes_max=settings.server.message_bytes_max)
        try:
            yield Service(channel, memory.namespaces)
        finally:
            await channel.close()
            await suite.stop()


def _event(index: int, text: str) -> Event:
    """A turn of a talk, a second after the one before."""
    role = (ROLE_USER, ROLE_ASSISTANT)[index % 2]
    return Event(
        index=index, role=role, content=text, event_time=Timestamp(seconds=TALK_AT_S + index)
    )
