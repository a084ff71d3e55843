"""Throttling of sleep: it rests after each batch, and longer while somebody is waiting."""

import asyncio
import time
from collections.abc import Awaitable, Callable

BUSY_SHARE = 9.0
"""Rest after a batch, as a share of the time it took, while requests come in."""
BUSY_REST_S_MIN = 0.01
REST_S_MAX = 1.0
QUIET_AFTER_S = 1.0


class Throttle:
    """Measures batches by the machine's own clock, unless it is lent another.

    `asked` counts requests; a namespace is busy while it has grown within the last second.
    """

    def __init__(
        self,
        asked: Callable[[], int],
        clock_s: Callable[[], float] = time.perf_counter,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._asked = asked
        self._clock_s = clock_s
        self._sleep = sleep
        self._known = asked()
        self._busy_until_s = 0.0
        self._since_s = self._clock_s()

    async def rest(self) -> None:
        """Let others go first; called between batches."""
        now_s = self._clock_s()
        took_s = now_s - self._since_s
        asked = self._asked()
        if asked != self._known:
            self._known, self._busy_until_s = asked, now_s + QUIET_AFTER_S
        await self._sleep(self._rest_s(took_s) if now_s < self._busy_until_s else 0.0)
        self._since_s = self._clock_s()

    def _rest_s(self, took_s: float) -> float:
        return min(max(took_s * BUSY_SHARE, BUSY_REST_S_MIN), REST_S_MAX)
