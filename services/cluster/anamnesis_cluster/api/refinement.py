"""The part of ClusterService that has a model improve what is in doubt."""

from collections.abc import AsyncIterator
from contextlib import aclosing

from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis_cluster.convert.refinement import from_told
from anamnesis_cluster.refinement.cycle import Refiner
from anamnesis_libs.clock import Clock


class RefinementRpcs:
    """Serves refinement; see the proto for what it promises."""

    def __init__(self, refiner: Refiner, clock: Clock) -> None:
        self._refiner = refiner
        self._clock = clock

    async def RefineMemories(
        self,
        request: pb.RefineMemoriesRequest,
        context: aio.ServicerContext[pb.RefineMemoriesRequest, pb.RefineMemoriesResponse],
    ) -> AsyncIterator[pb.RefineMemoriesResponse]:
        """Run in one namespace, telling how far it is."""
        start = self._clock.now()
        async with aclosing(self._refiner.run(request.namespace)) as steps:
            async for told in steps:
                yield from_told(told, start, self._clock.now())
