"""Claiming work in one namespace, or wherever some is due.

The catalogue notes where work may be ready, so that nothing else is opened. A note is a hint:
what the namespace itself says when it is asked is the truth, and the note is moved to it. Work
under a lease is noted for when the lease expires, so that it is found if its holder vanishes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.logs import failure_fields, logger
from anamnesis_memory.ledger.work import Claims, ClaimWork
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.work import Claimable, WorkItem
from anamnesis_memory.ports.catalogue import Catalogue, Due
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.faults import outcome_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

PLACES_MAX = 16
PAUSE_US = 30 * 1_000_000
_EVER_US = 1 << 60
_LOG = logger("memory.claiming")


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """The request of a claim, and the time for which its leases hold."""

    kinds: tuple[Work, ...]
    holder: str
    limit: int
    lease_us: int
    session_id: str = ""
    even_if_early: bool = False


@dataclass(frozen=True, slots=True)
class ClaimedWork:
    """The claimed work by namespace, each with its session's etag; the time of the next look."""

    items: tuple[tuple[Namespace, WorkItem, str], ...]
    next_us: int | None


class Claimer:
    """The verb behind `LedgerService.ClaimWork`."""

    def __init__(self, calls: Calls, catalogue: Catalogue) -> None:
        self._calls = calls
        self._catalogue = catalogue

    async def claim_in(self, name: str, asked: ClaimRequest) -> ClaimedWork:
        """Claim in one namespace.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        items: list[tuple[Namespace, WorkItem, str]] = []
        times: list[int | None] = []
        async with self._calls.reading(name) as opened:
            for kind in asked.kinds:
                left = asked.limit - len(items)
                if not left:
                    times.append(self._calls.now_us())
                    break
                async with self._calls.work_due(opened, self._expiry(kind, asked)):
                    claims = await self._commit(opened, kind, asked, left)
                items += _placed(opened, claims)
                times.append(self._calls.now_us() if claims.more else claims.next_us)
        return ClaimedWork(tuple(items), _earliest(times))

    async def claim_anywhere(self, asked: ClaimRequest) -> ClaimedWork:
        """Claim where work has been due longest; a namespace that fails stops none of the others.

        Raises:
            StoreUnavailable: the catalogue does not answer.
        """
        items: list[tuple[Namespace, WorkItem, str]] = []
        for due in await self._catalogue.due(asked.kinds, self._calls.now_us(), PLACES_MAX):
            left = asked.limit - len(items)
            if not left:
                break
            claimed = await outcome_of(self._claim_at(due, asked, left))
            if isinstance(claimed, Exception):
                fields = failure_fields(claimed, with_text=False)
                _LOG.warning("claiming.failed", namespace=due.name, **fields)
                await self._catalogue.reschedule(due, self._calls.now_us() + PAUSE_US)
            else:
                items += claimed
        rest = await self._catalogue.due(asked.kinds, _EVER_US, 1)
        return ClaimedWork(tuple(items), rest[0].at_us if rest else None)

    async def _claim_at(
        self, due: Due, asked: ClaimRequest, limit: int
    ) -> list[tuple[Namespace, WorkItem, str]]:
        """Claim in a namespace where work may be ready, and note what is left there."""
        try:
            async with self._calls.reading(due.name) as opened:
                claims = await self._commit(opened, due.work, asked, limit)
                items = _placed(opened, claims)
        except NamespaceNotFound:
            await self._catalogue.reschedule(due, None)
            return []
        expiries = [item.expires_us for _, item, _ in items]
        ready_us = self._calls.now_us() if claims.more else claims.next_us
        await self._catalogue.reschedule(due, _earliest([ready_us, *expiries]))
        return items

    async def _commit(
        self, opened: OpenNamespace, kind: Work, asked: ClaimRequest, limit: int
    ) -> Claims:
        claimable = Claimable(
            kind, self._calls.now_us(), limit, asked.session_id, asked.even_if_early
        )
        write = ClaimWork(claimable, asked.holder, asked.lease_us)
        claims, _ = await self._calls.apply(opened, write)
        return claims

    def _expiry(self, kind: Work, asked: ClaimRequest) -> Sequence[tuple[Work, int]]:
        """The due time to note for work that is claimed early: the end of its lease."""
        return ((kind, self._calls.now_us() + asked.lease_us),) if asked.even_if_early else ()


def _placed(opened: OpenNamespace, claims: Claims) -> list[tuple[Namespace, WorkItem, str]]:
    return [(opened.namespace, item, etag) for item, etag in claims.items]


def _earliest(times_us: Iterable[int | None]) -> int | None:
    return min((time_us for time_us in times_us if time_us is not None), default=None)
