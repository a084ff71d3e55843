"""Opening, following, evicting and restoring namespaces, with real stores and indexes."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from anamnesis_libs.errors import (
    DeadlineExceeded,
    EmbeddingModelMismatch,
    NamespaceExists,
    StoreUnavailable,
)
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Query, Rows, SearchScope
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.settings import Index
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.editing.update import MemoryEdit, Text, UpdateMemory
from anamnesis_memory.model.memory import Caller, Kind
from anamnesis_memory.runtime.indexing.candidates import CandidateFinder
from anamnesis_memory.runtime.indexing.follow import ROW_S
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.indexing.open_namespaces import OpenNamespaces
from anamnesis_memory.runtime.indexing.snapshots import Snapshots
from anamnesis_memory.runtime.loops import (
    embed_loop,
    index_loop,
    rest_loop,
    retry_loop,
)
from anamnesis_memory.storage.sqlite.catalogue import SqliteStores
from tests.support.clock import SetClock
from tests.support.embedders import SwitchedEmbedder
from tests.support.records import append, lesson


@asynccontextmanager
async def running(
    directory: Path, embedder: SwitchedEmbedder, *, count_max: int = 100, bytes_max: int = 1 << 30
) -> AsyncIterator[OpenNamespaces]:
    """Namespaces of a data directory, closed in good order at the end."""
    with ThreadPoolExecutor(4) as executor:
        clock = SetClock()
        stores = await SqliteStores.open_directory(directory, executor, clock)
        namespaces = OpenNamespaces(
            stores,
            Snapshots(directory / "index", MemoryIndex, clock),
            embedder,
            executor,
            clock,
            count_max=count_max,
            memory_bytes_max=bytes_max,
        )
        yield namespaces
        await namespaces.close()


async def fill(namespaces: OpenNamespaces, name: str, *contents: str) -> None:
    """Append events and index them."""
    async with namespaces.writing(name) as opened:
        await opened.store.commit(append(*contents))
        while await opened.follower.step(100):
            pass
        while await opened.follower.embed():
            pass


async def found(opened: OpenNamespace, text: str) -> list[str]:
    """Contents of what the index finds by its words."""
    hits = (await opened.index.find(Query(text, None, SearchScope()))).hits
    ids = [hit.memory_id for hit in hits if hit.matched_terms]
    return [memory.content for memory in await opened.store.memories(ids, None)]


async def test_reading_what_is_not_there_makes_nothing(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        with pytest.raises(NamespaceNotFound):
            async with namespaces.reading("nobody"):
                pass
        assert not namespaces.all
    assert not list((tmp_path / "namespaces").iterdir())


async def test_a_namespace_is_made_once(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        made = await namespaces.create("team")
        async with namespaces.writing("team") as opened:
            assert opened.namespace == made
        with pytest.raises(NamespaceExists):
            await namespaces.create("team")


async def test_the_index_follows_the_store(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        await fill(namespaces, "team", "green apples", "blue plums")
        async with namespaces.reading("team") as opened:
            assert opened.follower.watermark == opened.store.revision == 1
            assert await found(opened, "plums") == ["blue plums"]
            (plum,) = [hit for hit in (await opened.index.find(
                Query("plums", None, SearchScope()))).hits if hit.matched_terms]  # fmt: skip
            await opened.store.commit(DeleteMemory(plum.memory_id, Caller()))
            await opened.follower.step(100)
            assert await found(opened, "plums") == []


async def test_a_store_that_was_away_is_told_by_searches_and_noticed_soon(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise StoreUnavailable("the database is away")

    embedder = SwitchedEmbedder()
    query = Query("plums", None, SearchScope())
    async with running(tmp_path, embedder) as namespaces:
        await fill(namespaces, "team", "green apples")
        finder = CandidateFinder(namespaces, CachedQueries(embedder, 10))
        loop = index_loop(namespaces, Index(), lambda: None)
        async with namespaces.writing("team") as opened:
            assert not (await finder.find(opened, query, 0, 1.0)).degraded
            await opened.store.commit(append("blue plums", start=1))
            with monkeypatch.context() as patched:
                patched.setattr(type(opened.store), "changes_to_index", away)
                for _ in range(8):
                    opened.faults.until_s = 0.0
                    await loop.step()
            resting_s = opened.faults.until_s - asyncio.get_running_loop().time()
            assert 0 < resting_s <= 2.0
            told = (await finder.find(opened, query, 0, 1.0)).degraded
            assert any("newest memories are missing" in reason for reason in told)

            opened.faults.until_s = 0.0
            await loop.step()
            assert await found(opened, "plums") == ["blue plums"]
            told = (await finder.find(opened, query, 0, 1.0)).degraded
            assert not any("newest memories" in reason for reason in told)


async def test_an_embedding_that_fails_leaves_the_drawer_stored_and_queued(
    tmp_path: Path,
) -> None:
    embedder = SwitchedEmbedder()
    embedder.available = False
    async with running(tmp_path, embedder) as namespaces:
        await fill(namespaces, "team", "green apples", "blue plums")
        async with namespaces.reading("team") as opened:
            assert await found(opened, "plums") == ["blue plums"]
            assert opened.index.waiting_for_vectors == 2
            assert len(await opened.store.pending_embeddings(10)) == 2
            finder = CandidateFinder(namespaces, CachedQueries(embedder, 10))
            query = Query("plums", None, limit=10)
            told = await finder.find(opened, query, 0, 1.0)
            assert len(told.degraded) == 2
            assert any("switched off" in reason for reason in told.degraded)

        embedder.available = True
        await retry_loop(namespaces).step()
        async with namespaces.reading("team") as opened:
            assert opened.index.waiting_for_vectors == 0
            assert not await opened.store.pending_embeddings(10)
            told = await finder.find(opened, query, 0, 1.0)
            assert told.degraded == ()
            assert told.found.hits[0].cosine > 0.5


@pytest.mark.parametrize(
    ("change", "embedded"),
    [
        (MemoryEdit(pinned=True), ["green apples"]),
        (MemoryEdit(text=Text("red apples", "", "")), ["green apples", "red apples"]),
    ],
)
async def test_only_another_text_is_embedded_anew_where_it_came_meanwhile(
    tmp_path: Path, change: MemoryEdit, embedded: list[str]
) -> None:
    embedder = SwitchedEmbedder()
    embedder.held_up = asyncio.Event()
    async with running(tmp_path, embedder) as namespaces, namespaces.writing("team") as opened:
        await opened.store.commit(CreateMemories([lesson("green apples")], [None]))
        await opened.follower.step(100)
        (apples,) = await opened.store.pending_embeddings(10)
        embedding = asyncio.create_task(opened.follower.embed())
        await asyncio.wait([embedding], timeout=0.05)
        await opened.store.commit(UpdateMemory(apples, Caller(), "", change, "copy", "topic"))
        await opened.follower.step(100)
        embedder.held_up.set()

        assert await embedding == (len(embedded) > 1), "only another text waits"
        await opened.follower.embed()
        assert embedder.embedded == embedded
        assert opened.index.waiting_for_vectors == 0
        assert opened.follower.watermark == opened.store.revision
        assert not await opened.store.pending_embeddings(10)


async def test_closing_saves_and_opening_restores_without_the_model(tmp_path: Path) -> None:
    embedder = SwitchedEmbedder()
    async with running(tmp_path, embedder) as namespaces:
        await fill(namespaces, "team", "green apples", "blue plums")
    embedder.embedded.clear()
    async with running(tmp_path, embedder) as namespaces, namespaces.reading("team") as opened:
        assert opened.follower.watermark == 1
        assert await found(opened, "apples") == ["green apples"]
        assert opened.index.vector_count == 2
    assert embedder.embedded == []


async def test_vectors_that_came_after_the_snapshot_are_not_forgotten(tmp_path: Path) -> None:
    embedder = SwitchedEmbedder()
    embedder.available = False
    async with running(tmp_path, embedder) as namespaces:
        await fill(namespaces, "team", "green apples")
    embedder.available = True
    async with running(tmp_path, embedder) as namespaces:
        async with namespaces.reading("team") as opened:
            saved = opened.saved_at
            assert opened.follower.must_embed
        await embed_loop(namespaces, Index(), lambda: None).step()
        async with namespaces.reading("team") as opened:
            assert opened.saved_at == saved, "the vector alone moves no watermark"
    async with running(tmp_path, embedder) as namespaces, namespaces.reading("team") as opened:
        assert opened.index.waiting_for_vectors == 0


@pytest.mark.parametrize("damage", ["truncated", "flipped", "gone"])
async def test_a_damaged_snapshot_is_set_aside_and_the_index_rebuilt(
    tmp_path: Path, damage: str
) -> None:
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        await fill(namespaces, "team", "green apples", "blue plums")
    (snapshot,) = (tmp_path / "index").glob("*.idx")
    body = bytearray(snapshot.read_bytes())
    if damage == "truncated":
        snapshot.write_bytes(body[: len(body) // 2])
    elif damage == "flipped":
        body[len(body) // 2] ^= 0xFF
        snapshot.write_bytes(body)
    else:
        snapshot.unlink()
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        embedding = embed_loop(namespaces, Index(), lambda: None)
        loop = index_loop(namespaces, Index(), embedding.wake)
        async with namespaces.reading("team") as opened:
            assert opened.follower.watermark == 0
            while await loop.step():
                pass
            await embedding.step()
            assert await found(opened, "plums") == ["blue plums"]
            assert opened.index.vector_count == 2
    assert len(list((tmp_path / "index").glob("*.damaged-*"))) == (damage != "gone")


async def test_the_least_recently_used_is_closed_first(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder(), count_max=2) as namespaces:
        for name in ("a", "b", "c"):
            await fill(namespaces, name, f"text of {name}")
        assert [opened.namespace.name for opened in namespaces.all] == ["b", "c"]
        async with namespaces.reading("a") as opened:
            assert await found(opened, "text") == ["text of a"]
        assert [opened.namespace.name for opened in namespaces.all] == ["c", "a"]


async def test_what_is_held_is_not_closed(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder(), count_max=1) as namespaces:
        await fill(namespaces, "a", "text of a")
        async with namespaces.reading("a") as held:
            await fill(namespaces, "b", "text of b")
            assert held in namespaces.all
            assert await found(held, "text") == ["text of a"]


async def test_what_is_open_is_counted_as_it_grows_and_goes(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder(), count_max=2) as namespaces:
        for name in ("a", "b", "c"):
            await fill(namespaces, name, f"text of {name}")
        empty = namespaces.memory_bytes
        await fill(namespaces, "c", *(f"more {number} of c" for number in range(200)))
        assert namespaces.memory_bytes > empty
        assert namespaces.memory_bytes == sum(opened.memory_bytes for opened in namespaces.all)
    assert namespaces.memory_bytes == 0


async def test_indexes_stay_within_their_memory(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder(), bytes_max=1) as namespaces:
        for name in ("a", "b", "c"):
            await fill(namespaces, name, f"text of {name}")
        assert not namespaces.all


async def test_waiting_for_a_revision_ends_at_the_deadline(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder()) as namespaces, namespaces.writing("a") as one:
        await one.store.commit(append("text"))
        with pytest.raises(DeadlineExceeded):
            await one.follower.wait_for(1, 0.02)
        await one.follower.step(10)
        await one.follower.wait_for_text(1, 0.02)
        with pytest.raises(DeadlineExceeded):
            await one.follower.wait_for(1, 0.02)
        await one.follower.embed()
        await one.follower.wait_for(1, 0.02)


async def test_another_model_is_refused_for_writes_and_named_in_searches(tmp_path: Path) -> None:
    async with running(tmp_path, SwitchedEmbedder("old-model")) as namespaces:
        await fill(namespaces, "team", "green apples")
    newer = SwitchedEmbedder("new-model")
    async with running(tmp_path, newer) as namespaces:
        with pytest.raises(EmbeddingModelMismatch) as refused:
            async with namespaces.writing("team"):
                pass
        assert {"old-model", "new-model"} <= set(refused.value.metadata.values())
        async with namespaces.reading("team") as opened:
            finder = CandidateFinder(namespaces, CachedQueries(newer, 10))
            query = Query("apples", None, limit=10)
            told = await finder.find(opened, query, 0, 1.0)
            assert told.found.hits[0].matched_terms
            assert "old-model" in told.degraded[0]


async def test_a_search_waits_for_vectors_and_not_until_they_are_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        running(tmp_path, SwitchedEmbedder()) as namespaces,
        namespaces.writing("team") as opened,
    ):
        await opened.store.commit(append("green apples"))
        await opened.follower.step(100)
        may_store, put = asyncio.Event(), opened.store.put_embeddings

        async def put_later(made: Mapping[str, Rows], made_of: Mapping[str, int]) -> frozenset[str]:
            await may_store.wait()
            return await put(made, made_of)

        monkeypatch.setattr(opened.store, "put_embeddings", put_later)
        embedding = asyncio.create_task(opened.follower.embed())
        await opened.follower.wait_for(opened.store.revision, 5.0)
        assert opened.index.vector_count == 1
        assert await opened.store.pending_embeddings(10)
        may_store.set()
        await embedding
        assert not await opened.store.pending_embeddings(10)


async def test_vectors_that_only_a_snapshot_has_are_stored_when_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise StoreUnavailable("the disk is full")

    async with (
        running(tmp_path, SwitchedEmbedder()) as namespaces,
        namespaces.writing("team") as opened,
    ):
        await opened.store.commit(append("green apples"))
        await opened.follower.step(100)
        monkeypatch.setattr(opened.store, "put_embeddings", away)
        with pytest.raises(StoreUnavailable):
            await opened.follower.embed()
    async with (
        running(tmp_path, SwitchedEmbedder()) as namespaces,
        namespaces.reading("team") as opened,
    ):
        assert opened.index.vector_count == 1, "the snapshot has it"
        assert await opened.store.pending_embeddings(10)
        await opened.follower.embed()
        assert not await opened.store.pending_embeddings(10)


async def test_vectors_that_could_not_be_stored_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(*_: object) -> None:
        raise StoreUnavailable("the database is away")

    async with (
        running(tmp_path, SwitchedEmbedder()) as namespaces,
        namespaces.writing("team") as opened,
    ):
        await opened.store.commit(append("green apples"))
        await opened.follower.step(100)
        with monkeypatch.context() as patched:
            patched.setattr(opened.store, "put_embeddings", away)
            with pytest.raises(StoreUnavailable):
                await opened.follower.embed()
        assert opened.follower.must_embed
        await opened.follower.embed()
        assert opened.index.vector_count == 1
        assert not await opened.store.pending_embeddings(10)


async def test_texts_of_writes_in_a_row_are_taken_over_together_or_when_somebody_asks(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        loop = index_loop(namespaces, Index(), lambda: None)
        hurried = asyncio.Event()
        namespaces.waited_for = hurried.set
        async with namespaces.writing("team") as opened:
            await opened.store.commit(append("green apples"))
            await loop.step()
            assert opened.index.size == 1, "the first is followed at once"
            await opened.store.commit(append("blue plums", start=1))
            await loop.step()
            assert opened.index.size == 1, "nobody asks for the one that follows"
            asking = asyncio.create_task(opened.follower.wait_for_text(2, 5.0))
            await hurried.wait()
            await loop.step()
            await asking
            assert opened.index.size == 2
            await opened.store.commit(append("red cherries", start=2))
            await asyncio.sleep(ROW_S)
            await loop.step()
            assert opened.index.size == 3, "it has waited long enough"


async def test_vectors_that_wait_to_be_stored_are_those_of_a_memory_written_again(
    tmp_path: Path,
) -> None:
    embedder = SwitchedEmbedder()
    async with running(tmp_path, embedder) as namespaces, namespaces.writing("team") as opened:
        steps = replace(lesson("green apples"), kind=Kind.PROCEDURAL)
        await opened.store.commit(CreateMemories([steps], [None]))
        await opened.follower.step(100)
        await opened.follower.make_vectors()
        (apples,) = await opened.store.pending_embeddings(10)
        change = MemoryEdit(pinned=True)
        await opened.store.commit(UpdateMemory(apples, Caller(), "", change, "copy", "topic"))
        await opened.follower.step(100)
        assert not opened.follower.must_make
        await opened.follower.store_vectors()
        assert embedder.embedded == ["green apples"]
        assert opened.index.vector_count == 1
        assert not await opened.store.pending_embeddings(10)


async def test_the_vectors_of_a_lesson_are_stored_at_once(tmp_path: Path) -> None:
    """The next lesson is compared with what the store has."""
    embedder = SwitchedEmbedder()
    async with running(tmp_path, embedder) as namespaces, namespaces.writing("team") as opened:
        await opened.store.commit(CreateMemories([lesson("green apples")], [None]))
        await opened.follower.step(100)
        await opened.follower.make_vectors()
        assert not await opened.store.pending_embeddings(10)
        assert not opened.follower.must_store


async def test_vectors_of_writes_in_a_row_are_stored_together_when_nobody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored: list[int] = []
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        loop = rest_loop(namespaces, Index())
        async with namespaces.writing("team") as opened:
            put = opened.store.put_embeddings

            async def noted(made: Mapping[str, Rows], of: Mapping[str, int]) -> frozenset[str]:
                stored.append(len(made))
                return await put(made, of)

            monkeypatch.setattr(opened.store, "put_embeddings", noted)
        async with asyncio.TaskGroup() as tasks:
            for text in ("green apples", "blue plums", "red cherries"):
                async with namespaces.writing("team") as opened:
                    await opened.store.commit(append(text))
                    await opened.follower.step(100)
                    await opened.follower.make_vectors()
                if text == "green apples":
                    tasks.create_task(_step(loop))
                await asyncio.sleep(0)
        assert stored == [3]
        assert not await opened.store.pending_embeddings(10)


async def test_what_a_write_changes_is_ready_for_the_next_search_when_nobody_asks(
    tmp_path: Path,
) -> None:
    async with running(tmp_path, SwitchedEmbedder()) as namespaces:
        async with namespaces.writing("team") as opened:
            for text in ("green apples", "blue plums"):
                await opened.store.commit(append(text))
                await opened.follower.step(100)
                await opened.index.find(Query("fruit", None))
        unsettled = [opened.index.unsettled]
        await opened.store.commit(append("red cherries"))
        await opened.follower.step(100)
        unsettled.append(opened.index.unsettled)
        await rest_loop(namespaces, Index()).step()
        unsettled.append(opened.index.unsettled)
        assert unsettled == [False, True, False]


async def _step(loop: Loop) -> None:
    await loop.step()
