"""Changing a namespace's embedding model under those who read and write it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from anamnesis_libs.errors import Conflict, EmbeddingModelMismatch, ModelUnavailable
from anamnesis_libs.index.port import Query
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.models.ports import Matrix
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.model.edges import EdgeType
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.operations.verify import Verification
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder, Candidates
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import TEXTS, Operated, operated
from tests.support.records import append, lesson

pytestmark = pytest.mark.slow


class Wide(SwitchedEmbedder):
    """Another model, of another dimension; fails after so many texts."""

    dimension = 48

    def __init__(self, model: str = "wide-48", texts_max: int = 1 << 30) -> None:
        super().__init__(model)
        self.texts_max = texts_max

    async def embed(self, texts: Sequence[str]) -> Matrix:
        if len(self.embedded) + len(texts) > self.texts_max:
            raise ModelUnavailable("tired")
        return await super().embed(texts)


async def searched(space: Operated, opened: OpenNamespace, text: str) -> Candidates:
    """What a caller's search answers."""
    finder = CandidateFinder(space.namespaces, CachedQueries(space.embedder, 0))
    return await finder.find(opened, Query(text, None, limit=10), 0, 5.0)


async def stage_of(space: Operated, opened: OpenNamespace) -> list[Progress]:
    return [progress async for progress in space.reembedder.run(opened)]


@pytest.mark.parametrize("other", [Wide(), SwitchedEmbedder("same-size")], ids=["wide", "as-wide"])
async def test_a_namespace_changes_its_model_all_at_once(
    tmp_path: Path, other: SwitchedEmbedder
) -> None:
    async with operated(tmp_path, SwitchedEmbedder()) as space:
        await space.fill("team")
    async with operated(tmp_path, other) as space:
        with pytest.raises(EmbeddingModelMismatch):
            async with space.namespaces.writing("team"):
                pass
        async with space.namespaces.reading("team") as opened:
            before = await searched(space, opened, "blue plums")
            assert "another model" in before.degraded[0]
            assert before.model == ""
            steps = await stage_of(space, opened)
            assert [(step.stage, step.done, step.total) for step in steps[:2]] == [
                ("embed", 7, 7),
                ("switch", 0, 1),
            ]
            after = await searched(space, opened, "blue plums")
            assert (after.degraded, after.model) == ((), other.model)
            assert after.found.hits[0].cosine == pytest.approx(1.0 / np.sqrt(1.5), abs=0.3)
            assert opened.namespace.embedding_model == other.model
            (topic,) = (await opened.store.topics("", None, "", 10)).items
            assert topic.centroid.shape == (other.dimension,)
            run = Verification(opened, space.snapshots, repair=False).run()
            told = [one async for one in run]
            assert told[-1].findings == 0  # type: ignore[union-attr]
            assert await stage_of(space, opened) == []
        async with space.namespaces.writing("team") as opened:
            await opened.store.commit(append("more", session_id="s-2"))
    async with operated(tmp_path, other) as space, space.namespaces.reading("team") as opened:
        assert opened.namespace.embedding_dimension == other.dimension
        await space.settle(opened)
        assert opened.index.vector_count == 8
        assert (await searched(space, opened, "blue plums")).degraded == ()


async def test_reads_and_writes_go_on_and_nothing_is_mixed(tmp_path: Path) -> None:
    async with operated(tmp_path, SwitchedEmbedder()) as space:
        await space.fill("team")
    async with operated(tmp_path, Wide()) as space, space.namespaces.reading("team") as opened:
        async for _ in space.reembedder.run(opened):
            if len(await opened.index.ids()) < 9:
                async with space.namespaces.writing("team") as writing:
                    await writing.store.commit(append("fresh melons", session_id="s-7"))
                    await writing.store.commit(append("sour limes", session_id="s-8"))
                await space.settle(opened)
                found = await searched(space, opened, "fresh melons")
                assert found.found.hits[0].matched_terms
                assert {hit.dense for hit in found.found.hits} == {0.0}
                assert opened.index.vector_count == 7
            with pytest.raises(Conflict):
                await stage_of(space, opened)
        await space.settle(opened)
        assert opened.index.vector_count == 9
        best = (await searched(space, opened, "fresh melons")).found.hits[0]
        assert best.cosine == pytest.approx(1.0, abs=0.5)
        assert not await opened.store.pending_embeddings(10)


