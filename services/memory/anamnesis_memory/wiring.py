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
    document_service_pb2,
    document_service_pb2_grpc,
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
from anamnesis_libs.extras import needs_extra
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.models.factory import load_embedder
from anamnesis_libs.models.ports import Embedder
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.run import open_files
from anamnesis_libs.run.background import background_thread
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import ServiceContext
from anamnesis_libs.run.worker import Worker
from anamnesis_libs.settings import Index, Sleep, Storage
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
from anamnesis_memory.api.procedure import ProcedureServicer
from anamnesis_memory.api.topic import TopicServicer
from anamnesis_memory.api.working import WorkingMemoryServicer
from anamnesis_memory.erasure.canaries import CanarySearch
from anamnesis_memory.erasure.expiry import erase_expired
from anamnesis_memory.erasure.service import Eraser
from anamnesis_memory.ledger.retention import DAY_US
from anamnesis_memory.maintenance.due_notes import DueNotes, Hours
from anamnesis_memory.maintenance.handed_out import HandedOut
from anamnesis_memory.maintenance.ledger_retention import Retainer, retention_loop
from anamnesis_memory.maintenance.phase_context import SleepRules
from anamnesis_memory.maintenance.runner import Sleeper
from anamnesis_memory.maintenance.scheduler import SleepScheduler, sleep_loop
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.maintenance.usage.flusher import UsageFlusher, usage_loop
from anamnesis_memory.model.usage import Budget
from anamnesis_memory.operations.importing import Importer
from anamnesis_memory.operations.reembed import Reembedder
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.bells import Bells
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.claiming import Claimer
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.checked import LessonGate
from anamnesis_memory.runtime.indexing.lesson_checks import COMPARED_S_MAX
from anamnesis_memory.runtime.indexing.metered import Meter
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from anamnesis_memory.runtime.loops import (
    embed_loop,
    expiry_loop,
    followed,
    index_loop,
    news_loop,
    purge_loop,
    rest_loop,
    retry_loop,
    snapshot_loop,
    store_calls_loop,
    token_loop,
    train_loop,
)
from anamnesis_memory.runtime.recall_staging import Staging
from anamnesis_memory.seeding.following import SourceFollower
from anamnesis_memory.seeding.withdrawing import SeedEraser
from anamnesis_memory.storage.group_commit import Bounds
from anamnesis_memory.storage.measured import MeasuredStores, StoreFigures
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores

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
        (document_service_pb2, "DocumentService"),
    )
)


