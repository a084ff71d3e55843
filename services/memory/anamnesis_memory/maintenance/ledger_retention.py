"""The retention loop: sessions whose ledger is due are claimed, some at a time, and expired.

Several replicas may run it over one store: the lease of a session's work lets one at it. Only
namespaces where the catalogue notes such work are opened.
"""

from dataclasses import dataclass

from anamnesis_libs.errors import LeaseLost
from anamnesis_libs.logs import failure_fields, logger
from anamnesis_libs.run.loop import Loop
from anamnesis_memory.ledger.retention import ExpireSession
from anamnesis_memory.ledger.work import FailWork
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.work import Lease, WorkItem
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.claiming import Claimer, ClaimRequest
from anamnesis_memory.runtime.indexing.faults import outcome_of

SESSIONS_IN_A_STEP = 16
LEASE_US = 10 * 60 * 1_000_000
EVERY_S = 6 * 3600.0
_LOG = logger("memory.retention")


@dataclass(frozen=True, slots=True)
class Expired:
    """Sessions whose ledger went, with so many events; and whether more may be due."""

    sessions: int
    events: int
    more: bool


class Retainer:
    """Expires what is due, `retain_us` after the last stage of its pipeline."""

    def __init__(self, calls: Calls, claimer: Claimer, retain_us: int) -> None:
        self._calls = calls
        self._claimer = claimer
        self._retain_us = retain_us
        self._holder = f"retention/{new_id(calls.now_us())}"

    async def step(self) -> bool:
        """Look at some sessions that are due; whether there may be more."""
        found = await self._claimer.claim_anywhere(self._asked)
        for namespace, item, _ in found.items:
            await self._expire(namespace, item)
        return len(found.items) >= SESSIONS_IN_A_STEP

    async def expire_in(self, name: str) -> Expired:
        """Look at some sessions of one namespace that are due.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        found = await self._claimer.claim_in(name, self._asked)
        events = [await self._expire(namespace, item) for namespace, item, _ in found.items]
        more = len(found.items) >= SESSIONS_IN_A_STEP
        return Expired(sum(map(bool, events)), sum(events), more)

    @property
    def _asked(self) -> ClaimRequest:
        return ClaimRequest((Work.RETAIN,), self._holder, SESSIONS_IN_A_STEP, LEASE_US)

    async def _expire(self, namespace: Namespace, item: WorkItem) -> int:
        """Expire a session; return its number of expired events. A failure is left to a retry."""
        lease = Lease(item.kind, item.session_id, item.token)
        events = await outcome_of(self._expired(namespace, lease))
        if isinstance(events, LeaseLost):
            return 0
        if isinstance(events, Exception):
            fields = failure_fields(events, with_text=False)
            _LOG.warning("retention.failed", namespace=namespace.name, **fields)
            await outcome_of(self._fail(namespace, lease, events))
            return 0
        if events:
            _LOG.info("retention.expired", namespace=namespace.name, events=events)
        return events

    async def _expired(self, namespace: Namespace, lease: Lease) -> int:
        async with self._calls.changing(namespace.name) as opened:
            events, _ = await self._calls.apply(opened, ExpireSession(lease, self._retain_us))
            return events

    async def _fail(self, namespace: Namespace, lease: Lease, error: Exception) -> None:
        async with self._calls.reading(namespace.name) as opened:
            await self._calls.apply(opened, FailWork(lease, type(error).__name__))


def retention_loop(retainer: Retainer) -> Loop:
    """Ledgers that have been kept long enough go; at the start, and then every six hours."""
    return Loop("memory.retention", every_s=EVERY_S, step=retainer.step)
