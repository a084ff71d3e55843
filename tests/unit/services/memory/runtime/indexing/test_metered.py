"""An embedder that costs money is counted by namespace, and stops where the budget does."""

from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Query, SearchScope
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.model.usage import Budget
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.metered import Meter
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.records import append

TEXTS = ("the kiln cracks", "tea at four")


@asynccontextmanager
async def filled(
    directory: Path, embedder: SwitchedEmbedder, budget: Budget
) -> AsyncIterator[tuple[OpenNamespaces, OpenNamespace]]:
    """A namespace with two events, embedded as far as its budget goes."""
    with ThreadPoolExecutor(4) as executor:
        clock = SetClock()
        namespaces = OpenNamespaces(
            await SqliteStores.open_directory(directory, executor, clock),
            Snapshots(directory / "index", MemoryIndex, clock),
            embedder,
            executor,
            clock,
            count_max=9,
            memory_bytes_max=1 << 30,
            meter=Meter(budget, load_counter("o200k_base"), clock),
        )
        async with namespaces.writing("n") as opened:
            await opened.store.commit(append(*TEXTS))
            while await opened.follower.step(100):
                pass
            while await opened.follower.embed():
                pass
            yield namespaces, opened
        await namespaces.close()


async def spent(opened: OpenNamespace) -> list[tuple[str, int, int]]:
    return [(one.purpose, one.calls, one.input_tokens) for one in await opened.store.usage(0)]


async def test_vectors_of_texts_and_of_questions_are_counted(tmp_path: Path) -> None:
    async with filled(tmp_path, SwitchedEmbedder(), Budget(9, 999)) as (namespaces, opened):
        ((purpose, calls, tokens),) = await spent(opened)
        assert (purpose, calls) == ("embed", 1)
        assert tokens >= len(" ".join(TEXTS).split())
        finder = CandidateFinder(namespaces, CachedQueries(SwitchedEmbedder(), 9))
        for _ in range(2):
            await finder.find(opened, Query("kiln", None, SearchScope()), 0, 9.0)
        assert [calls for _, calls, _ in await spent(opened)] == [2], "the second time it is kept"


async def test_who_has_spent_the_budget_gets_no_vectors_and_searches_by_words(
    tmp_path: Path,
) -> None:
    embedder = SwitchedEmbedder()
    async with filled(tmp_path, embedder, Budget(9, 0)) as (namespaces, opened):
        assert (embedder.embedded, await spent(opened)) == ([], [])
        assert opened.follower.failed == len(TEXTS)
        finder = CandidateFinder(namespaces, CachedQueries(embedder, 9))
        found = await finder.find(opened, Query("kiln", None, SearchScope()), 0, 9.0)
        assert [hit.text > 0 for hit in found.found.hits] == [True, False]
        assert "spent" in found.degraded[0]
