"""Puts the cluster service together."""

from collections.abc import Sequence
from functools import partial

from grpc import aio

from anamnesis.cluster.v1 import (
    cluster_service_pb2,
    cluster_service_pb2_grpc,
    projection_service_pb2,
    projection_service_pb2_grpc,
)
from anamnesis_cluster.api.assigning import Assigning
from anamnesis_cluster.api.clusters import ClusterServicer
from anamnesis_cluster.api.projections import ProjectionServicer
from anamnesis_cluster.clusters.follow import Follower, Rules
from anamnesis_cluster.clusters.followers import Followers
from anamnesis_cluster.clusters.initial import run_initial
from anamnesis_cluster.leases import Lease
from anamnesis_cluster.peers.leases import LeasePeer
from anamnesis_cluster.peers.memory import MemoryPeer
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import ServiceContext

SERVICE = cluster_service_pb2.DESCRIPTOR.services_by_name["ClusterService"].full_name
PROJECTIONS = projection_service_pb2.DESCRIPTOR.services_by_name["ProjectionService"].full_name


class ClusterModule:
    """The cluster service as a process sees it: one loop, and nothing of its own to keep."""

    name = "cluster"
    service_names: Sequence[str] = (SERVICE, PROJECTIONS)

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        settings = context.settings
        self._memory = MemoryPeer(context.channels, settings.peers.timeout_s)
        self._rules = Rules(settings.clusters)
        lease_s = settings.clusters.lease_s
        self.followers = Followers(
            LeasePeer(context.channels, lease_s, settings.peers.timeout_s),
            self._new_follower,
            settings.clusters.namespaces_followed_max,
            lease_s,
            settings.clusters.quiet_s,
            context.clock,
            context.logger,
            context.stopping,
        )
        self.loops: Sequence[Loop] = (
            Loop(
                "cluster.assign",
                every_s=settings.clusters.assign_every_s,
                step=self.followers.step,
            ),
        )

    def register(self, server: aio.Server) -> None:
        """Add the servicers to a server."""
        assigning = Assigning(self._context.channels, self._memory, self._rules)
        servicer = ClusterServicer(
            self._context.channels,
            self.followers,
            assigning,
            partial(run_initial, self._memory, settings=self._context.settings.clusters),
            self._context.settings.peers.timeout_s,
        )
        cluster_service_pb2_grpc.add_ClusterServiceServicer_to_server(servicer, server)
        projections = ProjectionServicer(
            self._context.channels,
            self._context.clock,
            self._context.tokens,
            self._context.settings.peers.timeout_s,
        )
        projection_service_pb2_grpc.add_ProjectionServiceServicer_to_server(projections, server)

    async def start(self) -> None:
        """Nothing to open: channels connect at their first call."""

    async def stop(self) -> None:
        """End what is followed; the next process goes on from the cursors."""
        await self.followers.close()

    def _new_follower(self, lease: Lease) -> Follower:
        return Follower(
            lease,
            self._memory,
            self._rules,
            self._context.clock,
            self._context.logger,
            self._context.stopping,
        )


def build(context: ServiceContext) -> ClusterModule:
    """The cluster service, not started."""
    return ClusterModule(context)
