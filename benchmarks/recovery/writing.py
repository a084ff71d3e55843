"""Writers, and what each was told: acknowledged, in doubt, or failed for good."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from grpc import aio

from anamnesis_libs.errors import (
    AnamnesisError,
    Conflict,
    DeadlineExceeded,
    ResourceExhausted,
    Unavailable,
)
from anamnesis_libs.rpc.status import code_of, from_rpc_error
from benchmarks.recovery.requests import Request
from benchmarks.stubs import Stubs

PAUSE_S = 0.1


class Told(StrEnum):
    """The knowledge of a client about a request that it sent."""

    ACKNOWLEDGED = "acknowledged"
    IN_DOUBT = "in doubt"
    REFUSED = "refused"


@dataclass(slots=True)
class Known:
    """The knowledge of all clients; `failures` counts answers by code and reason."""

    told: dict[Told, list[Request]] = field(default_factory=lambda: {each: [] for each in Told})
    in_doubt: int = 0
    in_doubt_stored: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    acknowledged: asyncio.Event = field(default_factory=asyncio.Event)
    store_unavailable: asyncio.Event = field(default_factory=asyncio.Event)

    def count(self, told: Told) -> int:
        """Number of texts whose requests had this answer."""
        return sum(len(request.texts) for request in self.told[told])

    def take(self, request: Request, told: Told) -> None:
        """Note the end of a request."""
        self.told[told].append(request)
        if told is Told.ACKNOWLEDGED:
            self.acknowledged.set()

    def fail(self, error: AnamnesisError) -> None:
        """Note an answer that was an error."""
        retry = isinstance(error, Unavailable | ResourceExhausted) and error.retry_after_s
        told = f"{code_of(error).name} {error.reason}{' RetryInfo' if retry else ''}"
        self.failures[told] += 1
        if error.reason == "STORE_UNAVAILABLE" and retry:
            self.store_unavailable.set()


async def write(
    stubs: Stubs, requests: Iterator[Request], known: Known, stopping: asyncio.Event
) -> None:
    """Send one request after another until it is time to stop; the last one to its end."""
    while not stopping.is_set():
        await deliver(stubs, next(requests), known)


async def deliver(stubs: Stubs, request: Request, known: Known) -> None:
    """Send a request until its answer is no longer in doubt, if it may be sent again."""
    tries = 0
    while True:
        tries += 1
        try:
            before = await request.send(stubs)
        except aio.AioRpcError as failed:
            error = from_rpc_error(failed, "the suite")
            known.fail(error)
        else:
            known.in_doubt_stored += before > 0 and tries > 1
            return known.take(request, Told.ACKNOWLEDGED)
        if not isinstance(error, Unavailable | ResourceExhausted | DeadlineExceeded | Conflict):
            return known.take(request, Told.REFUSED)
        known.in_doubt += tries == 1
        if not request.repeatable:
            return known.take(request, Told.IN_DOUBT)
        await asyncio.sleep(PAUSE_S)
