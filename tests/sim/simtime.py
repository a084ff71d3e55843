"""Time and threads of a simulation: one thread, and a clock that only waiting moves.

Sleeping costs nothing: when nothing is ready, time jumps to whatever is due next. What
would run on threads runs on the loop itself, after a seeded number of turns, so that a
seed always gives the same order of things. A loop that nothing could ever wake again is
a deadlock, and says so.
"""

import asyncio
import random
import selectors
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

TURNS_MAX = 4


class Deadlock(Exception):
    """Everybody waits, and nothing will ever happen."""


class _Jumping(selectors.SelectSelector):
    """Skips the time it is asked to wait."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready now."""
        if timeout is None:
            raise Deadlock("nothing is scheduled and nothing can wake the loop")
        self.now_s += max(0.0, timeout)
        return super().select(0)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop in which time passes only when there is nothing else to do."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Seconds since the loop was made."""
        return self._jumping.now_s


class LoopExecutor(ThreadPoolExecutor):
    """Runs work on the event loop's own thread, each piece some turns later."""

    def __init__(self, generator: random.Random, slow_chance: float = 0.0) -> None:
        super().__init__(1)
        self._generator = generator
        self._slow_chance = slow_chance

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Queue a piece of work; a slow disk takes up to a second for it."""
        future: Future[T] = Future()
        work = partial(_run, future, partial(fn, *args, **kwargs))
        loop = asyncio.get_running_loop()
        if self._generator.random() < self._slow_chance:
            loop.call_later(self._generator.random(), work)
        else:
            _after_turns(loop, self._generator.randrange(TURNS_MAX), work)
        return future


def _after_turns(loop: asyncio.AbstractEventLoop, turns: int, work: Callable[[], None]) -> None:
    if turns:
        loop.call_soon(_after_turns, loop, turns - 1, work)
    else:
        loop.call_soon(work)


def _run(future: "Future[T]", work: Callable[[], T]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(work())
    except BaseException as error:  # noqa: BLE001 - a thread hands any error to its future
        future.set_exception(error)


def run_virtually(main: Coroutine[Any, Any, T], executor: LoopExecutor) -> T:
    """Run to the end in virtual time.

    Raises:
        Deadlock: it cannot get there.
    """
    return _run_on(VirtualTimeLoop(), main, executor)


def run_really(main: Coroutine[Any, Any, T], executor: LoopExecutor) -> T:
    """Run to the end in real time, as a network needs it."""
    return _run_on(asyncio.SelectorEventLoop(), main, executor)


def _run_on(
    loop: asyncio.AbstractEventLoop, main: Coroutine[Any, Any, T], executor: LoopExecutor
) -> T:
    loop.set_default_executor(executor)
    try:
        return loop.run_until_complete(main)
    finally:
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.01))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()
