"""Following many namespaces: those whose clustering this process has claimed, at most so many.

The loop's step claims namespaces with new lessons and starts a follower for each. A follower
stays after it has caught up, so that the next lesson of its namespace is assigned at once, and
its lease is renewed meanwhile: no two processes follow one namespace. When there is no room, the
one idle longest is closed and its work completed; it comes back when its namespace is due again.
A follower that breaks is logged, counted, and its work left to be claimed after a growing pause;
one whose lease is lost is closed, for somebody else goes on with its work. One that was idle for
long is closed too: its next lesson makes its namespace due again.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from anamnesis_cluster.clusters.follow import Follower
from anamnesis_cluster.leases import Lease, Leases
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import AnamnesisError, LeaseLost
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.logs import Logger, failure_fields

RENEWALS_A_LEASE = 3
RESTART_PAUSE_S = 1
RESTART_PAUSE_S_MAX = 60

_DOUBLINGS_MAX = 6


@dataclass(slots=True)
class _Running:
    """A follower and its lease; `renewed_at_s` is before memory last moved the expiry."""

    follower: Follower
    task: asyncio.Task[None]
    lease: Lease
    renewed_at_s: float


class Followers:
    """The followers of one process."""

    def __init__(
        self,
        leases: Leases,
        new_follower: Callable[[Lease], Follower],
        followed_max: int,
        lease_s: float,
        quiet_s: float,
        clock: Clock,
        logger: Logger,
        stopping: asyncio.Event,
    ) -> None:
        self.failures = 0
        self._leases = leases
        self._new_follower = new_follower
        self._followed_max = followed_max
        self._lease_s = lease_s
        self._quiet_s = quiet_s
        self._clock = clock
        self._logger = logger
        self._stopping = stopping
        self._running: dict[str, _Running] = {}
        self._broken_in_a_row: dict[str, int] = {}

    @property
    def followed(self) -> frozenset[str]:
        """The namespaces that are followed now."""
        return frozenset(self._running)

    async def step(self) -> bool:
        """Renew what is followed, let go of what has ended, and claim what is due.

        Returns:
            Whether something was claimed, so that more may be due.
        """
        if self._stopping.is_set():
            await self.close()
            return False
        await self._reap()
        await self._close_quiet()
        await self._renew_all()
        limit, asked_at_s = self._claimable, self._clock.monotonic_s()
        claimed = await self._leases.claim(limit) if limit else ()
        for lease in claimed:
            await self._follow(lease, asked_at_s)
        return bool(claimed)

    async def want(self, namespace: str) -> None:
        """Claim a namespace now if it is due: somebody waits for its lessons to be assigned."""
        if namespace in self._running or self._stopping.is_set() or not self._claimable:
            return
        asked_at_s = self._clock.monotonic_s()
        lease = await self._leases.claim_in(namespace)
        if lease is not None:
            await self._follow(lease, asked_at_s)

    async def close(self) -> None:
        """End all followers; the next ones do again what these were about to write."""
        running = list(self._running.values())
        self._running.clear()
        await asyncio.gather(*map(self._end, running))

    @property
    def _claimable(self) -> int:
        """Number of namespaces to claim: the free places, or one if a resting one can make room."""
        room = self._followed_max - len(self._running)
        return room if room > 0 else int(any(self._resting))

    @property
    def _resting(self) -> Sequence[_Running]:
        return [each for each in self._running.values() if each.follower.resting]

    async def _follow(self, lease: Lease, asked_at_s: float) -> None:
        """Follow a namespace that was claimed; give its lease back if there is no room for it."""
        before = self._running.pop(lease.namespace, None)
        if before is not None:  # its lease had run out
            await self._stop(before)
        while len(self._running) >= self._followed_max:
            if not self._resting:
                await self._let_go(lease, "there is no room for it")
                return
            await self._close_idle()
        if self._stopping.is_set():
            await self._let_go(lease, "the process stops")
            return
        follower = self._new_follower(lease)
        task = asyncio.create_task(follower.run(), name=f"cluster.follow {lease.namespace}")
        self._running[lease.namespace] = _Running(follower, task, lease, asked_at_s)

    async def _close_idle(self) -> None:
        """Close the one idle longest, if need be one that waits for vectors."""
        longest = min(
            self._resting, key=lambda each: (each.follower.waiting, each.follower.active_at_s)
        )
        del self._running[longest.lease.namespace]
        await self._end(longest)

    async def _close_quiet(self) -> None:
        """Close followers that had nothing to do for long: renewing a lease costs a commit."""
        since_s = self._clock.monotonic_s() - self._quiet_s
        quiet = [
            each
            for each in self._running.values()
            if each.follower.settled and each.follower.active_at_s <= since_s
        ]
        for each in quiet:
            del self._running[each.lease.namespace]
        await asyncio.gather(*map(self._end, quiet))

    async def _renew_all(self) -> None:
        """Renew the leases that have used up their share of time."""
        now_s = self._clock.monotonic_s()
        share_s = self._lease_s / RENEWALS_A_LEASE
        due = [each for each in self._running.values() if now_s - each.renewed_at_s >= share_s]
        await asyncio.gather(*(self._renew(each, now_s) for each in due))

    async def _renew(self, each: _Running, now_s: float) -> None:
        """Renew a lease, or stop following where somebody else may have it."""
        try:
            held = await self._leases.renew(each.lease)
        except AnamnesisError as error:
            self._logger.warning("cluster.not_renewed", **_told(each.lease, error))
            if now_s - each.renewed_at_s < self._lease_s:
                return
            held = False
        if held:
            each.renewed_at_s = now_s
        elif self._running.get(each.lease.namespace) is each:
            del self._running[each.lease.namespace]
            await self._stop(each)
            self._logger.info("cluster.lease_lost", namespace=each.lease.namespace)

    async def _stop(self, each: _Running) -> None:
        each.task.cancel()
        await asyncio.wait({each.task})

    async def _end(self, each: _Running) -> None:
        """Close a follower, and say whether its work is done."""
        await self._stop(each)
        error = None if each.task.cancelled() else each.task.exception()
        match error:
            case None if each.follower.settled:
                await self._complete(each.lease)
            case None:
                await self._let_go(each.lease, "closed before it had caught up")
            case NamespaceNotFound():
                self._logger.info("cluster.namespace_gone", namespace=each.lease.namespace)
            case LeaseLost():
                self._logger.info("cluster.lease_lost", namespace=each.lease.namespace)
            case _:
                await self._note(each, error)

    async def _reap(self) -> None:
        """Take note of followers that have ended."""
        ended = [each for each in self._running.values() if each.task.done()]
        for each in ended:
            del self._running[each.lease.namespace]
        await asyncio.gather(*map(self._end, ended))

    async def _note(self, each: _Running, error: BaseException) -> None:
        """Log that a follower broke; its work pauses, longer each time that happens in a row."""
        namespace = each.lease.namespace
        before = 0 if each.follower.caught_up else self._broken_in_a_row.get(namespace, 0)
        times = self._broken_in_a_row[namespace] = before + 1
        pause_s = min(RESTART_PAUSE_S << min(times - 1, _DOUBLINGS_MAX), RESTART_PAUSE_S_MAX)
        self.failures += 1
        self._logger.error(
            "cluster.follower_broke",
            namespace=namespace,
            times_in_a_row=times,
            pause_s=pause_s,
            **failure_fields(error, with_text=self._logger.is_enabled_for(logging.DEBUG)),
        )
        await self._let_go(each.lease, f"its follower broke: {type(error).__name__}", pause_s)

    async def _complete(self, lease: Lease) -> None:
        self._broken_in_a_row.pop(lease.namespace, None)
        try:
            await self._leases.complete(lease)
        except AnamnesisError as error:
            self._logger.info("cluster.not_completed", **_told(lease, error))

    async def _let_go(self, lease: Lease, reason: str, pause_s: int = RESTART_PAUSE_S) -> None:
        """Give a lease back after a pause; if that call fails, the lease runs out by itself."""
        try:
            await self._leases.fail(lease, reason, pause_s)
        except AnamnesisError as error:
            self._logger.info("cluster.not_let_go", **_told(lease, error))


def _told(lease: Lease, error: AnamnesisError) -> Mapping[str, object]:
    return {"namespace": lease.namespace, **failure_fields(error, with_text=False)}
