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
    document_service_pb2_grpc,
    knowledge_service_pb2_grpc,
    ledger_service_pb2_grpc,
    lesson_service_pb2_grpc,
    memory_service_pb2_grpc,
    palace_service_pb2_grpc,
    topic_service_pb2_grpc,
)
from anamnesis_libs.logs import logger
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.rpc.server import bind, new_server
from anamnesis_libs.settings import Index, Security, Server
from anamnesis_libs.storage.neo4j import ServerAddress
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.api.admin.erasure import Erasure
from anamnesis_memory.api.admin.operations import Operations
from anamnesis_memory.api.admin.service import AdminServicer
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.api.documents import DocumentServicer
from anamnesis_memory.api.knowledge.service import KnowledgeServicer
from anamnesis_memory.api.ledger.service import LedgerServicer
from anamnesis_memory.api.ledger.work import PipelineRules
from anamnesis_memory.api.lesson import LessonServicer
from anamnesis_memory.api.memory.service import MemoryServicer
from anamnesis_memory.api.memory.watch import Watcher
from anamnesis_memory.api.palace import PalaceServicer
from anamnesis_memory.api.topic import TopicServicer
from anamnesis_memory.erasure.canaries import CanarySearch
from anamnesis_memory.erasure.expiry import erase_expired
from anamnesis_memory.erasure.service import Eraser
from anamnesis_memory.maintenance.due_notes import DueNotes, Hours
from anamnesis_memory.maintenance.handed_out import HandedOut
from anamnesis_memory.maintenance.ledger_retention import Retainer
from anamnesis_memory.maintenance.phase_context import SleepRules
from anamnesis_memory.maintenance.runner import Sleeper
from anamnesis_memory.maintenance.scheduler import SleepScheduler
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.maintenance.usage.flusher import UsageFlusher
from anamnesis_memory.model.usage import Budget
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.bells import Bells
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.claiming import Claimer
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.checked import LessonGate
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.loops import index_loop
from anamnesis_memory.seeding.following import SourceFollower
from anamnesis_memory.seeding.withdrawing import SeedEraser
from anamnesis_memory.storage.neo4j.catalogue import Neo4jStores
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
    documents: "document_service_pb2_grpc.DocumentServiceAsyncStub"
    address: str
    sleeper: Sleeper
    counter: UsageFlusher
    bedtime: SleepScheduler
    lessons: "lesson_service_pb2_grpc.LessonServiceAsyncStub"


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

        notes = DueNotes(catalogue, clock, HOURS)

        async def before_call(calls: Calls, opened: OpenNamespace) -> None:
            await erase_expired(calls, opened)
            await followers.follow(calls, opened)

        calls = Calls(behind.namespaces, catalogue, clock, changed, notes.touched, before_call)
        claimer, uses = Claimer(calls, catalogue), UsageBuffer()
        retainer = Retainer(calls, claimer, RETAIN_US)
        sleeper = Sleeper(calls, SLEEP_RULES, retainer)
        prepare = Preparer(PolicyRedactor(), load_counter("o200k_base"))
        queries = CachedQueries(embedder, 16)
        finder = CandidateFinder(behind.namespaces, queries)
        eraser = Eraser(calls, behind.snapshots, queries)
        seeds = SeedEraser(calls, eraser)
        followers = SourceFollower(seeds)
        operations = Operations(
            behind.snapshots,
            behind.importer,
            behind.reembedder,
            sleeper,
            HandedOut(calls, catalogue),
        )
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
                Erasure(eraser, CanarySearch(behind.snapshots, queries), followers),
            ),
            server,
        )
        topic_service_pb2_grpc.add_TopicServiceServicer_to_server(
            TopicServicer(calls, creator), server
        )
        knowledge_service_pb2_grpc.add_KnowledgeServiceServicer_to_server(
            KnowledgeServicer(calls, creator), server
        )
        palace_service_pb2_grpc.add_PalaceServiceServicer_to_server(
            PalaceServicer(calls, prepare, RULES.idle_us), server
        )
        document_service_pb2_grpc.add_DocumentServiceServicer_to_server(
            DocumentServicer(calls, prepare, finder), server
        )
        lesson_service_pb2_grpc.add_LessonServiceServicer_to_server(
            LessonServicer(calls, creator, prepare, uses, seeds), server
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
                    document_service_pb2_grpc.DocumentServiceStub(channel),
                    address,
                    sleeper,
                    UsageFlusher(calls, uses),
                    SleepScheduler(catalogue, clock, sleeper, HOURS),
                    lesson_service_pb2_grpc.LessonServiceStub(channel),
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
