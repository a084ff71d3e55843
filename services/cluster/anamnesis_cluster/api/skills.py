"""ClusterService, the part that makes skills of clusters, and tells what came of it."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import datetime

from grpc import aio

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.memory.v1 import sleep_pb2
from anamnesis_cluster.convert.runs import from_ended
from anamnesis_cluster.convert.skills import from_attempt
from anamnesis_cluster.peers.skills import SkillPeer
from anamnesis_cluster.readiness import is_ready
from anamnesis_cluster.skills.crystallize import Crystallizer
from anamnesis_cluster.skills.cycle import SkillRuns, Told, Tried
from anamnesis_cluster.skills.finding_writers import FindsWriters
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import ClusterNotReady
from anamnesis_libs.paging import coerced_size, read_page
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.tokens import TokenCounter


class SkillRpcs:
    """Serves crystallisation; see the proto for what each rpc promises."""

    def __init__(
        self,
        channels: Channels,
        skill_runs: SkillRuns,
        writers: FindsWriters,
        tokens: TokenCounter,
        clock: Clock,
        timeout_s: float,
    ) -> None:
        self._channels = channels
        self._skill_runs = skill_runs
        self._clock = clock
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
        if not request.force and not is_ready(topic):
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

    async def CrystallizeReady(
        self,
        request: pb.CrystallizeReadyRequest,
        context: aio.ServicerContext[pb.CrystallizeReadyRequest, pb.CrystallizeReadyResponse],
    ) -> AsyncIterator[pb.CrystallizeReadyResponse]:
        """Try every cluster that is ready, telling each attempt."""
        start = self._clock.now()
        async with aclosing(self._skill_runs.run(request.namespace)) as steps:
            async for told in steps:
                yield _from_told(told, start, self._clock.now())

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


def _from_told(told: Told, start: datetime, end: datetime) -> pb.CrystallizeReadyResponse:
    """A message of a run that began at a time, `end` being now."""
    if not isinstance(told, Tried):
        phase = sleep_pb2.SLEEP_PHASE_CRYSTALLISE
        return pb.CrystallizeReadyResponse(run=from_ended(told, phase, start, end))
    return pb.CrystallizeReadyResponse(
        cluster=pb.CrystallizedCluster(
            cluster_id=told.topic.topic_id,
            label=told.topic.label,
            crystallization=from_attempt(told.attempt),
        )
    )
