"""Many writes, one commit: a queue that drains itself.

Writes that arrive while a commit runs wait together and share the next one, so
that the cost of making things durable is paid once for all of them. The queue is
bounded: beyond it a write is refused at once, and its caller told when to retry.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

from anamnesis_libs.errors import ResourceExhausted

W = TypeVar("W")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers of writes that may wait, and that share a commit."""

    queue_max: int = 1_024
    batch_max: int = 256


DEFAULT_BOUNDS = Bounds()


@dataclass(slots=True)
class _Waiting(Generic[W, A]):
    write: W
    answer: "asyncio.Future[A]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class GroupCommit(Generic[W, A]):
    """Collects writes and hands them to `commit_batch`, one batch at a time.

    `commit_batch` answers one outcome a write, in order: an answer, or the error of
    that write alone. It may answer the first ones only, at least one; it is then handed the
    rest again. An error that it raises is the whole batch's, of which nothing was committed.
    """

    def __init__(
        self,
        commit_batch: Callable[[Sequence[W]], Awaitable[Sequence[A | Exception]]],
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> None:
        self._commit_batch = commit_batch
        self._bounds = bounds
        self._queue: list[_Waiting[W, A]] = []
        self._handed_again: deque[Sequence[_Waiting[W, A]]] = deque()
        self._running: asyncio.Task[Sequence[A | Exception]] | None = None

    async def submit(self, write: W) -> A:
        """Wait until a write is durable.

        A caller that goes away does not take its write along: it is committed or
        refused all the same, as its retry will find out.

        Raises:
            ResourceExhausted: too many writes wait already.
        """
        if len(self._queue) >= self._bounds.queue_max:
            raise ResourceExhausted(
                f"{self._bounds.queue_max} writes wait in this namespace; retry in a moment",
                retry_after_s=0.2,
                metadata={"queue": "writes"},
            )
        waiting: _Waiting[W, A] = _Waiting(write)
        self._queue.append(waiting)
        if self._running is None:
            self._begin()
        return await waiting.answer

    async def close(self) -> None:
        """Commit what was accepted."""
        while self._running is not None:
            await asyncio.wait([self._running])

    def _begin(self) -> None:
        """Start the next commit, if anything waits; it takes what has come when it runs."""
        if self._handed_again or self._queue:
            batch: list[_Waiting[W, A]] = []
            self._running = asyncio.create_task(self._commit(batch), name="group-commit")
            self._running.add_done_callback(partial(self._end, batch))

    async def _commit(self, batch: list[_Waiting[W, A]]) -> Sequence[A | Exception]:
        """Commit a batch that is filled here: with what was handed out before, else what waits."""
        if self._handed_again:
            batch += self._handed_again.popleft()
        else:
            batch += self._queue[: self._bounds.batch_max]
            del self._queue[: self._bounds.batch_max]
        return await self._commit_batch([waiting.write for waiting in batch])

    def _end(
        self, batch: Sequence[_Waiting[W, A]], commit: "asyncio.Task[Sequence[A | Exception]]"
    ) -> None:
        """Answer a batch; where it failed as a whole, each write stands for itself."""
        self._running = None
        if commit.cancelled():
            return
        error = commit.exception()
        if error is None:
            outcomes = commit.result()
            assert outcomes, "a batch makes progress"
            for waiting, outcome in zip(batch, outcomes, strict=False):
                _settle(waiting.answer, outcome)
            if rest := batch[len(outcomes) :]:
                self._handed_again.appendleft(rest)
        elif len(batch) == 1:
            _settle(batch[0].answer, error)
        else:
            self._handed_again.extendleft([waiting] for waiting in reversed(batch))
        self._begin()


def _settle(answer: "asyncio.Future[A]", outcome: A | BaseException) -> None:
    """Give a caller its outcome, if it is still there."""
    if answer.cancelled():
        return
    if isinstance(outcome, BaseException):
        answer.set_exception(outcome)
        answer.exception()  # its caller may be gone; that is no news for the log
    else:
        answer.set_result(outcome)
