"""Background work: a period and a step.

A failing step ends here: the second of the three places that catch everything. It is logged,
counted, and tried again after a growing pause; after several failures in a row the loop reports
itself failing, until a step succeeds. Tests call `step` and never sleep.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from anamnesis_libs.errors import StoreFull
from anamnesis_libs.logs import Logger, failure_fields

# A step does one small batch and says whether more is waiting.
Step = Callable[[], Awaitable[bool]]
Report = Callable[[], Awaitable[None]]

_DOUBLINGS_MAX = 16


class Loop:
    """Runs a step every so often, at once when woken or when more is waiting."""

    def __init__(
        self,
        name: str,
        *,
        every_s: float,
        step: Step,
        failures_max: int = 5,
        pause_s_max: float = 60.0,
    ) -> None:
        self.name = name
        self.step = step
        self.steps = 0
        self.failures = 0
        self.failures_in_a_row = 0
        self._every_s = every_s
        self._failures_max = failures_max
        self._pause_s_max = pause_s_max
        self._wake = asyncio.Event()
        self._soon: asyncio.TimerHandle | None = None
        self._full = False
        self._stopping = False
        self._task: asyncio.Task[None] | None = None

    @property
    def failing(self) -> bool:
        """True if so many steps failed in a row that the service cannot count as healthy.

        Reads and deletions go on while the disk is full, so that is no such failure.
        """
        return self.failures_in_a_row >= self._failures_max and not self._full

    def wake(self) -> None:
        """Runs the next step now; a pause after a failure is not cut short."""
        self._wake.set()

    def wake_in(self, delay_s: float) -> None:
        """Runs the next step in a while; what is asked for meanwhile is no step more."""
        if self._soon is None:
            self._soon = asyncio.get_running_loop().call_later(delay_s, self._wake_now)

    def _wake_now(self) -> None:
        self._soon = None
        self.wake()

    def start(self, logger: Logger, report: Report) -> None:
        """Begins to run; `report` is awaited whenever `failing` has changed."""
        self._stopping = False
        self._task = asyncio.create_task(self._run(logger, report), name=self.name)

    async def stop(self, grace_s: float) -> None:
        """Lets the running step finish within the time, then cancels it."""
        self._stopping = True
        self._wake.set()
        if self._soon is not None:
            self._soon.cancel()
        if self._task is None:
            return
        _, late = await asyncio.wait({self._task}, timeout=grace_s)
        for task in late:
            task.cancel()
            await asyncio.wait({task})
        self._task = None

    async def _run(self, logger: Logger, report: Report) -> None:
        while not self._stopping:
            was_failing = self.failing
            more = await self._guarded_step(logger)
            if self.failing != was_failing:
                await report()
            await (asyncio.sleep(0) if more else self._rest())

    async def _guarded_step(self, logger: Logger) -> bool:
        self._wake.clear()
        self.steps += 1
        try:
            more = await self.step()
        except Exception as error:
            self._note(error, logger)
            return False
        self.failures_in_a_row = 0
        return more

    def _note(self, error: Exception, logger: Logger) -> None:
        self.failures += 1
        self.failures_in_a_row += 1
        self._full = isinstance(error, StoreFull)
        logger.error(
            "loop.step_failed",
            loop=self.name,
            failures_in_a_row=self.failures_in_a_row,
            pause_s=self.pause_s,
            **failure_fields(error, with_text=logger.is_enabled_for(logging.DEBUG)),
        )

    @property
    def pause_s(self) -> float:
        """The time to the next step unless woken: doubled for each failure in a row."""
        doubled_s = self._every_s * 2.0 ** min(self.failures_in_a_row, _DOUBLINGS_MAX)
        return min(doubled_s, max(self._pause_s_max, self._every_s))

    async def _rest(self) -> None:
        """Sleeps the pause; being woken ends it, but after a failure only a stop does."""
        deadline_s = asyncio.get_running_loop().time() + self.pause_s
        try:
            async with asyncio.timeout_at(deadline_s):
                await self._wake.wait()
                while self.failures_in_a_row and not self._stopping:
                    self._wake.clear()
                    await self._wake.wait()
        except TimeoutError:
            return
