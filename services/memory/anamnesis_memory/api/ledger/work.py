"""The part of LedgerService that hands out work under leases, and takes it back."""

import asyncio
from dataclasses import dataclass

from grpc import aio

from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.paging import PAGE_SIZE_MAX, Page, page_token_refused
from anamnesis_memory.api.convert.enums import WORK_KIND
from anamnesis_memory.api.convert.work import (
    from_counts,
    from_found,
    from_item,
    from_lease,
    lease_us,
    to_asked,
    to_lease,
    to_work_filter,
)
from anamnesis_memory.ledger.work import CompleteWork, FailWork, RenewWork, RetryWork, stage_keys
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.sleep_runs import HANDED_OUT
from anamnesis_memory.model.work import COMPRESS_AFTER_US, FIRST_PAUSE_US, Lease, WorkKey, WorkState
from anamnesis_memory.ports.pipeline import WorkFilter
from anamnesis_memory.preparation.prepare import Preparer
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.claiming import Claimer
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

_COMPLETED_BY = {
    Work.SEGMENT: "ReplaceSegments",
    Work.COMPRESS: "PromoteEpisodes",
    Work.RETAIN: "the memory service itself",
    **dict.fromkeys(HANDED_OUT, "FinishRun"),
}
_SECOND_US = 1_000_000


@dataclass(frozen=True, slots=True)
class PipelineRules:
    """Idle time before an open session is worked on, least scores, and retention of ledgers."""

    idle_us: int
    lesson_score_min: float
    sft_score_min: float
    retain_us: int = 0


class WorkRpcs:
    """Serves workers and those who look after them; see the proto for what each rpc promises."""

    def __init__(
        self, calls: Calls, prepare: Preparer, claimer: Claimer, rules: PipelineRules
    ) -> None:
        self._calls = calls
        self._prepare = prepare
        self._claimer = claimer
        self._rules = rules

    async def ClaimWork(
        self,
        request: pb.ClaimWorkRequest,
        context: aio.ServicerContext[pb.ClaimWorkRequest, pb.ClaimWorkResponse],
    ) -> pb.ClaimWorkResponse:
        """Lease work that is due, in one namespace or in any."""
        asked = to_asked(request)
        if request.namespace:
            return from_found(await self._claimer.claim_in(request.namespace, asked))
        return from_found(await self._claimer.claim_anywhere(asked))

    async def RenewWork(
        self,
        request: pb.RenewWorkRequest,
        context: aio.ServicerContext[pb.RenewWorkRequest, pb.RenewWorkResponse],
    ) -> pb.RenewWorkResponse:
        """Move the expiry of leases that are still held."""
        leases = [to_lease(one, f"leases[{at}]") for at, one in enumerate(request.leases)]
        async with self._calls.reading(request.namespace) as opened:
            write = RenewWork(leases, lease_us(request.lease_seconds))
            renewed, _ = await self._calls.apply(opened, write)
            return pb.RenewWorkResponse(
                items=[from_item(item, opened.namespace) for item in renewed.items],
                lost=map(from_lease, renewed.lost),
            )

    async def CompleteWork(
        self,
        request: pb.CompleteWorkRequest,
        context: aio.ServicerContext[pb.CompleteWorkRequest, pb.CompleteWorkResponse],
    ) -> pb.CompleteWorkResponse:
        """Say that work is done; what follows becomes due."""
        lease = to_lease(request.lease)
        if by := _COMPLETED_BY.get(lease.kind):
            raise invalid_field("lease.kind", f"{lease.kind.name} is completed by {by}")
        async with self._calls.reading(request.namespace) as opened:
            async with self._calls.work_due(opened, self._due_after(lease)):
                item, _ = await self._calls.apply(opened, CompleteWork(lease))
            return pb.CompleteWorkResponse(item=from_item(item, opened.namespace))

    async def FailWork(
        self,
        request: pb.FailWorkRequest,
        context: aio.ServicerContext[pb.FailWorkRequest, pb.FailWorkResponse],
    ) -> pb.FailWorkResponse:
        """Say that a try failed; the work waits, or is dead."""
        lease = to_lease(request.lease)
        wait_us = request.retry_after_seconds * _SECOND_US
        due_us = self._calls.now_us() + (wait_us or FIRST_PAUSE_US)
        async with self._calls.reading(request.namespace) as opened:
            prepare = self._prepare.asking(opened.policy.redaction)
            reason = await asyncio.to_thread(prepare.clean, request.reason)
            async with self._calls.work_due(opened, ((lease.kind, due_us),)):
                item, _ = await self._calls.apply(opened, FailWork(lease, reason, wait_us))
            return pb.FailWorkResponse(item=from_item(item, opened.namespace))

    async def ListWork(
        self,
        request: pb.ListWorkRequest,
        context: aio.ServicerContext[pb.ListWorkRequest, pb.ListWorkResponse],
    ) -> pb.ListWorkResponse:
        """List work by kind and session, and count it."""
        page = page_of(request, (str, str))
        after = _place(page)
        where = to_work_filter(request)
        async with self._calls.reading(request.namespace) as opened:
            found = await opened.store.list_work(where, after, page.size + 1)
            items, token = page.take(found, lambda item: (item.kind.value, item.session_id))
            return pb.ListWorkResponse(
                items=[from_item(item, opened.namespace) for item in items],
                next_page_token=token,
                counts=from_counts(await opened.store.count_work(where)),
            )

    async def RetryWork(
        self,
        request: pb.RetryWorkRequest,
        context: aio.ServicerContext[pb.RetryWorkRequest, pb.RetryWorkResponse],
    ) -> pb.RetryWorkResponse:
        """Make what failed due now, a batch at a time."""
        where = WorkFilter(
            kinds=tuple(map(WORK_KIND.from_pb, request.kinds)),
            states=(WorkState.FAILED, WorkState.DEAD),
            session_id=request.session_id,
        )
        retried, after = 0, None
        async with self._calls.reading(request.namespace) as opened:
            while found := await opened.store.list_work(where, after, PAGE_SIZE_MAX):
                keys = [item.key for item in found]
                retried += await self._retry(opened, keys)
                after = keys[-1]
        return pb.RetryWorkResponse(retried=retried)

    async def _retry(self, opened: OpenNamespace, keys: list[WorkKey]) -> int:
        now_us = self._calls.now_us()
        due = [(kind, now_us) for kind in dict.fromkeys(kind for kind, _ in keys)]
        async with self._calls.work_due(opened, due):
            retried, _ = await self._calls.apply(opened, RetryWork(keys))
        return retried

    def _due_after(self, lease: Lease) -> list[tuple[Work, int]]:
        """Work that may become due when this lease's is done: what follows, or itself once more."""
        now_us = self._calls.now_us()
        kinds = dict.fromkeys(kind for kind, _ in stage_keys(lease.key))
        if len(kinds) > 1:
            del kinds[lease.kind]
        wait_us = {Work.COMPRESS: COMPRESS_AFTER_US}
        return [(kind, now_us + wait_us.get(kind, 0)) for kind in kinds]


def _place(page: Page) -> WorkKey | None:
    """The place where a page of work goes on."""
    if page.after is None:
        return None
    kind, session_id = map(str, page.after)
    if kind not in set(Work):
        raise page_token_refused()
    return Work(kind), session_id
