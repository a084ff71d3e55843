"""ClusterService, the part that makes skills of clusters, and tells what came of it."""

from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis_cluster.convert.skills import from_attempt
from anamnesis_cluster.peers.skills import SkillPeer
from anamnesis_cluster.readiness import Readiness, readiness
from anamnesis_cluster.skills.crystallize import Crystallizer
from anamnesis_cluster.skills.finding_writers import FindsWriters
from anamnesis_libs.errors import ClusterNotReady
from anamnesis_libs.paging import coerced_size, read_page
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.tokens import TokenCounter

_READY = {Readiness.READY, Readiness.READY_AGAIN}


class SkillRpcs:
    """Serves crystallisation; see the proto for what each rpc promises."""

    def __init__(
        self, channels: Channels, writers: FindsWriters, tokens: TokenCounter, timeout_s: float
    ) -> None:
        self._channels = channels
        self._writers = writers
        self._tokens = tokens
        self._timeout_s = timeout_s

    async def CrystallizeCluster(
        self,
        request: pb.CrystallizeClusterRequest,
        context: aio.ServicerContext[pb.CrystallizeClusterRequest, pb.CrystallizeClusterResponse],
    ) -> pb.CrystallizeClusterResponse:
        """Try to make a skill of a cluster."""
        memory = SkillPeer(self._channels, request.namespace, self._timeout_s)
        topic = await memory.topic(request.cluster_id, request.caller)
        if readiness(topic) not in _READY and not request.force:
            raise ClusterNotReady(topic.topic_id, topic.members)
        writer = await self._writers.of(request.namespace)
        made = await Crystallizer(memory, writer, self._tokens).crystallize(topic)
        if request.dry_run:
            return pb.CrystallizeClusterResponse(
                crystallization=from_attempt(made.attempt), text=made.text
            )
        kept = await memory.record(topic, made.attempt, made.skill, made.text)
        return pb.CrystallizeClusterResponse(
            crystallization=kept.crystallization,
            skill=kept.skill if kept.HasField("skill") else None,
            text=made.text,
        )

    async def ListCrystallizations(
        self,
        request: pb.ListCrystallizationsRequest,
        context: aio.ServicerContext[
            pb.ListCrystallizationsRequest, pb.ListCrystallizationsResponse
        ],
    ) -> pb.ListCrystallizationsResponse:
        """List the attempts to make a skill of a cluster."""
        memory = SkillPeer(self._channels, request.namespace, self._timeout_s)
        found = await memory.crystallizations(request.cluster_id, request.caller)
        query = f"{request.namespace}\0{request.cluster_id}".encode()
        page = read_page(coerced_size(request.page_size), request.page_token, query, (int,))
        before = int(page.after[0]) if page.after else None
        newest = [one for one in reversed(found) if before is None or one.attempt < before]
        shown, token = page.take(newest[: page.size + 1], lambda one: (one.attempt,))
        return pb.ListCrystallizationsResponse(crystallizations=shown, next_page_token=token)
