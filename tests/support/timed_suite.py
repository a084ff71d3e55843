"""The whole suite in this process, behind its port, with a clock that the test sets.

Nothing is learned and nothing sleeps by itself: the test says when.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from anamnesis.ingestion.v1.ingestion_service_pb2 import RunPipelineRequest
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1.admin_service_pb2 import RunSleepCycleRequest
from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.sleep_pb2 import Run, SleepPhase
from anamnesis.memory.v1.work_pb2 import WORK_KIND_COMPRESS
from anamnesis_cli.process import build_service
from anamnesis_libs.run.module import ServiceContext, ServiceModule
from anamnesis_libs.run.suite import Suite
from anamnesis_libs.settings import Ingestion, Log, Models, Server, Sleep
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.memories.policy import ChangePolicy, Policy
from anamnesis_memory.wiring import MemoryModule
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.clock import SetClock
from tests.support.pipeline_suite import Space


@dataclass(frozen=True, slots=True)
class TimedSuite:
    """Stubs, the clock, one namespace, and the memory service behind it."""

    clients: Clients
    clock: SetClock
    space: Space
    module: MemoryModule

    async def decide(self, forgetting: Forgetting) -> None:
        """Choose what time does."""

        def change(policy: Policy) -> Policy:
            return replace(policy, forgetting=forgetting)

        async with self.module.namespaces.writing(self.space.name) as opened:
            await opened.store.commit(ChangePolicy(change))

    async def compress(self) -> None:
        """Two days pass; the last stage of the pipeline is done."""
        self.clock.move(hours=49)
        request = RunPipelineRequest(namespace=self.space.name, stages=[WORK_KIND_COMPRESS])
        assert [step async for step in self.clients.ingestion.RunPipeline(request)]

    async def sleep(self, *phases: SleepPhase.ValueType) -> list[Run]:
        """A cycle; what each phase came to."""
        request = RunSleepCycleRequest(namespace=self.space.name, phases=phases)
        told = self.clients.admin.RunSleepCycle(request)
        return [one.run async for one in told if one.HasField("run")]

    async def everything(self) -> dict[str, Memory]:
        """All memories by id, what is archived included."""
        request = memory.ListMemoriesRequest(
            namespace=self.space.name,
            filter=MemoryFilter(include_archived=True),
            page_size=500,
            all_visibilities=True,
        )
        found = (await self.clients.memory.ListMemories(request)).memories
        return {one.memory_id: one for one in found}


@asynccontextmanager
async def timed_suite(folder: Path, namespace: str = "team") -> AsyncIterator[TimedSuite]:
    """The suite on a free port; stopped in good order at the end."""
    modules: dict[str, ServiceModule] = {}

    def build(name: str, context: ServiceContext) -> ServiceModule:
        modules[name] = build_service(name, context)
        return modules[name]

    settings = Settings(
        server=Server(listen="127.0.0.1:0", data_dir=folder),
        models=Models(embedder="static"),
        ingestion=Ingestion(pipeline_every_s=3600),
        sleep=Sleep(enabled=False),
        log=Log(level="warning"),
    )
    clock = SetClock()
    suite = Suite(settings, "all", build, load_counter(settings.retrieval.tokenizer), clock)
    await suite.start()
    try:
        async with clients_of(everywhere(suite.address)) as clients:
            space = Space(clients, namespace)
            yield TimedSuite(clients, clock, space, cast(MemoryModule, modules["memory"]))
    finally:
        await suite.stop()
