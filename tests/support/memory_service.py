"""The memory service's own servicers over a data directory, on a real server.

Indexes follow; nothing is embedded.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from grpc import aio

from anamnesis.memory.v1 import (
    admin_service_pb2_grpc,
    ledger_service_pb2_grpc,
    memory_service_pb2_grpc,
    topic_service_pb2_grpc,
)
from libs.logs import logger
from libs.models.cache import CachedQueries
from libs.redaction.redactor import PolicyRedactor
from libs.rpc.server import bind, new_server
from libs.settings import Index, Security, Server
from libs.tokens import load_counter
from services.memory.adoption.uses import Uses
from services.memory.erasure.canaries import CanarySearch
from services.memory.erasure.eraser import Eraser
from services.memory.indexing.candidates import CandidateFinder
from services.memory.indexing.open_namespace import OpenNamespace
from services.memory.loops import index_loop
from services.memory.prepare import Preparer
from services.memory.serving.bells import Bells
from services.memory.serving.calls import Calls
from services.memory.serving.claiming import Claimer
from services.memory.serving.servicer_admin import AdminServicer
from services.memory.serving.servicer_erasure import Erasure
from services.memory.serving.servicer_ledger import LedgerServicer
from services.memory.serving.servicer_memory import MemoryServicer
from services.memory.serving.servicer_operator import Operations
from services.memory.serving.servicer_topic import TopicServicer
from services.memory.serving.servicer_watch import Watcher
from services.memory.serving.servicer_work import PipelineRules
from services.memory.usage import Budget
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated

IDLE_S = 1800
BUDGET = Budget(calls_max=10, tokens_max=1000)
RETAIN_US = 14 * 24 * 3600 * 1_000_000
RULES = PipelineRules(IDLE_S * 1_000_000, 0.7, 0.8, RETAIN_US)


@dataclass(frozen=True, slots=True)
class Served:
    """Stubs of the services, the clock they read, and what is behind them."""

    clock: SetClock
    behind: Operated
    calls: Calls
    memory: "memory_service_pb2_grpc.MemoryServiceAsyncStub"
    ledger: "ledger_service_pb2_grpc.LedgerServiceAsyncStub"
    admin: "admin_service_pb2_grpc.AdminServiceAsyncStub"
    topics: "topic_service_pb2_grpc.TopicServiceAsyncStub"
    address: str = ""


@asynccontextmanager
async def serving(directory: Path) -> AsyncIterator[Served]:
    """Run the services, closed in good order at the end."""
    clock, embedder = SetClock(), SwitchedEmbedder()
    async with operated(directory, embedder, clock=clock) as behind:
        catalogue, bells = behind.stores.catalogue, Bells()
        indexing = index_loop(behind.namespaces, Index(), lambda: None)

        def changed(opened: OpenNamespace) -> None:
            indexing.wake()
            bells.ring(opened.namespace.name)

        calls = Calls(behind.namespaces, catalogue, clock, changed)
        prepare = Preparer(PolicyRedactor(people=False), load_counter("o200k_base"))
        queries = CachedQueries(embedder, 16)
        finder = CandidateFinder(behind.namespaces, queries)
        eraser = Eraser(calls, behind.snapshots, queries)
        operations = Operations(behind.snapshots, behind.importer, behind.reembedder)
        memory = MemoryServicer(
            calls, prepare, Uses(), finder, embedder, Watcher(calls, bells, asyncio.Event())
        )
        ledger = LedgerServicer(calls, prepare, Claimer(calls, catalogue), RULES, eraser)
        server = new_server(Server(), Security(), logger("test"))
        memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(memory, server)
        ledger_service_pb2_grpc.add_LedgerServiceServicer_to_server(ledger, server)
        admin_service_pb2_grpc.add_AdminServiceServicer_to_server(
            AdminServicer(
                calls,
                catalogue,
                BUDGET,
                operations,
                Erasure(eraser, CanarySearch(behind.snapshots, queries)),
            ),
            server,
        )
        topic_service_pb2_grpc.add_TopicServiceServicer_to_server(TopicServicer(calls), server)
        address = bind(server, "127.0.0.1:0", Security())
        await server.start()
        indexing.start(logger("test"), _no_report)
        try:
            async with aio.insecure_channel(address) as channel:
                yield Served(
                    clock,
                    behind,
                    calls,
                    memory_service_pb2_grpc.MemoryServiceStub(channel),
                    ledger_service_pb2_grpc.LedgerServiceStub(channel),
                    admin_service_pb2_grpc.AdminServiceStub(channel),
                    topic_service_pb2_grpc.TopicServiceStub(channel),
                    address,
                )
        finally:
            await server.stop(None)
            await indexing.stop(10)


async def _no_report() -> None:
    """Nobody asks for the health of a test's service."""
