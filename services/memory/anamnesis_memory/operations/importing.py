"""A namespace made of an export: seen when all of it is stored and checked, or never.

The records go into a store that the catalogue does not name. When the last line has
been compared with the first, one change of the catalogue makes it the namespace.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.models.ports import Embedder
from anamnesis_memory.domain.facts.review import ReviewReason
from anamnesis_memory.memories.policy import POLICY_KEY, shared_as_before
from anamnesis_memory.memories.retelling import retelling_due
from anamnesis_memory.model.documents import Document
from anamnesis_memory.model.edges import Edge, derived_from
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace, Topic
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.operations.import_reading import Reader, export_damaged
from anamnesis_memory.operations.imported_work import DueTimes, ImportedWork
from anamnesis_memory.operations.portable import (
    VERSION_WITHOUT_KNOWLEDGE,
    VERSION_WITHOUT_OWNERS,
    ExportTally,
    Manifest,
)
from anamnesis_memory.operations.verify_records import fault_of_vectors, is_mean
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.ports.upkeep import Cursors, KeptMemory, Record, RecordType, TopicPlace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces

BATCH_RECORDS = 500
BATCH_BYTES = 8 << 20
"""A batch is put when so much of the export has been read for it, however few records it has."""


@dataclass(frozen=True, slots=True)
class Imported:
    """The namespace that was made; `replaced_model` is empty where vectors were kept."""

    namespace: Namespace
    revision: int
    counts: Mapping[RecordType, int]
    pending: int
    replaced_model: str


@dataclass(frozen=True, slots=True)
class Importer:
    """The verb behind `ImportNamespace`."""

    namespaces: OpenNamespaces
    stores: Stores
    embedder: Embedder
    clock: Clock

    async def run(self, name: str, chunks: AsyncIterator[bytes]) -> Imported:
        """Make a namespace.

        Raises:
            NamespaceExists: the namespace is there and not empty.
            InvalidArgument: the bytes are not a whole export of this format.
            StoreUnavailable: the store failed.
        """
        await self.namespaces.check_free(name)
        now_us = micros(self.clock.now())
        staged = Namespace(
            name, new_incarnation(now_us), now_us, self.embedder.model, self.embedder.dimension
        )
        adopted = False
        try:
            imported, due = await self._stage(staged, chunks)
            await self._note(name, due)
            await self.namespaces.adopt(imported.namespace)
            adopted = True
        finally:
            if not adopted:
                await self.stores.discard(staged)
        await self._note(name, due)
        return imported

    async def _stage(
        self, staged: Namespace, chunks: AsyncIterator[bytes]
    ) -> tuple[Imported, DueTimes]:
        """Store everything where nobody sees it, and compare; answers what is due in it too."""
        store = await self.stores.open(staged)
        try:
            filling = _Filling(store, staged, micros(self.clock.now()))
            await filling.run(chunks)
            imported = await filling.checked()
            return imported, filling.work.due_us
        finally:
            await store.close()

    async def _note(self, name: str, due: DueTimes) -> None:
        """Tell the catalogue what is due: before it names the namespace, and after, as always."""
        for kind, at_us in due.items():
            await self.stores.catalogue.set_due(name, kind, at_us)


class _Filling:
    """One export on its way into one store."""

    def __init__(self, store: NamespaceStore, staged: Namespace, now_us: int) -> None:
        self.work = ImportedWork(now_us)
        self._store = store
        self._staged = staged
        self._now_us = now_us
        self._has_policy = False
        self._reader = Reader()
        self._tally = ExportTally()
        self._waiting: list[Record] = []
        self._waiting_bytes = 0

    @property
    def _manifest(self) -> Manifest:
        return self._reader.manifest

    @property
    def _replaced_model(self) -> str:
        model = self._manifest.embedding_model
        return model if model != self._staged.embedding_model else ""

    async def run(self, chunks: AsyncIterator[bytes]) -> None:
        async for chunk in chunks:
            records = await asyncio.to_thread(self._reader.feed, chunk)
            self._waiting += await asyncio.to_thread(self._fitting, records)
            self._waiting_bytes += len(chunk)
            if len(self._waiting) >= BATCH_RECORDS or self._waiting_bytes >= BATCH_BYTES:
                await self._put()
        self._reader.close()
        await self._put()
        await self._put_missing()

    async def checked(self) -> Imported:
        """Compare what the store counts with what was put there."""
        async with self._store.export() as held:
            counts, revision = held.counts, held.revision
        for kind in _made_here(self._manifest.version):
            self._tally.counts[kind] = counts[kind]
        if counts != self._tally.counts or revision != self._manifest.revision:
            raise export_damaged(
                "a record is there twice, or its owner is missing", self._reader.line
            )
        return Imported(
            namespace=replace(self._staged, create_time_us=self._manifest.create_time_us),
            revision=revision,
            counts=counts,
            pending=counts[RecordType.MEMORIES] - counts[RecordType.EMBEDDINGS],
            replaced_model=self._replaced_model,
        )

    async def _put(self) -> None:
        batch, self._waiting, self._waiting_bytes = self._waiting, [], 0
        self._tally.add(batch)
        self.work.note(batch)
        self._has_policy |= any(
            isinstance(one, Document) and one.key == POLICY_KEY for one in batch
        )
        await self._store.import_batch(batch)
        if derived := [*_derived(batch, _made_here(self._manifest.version))]:
            await self._store.import_batch(derived)

    async def _put_missing(self) -> None:
        """Put what the export has not, or has otherwise."""
        missing = [*self.work.missing(self._manifest.version, self._replaced_model)]
        self._tally.add([item for item in missing if not self.work.has(item)])
        self.work.note(missing)
        await self._store.import_batch(missing)
        if self._manifest.version <= VERSION_WITHOUT_OWNERS and not self._has_policy:
            kept = shared_as_before(self._now_us)
            self._tally.add([kept])
            await self._store.import_batch([kept])
        if self._manifest.version <= VERSION_WITHOUT_KNOWLEDGE:
            due = retelling_due()
            self._tally.add([due])
            await self._store.import_batch([due])

    def _fitting(self, records: Sequence[Record]) -> list[Record]:
        """The records as this server's model lets them be: what it would derive otherwise goes."""
        if not records:
            return []
        if self._replaced_model:
            return [fit for record in records for fit in _without_vectors(record)]
        dimension, line = self._staged.embedding_dimension, self._reader.line
        return [_with_fitting_vectors(record, dimension, line) for record in records]


