"""A namespace too large to be scored whole: trained by a loop, found in, and a loss is told."""

import functools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Query, RowNumbers, Vector
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.loops import train_loop
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import operated

TEXT = "green apples"


class Misled(MemoryIndex):
    """An index that finds none of what it takes for the nearest."""

    def nearest_rows(self, number: int) -> tuple[Vector, RowNumbers]:
        asked, nearest = super().nearest_rows(number)
        return asked, nearest + self.vector_count


async def test_a_loop_trains_what_finds_candidates(tmp_path: Path) -> None:
    make_index = functools.partial(MemoryIndex, whole_max=2)
    async with operated(tmp_path, SwitchedEmbedder(), make_index) as space:
        await space.fill("team")
        exact = await space.found("team", TEXT)
        async with space.namespaces.reading("team") as opened:
            untrained = [opened.index.untrained]
            with ThreadPoolExecutor(1) as background:
                await train_loop(space.namespaces, background).step()
            untrained.append(opened.index.untrained)
        assert untrained == [True, False]
        found = await space.found("team", TEXT)
    assert [hit.memory_id for hit in found.hits] == [hit.memory_id for hit in exact.hits]


async def test_a_loss_is_told_with_the_answer(tmp_path: Path) -> None:
    make_index, embedder = functools.partial(Misled, whole_max=2), SwitchedEmbedder()
    async with operated(tmp_path, embedder, make_index) as space:
        await space.fill("team")
        finder = CandidateFinder(space.namespaces, CachedQueries(embedder, 9))
        async with space.namespaces.reading("team") as opened:
            assert not (await finder.find(opened, Query(TEXT, None), 0, 9.0)).degraded
            with ThreadPoolExecutor(1) as background:
                await opened.index.train(background)
            (told,) = (await finder.find(opened, Query(TEXT, None), 0, 9.0)).degraded
    assert "about 0% is found" in told
