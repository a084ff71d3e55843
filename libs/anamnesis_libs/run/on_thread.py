"""Work of an event loop on a thread: waited for to its end, also by who is cancelled meanwhile."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import TypeVar

T = TypeVar("T")


async def on_thread(executor: Executor, work: Callable[[], T]) -> T:
    """Return what `work` returns; a cancelled caller waits until the thread has let go of it."""
    running = executor.submit(work)
    try:
        await _end_of(running)
    except asyncio.CancelledError:
        await asyncio.wait([_end_of(running)])
        raise
    return running.result()


def _end_of(running: "Future[T]") -> "asyncio.Future[None]":
    """The end of a thread's work, in good or in bad, as a future of this loop."""
    loop = asyncio.get_running_loop()
    end: asyncio.Future[None] = loop.create_future()

    def tell(_: "Future[T]") -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(_reach, end)

    running.add_done_callback(tell)
    return end


def _reach(end: "asyncio.Future[None]") -> None:
    if not end.done():
        end.set_result(None)