class MemoryModule:
    """The memory service as a process sees it."""

    name = "memory"
    service_names: Sequence[str] = SERVICES

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        self._bells, self._uses = Bells(), UsageBuffer()
        threads = context.settings.server.threads_max
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix="memory")
        self._background = background_thread("memory-background")
        self._guard = Worker(COMPARED_S_MAX)
        self.loops: list[Loop] = []

    async def start(self) -> None:
        """Open the data directory and load the embedding model."""
        settings, directory = self._context.settings, Path(self._context.settings.server.data_dir)
        self._embedder: Embedder = await load_embedder(settings.models)
        self._stores = await self._open_stores(settings.storage, directory)
        self._figures = StoreFigures()
        measures = settings.log.level == "debug"
        if measures:
            self._stores = MeasuredStores(self._stores, self._figures)
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
            meter=self._meter(settings.models.embedder),
        )
        self.loops = self._loops_of_indexes(snapshots, settings.index)
        catalogue, clock, sleep = self._stores.catalogue, self._context.clock, settings.sleep
        hours = Hours(round(sleep.every_s * 1_000_000), round(sleep.idle_every_s * 1_000_000))
        notes = DueNotes(catalogue, clock, hours)
        self._calls = Calls(
            self.namespaces,
            catalogue,
            clock,
            self._changed,
            notes.touched,
            self._before_call,
            hours.every_us,
        )
        self._make_erasers()
        self.loops.append(expiry_loop(self.namespaces, self._calls.expire))
        self._claimer = Claimer(self._calls, catalogue)
        self._counter = UsageFlusher(self._calls, self._uses)
        self.loops.append(usage_loop(self._counter))
        retainer = self._retainer()
        if retainer is not None:
            self.loops.append(retention_loop(retainer))
        self._sleeper = Sleeper(self._calls, self._sleep_rules(sleep), retainer)
        if sleep.enabled:
            self.loops.append(sleep_loop(SleepScheduler(catalogue, clock, self._sleeper, hours)))
        if measures:
            self.loops.append(store_calls_loop(self._figures, self._context.logger))
        if self._stores.capabilities.is_shared:
            self.loops.append(news_loop(self.namespaces, self._changed))

    def _loops_of_indexes(self, snapshots: Snapshots, settings: Index) -> list[Loop]:
        """The loops that follow the stores; commits wake the first, and it those behind it."""
        resting = rest_loop(self.namespaces, settings)
        embedding = embed_loop(self.namespaces, settings, resting.wake)
        self._indexing = index_loop(self.namespaces, settings, embedding.wake)
        self.namespaces.waited_for = self._indexing.wake
        return [
            self._indexing,
            embedding,
            resting,
            token_loop(self.namespaces, settings),
            train_loop(self.namespaces, self._background),
            retry_loop(self.namespaces),
            snapshot_loop(self.namespaces, snapshots, settings),
            purge_loop(snapshots),
        ]

    def _make_erasers(self) -> None:
        entries_max = self._context.settings.models.query_cache_entries_max
        self._queries = CachedQueries(self._embedder, entries_max)
        self._eraser = Eraser(self._calls, self._snapshots, self._queries)
        self._seeds = SeedEraser(self._calls, self._eraser)
        self._followers = SourceFollower(self._seeds)

    def register(self, server: aio.Server) -> None:
        """Add the servicers to a server."""
        calls = self._calls
        prepare = Preparer(PolicyRedactor(), self._context.tokens)
        queries, eraser = self._queries, self._eraser
        finder = CandidateFinder(self.namespaces, queries)
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
                Erasure(eraser, CanarySearch(self._snapshots, queries), self._followers),
            ),
            server,
        )
        topic_service_pb2_grpc.add_TopicServiceServicer_to_server(
            TopicServicer(calls, creator), server
        )
        procedure_service_pb2_grpc.add_ProcedureServiceServicer_to_server(
            ProcedureServicer(calls, creator), server
        )
        lesson_service_pb2_grpc.add_LessonServiceServicer_to_server(
            LessonServicer(calls, creator, prepare, self._uses, self._seeds), server
        )
        knowledge_service_pb2_grpc.add_KnowledgeServiceServicer_to_server(
            KnowledgeServicer(calls, creator), server
        )
        palace_service_pb2_grpc.add_PalaceServiceServicer_to_server(
            PalaceServicer(calls, prepare, self._rules().idle_us), server
        )
        document_service_pb2_grpc.add_DocumentServiceServicer_to_server(
            DocumentServicer(calls, prepare, finder), server
        )
        working_memory_service_pb2_grpc.add_WorkingMemoryServiceServicer_to_server(
            WorkingMemoryServicer(calls, prepare, Staging(finder, self._context.tokens)), server
        )

    async def _before_call(self, calls: Calls, opened: OpenNamespace) -> None:
        """Erase what no call may see any more: what has expired, copies whose source is gone."""
        await erase_expired(calls, opened)
        await self._followers.follow(calls, opened)

    def _rules(self) -> PipelineRules:
        settings = self._context.settings.ingestion
        return PipelineRules(
            settings.session_idle_s * 1_000_000,
            settings.lesson_score_min,
            settings.sft_score_min,
            self._retain_us,
        )

    def _retainer(self) -> Retainer | None:
        """The retainer, which deletes ledgers; None where they are kept forever."""
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
        """Microseconds for which a ledger is kept after its pipeline; 0: none is deleted."""
        return self._context.settings.retention.ledger_days * DAY_US

    def _meter(self, embedder: str) -> Meter | None:
        """The meter of an embedder that costs money; None for one that works here."""
        if embedder != "openai":
            return None
        return Meter(self._budget(), self._context.tokens, self._context.clock)

    def _budget(self) -> Budget:
        settings = self._context.settings.budgets
        return Budget(settings.model_calls_per_hour_max, settings.model_tokens_per_hour_max)

    def _operations(self) -> Operations:
        return Operations(
            self._snapshots,
            Importer(self.namespaces, self._stores, self._embedder, self._context.clock),
            Reembedder(self.namespaces, self._stores.catalogue, self._snapshots, self._embedder),
            self._sleeper,
            HandedOut(self._calls, self._stores.catalogue),
        )

    async def stop(self) -> None:
        """Finish what was accepted, count what was used, save indexes, close files."""
        await self._counter.step()
        await self.namespaces.close()
        await self._embedder.close()
        self._executor.shutdown()
        self._background.shutdown()
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
                with needs_extra("neo4j", 'storage.backend = "neo4j"'):
                    from anamnesis_memory.storage.neo4j.catalogue import Neo4jStores, address_of

                return await Neo4jStores.open_database(
                    address_of(storage), clock, storage.neo4j_catalogue, bounds, directory
                )

    def _count_max(self, storage: Storage) -> int:
        """Namespaces open at once: as many as are set, and as there are files for."""
        files_max = self._stores.capabilities.files_max
        possible = open_files.shares(files_max) if files_max else storage.namespaces_open_max
        if storage.namespaces_open_max <= possible:
            return storage.namespaces_open_max
        self._context.logger.warning(
            "memory.few_files", files=open_files.limit(), namespaces_open_max=possible
        )
        return possible

    def _open_snapshots(self, directory: Path) -> Snapshots:
        settings = self._context.settings.index
        make_index = functools.partial(
            MemoryIndex,
            exact_vectors_max=settings.exact_vectors_max,
            whole_max=settings.scored_whole_max,
        )
        return Snapshots(directory, make_index, self._context.clock, settings.damaged_kept_s)

    def _changed(self, opened: OpenNamespace) -> None:
        """Wake the index and tell those who watch, since something may have been committed."""
        followed(self._indexing, opened)
        self._bells.ring(opened.namespace.name)


def build(context: ServiceContext) -> MemoryModule:
    """The memory service, not started."""
    return MemoryModule(context)
