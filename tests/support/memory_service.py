"""The memory service's own servicers over a data directory, on a real server.

Indexes follow; nothing is embedded behind a write.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from grpc import aio

from anamnesis.memory.v1 import (
    admin_service_pb2_grpc,
    knowledge_service_pb2_grpc,
    ledger_service_pb2_grpc,
    memory_service_pb2_grpc,
    palace_service_pb2_grpc,
    topic_service_pb2_grpc,
)
from libs.logs import logger
from libs.models.cache import CachedQueries
from libs.redaction.redactor import PolicyRedactor
from libs.rpc.server import bind, new_server
from libs.settings import Index, Security, Server
from libs.storage.neo4j import ServerAddress
from libs.tokens import load_counter
from services.memory.adoption.counting import Counter
from services.memory.adoption.uses import Uses
from services.memory.erasure.canaries import CanarySearch
from services.memory.erasure.eraser import Eraser
from services.memory.indexing.candidates import CandidateFinder
from services.memory.indexing.checked import LessonGate
from services.memory.indexing.open_namespace import OpenNamespace
from services.memory.ledger.retaining import Retainer
from services.memory.loops import index_loop
from services.memory.ports.catalogue import Stores
from services.memory.prepare import Preparer
from services.memory.serving.bells import Bells
from services.memory.serving.calls import Calls
from services.memory.serving.claiming import Claimer
from services.memory.serving.servicers.admin import AdminServicer
from services.memory.serving.servicers.creating import Creator
from services.memory.serving.servicers.erasure import Erasure
from services.memory.serving.servicers.knowledge import KnowledgeServicer
from services.memory.serving.servicers.ledger import LedgerServicer
from services.memory.serving.servicers.memory import MemoryServicer
from services.memory.serving.servicers.operator import Operations
from services.memory.serving.servicers.palace import PalaceServicer
from services.memory.serving.servicers.topic import TopicServicer
from services.memory.serving.servicers.watch import Watcher
from services.memory.serving.servicers.work import PipelineRules
from services.memory.sleep.bedtime import Bedtime
from services.memory.sleep.hold import SleepRules
from services.memory.sleep.notes import Hours, Notes
from services.memory.sleep.runner import Sleeper
from services.memory.store.neo4j.catalogue import Neo4jStores
from services.memory.usage import Budget
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import Operated, operated

IDLE_S = 1800
BUDGET = Budget(calls_max=10, tokens_max=1000)
RETAIN_US = 14 * 24 * 3600 * 1_000_000
HOURS = Hours(3600 * 1_000_000, 24 * 3600 * 1_000_000)
SLEEP_RULES = SleepRules(page_max=50, batch_max=20)
CHECK_TIMEOUT_S = 2.0
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
    knowledge: "knowledge_service_pb2_grpc.KnowledgeServiceAsyncStub"
    palace: "palace_service_pb2_grpc.PalaceServiceAsyncStub"
    address: str
    sleeper: Sleeper
    counter: Counter
    bedtime: Bedtime


@asynccontextmanager
async def serving(
    directory: Path,
    clock: SetClock | None = None,
    open_stores: Callable[[], Awaitable[Stores]] | None = None,
) -> AsyncIterator[Served]:
    """Run the services, closed in good order at the end; see `operated` for where records are."""
    clock, embedder = clock or SetClock(), SwitchedEmbedder()
    async with operated(directory, embedder, clock=clock, open_stores=open_stores) as behind:
        catalogue, bells = behind.stores.catalogue, Bells()
        indexing = index_loop(behind.namespaces, Index(), lambda: None)

        def changed(opened: OpenNamespace) -> None:
            indexing.wake()
            bells.ring(opened.namespace.name)

        notes = Notes(catalogue, clock, HOURS)
        calls = Calls(behind.namespaces, catalogue, clock, changed, notes.touched)
        claimer, uses = Claimer(calls, catalogue), Uses()
        retainer = Retainer(calls, claimer, RETAIN_US)
        sleeper = Sleeper(calls, SLEEP_RULES, retainer)
        prepare = Preparer(PolicyRedactor(), load_counter("o200k_base"))
        queries = CachedQueries(embedder, 16)
        finder = CandidateFinder(behind.namespaces, queries)
        eraser = Eraser(calls, behind.snapshots, queries)
        operations = Operations(behind.snapshots, behind.importer, behind.reembedder, sleeper)
        gate = LessonGate(embedder, CHECK_TIMEOUT_S)
        creator = Creator(calls, prepare, gate)
        memory = MemoryServicer(
            calls,
            prepare,
            uses,
            creator,
            finder,
            embedder,
            Watcher(calls, bells, asyncio.Event()),
        )
        ledger = LedgerServicer(calls, prepare, claimer, RULES, gate, eraser)
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
        knowledge_service_pb2_grpc.add_KnowledgeServiceServicer_to_server(
            KnowledgeServicer(calls, creator), server
        )
        palace_service_pb2_grpc.add_PalaceServiceServicer_to_server(
            PalaceServicer(calls, prepare, RULES.idle_us), server
        )
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
                    knowledge_service_pb2_grpc.KnowledgeServiceStub(channel),
                    palace_service_pb2_grpc.PalaceServiceStub(channel),
                    address,
                    sleeper,
                    Counter(calls, uses),
                    Bedtime(catalogue, clock, sleeper, HOURS),
                )
        finally:
            await server.stop(None)
            await indexing.stop(10)


@asynccontextmanager
async def serving_on_neo4j(directory: Path, address: ServerAddress) -> AsyncIterator[Served]:
    """The same with its records in Neo4j, apart from those of other tests in the same database."""
    clock = SetClock()

    async def open_stores() -> Stores:
        return await Neo4jStores.open_database(address, clock, f"test-{uuid.uuid4().hex}")

    async with serving(directory, clock, open_stores) as running:
        yield running


async def _no_report() -> None:
    """Nobody asks for the health of a test's service."""
