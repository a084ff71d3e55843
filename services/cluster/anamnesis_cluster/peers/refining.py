"""Memories that a model can improve, asked for from memory for all scopes, and its words."""

from collections.abc import Sequence

from anamnesis.memory.v1 import memory_service_pb2, sleep_pb2
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cluster.convert.refinement import from_refined, to_unrefined
from anamnesis_cluster.peers.runs import RunsPeer
from anamnesis_cluster.refinement.model import Recorded, Refined, UnrefinedPage
from anamnesis_cluster.runs import Run
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call


class RefiningPeer(RunsPeer):
    """Unrefined memories, and the runs of REFINE that improve them."""

    def __init__(self, channels: Channels, lease_s: int, timeout_s: float) -> None:
        super().__init__(channels, sleep_pb2.SLEEP_PHASE_REFINE, lease_s, timeout_s)
        self._memory = MemoryServiceStub(channels.to("memory"))

    async def page(self, namespace: str, limit: int) -> UnrefinedPage:
        """List the next memories."""
        request = memory_service_pb2.ListUnrefinedRequest(namespace=namespace, limit=limit)
        page = await call(self._memory.ListUnrefined, request, timeout_s=self._timeout_s)
        return UnrefinedPage([to_unrefined(one) for one in page.memories], page.through, page.more)

    async def record(
        self, run: Run, model: str, refined: Sequence[Refined], through: str
    ) -> Recorded:
        """Write what a model said."""
        request = memory_service_pb2.RecordRefinementsRequest(
            namespace=run.namespace,
            lease=self.lease(run),
            lease_seconds=self._lease_s,
            model=model,
            refinements=map(from_refined, refined),
            through=through,
        )
        done = await call(self._memory.RecordRefinements, request, timeout_s=self._timeout_s)
        return Recorded(done.weighed, done.worded, done.refused, done.changed)
