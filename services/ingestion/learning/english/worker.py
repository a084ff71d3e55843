"""English is read in a process of its own, so that the event loop and the suite's memory stay free.

The process starts with the first text and loads the parser there. Batches are bounded, and each may
take a bounded time of the processor: a text that takes more ends the process, teaches nothing, and
the next batch has a new one.
"""

import asyncio
import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

import structlog

from services.ingestion.learning.english.claims import Claim, Turn

BATCH_TURNS_MAX = 50
PROCESSOR_S_MAX = 120

_log = structlog.get_logger(__name__)


class ReadsEnglish(Protocol):
    """Reads the facts that turns state."""

    async def read(self, turns: Sequence[Turn]) -> list[list[Claim]]:
        """The claims of each turn."""
        ...


class EnglishWorker:
    """A ReadsEnglish over one process, which starts with the first batch."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()

    async def read(self, turns: Sequence[Turn]) -> list[list[Claim]]:
        """The claims of each turn; none for a batch that took too long."""
        claims: list[list[Claim]] = []
        for start in range(0, len(turns), BATCH_TURNS_MAX):
            claims += await self._batch(turns[start : start + BATCH_TURNS_MAX])
        return claims

    def close(self) -> None:
        """End the process; another batch starts it again."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _batch(self, turns: Sequence[Turn]) -> list[list[Claim]]:
        if not any(turn.sentences for turn in turns):
            return [[] for _ in turns]
        pool = self._started()
        try:
            return await asyncio.wrap_future(pool.submit(_read, list(turns)))
        except BrokenProcessPool:
            _log.warning("english_reader_ended", turns=len(turns))
            self.close()
            return [[] for _ in turns]

    def _started(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._pool is None:
                spawn = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(1, mp_context=spawn, initializer=_begin)
            return self._pool


def _begin() -> None:
    """Leave interrupts to the suite, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _read(turns: Sequence[Turn]) -> list[list[Claim]]:
    from services.ingestion.learning.english.reader import read  # loads the parser

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + PROCESSOR_S_MAX
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    return read(turns)


WORKER = EnglishWorker()
"""The one process of this suite that reads English."""
