"""Puts the memory service together: the one place that chooses backends."""

import asyncio
import functools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grpc import aio

from anamnesis.memory.v1 import (
    admin_service_pb2,
    admin_service_pb2_grpc,
    knowledge_service_pb2,
    knowledge_service_pb2_grpc,
    ledger_service_pb2,
    ledger_service_pb2_grpc,
    lesson_service_pb2,
    lesson_service_pb2_grpc,
    memory_service_pb2,
    memory_service_pb2_grpc,
    palace_service_pb2,
    palace_service_pb2_grpc,
    procedure_service_pb2,
    procedure_service_pb2_grpc,
    topic_service_pb2,
    topic_service_pb2_grpc,
    working_memory_service_pb2,
    working_memory_service_pb2_grpc,
)
from libs.index.memory_index import MemoryIndex
from libs.models.cache import CachedQueries
from libs.models.factory import load_embedder
from libs.models.ports import Embedder
from libs.redaction.redactor import PolicyRedactor
from libs.run import open_files
from libs.run.loop import Loop
from libs.run.module import ServiceContext
from libs.run.worker import Worker
from libs.settings import Sleep, Storage
from libs.storage.sqlite import FILES_MAX
from services.memory.adoption.counting import Counter, adoption_loop
from services.memory.adoption.uses import Uses
from services.memory.erasure.canaries import CanarySearch
from services.memory.erasure.eraser import Eraser
from services.memory.indexing.candidates import CandidateFinder
from services.memory.indexing.checked import LessonGate
from services.memory.indexing.lesson_checks import COMPARED_S_MAX
from services.memory.indexing.open_namespace import OpenNamespace
from services.memory.indexing.open_namespaces import OpenNamespaces
from services.memory.indexing.snapshots import Snapshots
from services.memory.ledger.retaining import Retainer, retention_loop
from services.memory.ledger.retention import DAY_US
from services.memory.loops import (
    embed_loop,
    index_loop,
    news_loop,
    purge_loop,
    retry_loop,
    snapshot_loop,
)
from services.memory.ports.catalogue import Stores
from services.memory.prepare import Preparer
from services.memory.recall_staging import Staging
from services.memory.serving.bells import Bells
from services.memory.serving.calls import Calls
from services.memory.serving.claiming import Claimer
from services.memory.serving.servicers.admin import AdminServicer
from services.memory.serving.servicers.creating import Creator
from services.memory.serving.servicers.erasure import Erasure
from services.memory.serving.servicers.knowledge import KnowledgeServicer
from services.memory.serving.servicers.ledger import LedgerServicer
from services.memory.serving.servicers.lesson import LessonServicer
from services.memory.serving.servicers.memory import MemoryServicer
from services.memory.serving.servicers.operator import Operations
from services.memory.serving.servicers.palace import PalaceServicer
from services.memory.serving.servicers.procedure import ProcedureServicer
from services.memory.serving.servicers.topic import TopicServicer
from services.memory.serving.servicers.watch import Watcher
from services.memory.serving.servicers.work import PipelineRules
from services.memory.serving.servicers.working import WorkingMemoryServicer
from services.memory.sleep.bedtime import Bedtime, sleep_loop
from services.memory.sleep.hold import SleepRules
from services.memory.sleep.notes import Hours, Notes
from services.memory.sleep.runner import Sleeper
from services.memory.store.group_commit import Bounds
from services.memory.store.sqlite.catalogue import SqliteStores
from services.memory.upkeep.importing import Importer
from services.memory.upkeep.reembed import Reembedder
from services.memory.usage import Budget

SERVICES = tuple(
    module.DESCRIPTOR.services_by_name[name].full_name
    for module, name in (
        (memory_service_pb2, "MemoryService"),
        (ledger_service_pb2, "LedgerService"),
        (admin_service_pb2, "AdminService"),
        (topic_service_pb2, "TopicService"),
        (procedure_service_pb2, "ProcedureService"),
        (lesson_service_pb2, "LessonService"),
        (working_memory_service_pb2, "WorkingMemoryService"),
        (knowledge_service_pb2, "KnowledgeService"),
        (palace_service_pb2, "PalaceService"),
    )
)


