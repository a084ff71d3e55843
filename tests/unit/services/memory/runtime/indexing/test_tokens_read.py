"""Tokens follow vectors: read with them, kept with the index, read anew where it was lost."""

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from anamnesis_libs.index.port import Hit, Query
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.models.ports import Readings, Tokens
from anamnesis_libs.settings import Index
from anamnesis_memory.erasure.delete_memory import DeleteMemory
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.editing.update import MemoryEdit, Text, UpdateMemory
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.runtime.indexing.candidates import WAITING_MIN, CandidateFinder
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.loops import token_loop
from tests.support.embedders import SwitchedEmbedder
from tests.support.operators import LESSONS, TEXTS, Operated, operated
from tests.support.records import append, lesson

EVERY = len(TEXTS) + len(LESSONS)


class TellingEmbedder(SwitchedEmbedder):
    """It tells the words of a text, of each a code that is the word's alone."""

    reads_tokens = True

    async def read(self, texts: Sequence[str]) -> Readings:
        """What `embed` makes, with the words."""
        return Readings(await self.embed(texts), [_words(text) for text in texts])


def _words(text: str) -> Tokens:
    words, spans, start = text.split(" "), [], 0
    for word in words:
        spans.append((start, start + len(word)))
        start += len(word) + 1
    seeds = (np.random.default_rng(list(word.encode())) for word in words)
    codes = np.array([[seed.integers(1 << 63)] for seed in seeds], np.uint64)
    return Tokens(codes, np.array(spans))


async def fill(space: Operated, lessons: int = len(LESSONS)) -> None:
    """Two people talk, and lessons are stated with their vectors; indexed."""
    stated = [*LESSONS, *(f"lesson of day {number}" for number in range(lessons))][:lessons]
    async with space.namespaces.writing("team") as opened:
        said = append(*TEXTS)
        events = [
            replace(one, name=name)
            for one, name in zip(said.events, ("Mara", "Omar", "Mara"), strict=True)
        ]
        await opened.store.commit(replace(said, events=tuple(events)))
        vectors = [await space.embedder.embed([text]) for text in stated]
        await opened.store.commit(CreateMemories(list(map(lesson, stated)), vectors))
        await space.settle(opened)


async def best(space: Operated, opened: OpenNamespace, text: str) -> Hit:
    """The best hit for a question."""
    finder = CandidateFinder(space.namespaces, CachedQueries(space.embedder, 0))
    return (await finder.find(opened, Query(text, None), 0, 5.0)).found.hits[0]


async def test_tokens_are_there_with_the_vectors_and_met_by_a_question(tmp_path: Path) -> None:
    async with operated(tmp_path, TellingEmbedder()) as space:
        await fill(space)
        async with space.namespaces.reading("team") as opened:
            assert opened.index.unread == len(LESSONS), "those came with their vectors"
            assert (await best(space, opened, "green apples")).token_match > 0.99


async def test_what_came_with_its_vectors_is_read_behind_it(tmp_path: Path) -> None:
    async with operated(tmp_path, TellingEmbedder()) as space:
        await fill(space)
        while await token_loop(space.namespaces, Index()).step():
            pass
        async with space.namespaces.reading("team") as opened:
            assert opened.index.unread == 0
            assert not opened.follower.must_read
            assert (await best(space, opened, "carry an umbrella")).token_match > 0.99


async def test_a_snapshot_keeps_them_and_without_it_they_are_read_anew(tmp_path: Path) -> None:
    embedder = TellingEmbedder()
    async with operated(tmp_path, embedder) as space:
        await fill(space)
        while await token_loop(space.namespaces, Index()).step():
            pass
    embedder.embedded.clear()
    async with operated(tmp_path, embedder) as space, space.namespaces.reading("team") as opened:
        assert opened.index.unread == 0
    shutil.rmtree(tmp_path / "index")
    async with operated(tmp_path, embedder) as space:
        async with space.namespaces.reading("team") as opened:
            await space.settle(opened)
            assert (opened.index.unread, embedder.embedded) == (EVERY, [])
        while await token_loop(space.namespaces, Index()).step():
            pass
        async with space.namespaces.reading("team") as opened:
            assert opened.index.unread == 0
            assert (await best(space, opened, "blue plums")).token_match > 0.99


async def test_a_text_that_changed_while_it_was_read_is_passed_over(tmp_path: Path) -> None:
    embedder = TellingEmbedder()
    async with operated(tmp_path, embedder) as space, space.namespaces.writing("team") as opened:
        await fill(space)
        vectors = await embedder.embed(["ripe apples"])
        await opened.store.commit(CreateMemories([apples := lesson("ripe apples")], [vectors]))
        await space.settle(opened)
        embedder.held_up = asyncio.Event()
        reading = asyncio.create_task(opened.follower.read_tokens())
        await asyncio.wait([reading], timeout=0.05)
        change = MemoryEdit(text=Text("brown bears", "", ""))
        await opened.store.commit(
            UpdateMemory(apples.memory_id, Caller(), "", change, "copy", "topic")
        )
        await space.settle_texts(opened)
        embedder.held_up.set()
        await reading
        await space.settle(opened)
        assert (await best(space, opened, "brown bears")).token_match > 0.99


async def test_a_model_that_tells_none_is_not_asked_again(tmp_path: Path) -> None:
    embedder = SwitchedEmbedder()
    async with operated(tmp_path, embedder) as space:
        await fill(space)
        embedder.embedded.clear()
        async with space.namespaces.reading("team") as opened:
            assert not opened.follower.must_read
            assert (await best(space, opened, "green apples")).token_match < 0
        await token_loop(space.namespaces, Index()).step()
        assert embedder.embedded == ["green apples"], "the question alone"


async def test_what_the_store_has_no_more_is_left_to_the_deletion_that_follows(
    tmp_path: Path,
) -> None:
    embedder = TellingEmbedder()
    async with operated(tmp_path, embedder) as space, space.namespaces.writing("team") as opened:
        vectors = await embedder.embed(["ripe apples"])
        await opened.store.commit(CreateMemories([apples := lesson("ripe apples")], [vectors]))
        await space.settle(opened)
        await opened.store.commit(DeleteMemory(apples.memory_id, Caller()))
        assert opened.follower.must_read
        assert not await opened.follower.read_tokens(), "nothing to go on with"
        await space.settle_texts(opened)
        assert not opened.follower.must_read


async def test_a_search_of_talk_tells_that_many_lines_are_not_read_yet(tmp_path: Path) -> None:
    embedder = TellingEmbedder()
    async with operated(tmp_path, embedder) as space:
        await fill(space, lessons=WAITING_MIN)
        async with space.namespaces.reading("team") as opened:
            finder = CandidateFinder(space.namespaces, CachedQueries(embedder, 0))
            told = await finder.find(opened, Query("apples", None), 0, 5.0)
            assert [reason for reason in told.degraded if "word by word" in reason]
            while await opened.follower.read_tokens():
                pass
            assert (await finder.find(opened, Query("apples", None), 0, 5.0)).degraded == ()
