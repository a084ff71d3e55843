"""A cross-encoder as a reranker: batch after batch, on threads of its own."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

BATCH_TEXTS = 8
"""Texts of one run: few, since a run under way is not stopped when the time is over."""


class PairModel(Protocol):
    """A model in this process that scores pairs; safe to use from several threads."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Give a score a text. Blocking."""
        ...


class EncoderReranker:
    """A `Reranker` over a model in this process; nothing of it runs on the event loop."""

    def __init__(self, model: PairModel, threads: int) -> None:
        self._model = model
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="rerank")

    async def of(self, namespace: str) -> "EncoderReranker":
        """Itself: it is the same for all namespaces, and costs none of them anything."""
        return self

    async def scores(
        self, query: str, texts: Sequence[str]
    ) -> AsyncGenerator[Sequence[float], None]:
        """As in `Reranker`, a batch a part."""
        loop = asyncio.get_running_loop()
        for start in range(0, len(texts), BATCH_TEXTS):
            batch = texts[start : start + BATCH_TEXTS]
            yield await loop.run_in_executor(self._threads, self._model.scores, query, batch)

    async def close(self) -> None:
        """Let the running batches finish, and end the threads."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
