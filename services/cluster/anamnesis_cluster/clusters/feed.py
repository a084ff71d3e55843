"""A watch that can be waited for with a time limit without being lost."""

import asyncio
from collections.abc import AsyncGenerator

from anamnesis_cluster.model import LessonChange
from anamnesis_libs.errors import PeerUnavailable


class Feed:
    """Changes as they come. The wait for the next one goes on when a call to `next` gives up."""

    def __init__(
        self, changes: AsyncGenerator[LessonChange, None], stopping: asyncio.Event
    ) -> None:
        self._changes = changes
        self._stopping = stopping
        self._coming: asyncio.Task[LessonChange] | None = None
        self._stop = asyncio.create_task(stopping.wait())

    async def next(self, timeout_s: float | None) -> LessonChange | None:
        """The next change; None when time is up, or on being stopped.

        Raises:
            PeerUnavailable: memory ended the stream, or broke it.
        """
        coming = self._coming or asyncio.create_task(_step(self._changes))
        self._coming = coming
        await asyncio.wait(
            (coming, self._stop), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
        )
        if not coming.done():
            return None
        self._coming = None
        try:
            return coming.result()
        except StopAsyncIteration:
            self._check_ended()
            return None

    async def close(self) -> None:
        """Ends the watch; how it ends no longer matters."""
        tasks = [task for task in (self._coming, self._stop) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._changes.aclose()

    def _check_ended(self) -> None:
        if not self._stopping.is_set():
            raise PeerUnavailable("memory ended the watch", metadata={"peer": "memory"})


async def _step(changes: AsyncGenerator[LessonChange, None]) -> LessonChange:
    return await anext(changes)
