"""A data directory with what operators use of it, without a server around."""

from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Index, Query, ScoredHits, SearchScope
from anamnesis_libs.models.ports import Embedder
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.operations.exporting import export_namespace
from anamnesis_memory.operations.importing import Imported, Importer
from anamnesis_memory.operations.reembed import Reembedder
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.records import append, lesson

TEXTS = ("green apples fall", "blue plums rise", "why do red cherries wait?")
LESSONS = ("wash apples first", "wash plums first", "carry an umbrella", "close the door")


@dataclass(frozen=True, slots=True)
class Operated:
    """What a memory service holds, for one embedding model."""

    directory: Path
    namespaces: OpenNamespaces
    stores: Stores
    snapshots: Snapshots
    embedder: Embedder
    importer: Importer
    reembedder: Reembedder

    async def fill(self, name: str) -> None:
        """A session of three events, four lessons, two of them in a topic; indexed."""
        async with self.namespaces.writing(name) as opened:
            await opened.store.commit(append(*TEXTS))
            lessons = [lesson(text, tags=("Fruit",)) for text in LESSONS]
            vectors = [await self.embedder.embed([text]) for text in LESSONS]
            await opened.store.commit(CreateMemories(lessons, vectors))
            places = [Assignment(one.memory_id, "t-1", "washing") for one in lessons[:2]]
            await opened.store.commit(AssignTopicMembers(places, 0, 2))
            await self.settle(opened)

    async def settle(self, opened: OpenNamespace) -> None:
        """Let the index follow, and everything be embedded."""
        await self.settle_texts(opened)
        while await opened.follower.embed():
            pass
        while await opened.follower.retry_failed():
            pass

    async def settle_texts(self, opened: OpenNamespace) -> None:
        """Let the texts of the index follow."""
        while await opened.follower.step(100):
            pass

    async def exported(self, name: str) -> bytes:
        """A namespace as bytes."""
        async with self.namespaces.reading(name) as opened:
            return b"".join([chunk.content async for chunk in export_namespace(opened)])

    async def imported(self, name: str, content: bytes, step: int = 1000) -> Imported:
        """A namespace out of bytes, which come in small chunks."""

        async def chunks() -> AsyncIterator[bytes]:
            for start in range(0, len(content), step):
                yield content[start : start + step]

        return await self.importer.run(name, chunks())

    async def found(self, name: str, text: str, *, dense: bool = True) -> ScoredHits:
        """What a search answers."""
        vector = (await self.embedder.embed([text]))[0] if dense else None
        async with self.namespaces.reading(name) as opened:
            await self.settle(opened)
            return await opened.index.find(Query(text, vector, SearchScope()))


@asynccontextmanager
async def operated(
    directory: Path,
    embedder: Embedder,
    make_index: Callable[[int], Index] = MemoryIndex,
    clock: SetClock | None = None,
    open_stores: Callable[[], Awaitable[Stores]] | None = None,
) -> AsyncIterator[Operated]:
    """A data directory opened with an embedding model, closed in good order at the end.

    Records are in it too, unless `open_stores` opens stores elsewhere.
    """
    with ThreadPoolExecutor(4) as executor:
        clock = clock or SetClock()
        stores: Stores
        if open_stores is None:
            stores = await SqliteStores.open_directory(directory, executor, clock)
        else:
            stores = await open_stores()
        snapshots = Snapshots(directory / "index", make_index, clock)
        namespaces = OpenNamespaces(
            stores,
            snapshots,
            embedder,
            executor,
            clock,
            count_max=100,
            memory_bytes_max=1 << 30,
        )
        yield Operated(
            directory,
            namespaces,
            stores,
            snapshots,
            embedder,
            Importer(namespaces, stores, embedder, clock),
            Reembedder(namespaces, stores.catalogue, snapshots, embedder),
        )
        await namespaces.close()
