"""The part of AdminService that runs sleep on demand or hands it out, and tells what it did."""

from collections.abc import AsyncIterator
from contextlib import aclosing

from grpc import aio

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis_memory.api.convert.enums import PHASE
from anamnesis_memory.api.convert.sleep import from_run, from_told, to_phases
from anamnesis_memory.api.convert.work import from_lease, lease_us, to_lease
from anamnesis_memory.maintenance.handed_out import HandedOut, RunEnd
from anamnesis_memory.maintenance.runner import Sleeper, SleepRequest
from anamnesis_memory.model.documents import Collection
from anamnesis_memory.model.sleep_runs import RUNS_MAX, run_of
from anamnesis_memory.runtime.calls import Calls, page_of


class SleepRpcs:
    """Serves sleep; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, sleeper: Sleeper, handed_out: HandedOut) -> None:
        self._calls = calls
        self._sleeper = sleeper
        self._handed_out = handed_out

    async def RunSleepCycle(
        self,
        request: pb.RunSleepCycleRequest,
        context: aio.ServicerContext[pb.RunSleepCycleRequest, pb.RunSleepCycleResponse],
    ) -> AsyncIterator[pb.RunSleepCycleResponse]:
        """Run phases now, telling how far they are."""
        asleep = SleepRequest(request.namespace, to_phases(request.phases))
        async with aclosing(self._sleeper.run(asleep)) as told:
            async for one in told:
                yield from_told(one)

    async def ListRuns(
        self,
        request: pb.ListRunsRequest,
        context: aio.ServicerContext[pb.ListRunsRequest, pb.ListRunsResponse],
    ) -> pb.ListRunsResponse:
        """List runs, the newest first."""
        page = page_of(request, (str,))
        after = str(page.after[0]) if page.after else ""
        phase = PHASE.from_pb(request.phase) if request.phase else None
        async with self._calls.reading(request.namespace) as opened:
            kept = await opened.store.documents(Collection.RUN, after, RUNS_MAX)
        found = [run for run in map(run_of, kept) if phase in (None, run.phase)]
        runs, token = page.take(found[: page.size + 1], lambda run: (run.run_id,))
        return pb.ListRunsResponse(runs=map(from_run, runs), next_page_token=token)

    async def StartRun(
        self,
        request: pb.StartRunRequest,
        context: aio.ServicerContext[pb.StartRunRequest, pb.StartRunResponse],
    ) -> pb.StartRunResponse:
        """Hand a phase out to the service that does it, in one namespace or where it is due."""
        phase, held_us = PHASE.from_pb(request.phase), lease_us(request.lease_seconds)
        if request.namespace:
            begun = await self._handed_out.start_in(
                request.namespace, phase, request.holder, held_us
            )
        else:
            begun = await self._handed_out.start_due(phase, request.holder, held_us)
        if begun is None:
            return pb.StartRunResponse()
        return pb.StartRunResponse(
            taken=True,
            namespace=begun.namespace.name,
            run_id=begun.run.run_id,
            lease=from_lease(begun.lease),
        )

    async def FinishRun(
        self,
        request: pb.FinishRunRequest,
        context: aio.ServicerContext[pb.FinishRunRequest, pb.FinishRunResponse],
    ) -> pb.FinishRunResponse:
        """Record how a run ended that was handed out."""
        end = RunEnd(
            request.run_id,
            to_lease(request.lease),
            dict(request.counts),
            request.model_tokens,
            request.reason,
            request.next_seconds,
        )
        return pb.FinishRunResponse(
            run=from_run(await self._handed_out.finish(request.namespace, end))
        )
