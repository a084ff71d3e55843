"""The part of AdminService that counts what models cost a namespace."""

from grpc import aio

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis_memory.api.convert.usage import from_hours, to_usages
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.memories.report_usage import ReportUsage
from anamnesis_memory.model.usage import HOUR_US, Budget, hour_of
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

HOURS_DEFAULT = 24


class UsageRpcs:
    """Serves budgets; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, budget: Budget) -> None:
        self._calls = calls
        self._budget = budget

    async def GetUsage(
        self,
        request: pb.GetUsageRequest,
        context: aio.ServicerContext[pb.GetUsageRequest, pb.GetUsageResponse],
    ) -> pb.GetUsageResponse:
        """Return the cost of models by hour, and the rest of this hour's budget."""
        hour_us = hour_of(self._calls.now_us())
        hours = request.hours or HOURS_DEFAULT
        async with self._calls.reading(request.namespace) as opened:
            used = await opened.store.usage(hour_us - (hours - 1) * HOUR_US)
            left = self._budget.left(one for one in used if one.hour_us == hour_us)
            return pb.GetUsageResponse(
                hours=from_hours(used),
                calls_left=left.calls_max,
                tokens_left=left.tokens_max,
                reset_time=to_timestamp(hour_us + HOUR_US),
            )

    async def ReportUsage(
        self,
        request: pb.ReportUsageRequest,
        context: aio.ServicerContext[pb.ReportUsageRequest, pb.ReportUsageResponse],
    ) -> pb.ReportUsageResponse:
        """Add to what models have cost this hour; a request that was seen adds nothing."""
        hour_us = hour_of(self._calls.now_us())
        async with self._calls.reading(request.namespace) as opened:
            write = ReportUsage(to_usages(request.usages, hour_us))
            answer = await self._calls.commit(
                opened,
                request,
                write,
                lambda _, __: pb.ReportUsageResponse(),
                pb.ReportUsageResponse,
            )
            left = await self._left(opened, hour_us)
            answer.calls_left, answer.tokens_left = left.calls_max, left.tokens_max
            return answer

    async def _left(self, opened: OpenNamespace, hour_us: int) -> Budget:
        used = await opened.store.usage(hour_us)
        return self._budget.left(one for one in used if one.hour_us == hour_us)
