"""Runs of sleep that the cluster service does: the claim of one, its end, and keeping it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol

from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.logs import Logger, failure_fields

CUT_OFF = "CUT_OFF"
"""The reason of a run whose caller went away or whose process was stopped."""


@dataclass(frozen=True, slots=True)
class Run:
    """The claim of a run, with its fencing token."""

    namespace: str
    run_id: str
    token: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a run; `run_id` is empty of one that is not recorded, `held` where none began."""

    run_id: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    model_tokens: int = 0
    reason: str = ""
    held: bool = False


class Runs(Protocol):
    """Runs of namespaces that memory claims for whoever asks."""

    async def start(self, namespace: str) -> Run | None:
        """Begin a run in a namespace, or where one is due if none is named; None where none can.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        ...

    async def renew(self, run: Run) -> bool:
        """Keep the claim of a run; True if it is still held."""
        ...

    async def finish(
        self, run: Run, counts: dict[str, int], model_tokens: int, reason: str, next_s: int
    ) -> None:
        """Record how a run ended; due again after so many seconds, 0 means when something changes.

        Raises:
            AnamnesisError: it is not recorded, and found by the end of its claim.
        """
        ...


@asynccontextmanager
async def kept(
    run: Run, renew: Callable[[Run], Awaitable[bool]], lease_s: float, logger: Logger
) -> AsyncIterator[None]:
    """Keep the claim of a run while it waits for the model."""
    keeping = asyncio.create_task(_keep(run, renew, lease_s, logger), name="run.renew")
    try:
        yield
    finally:
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)


async def _keep(
    run: Run, renew: Callable[[Run], Awaitable[bool]], lease_s: float, logger: Logger
) -> None:
    """Renew until it is lost; then the next write of the run is refused."""
    while True:
        await asyncio.sleep(lease_s / 3)
        try:
            if not await renew(run):
                return
        except AnamnesisError as error:
            fields = failure_fields(error, with_text=False)
            logger.warning("cluster.renew", namespace=run.namespace, **fields)
