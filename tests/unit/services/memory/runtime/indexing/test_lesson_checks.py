"""Lessons that could not be compared when they came are compared when their vectors are made."""

import asyncio
from pathlib import Path

import pytest
from google.protobuf.field_mask_pb2 import FieldMask

from anamnesis.memory.v1 import memory_pb2
from anamnesis.memory.v1 import memory_service_pb2 as pb
from anamnesis_libs.run.worker import Overran, Worker
from anamnesis_memory.dedup.thresholds import NEVER
from anamnesis_memory.knowledge.graph.linking import CreateEdge
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.runtime.indexing.lesson_checks import SHORT_CHARS_MAX, ChecksAsked, judged
from tests.support.embedders import SwitchedEmbedder
from tests.support.memory_service import Served, serving

SPACE = "team"
WARM = "keep the cache warm before every night run of the import job"
ALSO = "do keep the cache warm before every night run of the import job"
THREE = "retry the import job 3 times before every night run of it"
FIVE = "retry the import job 5 times before every night run of it"
OTHER = "tomatoes want water in the evening"


async def add(served: Served, content: str) -> pb.CreateMemoryResponse:
    """Send a lesson."""
    new = pb.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=content, category="pattern")
    request = pb.CreateMemoryRequest(namespace=SPACE, memory=new)
    return await served.memory.CreateMemory(request, timeout=30)


async def embed_all(served: Served) -> None:
    """The model comes back, and what waits for vectors gets them."""
    switch(served, on=True)
    async with served.behind.namespaces.reading(SPACE) as opened:
        while await opened.follower.step(100):
            pass
        while await opened.follower.embed():
            pass
        while await opened.follower.retry_failed():
            pass


async def edges(served: Served) -> list[Edge]:
    """All edges of the namespace."""
    async with served.behind.namespaces.reading(SPACE) as opened:
        return list(await opened.store.list_edges((), None, 100))


def switch(served: Served, *, on: bool) -> None:
    """Switch the model on or off."""
    embedder = served.behind.embedder
    assert isinstance(embedder, SwitchedEmbedder)
    embedder.available = on


class Ended(Worker):
    """A worker that every piece of work ends."""

    async def run(self, work, about):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
        raise Overran


@pytest.mark.slow
@pytest.mark.parametrize(("ended", "merged"), [(False, True), (True, False)])
async def test_long_lessons_are_compared_elsewhere_and_kept_apart_where_that_takes_too_long(
    ended: bool, merged: bool, tmp_path: Path
) -> None:
    worker = Ended() if ended else Worker()
    if not ended:
        await worker.run(judged, ChecksAsked((), (), NEVER))  # its process is there by then
    many = " ".join(f"Step {n}: keep the cache of shelf {n} warm." for n in range(40))
    assert len(many) > SHORT_CHARS_MAX
    async with serving(tmp_path) as served, served.behind.namespaces.writing(SPACE) as opened:
        opened.lessons._guard = worker
        assert (await add(served, many)).outcome == pb.CREATE_OUTCOME_CREATED
        # what the index has not reached is compared by the commit itself
        await embed_all(served)
        again = await add(served, many.replace("keep", "do keep", 1))
    worker.close()
    assert (again.outcome == pb.CREATE_OUTCOME_MERGED) is merged


async def test_without_a_model_identical_lessons_still_merge(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        switch(served, on=False)
        first, again, near = [await add(served, text) for text in (WARM, WARM.upper(), ALSO)]
        assert first.outcome == near.outcome == pb.CREATE_OUTCOME_CREATED
        assert again.outcome == pb.CREATE_OUTCOME_MERGED
        assert again.memory.memory_id == first.memory.memory_id
        assert await edges(served) == []


@pytest.mark.parametrize("before", [True, False])
async def test_late_vectors_link_what_may_be_one(tmp_path: Path, before: bool) -> None:
    """The other lesson has its vectors `before`, or waits for them as well."""
    async with serving(tmp_path) as served:
        switch(served, on=before)
        first = (await add(served, WARM)).memory
        switch(served, on=False)
        second = (await add(served, ALSO)).memory
        await add(served, OTHER)
        await embed_all(served)
        (edge,) = await edges(served)
        assert edge.type is EdgeType.MAY_DUPLICATE
        assert {edge.source_id, edge.target_id} == {first.memory_id, second.memory_id}
        assert edge.weight == pytest.approx(0.96, abs=0.04)


async def test_late_vectors_show_what_differs(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        switch(served, on=False)
        await add(served, THREE)
        await add(served, FIVE)
        await embed_all(served)
        (edge,) = await edges(served)
        assert edge.type is EdgeType.SIMILAR_TO
        assert "number" in edge.detail


async def test_a_split_pair_is_not_linked_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        first = (await add(served, WARM)).memory
        merged = await add(served, ALSO)
        assert merged.outcome == pb.CREATE_OUTCOME_MERGED
        request = pb.UndoMergeRequest(namespace=SPACE, memory_id=first.memory_id)
        split = await served.memory.UndoMerge(request, timeout=30)
        async with served.behind.namespaces.reading(SPACE) as opened:
            records = await opened.store.index_records([split.restored.memory_id])
            await opened.lessons.link(records, 0)
        (edge,) = await edges(served)
        assert edge.type is EdgeType.SIMILAR_TO
        assert edge.detail == "[]"


async def test_an_edge_that_a_caller_drew_stays(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        one = (await add(served, OTHER)).memory.memory_id
        other = (await add(served, WARM)).memory.memory_id
        async with served.behind.namespaces.reading(SPACE) as opened:
            write = CreateEdge(one, other, EdgeType.SIMILAR_TO, Caller())
            drawn = (await opened.store.commit(write)).result
            records = await opened.store.index_records([one, other])
            await opened.lessons.link(records, 0)
        assert await edges(served) == [drawn]


async def test_a_corrected_lesson_is_looked_at_anew(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        await add(served, THREE)
        five = (await add(served, FIVE)).memory
        assert [one.type for one in await edges(served)] == [EdgeType.SIMILAR_TO]
        request = pb.UpdateMemoryRequest(
            namespace=SPACE,
            memory_id=five.memory_id,
            change=pb.MemoryChange(content=THREE.replace("of it", "of this")),
            update_mask=FieldMask(paths=["content"]),
        )
        await served.memory.UpdateMemory(request, timeout=30)
        await embed_all(served)
        assert [one.type for one in await edges(served)] == [EdgeType.MAY_DUPLICATE]
        again = await add(served, FIVE)
        assert again.memory.memory_id != five.memory_id


@pytest.mark.slow
async def test_a_slow_model_is_not_waited_for(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        embedder = served.behind.embedder
        assert isinstance(embedder, SwitchedEmbedder)
        embedder.held_up = asyncio.Event()
        made = await add(served, WARM)
        assert made.outcome == pb.CREATE_OUTCOME_CREATED
        embedder.held_up = None
        await embed_all(served)
        again = await add(served, ALSO)
        assert again.memory.memory_id == made.memory.memory_id
