"""Tests of reranking/encoder.py: a blocking model in batches, beside the event loop."""

import threading
from collections.abc import AsyncIterator, Sequence

import pytest

from anamnesis_retrieval.reranking.encoder import BATCH_CHARS, BATCH_TEXTS, EncoderReranker


class Lengths:
    """A model whose score of a text is its length; knows its batches and its threads."""

    def __init__(self) -> None:
        self.batches: list[Sequence[str]] = []
        self.threads: set[int] = set()

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.batches.append(texts)
        self.threads.add(threading.get_ident())
        return [len(query) * len(text) for text in texts]


@pytest.fixture
def model() -> Lengths:
    return Lengths()


@pytest.fixture
async def reranker(model: Lengths) -> AsyncIterator[EncoderReranker]:
    made = EncoderReranker(model, threads=1)
    yield made
    await made.close()


async def test_a_batch_is_a_part(model: Lengths, reranker: EncoderReranker) -> None:
    texts = ["x" * length for length in range(BATCH_TEXTS * 2 + 1)]
    assert max(map(len, texts)) * BATCH_TEXTS < BATCH_CHARS
    parts = [part async for part in reranker.scores("ab", texts)]
    assert [len(part) for part in parts] == [BATCH_TEXTS, BATCH_TEXTS, 1]
    assert [score for part in parts for score in part] == [2 * len(text) for text in texts]
    assert threading.get_ident() not in model.threads


async def test_long_texts_are_read_by_themselves(model: Lengths, reranker: EncoderReranker) -> None:
    short, long = "x", "x" * BATCH_CHARS
    texts = [short, short, long, short, long, long]
    parts = [part async for part in reranker.scores("", texts)]
    assert model.batches == [[short, short], [long], [short], [long], [long]]
    assert [len(part) for part in parts] == [2, 1, 1, 1, 1]


async def test_batches_run_at_once_and_come_in_order() -> None:
    both = threading.Barrier(2)

    class Together(Lengths):
        def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            both.wait(timeout=60)
            return super().scores(query, texts)

    reranker = EncoderReranker(Together(), threads=2)
    texts = ["x" * BATCH_CHARS, "x" * (BATCH_CHARS + 1)]
    assert [part async for part in reranker.scores("a", texts)] == [[len(text)] for text in texts]
    await reranker.close()


async def test_what_nobody_waits_for_is_not_read(model: Lengths, reranker: EncoderReranker) -> None:
    parts = reranker.scores("ab", ["x"] * 100)
    await anext(parts)
    await parts.aclose()
    assert len(model.batches) == 1