async def test_a_caller_that_goes_away_leaves_no_switch_half_way(tmp_path: Path) -> None:
    async with operated(tmp_path, SwitchedEmbedder()) as space:
        await space.fill("team")
    async with operated(tmp_path, Wide()) as space, space.namespaces.reading("team") as opened:
        run = space.reembedder.run(opened)
        while (await anext(run)).stage != "switch":
            pass
        switching = asyncio.ensure_future(anext(run, None))
        await asyncio.sleep(0)
        switching.cancel()
        await asyncio.wait([switching])
        assert opened.namespace.embedding_model == "wide-48"
        assert opened.index.vector_count == 7
        assert not opened.reembedding


async def test_it_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    async with (
        operated(tmp_path, SwitchedEmbedder()) as space,
        space.namespaces.writing("team") as opened,
    ):
        for start in range(0, 150, 50):
            texts = (f"{TEXTS[number % 3]} {number}" for number in range(50))
            await opened.store.commit(append(*texts, start=start))
        await space.settle(opened)
    tired = Wide(texts_max=130)
    async with operated(tmp_path, tired) as space, space.namespaces.reading("team") as opened:
        with pytest.raises(ModelUnavailable):
            await stage_of(space, opened)
        assert opened.namespace.embedding_model == "words-32"
        assert opened.index.vector_count == 150
    fresh = Wide()
    async with operated(tmp_path, fresh) as space, space.namespaces.reading("team") as opened:
        steps = await stage_of(space, opened)
        assert (steps[0].done, steps[0].total) == (150, 150)
        assert len(fresh.embedded) == 150 - 128
        assert opened.index.vector_count == 150


async def test_a_catalogue_that_was_not_told_learns_it_from_the_store(tmp_path: Path) -> None:
    async with operated(tmp_path, SwitchedEmbedder()) as space:
        await space.fill("team")
        known = await space.stores.catalogue.get("team")
        assert known is not None
    async with operated(tmp_path, Wide()) as space:
        async with space.namespaces.reading("team") as opened:
            await stage_of(space, opened)
        await space.stores.catalogue.replace(known, known.incarnation)
    async with operated(tmp_path, Wide()) as space, space.namespaces.reading("team") as opened:
        assert opened.namespace.embedding_model == "wide-48"
        assert (await space.found("team", "blue plums")).hits[0].cosine > 0.5
        told = await space.stores.catalogue.get("team")
        assert told is not None
        assert told.embedding_dimension == 48


async def test_what_waits_for_the_old_model_gets_no_vector_of_the_new(tmp_path: Path) -> None:
    old = SwitchedEmbedder()
    old.available = False
    async with operated(tmp_path, old) as space, space.namespaces.writing("team") as opened:
        await opened.store.commit(append(*TEXTS))
        await space.settle_texts(opened)
    async with (
        operated(tmp_path, SwitchedEmbedder("same-size")) as space,
        space.namespaces.reading("team") as opened,
    ):
        await space.settle(opened)
        assert opened.index.vector_count == 0
        assert opened.follower.watermark == opened.store.revision
        assert len(await opened.store.pending_embeddings(10)) == 3
        assert (
            "not every memory of the namespace has a vector"
            in (await searched(space, opened, "x")).degraded[1]
        )


async def test_lessons_are_linked_by_what_is_near_in_the_new_model(tmp_path: Path) -> None:
    old = SwitchedEmbedder()
    old.available = False
    text = "Wash the melons with cold water"
    async with operated(tmp_path, old) as space, space.namespaces.writing("team") as opened:
        both = [lesson(text), lesson(f"{text} please")]
        await opened.store.commit(CreateMemories(both, [None, None]))
    async with operated(tmp_path, Wide()) as space, space.namespaces.reading("team") as opened:
        await stage_of(space, opened)
        found = await opened.store.list_edges((EdgeType.MAY_DUPLICATE,), None, 10)
        assert {end for edge in found for end in (edge.source_id, edge.target_id)} == {
            one.memory_id for one in both
        }