class MemoryModule:
    """The memory service as a process sees it."""

    name = "memory"
    service_names: Sequence[str] = SERVICES

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._bells, self._uses = Bells(), Uses()
        threads = context.settings.server.threads_max
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="memory")
        self._guard = Worker(COMPARED_S_MAX)
        self.loops: list[Loop] = []

    async def start(self) -> None:
        """Open the data directory and load the embedding model."""
        settings, directory = self._context.settings, Path(self._context.settings.server.data_dir)
        self._embedder: Embedder = await load_embedder(settings.models)
        self._stores = await self._open_stores(settings.storage, directory)
        snapshots = await asyncio.to_thread(self._open_snapshots, directory / "index")
        self._snapshots = snapshots
        self.namespaces = OpenNamespaces(
            self._stores,
            snapshots,
            self._embedder,
            self._executor,
            self._context.clock,
            count_max=self._count_max(settings.storage),
            memory_bytes_max=settings.index.memory_bytes_max,
            dedup=settings.dedup,
            guard=self._guard,
        )
        embedding = embed_loop(self.namespaces, settings.index)
        self._indexing = index_loop(self.namespaces, settings.index, embedding.wake)
        self.loops = [
            self._indexing,
            embedding,
            retry_loop(self.namespaces),
            snapshot_loop(self.namespaces, snapshots, settings.index),
            purge_loop(snapshots),
        ]
        catalogue, clock, sleep = self._stores.catalogue, self._context.clock, settings.sleep
        hours = Hours(round(sleep.every_s * 1_000_000), round(sleep.idle_every_s * 1_000_000))
        notes = Notes(catalogue, clock, hours)
        self._calls = Calls(self.namespaces, catalogue, clock, self._changed, notes.touched)
        self._claimer = Claimer(self._calls, catalogue)
        self._counter = Counter(self._calls, self._uses)
        self.loops.append(adoption_loop(self._counter))
        retainer = self._retainer()
        if retainer is not None:
            self.loops.append(retention_loop(retainer))
        self._sleeper = Sleeper(self._calls, self._sleep_rules(sleep), retainer)
        if sleep.enabled:
            self.loops.append(sleep_loop(Bedtime(catalogue, clock, self._sleeper, hours)))
        if settings.storage.backend == "neo4j":
            self.loops.append(news_loop(self.namespaces, self._changed))

    def register(self, server: aio.Server) -> None:
        """Add the servicers to a server."""
        calls = self._calls
        prepare = Preparer(PolicyRedactor(), self._context.tokens)
        queries = CachedQueries(
            self._embedder, self._context.settings.models.query_cache_entries_max
        )
        finder = CandidateFinder(self.namespaces, queries)
        eraser = Eraser(calls, self._snapshots, queries)
        gate = LessonGate(self._embedder, self._context.settings.dedup.check_timeout_s)
        creator = Creator(calls, prepare, gate)
        memory = MemoryServicer(
            calls,
            prepare,
            self._uses,
            creator,
            finder,
            self._embedder,
            Watcher(calls, self._bells, self._context.stopping),
        )
        memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(memory, server)
        ledger_service_pb2_grpc.add_LedgerServiceServicer_to_server(
            LedgerServicer(calls, prepare, self._claimer, self._rules(), gate, eraser), server
        )
        admin_service_pb2_grpc.add_AdminServiceServicer_to_server(
            AdminServicer(
                calls,
                self._stores.catalogue,
                self._budget(),
                self._operations(),
                Erasure(eraser, CanarySearch(self._snapshots, queries)),
            ),
            server,
        )
        topic_service_pb2_grpc.add_TopicServiceServicer_to_server(TopicServicer(calls), server)
        procedure_service_pb2_grpc.add_ProcedureServiceServicer_to_server(
            ProcedureServicer(calls, creator), server
        )
        lesson_service_pb2_grpc.add_LessonServiceServicer_to_server(
            LessonServicer(calls, creator, self._uses), server
        )
        knowledge_service_pb2_grpc.add_KnowledgeServiceServicer_to_server(
            KnowledgeServicer(calls, creator), server
        )
        palace_service_pb2_grpc.add_PalaceServiceServicer_to_server(
            PalaceServicer(calls, prepare, self._rules().idle_us), server
        )
        working_memory_service_pb2_grpc.add_WorkingMemoryServiceServicer_to_server(
            WorkingMemoryServicer(calls, prepare, Staging(finder, self._context.tokens)), server
        )

    def _rules(self) -> PipelineRules:
        settings = self._context.settings.ingestion
        return PipelineRules(
            settings.session_idle_s * 1_000_000,
            settings.lesson_score_min,
            settings.sft_score_min,
            self._retain_us,
        )

    def _retainer(self) -> Retainer | None:
        """Who deletes ledgers; nobody where they are kept forever."""
        if not self._retain_us:
            return None
        return Retainer(self._calls, self._claimer, self._retain_us)

    def _sleep_rules(self, sleep: Sleep) -> SleepRules:
        lease_us = sleep.lease_s * 1_000_000
        return SleepRules(
            sleep.page_memories_max, sleep.batch_memories_max, lease_us, not self._retain_us
        )

    @property
    def _retain_us(self) -> int:
        """How long a ledger is kept after its pipeline; 0 means that none is deleted."""
        return self._context.settings.retention.ledger_days * DAY_US

    def _budget(self) -> Budget:
        settings = self._context.settings.budgets
        return Budget(settings.model_calls_per_hour_max, settings.model_tokens_per_hour_max)

    def _operations(self) -> Operations:
        return Operations(
            self._snapshots,
            Importer(self.namespaces, self._stores, self._embedder, self._context.clock),
            Reembedder(self.namespaces, self._stores.catalogue, self._snapshots, self._embedder),
            self._sleeper,
        )

    async def stop(self) -> None:
        """Finish what was accepted, count what was used, save indexes, close files."""
        await self._counter.step()
        await self.namespaces.close()
        await self._embedder.close()
        self._executor.shutdown()
        self._guard.close()

    async def _open_stores(self, storage: Storage, directory: Path) -> Stores:
        """The stores of the chosen backend."""
        clock = self._context.clock
        bounds = Bounds(storage.writes_queued_max, storage.writes_batch_max)
        match storage.backend:
            case "sqlite":
                return await SqliteStores.open_directory(directory, self._executor, clock, bounds)
            case "neo4j":
                # who keeps files does not wait for the driver's import
                from services.memory.store.neo4j.catalogue import Neo4jStores, address_of

                return await Neo4jStores.open_database(
                    address_of(storage), clock, storage.neo4j_catalogue, bounds, directory
                )

    def _count_max(self, storage: Storage) -> int:
        """Namespaces open at once: as many as are set, and as there are files for."""
        possible = open_files.shares(FILES_MAX)
        if storage.backend != "sqlite" or storage.namespaces_open_max <= possible:
            return storage.namespaces_open_max
        self._context.logger.warning(
            "memory.few_files", files=open_files.limit(), namespaces_open_max=possible
        )
        return possible

    def _open_snapshots(self, directory: Path) -> Snapshots:
        settings = self._context.settings.index
        make_index = functools.partial(MemoryIndex, exact_vectors_max=settings.exact_vectors_max)
        return Snapshots(directory, make_index, self._context.clock, settings.damaged_kept_s)

    def _changed(self, opened: OpenNamespace) -> None:
        """Something may have been committed: index it, tell who watches."""
        self._indexing.wake()
        self._bells.ring(opened.namespace.name)


def build(context: ServiceContext) -> MemoryModule:
    """The memory service, not started."""
    return MemoryModule(context)
