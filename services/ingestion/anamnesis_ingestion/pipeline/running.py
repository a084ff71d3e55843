"""Working on claims: side by side, each lease kept as long as its work lasts.

A claim whose lease is lost is stopped at once, for somebody else has it. What fails is told
to the ledger with its reason: the fault of the session counts as a try; that a model, a
budget or a peer is not there counts as none, and waits.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from anamnesis_ingestion.pipeline.ports import WorkBoard
from anamnesis_ingestion.pipeline.work import Finished, StageClaim, StageOutcome, Wish
from anamnesis_libs.errors import (
    AnamnesisError,
    DeadlineExceeded,
    LeaseLost,
    ResourceExhausted,
    TooLarge,
    Unavailable,
)
from anamnesis_libs.errors.not_found import NamespaceNotFound, SessionNotFound
from anamnesis_libs.logs import Logger, failure_fields

WAIT_S_MIN = 15.0
WAIT_S_MAX = 3600.0
REASON_CHARS_MAX = 1000

Work = Callable[[StageClaim], Awaitable[StageOutcome]]


class Runner:
    """Claims work and does it."""

    def __init__(self, board: WorkBoard, work: Work, lease_s: float, logger: Logger) -> None:
        self._board = board
        self._work = work
        self._lease_s = lease_s
        self._logger = logger

    async def claim_and_run(self, wish: Wish) -> Sequence[Finished]:
        """Claim work and do all of it; empty if none is due."""
        return [done async for done in self.run(await self._board.claim(wish))]

    async def run(self, claims: Sequence[StageClaim]) -> AsyncGenerator[Finished, None]:
        """Work on claims side by side; each is given when it is finished. Closing it stops all."""
        tasks = [asyncio.create_task(self._finish(claim), name="pipeline") for claim in claims]
        try:
            for finished in asyncio.as_completed(tasks):
                yield await finished
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _finish(self, claim: StageClaim) -> Finished:
        """Work on one claim under its lease, and tell the ledger if it fails."""
        work = asyncio.ensure_future(self._work(claim))
        keeping = asyncio.create_task(self._keep(claim, work), name="pipeline.renew")
        try:
            await asyncio.wait({work})
        finally:
            keeping.cancel()
            work.cancel()
            await asyncio.wait({work, keeping})
        if work.cancelled():
            return Finished(claim, lost=True)
        error = work.exception()
        return Finished(claim, work.result()) if error is None else await self._told(claim, error)

    async def _keep(self, claim: StageClaim, work: "asyncio.Future[StageOutcome]") -> None:
        """Renew the lease until it is lost, which stops the work.

        A memory service that does not answer costs nothing yet: the lease may outlast it, and
        what is sent under a lease that did not is refused.
        """
        while True:
            await asyncio.sleep(self._lease_s / 3)
            try:
                lost = await self._board.renew([claim])
            except AnamnesisError:
                continue
            if lost:
                work.cancel()
                return

    async def _told(self, claim: StageClaim, error: BaseException) -> Finished:
        """Tell the ledger why it failed, unless the work is somebody else's or gone."""
        if isinstance(error, LeaseLost | NamespaceNotFound | SessionNotFound):
            return Finished(claim, lost=True)
        reason = reason_of(error)
        self._logger.warning(
            "pipeline.failed",
            namespace=claim.namespace,
            stage=claim.stage.value,
            session_id=claim.session_id,
            attempts=claim.attempts,
            **failure_fields(error, with_text=self._logger.is_enabled_for(logging.DEBUG)),
        )
        try:
            await self._board.fail(claim, reason, wait_s_after(error))
        except (LeaseLost, NamespaceNotFound, SessionNotFound):
            return Finished(claim, lost=True)
        return Finished(claim, failure=reason)


def reason_of(error: BaseException) -> str:
    """The reason of a failure for an operator; of an internal error only its kind is told."""
    if isinstance(error, AnamnesisError):
        return f"{error.reason}: {error.message}"[:REASON_CHARS_MAX]
    return f"INTERNAL: {type(error).__name__}"


def wait_s_after(error: BaseException) -> float:
    """Seconds to wait after a failure that is not the session's fault; 0 counts it as a try."""
    if isinstance(error, TooLarge):
        return 0.0
    if isinstance(error, Unavailable | ResourceExhausted):
        return min(max(error.retry_after_s, WAIT_S_MIN), WAIT_S_MAX)
    return WAIT_S_MIN if isinstance(error, DeadlineExceeded) else 0.0
