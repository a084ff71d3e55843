"""ClusterService: clusters and their members, as memory keeps them."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing

from grpc import aio

from anamnesis.cluster.v1 import cluster_pb2, cluster_service_pb2_grpc
from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.memory.v1 import memory_pb2, memory_service_pb2, topic_service_pb2
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.topic_service_pb2_grpc import TopicServiceStub
from anamnesis_cluster.api.assigning import Assigning
from anamnesis_cluster.api.consolidation import ConsolidationRpcs
from anamnesis_cluster.api.deadline import Deadline
from anamnesis_cluster.api.refinement import RefinementRpcs
from anamnesis_cluster.api.skills import SkillRpcs
from anamnesis_cluster.clusters.followers import Followers
from anamnesis_cluster.consolidation.cycle import Consolidator
from anamnesis_cluster.convert.topics import from_told, from_topic
from anamnesis_cluster.model import Progress, Summary
from anamnesis_cluster.refinement.cycle import Refiner
from anamnesis_cluster.skills.cycle import SkillRuns
from anamnesis_cluster.skills.finding_writers import FindsWriters
from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import DeadlineExceeded
from anamnesis_libs.errors.not_found import ClusterNotFound, MemoryInNoCluster
from anamnesis_libs.paging import coerced_size
from anamnesis_libs.revisions import reaches
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.parts import in_parts
from anamnesis_libs.rpc.peers import call, remaining_s
from anamnesis_libs.tokens import TokenCounter

_POLL_S = 0.05
_POLL_S_MAX = 0.5
_POLL_GROWTH = 1.5


class ClusterServicer(
    ConsolidationRpcs,
    RefinementRpcs,
    SkillRpcs,
    cluster_service_pb2_grpc.ClusterServiceServicer,
):
    """Serves clusters; see the proto for what each rpc promises."""

    def __init__(
        self,
        channels: Channels,
        followers: Followers,
        assigning: Assigning,
        initial: Callable[[str], AsyncGenerator[Progress | Summary, None]],
        consolidator: Consolidator,
        refiner: Refiner,
        skill_runs: SkillRuns,
        writers: FindsWriters,
        clock: Clock,
        tokens: TokenCounter,
        timeout_s: float,
    ) -> None:
        ConsolidationRpcs.__init__(self, consolidator, clock)
        RefinementRpcs.__init__(self, refiner, clock)
        SkillRpcs.__init__(self, channels, skill_runs, writers, tokens, clock, timeout_s)
        channel = channels.to("memory")
        self._topics = TopicServiceStub(channel)
        self._memory = MemoryServiceStub(channel)
        self._followers = followers
        self._assigning = assigning
        self._initial = initial

    async def ListClusters(
        self,
        request: pb.ListClustersRequest,
        context: aio.ServicerContext[pb.ListClustersRequest, pb.ListClustersResponse],
    ) -> pb.ListClustersResponse:
        """List clusters by id, once everything up to the revision asked for is assigned."""
        deadline = Deadline(remaining_s(context, self._timeout_s))
        listing = topic_service_pb2.ListTopicsRequest(
            namespace=request.namespace,
            caller=request.caller,
            page_size=coerced_size(request.page_size),
            page_token=request.page_token,
            include_crystallizations=True,
        )
        asked = request.at_least_revision
        if asked:
            await self._check_revision(request, deadline)
            page = await self._reached(listing, asked, deadline)
        else:
            page = await call(self._topics.ListTopics, listing, timeout_s=deadline.left_s)
        return pb.ListClustersResponse(
            clusters=[
                cluster
                for cluster in (from_topic(topic, request.namespace) for topic in page.topics)
                if request.state in (cluster_pb2.CLUSTER_STATE_UNSPECIFIED, cluster.state)
            ],
            next_page_token=page.next_page_token,
            revision=page.assigned_revision,
        )

    async def ListClusterMemories(
        self,
        request: pb.ListClusterMemoriesRequest,
        context: aio.ServicerContext[pb.ListClusterMemoriesRequest, pb.ListClusterMemoriesResponse],
    ) -> pb.ListClusterMemoriesResponse:
        """List the members of one cluster in the order in which they were stored."""
        deadline = Deadline(remaining_s(context, self._timeout_s))
        listing = topic_service_pb2.ListTopicMembersRequest(
            namespace=request.namespace,
            topic_id=request.cluster_id,
            caller=request.caller,
            page_size=coerced_size(request.page_size),
            page_token=request.page_token,
        )
        page = await call(self._topics.ListTopicMembers, listing, timeout_s=deadline.left_s)

        async def batch(ids: Sequence[str]) -> Sequence[memory_pb2.Memory]:
            wanted = memory_service_pb2.BatchGetMemoriesRequest(
                purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
                namespace=request.namespace,
                memory_ids=ids,
                caller=request.caller,
            )
            answer = await call(self._memory.BatchGetMemories, wanted, timeout_s=deadline.left_s)
            return answer.memories

        return pb.ListClusterMemoriesResponse(
            memories=await in_parts(batch, page.memory_ids) if page.memory_ids else (),
            next_page_token=page.next_page_token,
        )

    async def GetCluster(
        self,
        request: pb.GetClusterRequest,
        context: aio.ServicerContext[pb.GetClusterRequest, pb.GetClusterResponse],
    ) -> pb.GetClusterResponse:
        """One cluster, by its id or a member's."""
        listing = topic_service_pb2.ListTopicsRequest(
            namespace=request.namespace,
            caller=request.caller,
            topic_id=request.cluster_id,
            memory_id=request.memory_id,
            page_size=1,
            include_crystallizations=True,
        )
        timeout_s = remaining_s(context, self._timeout_s)
        page = await call(self._topics.ListTopics, listing, timeout_s=timeout_s)
        if not page.topics:
            if request.HasField("memory_id"):
                raise MemoryInNoCluster(request.memory_id)
            raise ClusterNotFound(request.cluster_id)
        return pb.GetClusterResponse(cluster=from_topic(page.topics[0], request.namespace))

    async def AssignMemory(
        self,
        request: pb.AssignMemoryRequest,
        context: aio.ServicerContext[pb.AssignMemoryRequest, pb.AssignMemoryResponse],
    ) -> pb.AssignMemoryResponse:
        """Move one lesson, and hold it there where its place is named."""
        return await self._assigning.move(request, Deadline(remaining_s(context, self._timeout_s)))

    async def RunInitialClustering(
        self,
        request: pb.RunInitialClusteringRequest,
        context: aio.ServicerContext[
            pb.RunInitialClusteringRequest, pb.RunInitialClusteringResponse
        ],
    ) -> AsyncIterator[pb.RunInitialClusteringResponse]:
        """Group all lessons anew, telling how far it is."""
        async with aclosing(self._initial(request.namespace)) as told:
            async for one in told:
                yield from_told(one)

    async def _check_revision(self, request: pb.ListClustersRequest, deadline: Deadline) -> None:
        """Let memory refuse a revision that is none, of the future, or of an earlier namespace."""
        reading = memory_service_pb2.BatchGetMemoriesRequest(
            purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
            namespace=request.namespace,
            at_least_revision=request.at_least_revision,
        )
        await call(self._memory.BatchGetMemories, reading, timeout_s=deadline.left_s)

    async def _reached(
        self, listing: topic_service_pb2.ListTopicsRequest, asked: str, deadline: Deadline
    ) -> topic_service_pb2.ListTopicsResponse:
        """The page, once lessons have been assigned so far.

        Raises:
            DeadlineExceeded: they were not in time.
        """
        pause_s = _POLL_S
        while True:
            page = await call(self._topics.ListTopics, listing, timeout_s=deadline.left_s)
            if reaches(page.assigned_revision, asked):
                return page
            await self._followers.want(listing.namespace)
            if deadline.left_s <= pause_s:
                raise DeadlineExceeded(
                    "lessons have not been assigned up to the revision in time; ask again, or "
                    "with a longer deadline",
                    metadata={"waiting_for": "clusters"},
                )
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * _POLL_GROWTH, _POLL_S_MAX)
