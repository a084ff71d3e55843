"""Bringing what was open before back: a store's index to where its last snapshot was."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass

from anamnesis_libs.models.ports import Embedder
from anamnesis_libs.run.worker import Worker
from anamnesis_libs.settings import Dedup
from anamnesis_memory.dedup.thresholds import thresholds_of
from anamnesis_memory.memories.retelling import retell
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.upkeep import Upkeep
from anamnesis_memory.runtime.indexing.follow import Follower
from anamnesis_memory.runtime.indexing.index_access import IndexAccess
from anamnesis_memory.runtime.indexing.lesson_checks import LessonChecks
from anamnesis_memory.runtime.indexing.metered import Meter
from anamnesis_memory.runtime.indexing.snapshots import Snapshots

EVERY = (1 << 63) - 1
"""A limit that no list reaches."""


@dataclass(frozen=True, slots=True)
class Restored:
    """A namespace's index with what follows and asks it; `watermark` is that of its snapshot."""

    namespace: Namespace
    index: IndexAccess
    follower: Follower
    lessons: LessonChecks
    watermark: int


@dataclass(frozen=True, slots=True)
class Restorer:
    """Makes indexes of open stores."""

    stores: Stores
    snapshots: Snapshots
    embedder: Embedder
    executor: Executor
    dedup: Dedup
    guard: Worker | None
    meter: Meter | None
    hurry: Callable[[], None]

    async def restored(self, namespace: Namespace, store: NamespaceStore) -> Restored:
        """The index of a store that was just opened, after what an upgrade left to tell."""
        await retell(store, namespace.name)
        namespace = await self._bound(namespace, store)
        index, watermark = await asyncio.to_thread(
            self.snapshots.restore, namespace, store.revision
        )
        access = IndexAccess(index, self.executor)
        await access.put_vectors(await store.embeddings(access.without_vectors()))
        embeds = namespace.embedding_model == self.embedder.model
        thresholds = thresholds_of(self.embedder.model, self.dedup)
        lessons = LessonChecks(store, access, thresholds, self.guard)
        embedder = self.embedder if self.meter is None else self.meter.of(self.embedder, store)
        follower = Follower(
            *(store, access, embedder, watermark),
            embeds=embeds,
            pending=await store.pending_embeddings(EVERY) if embeds else (),
            lessons=lessons,
            hurry=self.hurry,
        )
        return Restored(namespace, access, follower, lessons, watermark)

    async def _bound(self, namespace: Namespace, store: Upkeep) -> Namespace:
        """The namespace with the model that its store names; the catalogue is told after it."""
        binding = await store.binding()
        if binding is None:
            return namespace
        bound = namespace.bound_to(binding.model, binding.dimension)
        if bound != namespace:
            await self.stores.catalogue.replace(bound, namespace.incarnation)
        return bound
