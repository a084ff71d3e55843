"""Following many namespaces: those with new lessons, at most so many at once.

The loop's step asks memory which namespaces are due and starts a follower for each. A follower
stays after it has caught up, so that the next lesson of its namespace is assigned at once; when
there is no room, the one idle longest is closed, and comes back when its namespace is due again.
A follower that breaks is logged, counted, and started again after a growing pause.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass

from libs.absent import NamespaceNotFound
from libs.clock import Clock
from libs.logs import Logger, failure_fields
from services.cluster.follow import Follower
from services.cluster.ports import Memory

RESTART_PAUSE_S = 1.0
RESTART_PAUSE_S_MAX = 60.0

_DOUBLINGS_MAX = 16


@dataclass(frozen=True, slots=True)
class _Running:
    follower: Follower
    task: asyncio.Task[None]


@dataclass(frozen=True, slots=True)
class _Broken:
    """A namespace whose follower broke, so many times in a row."""

    times: int
    restart_at_s: float


class Followers:
    """The followers of one process."""

    def __init__(
        self,
        memory: Memory,
        new_follower: Callable[[str], Follower],
        followed_max: int,
        clock: Clock,
        logger: Logger,
        stopping: asyncio.Event,
    ) -> None:
        self.failures = 0
        self._memory = memory
        self._new_follower = new_follower
        self._followed_max = followed_max
        self._clock = clock
        self._logger = logger
        self._stopping = stopping
        self._running: dict[str, _Running] = {}
        self._broken: dict[str, _Broken] = {}
        self._page_token = ""

    @property
    def followed(self) -> frozenset[str]:
        """The namespaces that are followed now."""
        return frozenset(self._running)

    async def step(self) -> bool:
        """Restart what broke, and start what is due on the next page of namespaces.

        Returns:
            Whether there are more pages, and room for what is on them.
        """
        if self._stopping.is_set():
            await self.close()
            return False
        self._reap()
        for namespace in [name for name, broken in self._broken.items() if self._is_up(broken)]:
            await self._open(namespace)
        token, self._page_token = self._page_token, ""
        namespaces, self._page_token = await self._memory.due_namespaces(token)
        room = True
        for namespace in namespaces:
            room = await self._open(namespace)
        return room and bool(self._page_token)

    async def want(self, namespace: str, revision: str) -> None:
        """See to it that lessons are assigned up to a revision, due or not."""
        self._reap()
        await self._open(namespace)
        if namespace in self._running:
            self._running[namespace].follower.want(revision)

    async def close(self) -> None:
        """End all followers; what they were about to write is done again by the next ones."""
        for namespace in list(self._running):
            await self._close(namespace)

    def _is_up(self, broken: _Broken) -> bool:
        return broken.restart_at_s <= self._clock.monotonic_s()

    async def _open(self, namespace: str) -> bool:
        """Follow a namespace; gives whether there was room for it."""
        if self._stopping.is_set() or not self._may_open(namespace):
            return True
        if len(self._running) >= self._followed_max and not await self._close_idle():
            return False
        if not self._may_open(namespace):  # opened by somebody else while one was closed
            return True
        follower = self._new_follower(namespace)
        task = asyncio.create_task(follower.run(), name=f"cluster.follow {namespace}")
        self._running[namespace] = _Running(follower, task)
        return True

    def _may_open(self, namespace: str) -> bool:
        broken = self._broken.get(namespace)
        return namespace not in self._running and (broken is None or self._is_up(broken))

    async def _close_idle(self) -> bool:
        """Make room: close the one idle longest, if need be one that waits for vectors."""
        resting = [each.follower for each in self._running.values() if each.follower.resting]
        if not resting:
            return False
        longest = min(resting, key=lambda follower: (follower.waiting, follower.active_at_s))
        await self._close(longest.namespace)
        return True

    async def _close(self, namespace: str) -> None:
        task = self._running.pop(namespace).task
        task.cancel()
        await asyncio.wait({task})

    def _reap(self) -> None:
        """Take note of followers that have ended."""
        ended = [name for name, each in self._running.items() if each.task.done()]
        for namespace in ended:
            each = self._running.pop(namespace)
            error = None if each.task.cancelled() else each.task.exception()
            if isinstance(error, NamespaceNotFound):
                self._broken.pop(namespace, None)
                self._logger.info("cluster.namespace_gone", namespace=namespace)
            elif error is not None:
                self._note(each.follower, error)

    def _note(self, follower: Follower, error: BaseException) -> None:
        before = self._broken.get(follower.namespace)
        times = 1 if before is None or follower.caught_up else before.times + 1
        pause_s = min(RESTART_PAUSE_S * 2.0 ** min(times - 1, _DOUBLINGS_MAX), RESTART_PAUSE_S_MAX)
        self._broken[follower.namespace] = _Broken(times, self._clock.monotonic_s() + pause_s)
        self.failures += 1
        self._logger.error(
            "cluster.follower_broke",
            namespace=follower.namespace,
            times_in_a_row=times,
            pause_s=pause_s,
            **failure_fields(error, with_text=self._logger.is_enabled_for(logging.DEBUG)),
        )
