"""Tests of models/cache.py: asked once, kept for a while, shared by those who ask at once."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.cache import CachedQueries
from anamnesis_libs.models.ports import Matrix, Readings


class Counting:
    """An embedder that notes what it was asked, and may fail or be slow."""

    dimension = 2
    reads_tokens = False

    def __init__(self) -> None:
        self.model = "one"
        self.asked: list[str] = []
        self.away = False
        self.gate = asyncio.Event()
        self.gate.set()

    async def embed(self, texts: Sequence[str]) -> Matrix:
        self.asked += texts
        await self.gate.wait()
        if self.away:
            raise ModelUnavailable("away")
        return np.array([[len(text), 1] for text in texts], np.float32)

    async def read(self, texts: Sequence[str]) -> Readings:
        return Readings(await self.embed(texts), [None] * len(texts))

    async def close(self) -> None:
        return


async def test_a_question_is_embedded_once() -> None:
    embedder = Counting()
    queries = CachedQueries(embedder, 10)
    first, second = await queries.read("tea"), await queries.read("tea")
    assert first.vector.tolist() == second.vector.tolist() == [3, 1]
    assert embedder.asked == ["tea"]


async def test_those_who_ask_at_once_share_one_call() -> None:
    embedder = Counting()
    queries = CachedQueries(embedder, 10)
    read = await asyncio.gather(*(queries.read("tea") for _ in range(20)))
    assert len(read) == 20
    assert embedder.asked == ["tea"]


async def test_one_who_leaves_does_not_take_the_others_answer_away() -> None:
    embedder = Counting()
    embedder.gate.clear()
    queries = CachedQueries(embedder, 10)
    leaves, stays = (asyncio.create_task(queries.read("tea")) for _ in range(2))
    await asyncio.sleep(0)
    leaves.cancel()
    await asyncio.wait([leaves])
    embedder.gate.set()
    assert (await stays).vector.tolist() == [3, 1]
    assert embedder.asked == ["tea"]


async def test_the_longest_unasked_goes_first() -> None:
    embedder = Counting()
    queries = CachedQueries(embedder, 2)
    for text in ("a", "bb", "a", "ccc", "a", "bb"):
        await queries.read(text)
    assert embedder.asked == ["a", "bb", "ccc", "bb"]


async def test_none_are_kept_where_none_may_be() -> None:
    embedder = Counting()
    queries = CachedQueries(embedder, 0)
    await queries.read("tea")
    await queries.read("tea")
    assert embedder.asked == ["tea", "tea"]


async def test_failures_are_not_kept() -> None:
    embedder = Counting()
    queries = CachedQueries(embedder, 10)
    embedder.away = True
    with pytest.raises(ModelUnavailable):
        await queries.read("tea")
    embedder.away = False
    assert (await queries.read("tea")).vector.tolist() == [3, 1]


async def test_another_model_is_asked_anew() -> None:
    embedder = Counting()
    queries = CachedQueries(embedder, 10)
    await queries.read("tea")
    embedder.model = "two"
    await queries.read("tea")
    assert embedder.asked == ["tea", "tea"]


async def test_a_kept_vector_cannot_be_changed() -> None:
    read = await CachedQueries(Counting(), 10).read("tea")
    with pytest.raises(ValueError, match="read-only"):
        read.vector[0] = 9
