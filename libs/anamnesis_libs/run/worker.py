"""Work on whole texts in a process of its own, which can be ended.

A pattern that runs for long, or a parser, would hold the interpreter and with it every rpc. The
process starts with the first piece of work. Each piece may take a bounded time of the processor:
one that takes more ends the process, and the next has a new one.
"""

import asyncio
import multiprocessing
import os
import resource
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar
from weakref import WeakKeyDictionary

import structlog

PROCESSOR_S_MAX = 120

_log = structlog.get_logger(__name__)

A = TypeVar("A")
T = TypeVar("T")


class Overran(Exception):
    """A piece of work took more time of the processor than it may."""


class Worker:
    """One process; its work is done piece by piece, so that it is known which one ended it."""

    def __init__(self, processor_s_max: int = PROCESSOR_S_MAX) -> None:
        self._processor_s_max = processor_s_max
        self._pool: ProcessPoolExecutor | None = None
        self._lock = threading.Lock()
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = (
            WeakKeyDictionary()
        )

    async def run(self, work: Callable[[A], T], about: A) -> T:
        """The result of a function on its argument, in the worker; both are known by import.

        A process that was ended by others is started again, and the work done once more.

        Raises:
            Overran: it took more time of the processor than it may.
        """
        async with self._turns.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            began_s = time.monotonic()
            try:
                return await self._run(work, about)
            except Overran:
                if time.monotonic() - began_s >= self._processor_s_max / 2:
                    raise
            return await self._run(work, about)

    def close(self) -> None:
        """End the process; another piece of work starts it again."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=False, cancel_futures=True)

    async def _run(self, work: Callable[[A], T], about: A) -> T:
        pool = self._started()
        try:
            return await asyncio.wrap_future(
                pool.submit(_bounded, work, about, self._processor_s_max)
            )
        except BrokenProcessPool as error:
            _log.warning("worker_process_ended")
            self.close()
            raise Overran from error

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


def _bounded(work: Callable[[A], T], about: A, processor_s_max: int) -> T:
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + processor_s_max
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
    return work(about)
