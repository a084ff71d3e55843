"""Namespaces that are open: their stores, their indexes, and which of them to close.

Opening is on demand. What is open is bounded by number and by the memory that
indexes take; the least recently used that nobody holds is closed first, its index
saved. Cost follows the namespaces in use, not all that exist.
"""

import asyncio
import weakref
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.errors import (
    EmbeddingModelMismatch,
    FailedPrecondition,
    NamespaceExists,
    StoreUnavailable,
)
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.logs import logger
from anamnesis_libs.models.ports import Embedder
from anamnesis_libs.run.worker import Worker
from anamnesis_libs.settings import Dedup
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.runtime.indexing.metered import Meter
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_set import OpenSet
from anamnesis_memory.runtime.indexing.restoring import Restorer
from anamnesis_memory.runtime.indexing.snapshots import Snapshots

_LOG = logger("memory.open_namespaces")
_AS_BEFORE = "everybody sees what it holds; `anamnesis policy` with --private or --visibility"


class OpenNamespaces:
    """Opens, keeps and closes namespaces."""

    def __init__(
        self,
        stores: Stores,
        snapshots: Snapshots,
        embedder: Embedder,
        executor: Executor,
        clock: Clock,
        *,
        count_max: int,
        memory_bytes_max: int,
        dedup: Dedup | None = None,
        guard: Worker | None = None,
        meter: Meter | None = None,
    ) -> None:
        """`dedup` says how near lessons are one, else as measured; `guard` compares long ones.

        `meter` counts what an embedder costs that costs money.
        """
        self._stores = stores
        self._snapshots = snapshots
        self._embedder = embedder
        self._restorer = Restorer(
            *(stores, snapshots, embedder, executor, dedup or Dedup(), guard, meter),
            hurry=self._hurry,
        )
        self._clock = clock
        self._open: OpenSet[OpenNamespace] = OpenSet(count_max, memory_bytes_max)
        self._closing: set[asyncio.Task[None]] = set()
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self.waited_for: Callable[[], None] = lambda: None
        """Called when somebody waits for texts that an index has not taken over."""
        self.asked = 0
        """Number of times a namespace was asked for: background work gives way while this grows."""

    @property
    def all(self) -> Sequence[OpenNamespace]:
        """The namespaces that are open now, least recently used first."""
        return self._open.all

    @property
    def memory_bytes(self) -> int:
        """Memory that is taken by what is open, estimated."""
        return self._open.memory_bytes

    @asynccontextmanager
    async def reading(self, name: str) -> AsyncIterator[OpenNamespace]:
        """Hold a namespace open.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        opened = await self._get(name, create=False)
        try:
            yield opened
        finally:
            await self._let_go(opened)

    @asynccontextmanager
    async def writing(self, name: str) -> AsyncIterator[OpenNamespace]:
        """Hold a namespace open for a write; its first write makes it.

        Raises:
            EmbeddingModelMismatch: the namespace is bound to another embedding model.
        """
        opened = await self._get(name, create=True)
        try:
            if not opened.reembedding:
                self.check_model(opened.namespace)
            yield opened
        finally:
            await self._let_go(opened)

    @asynccontextmanager
    async def held(self, opened: OpenNamespace) -> AsyncIterator[bool]:
        """Keep an open namespace from being closed, for background work; False if it is closed."""
        if not self._open.has(opened):
            yield False
            return
        opened.holders += 1
        try:
            yield True
        finally:
            await self._let_go(opened)

    async def create(self, name: str) -> Namespace:
        """Make a namespace.

        Raises:
            NamespaceExists: there is one already.
        """
        if await self._stores.catalogue.get(name):
            raise NamespaceExists(name)
        return await self._create(name)

    async def check_free(self, name: str) -> None:
        """Refuse an import into a namespace that is there and not empty.

        Raises:
            NamespaceExists: the namespace is there and not empty.
        """
        if await self._stores.catalogue.get(name) is None:
            return
        async with self.reading(name) as opened:
            if opened.store.revision:
                raise NamespaceExists(name)

    async def adopt(self, namespace: Namespace) -> None:
        """Make a namespace of a store that is filled and closed, all at once.

        Raises:
            NamespaceExists: there is a namespace that is not empty, or in use.
        """
        name = namespace.name
        async with self._lock_of(name):
            there = await self._stores.catalogue.get(name)
            if there is not None:
                await self._vacate(there)
            incarnation = there.incarnation if there else ""
            if not await self._stores.catalogue.replace(namespace, incarnation):
                raise NamespaceExists(name)
            if there is not None:
                await self._stores.discard(there)

    async def remove(self, name: str, incarnation: str) -> int:
        """Take away a namespace with all its files; how many were the index's.

        Who has it open is waited for; nobody opens it meanwhile.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
            FailedPrecondition: the namespace has another incarnation.
        """
        async with self._lock_of(name):
            there = await self._stores.catalogue.get(name)
            if there is None:
                raise NamespaceNotFound(name)
            if there.incarnation != incarnation:
                raise _of_another_incarnation(name)
            await self._shut(name)
            await self._stores.catalogue.remove(there)
            await self._stores.discard(there)
            return await asyncio.to_thread(self._snapshots.erase, there)

    async def make_room(self) -> bool:
        """Let go of what is set aside for deletions on a full disk; whether there was any."""
        return await self._stores.make_room()

    def check_model(self, namespace: Namespace) -> None:
        """Refuse to mix vectors of two models.

        Raises:
            EmbeddingModelMismatch: the namespace is bound to another one.
        """
        if namespace.embedding_model != self._embedder.model:
            raise EmbeddingModelMismatch(namespace.embedding_model, self._embedder.model)

    async def close(self) -> None:
        """Save and close everything."""
        await asyncio.gather(*self._closing, return_exceptions=True)
        for opened in self.all:
            await self._close(opened)
        await self._stores.close()

    def _hurry(self) -> None:
        self.waited_for()

    def _lock_of(self, name: str) -> asyncio.Lock:
        """One lock a name, for as long as somebody has it."""
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock

    async def _get(self, name: str, *, create: bool) -> OpenNamespace:
        self.asked += 1
        async with self._lock_of(name):
            opened = self._open.get(name)
            if opened is None:
                opened = await self._open_one(name, create=create)
                self._open.add(opened)
            opened.holders += 1
        self._open.use(name)
        return opened

    async def _open_one(self, name: str, *, create: bool) -> OpenNamespace:
        namespace = await self._stores.catalogue.get(name)
        if namespace is None:
            if not create:
                raise NamespaceNotFound(name)
            namespace = await self._create(name)
        store = await self._stores.open(namespace)
        try:
            return await self._restore(namespace, store)
        except BaseException:
            await store.close()
            raise

    async def _restore(self, namespace: Namespace, store: NamespaceStore) -> OpenNamespace:
        """An open store with its index and its policy."""
        restored = await self._restorer.restored(namespace, store)
        opened = OpenNamespace(
            restored.namespace,
            store,
            restored.index,
            restored.follower,
            restored.lessons,
            store.revision,
            restored.watermark,
        )
        await opened.learn_policy()
        await opened.learn_seeds()
        if opened.policy.undecided:
            _LOG.warning("namespace.shared_as_before", namespace=namespace.name, why=_AS_BEFORE)
        return opened

    async def _vacate(self, there: Namespace) -> None:
        """Close a namespace that is empty and that nobody holds.

        Raises:
            NamespaceExists: it is not.
        """
        opened = self._open.get(there.name)
        if opened is not None and (opened.holders or opened.store.revision):
            raise NamespaceExists(there.name)
        if opened is not None:
            self._open.drop(opened)
        store = opened.store if opened is not None else await self._stores.open(there)
        revision = store.revision
        await store.close()
        if revision:
            raise NamespaceExists(there.name)

    async def _shut(self, name: str) -> None:
        """Close a namespace when nobody holds it any more, and save nothing."""
        opened = self._open.get(name)
        if opened is None:
            return
        while opened.holders:
            opened.released.clear()
            await opened.released.wait()
        self._open.drop(opened)
        async with opened.saving:
            await opened.store.close()

    async def _create(self, name: str) -> Namespace:
        now_us = micros(self._clock.now())
        model, dimension = self._embedder.model, self._embedder.dimension
        made = Namespace(name, new_incarnation(now_us), now_us, model, dimension)
        return await self._stores.catalogue.create(made)

    async def _let_go(self, opened: OpenNamespace) -> None:
        """Release a namespace and close surplus ones; a cancelled caller stops no closing."""
        opened.holders -= 1
        opened.released.set()
        self._open.count(opened)
        while victim := self._open.victim():
            closing = asyncio.create_task(self._close(victim), name="close-namespace")
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)
            await asyncio.shield(closing)

    async def _close(self, opened: OpenNamespace) -> None:
        async with self._lock_of(opened.name):
            if opened.holders or not self._open.has(opened):
                return
            self._open.drop(opened)
            try:
                await _store_vectors(opened)
                await opened.save(self._snapshots)
            except OSError as error:
                _LOG.error("snapshot.not_saved", errno=error.errno)
            finally:
                await opened.store.close()


async def _store_vectors(opened: OpenNamespace) -> None:
    """Store what vectors wait for it; what is not stored is made again by who opens it next."""
    try:
        await opened.follower.store_vectors()
    except StoreUnavailable as error:
        _LOG.warning("vectors.not_stored", namespace=opened.name, error=type(error).__name__)


def _of_another_incarnation(name: str) -> FailedPrecondition:
    message = f"namespace {name!r} is another by now; GetNamespace says its incarnation"
    return FailedPrecondition(message, reason="CONFLICT", metadata={"resource": "namespace"})