def _made_here(version: int) -> tuple[RecordType, ...]:
    """The types of records that an export of a version lacks, and that its memories imply."""
    if version >= VERSION_WITHOUT_OWNERS:
        return ()
    if version == VERSION_WITHOUT_KNOWLEDGE:
        return (RecordType.REASONS,)
    return (RecordType.EDGES, RecordType.REASONS)


def _derived(
    batch: Sequence[Record], kinds: Collection[RecordType]
) -> Iterator[Edge | ReviewReason]:
    """Edges to the sources of memories, and reasons for the reviews that they say they need.

    Sources were stored before what was derived from them; the store skips those that are gone.
    """
    for record in batch:
        if not isinstance(record, KeptMemory):
            continue
        memory = record.memory
        if RecordType.EDGES in kinds:
            yield from derived_from(memory, memory.create_time_us)
        if RecordType.REASONS in kinds and memory.needs_review:
            yield ReviewReason.own(memory.memory_id)


def _without_vectors(record: Record) -> Sequence[Record]:
    """The record without vectors; topics go along with them, and all is to be assigned again."""
    match record:
        case KeptMemory() | Copy():
            return (replace(record, vectors=None),)
        case Topic() | TopicPlace():
            return ()
        case Cursors():
            return (replace(record, assigned_revision=0),)
        case _:
            return (record,)


def _with_fitting_vectors(record: Record, dimension: int, line: int) -> Record:
    """Vectors of a text that is cut otherwise today, or that are none of a model, are made anew.

    Raises:
        InvalidArgument: a topic's centroid is no mean of this model's vectors.
    """
    match record:
        case Topic(centroid=centroid) if not is_mean(centroid, dimension):
            raise export_damaged(f"a topic's centroid is no mean of {dimension} numbers", line)
        case KeptMemory(memory, vectors) | Copy(memory=memory, vectors=vectors):
            if vectors is None or not fault_of_vectors(memory, vectors, dimension):
                return record
            return replace(record, vectors=None)
        case _:
            return record
