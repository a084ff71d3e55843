"""A cross-encoder as a reranker: batch after batch, on threads of its own."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Protocol

BATCH_TEXTS, BATCH_CHARS = 8, 2048
"""Texts of one run, and about their characters, all counted as the longest with the question.

Few, since a run under way is not stopped when the time is over, and more are no faster.
"""


class PairModel(Protocol):
    """A model in this process that scores pairs; safe to use from several threads."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Give a score a text. Blocking."""
        ...


class EncoderReranker:
    """A `Reranker` over a model in this process; nothing of it runs on the event loop."""

    def __init__(self, model: PairModel, threads: int) -> None:
        self._model = model
        self._at_once = threads
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="rerank")

    async def of(self, namespace: str) -> "EncoderReranker":
        """Itself: it is the same for all namespaces, and costs none of them anything."""
        return self

    async def scores(
        self, query: str, texts: Sequence[str]
    ) -> AsyncGenerator[Sequence[float], None]:
        """As in `Reranker`, a batch a part; as many batches at once as there are threads."""
        loop, score = asyncio.get_running_loop(), self._model.scores
        batches = _batches(query, texts)
        while group := list(islice(batches, self._at_once)):
            runs = [loop.run_in_executor(self._threads, score, query, batch) for batch in group]
            for part in await asyncio.gather(*runs):
                yield part

    async def close(self) -> None:
        """Let the running batches finish, and end the threads."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)


def _batches(query: str, texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """The texts in order, as many together as one run takes, and one at least."""
    batch: list[str] = []
    longest = 0
    for text in texts:
        longest = max(longest, len(query) + len(text))
        if batch and (len(batch) == BATCH_TEXTS or (len(batch) + 1) * longest > BATCH_CHARS):
            yield batch
            batch, longest = [], len(query) + len(text)
        batch.append(text)
    if batch:
        yield batch
