"""One life of a memory service: put together as wiring does, over parts that may fail."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from anamnesis_libs.logs import logger
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.settings import Index
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.api.ledger.service import LedgerServicer
from anamnesis_memory.api.ledger.work import PipelineRules
from anamnesis_memory.api.memory.service import MemoryServicer
from anamnesis_memory.api.memory.watch import Watcher
from anamnesis_memory.api.topic import TopicServicer
from anamnesis_memory.erasure.service import Eraser
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.ports.catalogue import Catalogue
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.bells import Bells
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.claiming import Claimer
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.checked import LessonGate
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.loops import (
    embed_loop,
    followed,
    index_loop,
    rest_loop,
    retry_loop,
    snapshot_loop,
)
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.sim.disk import Disk
from tests.sim.faults import Faults, FaultyEmbedder, FaultySnapshots, FaultyStores
from tests.sim.simtime import LoopExecutor
from tests.support.clock import SetClock

SETTLE_S = 600.0
IDLE_US = 60_000_000
_REDACTOR = PolicyRedactor()
_TOKENS = load_counter("o200k_base")
CHECK_TIMEOUT_S = 5.0
_LOG = logger("sim")


@dataclass(frozen=True, slots=True)
class Sizes:
    """Small limits, so that a short life meets them."""

    namespaces_open_max: int
    sync_batch_max: int
    snapshot_changes_min: int


@dataclass(slots=True)
class World:
    """What outlives a life: the disk, the clock, chance, and how often things fail."""

    disk: Disk
    faults: Faults
    sizes: Sizes
    executor: LoopExecutor
    generator: random.Random
    clock: SetClock = field(default_factory=SetClock)


class Life:
    """A running memory service."""

    def __init__(self, world: World, stores: FaultyStores) -> None:
        self._world = world
        self._stores = stores
        self.embedder = FaultyEmbedder(world.faults)
        self.snapshots = FaultySnapshots(
            world.disk.directory / "index", world.disk, world.faults, world.clock
        )
        self.namespaces = OpenNamespaces(
            stores,
            self.snapshots,
            self.embedder,
            world.executor,
            world.clock,
            count_max=world.sizes.namespaces_open_max,
            memory_bytes_max=1 << 30,
        )
        self._stopping = asyncio.Event()
        self._serve()

    @property
    def catalogue(self) -> Catalogue:
        """All namespaces."""
        return self._stores.catalogue

    def _serve(self) -> None:
        bells = Bells()

        def changed(opened: OpenNamespace) -> None:
            followed(self.loops[0], opened)
            bells.ring(opened.namespace.name)

        calls = Calls(self.namespaces, self._stores.catalogue, self._world.clock, changed)
        prepare = Preparer(_REDACTOR, _TOKENS)
        queries = CachedQueries(self.embedder, 16)
        finder = CandidateFinder(self.namespaces, queries)
        eraser = Eraser(calls, self.snapshots, queries)
        watcher = Watcher(calls, bells, self._stopping)
        gate = LessonGate(self.embedder, CHECK_TIMEOUT_S)
        creator = Creator(calls, prepare, gate)
        self.memory = MemoryServicer(
            calls, prepare, UsageBuffer(), creator, finder, self.embedder, watcher
        )
        claimer = Claimer(calls, self._stores.catalogue)
        rules = PipelineRules(IDLE_US, 0.7, 0.8)
        self.ledger = LedgerServicer(calls, prepare, claimer, rules, gate, eraser)
        self.topics = TopicServicer(calls, creator)
        sizes = self._world.sizes
        settings = Index(
            sync_batch_max=sizes.sync_batch_max,
            snapshot_changes_min=sizes.snapshot_changes_min,
            snapshot_every_s=1.0,
        )
        resting = rest_loop(self.namespaces, settings)
        embedding = embed_loop(self.namespaces, settings, resting.wake)
        indexing = index_loop(self.namespaces, settings, embedding.wake)
        self.namespaces.waited_for = indexing.wake
        self.loops: list[Loop] = [
            indexing,
            embedding,
            resting,
            retry_loop(self.namespaces),
            snapshot_loop(self.namespaces, self.snapshots, settings),
        ]

    def start(self) -> None:
        """Begin to index, embed and save."""
        for loop in self.loops:
            loop.start(_LOG, _no_report)

    async def settle(self, names: list[str]) -> None:
        """Open every namespace and wait until its index has everything.

        Raises:
            TimeoutError: it never does.
        """
        for name in names:
            async with asyncio.timeout(SETTLE_S), self.namespaces.reading(name) as opened:
                follower = opened.follower
                while follower.behind or follower.must_embed or follower.failed:  # noqa: ASYNC110 - time is free
                    await asyncio.sleep(0.1)

    async def end(self) -> None:
        """Stop as a service is stopped: loops first, then save and close."""
        self._stopping.set()
        for loop in self.loops:
            await loop.stop(60.0)
        await self.namespaces.close()


@asynccontextmanager
async def living(world: World) -> AsyncIterator[Life]:
    """A life on the disk as it is; closed in good order, whatever became of the disk."""
    stores = await SqliteStores.open_directory(world.disk.directory, world.executor, world.clock)
    life = Life(world, FaultyStores(stores, world.faults))
    life.start()
    try:
        yield life
    finally:
        await life.end()


async def _no_report() -> None:
    """Nobody asks for the health of a simulation."""
