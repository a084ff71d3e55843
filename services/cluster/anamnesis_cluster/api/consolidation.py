"""The part of ClusterService that makes lessons that say the same one."""

from collections.abc import AsyncIterator
from contextlib import aclosing

from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis_cluster.consolidation.cycle import MERGES_MAX, Consolidator
from anamnesis_cluster.convert.consolidation import from_told
from anamnesis_libs.clock import Clock


class ConsolidationRpcs:
    """Serves consolidation; see the proto for what it promises."""

    def __init__(self, consolidator: Consolidator, clock: Clock) -> None:
        self._consolidator = consolidator
        self._clock = clock

    async def Consolidate(
        self,
        request: pb.ConsolidateRequest,
        context: aio.ServicerContext[pb.ConsolidateRequest, pb.ConsolidateResponse],
    ) -> AsyncIterator[pb.ConsolidateResponse]:
        """Run in one namespace, telling each decision as it is written."""
        start = self._clock.now()
        merges_max = request.merges_max or MERGES_MAX
        running = self._consolidator.run(request.namespace, merges_max, dry_run=request.dry_run)
        async with aclosing(running) as steps:
            async for told in steps:
                yield from_told(told, start, self._clock.now())
