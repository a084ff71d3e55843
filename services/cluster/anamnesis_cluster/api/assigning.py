"""AssignMemory: what the caller may see is read, the move decided, and written on those topics."""

import asyncio

from anamnesis.cluster.v1 import cluster_service_pb2 as pb
from anamnesis.memory.v1 import memory_pb2, memory_service_pb2, topic_pb2, topic_service_pb2
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.topic_service_pb2_grpc import TopicServiceStub
from anamnesis_cluster.api.deadline import Deadline
from anamnesis_cluster.clusters.follow import Rules
from anamnesis_cluster.clusters.move import Home, to_nearest, to_own_topic, to_topic
from anamnesis_cluster.convert.topics import from_assignments, from_topic, to_lesson
from anamnesis_cluster.convert.topics import to_topic as topic_of
from anamnesis_cluster.model import Assignment, Lesson, Topics, Vector
from anamnesis_cluster.peers.memory import MemoryPeer
from anamnesis_libs.errors import Conflict, MemoryNotAssignable
from anamnesis_libs.errors.not_found import ClusterNotFound, MemoryNotFound
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call

TRIES_MAX = 8

_CONFLICT_PAUSE_S = 0.05


class Assigning:
    """Moves of lessons by hand."""

    def __init__(self, channels: Channels, peer: MemoryPeer, rules: Rules) -> None:
        channel = channels.to("memory")
        self._topics = TopicServiceStub(channel)
        self._memory = MemoryServiceStub(channel)
        self._peer = peer
        self._rules = rules

    async def move(
        self, request: pb.AssignMemoryRequest, deadline: Deadline
    ) -> pb.AssignMemoryResponse:
        """Move the lesson; where topics change meanwhile, decide anew.

        Raises:
            MemoryNotFound: the caller sees no such memory.
            ClusterNotFound: the caller sees no such cluster.
            MemoryNotAssignable: the memory cannot go there.
            Conflict: topics changed again and again.
        """
        for tries in range(1, TRIES_MAX):
            try:
                return await self._moved(request, deadline)
            except Conflict:
                await asyncio.sleep(_CONFLICT_PAUSE_S * tries)
        return await self._moved(request, deadline)

    async def _moved(
        self, request: pb.AssignMemoryRequest, deadline: Deadline
    ) -> pb.AssignMemoryResponse:
        lesson, vector = await self._lesson(request, deadline)
        topics = await self._peer.topics(request.namespace)
        before = await self._home(request, deadline)
        home = Home(topics.topics, before.topic_id)
        if request.HasField("cluster_id"):
            decided = to_topic(lesson, topic_of(await self._named(request, deadline)))
        elif request.HasField("new_cluster"):
            decided = to_own_topic(lesson, vector, home)
        else:
            decided = to_nearest(lesson, vector, home, self._rules.join_cosine_min([lesson]))
        revision = await self._write(request, decided, topics, deadline)
        after = await self._home(request, deadline)
        if not after.topic_id:
            raise MemoryNotFound(request.memory_id)
        left = before.topic_id if before.topic_id != after.topic_id else ""
        return pb.AssignMemoryResponse(
            cluster=from_topic(after, request.namespace), left_cluster_id=left, revision=revision
        )

    async def _lesson(
        self, request: pb.AssignMemoryRequest, deadline: Deadline
    ) -> tuple[Lesson, Vector]:
        """The lesson and its vector.

        Raises:
            MemoryNotFound: the caller sees no such memory.
            MemoryNotAssignable: it is no lesson, or has no vector yet.
        """
        asked = memory_service_pb2.BatchGetMemoriesRequest(
            purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
            namespace=request.namespace,
            memory_ids=[request.memory_id],
            caller=request.caller,
            include_embeddings=True,
        )
        answer = await call(self._memory.BatchGetMemories, asked, timeout_s=deadline.left_s)
        if not answer.memories:
            raise MemoryNotFound(request.memory_id)
        (memory,) = answer.memories
        named = f"memory {request.memory_id!r}"
        if memory.kind != memory_pb2.MEMORY_KIND_LEARNING:
            message = f"{named} is no lesson, and only lessons are in clusters; name a lesson"
            raise MemoryNotAssignable(request.memory_id, "kind", message)
        lesson = to_lesson(memory)
        if lesson.vector is None:
            message = f"{named} has no vector yet; try again when it is embedded"
            raise MemoryNotAssignable(request.memory_id, "vector", message)
        return lesson, lesson.vector

    async def _named(self, request: pb.AssignMemoryRequest, deadline: Deadline) -> topic_pb2.Topic:
        """The cluster that is asked for.

        Raises:
            ClusterNotFound: the caller sees no such cluster.
        """
        asked = topic_service_pb2.ListTopicsRequest(
            namespace=request.namespace,
            caller=request.caller,
            topic_id=request.cluster_id,
            page_size=1,
            include_crystallizations=True,
        )
        page = await call(self._topics.ListTopics, asked, timeout_s=deadline.left_s)
        if not page.topics:
            raise ClusterNotFound(request.cluster_id)
        return page.topics[0]

    async def _home(self, request: pb.AssignMemoryRequest, deadline: Deadline) -> topic_pb2.Topic:
        """The topic that the lesson is in now; one without an id for none."""
        asked = topic_service_pb2.ListTopicsRequest(
            namespace=request.namespace,
            caller=request.caller,
            memory_id=request.memory_id,
            page_size=1,
            include_crystallizations=True,
        )
        page = await call(self._topics.ListTopics, asked, timeout_s=deadline.left_s)
        return page.topics[0] if page.topics else topic_pb2.Topic()

    async def _write(
        self,
        request: pb.AssignMemoryRequest,
        decided: Assignment,
        topics: Topics,
        deadline: Deadline,
    ) -> str:
        """Write the move; gives its revision."""
        write = topic_service_pb2.AssignTopicMembersRequest(
            namespace=request.namespace,
            assignments=from_assignments([decided]),
            expected_topics_revision=topics.revision,
        )
        answer = await call(self._topics.AssignTopicMembers, write, timeout_s=deadline.left_s)
        return answer.revision
