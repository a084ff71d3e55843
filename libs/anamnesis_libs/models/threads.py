"""A blocking model behind an asynchronous face: it runs on threads of its own."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from threadpoolctl import threadpool_limits

from anamnesis_libs.models.ports import Readings


class BlockingModel(Protocol):
    """A model in this process; safe to use from several threads."""

    @property
    def model(self) -> str:
        """Fingerprint, as in `Embedder`."""
        ...

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        ...

    @property
    def unit_chars_max(self) -> int:
        """As in `Encoder`."""
        ...

    @property
    def reads_tokens(self) -> bool:
        """As in `Embedder`."""
        ...

    def read(self, texts: Sequence[str]) -> Readings:
        """Make one unit row a text, and tell its tokens."""
        ...


class ThreadedEncoder:
    """An `Encoder` over a model in this process, which works on threads.

    Only what takes no longer than a change of threads is done on the event loop.

    One thread a run: several runs at once use the cores better than one run split up, whose threads
    wait for each other. So BLAS is held to one thread, in all of the process.
    """

    def __init__(self, model: BlockingModel, threads: int, quick_chars_max: int = 0) -> None:
        """Take `threads` threads for many texts and one more, kept free for single ones.

        Texts of `quick_chars_max` characters together are encoded where they are asked for.
        """
        threadpool_limits(1, user_api="blas")
        self._model = model
        self._quick_chars_max = quick_chars_max
        self._threads = ThreadPoolExecutor(threads + 1, thread_name_prefix="embed")
        self.units_at_once = threads
        self.unit_chars_max = model.unit_chars_max

    @property
    def model(self) -> str:
        """Fingerprint of the model."""
        return self._model.model

    @property
    def dimension(self) -> int:
        """Numbers in one vector."""
        return self._model.dimension

    @property
    def reads_tokens(self) -> bool:
        """True if the model tells tokens."""
        return self._model.reads_tokens

    async def read(self, texts: Sequence[str]) -> Readings:
        """Make one unit row a text, and tell its tokens."""
        if sum(map(len, texts)) <= self._quick_chars_max:
            return self._model.read(texts)
        return await asyncio.get_running_loop().run_in_executor(
            self._threads, self._model.read, texts
        )

    async def close(self) -> None:
        """Let the running units finish, and end the threads."""
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
