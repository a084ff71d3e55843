"""The memory service in this process, called through its port, its clock in the caller's hands."""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

from anamnesis.memory.v1 import (
    admin_service_pb2_grpc,
    knowledge_service_pb2_grpc,
    ledger_service_pb2_grpc,
)
from anamnesis.memory.v1 import memory_service_pb2_grpc as memory_grpc
from anamnesis.memory.v1.admin_service_pb2 import RunSleepCycleRequest
from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.memory_service_pb2 import ListMemoriesRequest
from anamnesis.memory.v1.sleep_pb2 import Run
from anamnesis_cli.process import build_service
from anamnesis_libs.clock import Clock
from anamnesis_libs.rpc.peers import connect
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import ServiceContext, ServiceModule
from anamnesis_libs.run.suite import Suite
from anamnesis_libs.settings import Log, Models, Server, Sleep, Storage
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.memories.policy import ChangePolicy, Policy
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.wiring import MemoryModule

SPACE = "life"
_PAGE = 500


class Service:
    """Stubs of the memory service, and the few things behind it that the benchmark looks at."""

    def __init__(self, address: str, module: MemoryModule) -> None:
        self._channel = connect(address, message_bytes_max=64 << 20)
        self._module = module
        self.memory = memory_grpc.MemoryServiceStub(self._channel)
        self.ledger = ledger_service_pb2_grpc.LedgerServiceStub(self._channel)
        self.knowledge = knowledge_service_pb2_grpc.KnowledgeServiceStub(self._channel)
        self.admin = admin_service_pb2_grpc.AdminServiceStub(self._channel)

    async def close(self) -> None:
        """Let go of the connection."""
        await self._channel.close()

    async def count_uses(self) -> None:
        """Count what was used, at the time of the clock."""
        await self._loop("memory.adoption").step()

    async def catch_up(self) -> None:
        """Wait until the index has followed."""
        async with self._module.namespaces.reading(SPACE) as opened:
            await opened.follower.wait_for(opened.store.revision, 60)

    async def embed(self) -> None:
        """Make missing vectors until every memory has one."""
        async with self._module.namespaces.reading(SPACE) as opened:
            while await opened.store.pending_embeddings(1):
                await self._loop("memory.embed").step()

    async def sleep(self) -> list[Run]:
        """Run a cycle; what each phase came to."""
        told = self.admin.RunSleepCycle(RunSleepCycleRequest(namespace=SPACE))
        return [one.run async for one in told if one.HasField("run")]

    async def decide(self, forgetting: Forgetting) -> None:
        """Choose the policy of forgetting."""

        def change(_: Policy) -> Policy:
            return Policy(forgetting=forgetting)

        async with self._module.namespaces.writing(SPACE) as opened:
            await opened.store.commit(ChangePolicy(change))

    async def memories(self) -> list[Memory]:
        """Everything that is kept, what is archived included."""
        where = MemoryFilter(include_archived=True)
        request = ListMemoriesRequest(namespace=SPACE, filter=where, page_size=_PAGE)
        found: list[Memory] = []
        while True:
            page = await self.memory.ListMemories(request)
            found += page.memories
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token

    @asynccontextmanager
    async def store(self) -> AsyncIterator[NamespaceStore]:
        """The namespace's store, for looking at what no call shows."""
        async with self._module.namespaces.reading(SPACE) as opened:
            yield opened.store

    def _loop(self, name: str) -> Loop:
        return next(loop for loop in cast(Sequence[Loop], self._module.loops) if loop.name == name)


@asynccontextmanager
async def running(clock: Clock, storage: Storage | None = None) -> AsyncIterator[Service]:
    """The service on a free port with an empty folder, which is gone in the end.

    It keeps its records in that folder, unless another storage is given.
    """
    modules: list[ServiceModule] = []

    def build(name: str, context: ServiceContext) -> ServiceModule:
        modules.append(build_service(name, context))
        return modules[-1]

    with tempfile.TemporaryDirectory(prefix="anamnesis-life-") as folder:
        settings = Settings(
            server=Server(listen="127.0.0.1:0", data_dir=Path(folder)),
            models=Models(embedder="static"),
            sleep=Sleep(enabled=False),
            storage=storage or Storage(),
            log=Log(level="warning"),
        )
        suite = Suite(settings, "memory", build, load_counter(settings.retrieval.tokenizer), clock)
        await suite.start()
        service = Service(suite.address, cast(MemoryModule, modules[0]))
        try:
            yield service
        finally:
            await service.close()
            await suite.stop()
