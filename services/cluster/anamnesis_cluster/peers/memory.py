"""The memory service as the cluster service's loop sees it: every namespace, every scope."""

from collections.abc import AsyncGenerator, Mapping, Sequence

from anamnesis.memory.v1 import (
    admin_service_pb2,
    filter_pb2,
    memory_pb2,
    memory_service_pb2,
    topic_pb2,
    topic_service_pb2,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.topic_service_pb2_grpc import TopicServiceStub
from anamnesis_cluster.convert.topics import (
    from_assignments,
    from_labels,
    from_lease,
    to_change,
    to_lesson,
    to_topic,
)
from anamnesis_cluster.leases import Lease
from anamnesis_cluster.model import Assignment, Label, Lesson, LessonChange, Topics
from anamnesis_libs.errors import NotFound
from anamnesis_libs.paging import PAGE_SIZE_MAX
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.parts import in_parts
from anamnesis_libs.rpc.peers import call, receive

_LEARNING = memory_pb2.MEMORY_KIND_LEARNING


class MemoryPeer:
    """Lessons, topics and changes; each call has `timeout_s`, a watch has no end."""

    def __init__(self, channels: Channels, timeout_s: float) -> None:
        channel = channels.to("memory")
        self._memory = MemoryServiceStub(channel)
        self._topics = TopicServiceStub(channel)
        self._admin = AdminServiceStub(channel)
        self._timeout_s = timeout_s

    async def assigned_revision(self, namespace: str) -> str:
        """The revision up to which lessons have been assigned."""
        request = topic_service_pb2.ListTopicsRequest(
            namespace=namespace, page_size=1, for_assignment=True
        )
        page = await call(self._topics.ListTopics, request, timeout_s=self._timeout_s)
        return page.assigned_revision

    async def latest_revision(self, namespace: str) -> str:
        """The latest committed revision."""
        request = admin_service_pb2.GetNamespaceRequest(namespace=namespace)
        answer = await call(self._admin.GetNamespace, request, timeout_s=self._timeout_s)
        return answer.namespace.revision

    async def watch(
        self, namespace: str, after_revision: str
    ) -> AsyncGenerator[LessonChange, None]:
        """Changes of lessons after a revision, and then as they happen."""
        request = memory_service_pb2.WatchMemoriesRequest(
            namespace=namespace,
            after_revision=after_revision,
            kinds=[_LEARNING],
            all_visibilities=True,
        )
        async for told in receive(self._memory.WatchMemories, request, timeout_s=None):
            yield to_change(told)

    async def lesson_ids(self, namespace: str) -> Sequence[str]:
        """Ids of all lessons, in the order in which they were stored."""
        request = memory_service_pb2.ListMemoriesRequest(
            namespace=namespace,
            filter=filter_pb2.MemoryFilter(kinds=[_LEARNING], include_archived=True),
            all_visibilities=True,
        )
        ids: list[str] = []
        while True:
            page = await call(self._memory.ListMemories, request, timeout_s=self._timeout_s)
            ids += (memory.memory_id for memory in page.memories)
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return ids

    async def lessons(self, namespace: str, memory_ids: Sequence[str]) -> Sequence[Lesson]:
        """Lessons with their vectors; those that are gone are left out."""

        async def batch(ids: Sequence[str]) -> Sequence[memory_pb2.Memory]:
            request = memory_service_pb2.BatchGetMemoriesRequest(
                purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
                namespace=namespace,
                memory_ids=ids,
                include_embeddings=True,
                all_visibilities=True,
            )
            answer = await call(self._memory.BatchGetMemories, request, timeout_s=self._timeout_s)
            return answer.memories

        return [to_lesson(memory) for memory in await in_parts(batch, memory_ids)]

    async def topics(self, namespace: str) -> Topics:
        """All topics with their centroids.

        The revision is the first page's, so that a change while they are listed is noticed when
        the decisions are written.
        """
        request = topic_service_pb2.ListTopicsRequest(
            namespace=namespace,
            page_size=PAGE_SIZE_MAX,
            include_centroids=True,
            for_assignment=True,
        )
        found: list[topic_pb2.Topic] = []
        revision = ""
        while True:
            page = await call(self._topics.ListTopics, request, timeout_s=self._timeout_s)
            found += page.topics
            revision = revision or page.topics_revision
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return Topics([to_topic(topic) for topic in found], revision)

    async def homes(self, namespace: str) -> Mapping[str, str]:
        """The topic of each lesson that is in one."""
        found: dict[str, str] = {}
        for topic in (await self.topics(namespace)).topics:
            request = topic_service_pb2.ListTopicMembersRequest(
                namespace=namespace,
                topic_id=topic.topic_id,
                page_size=PAGE_SIZE_MAX,
                for_assignment=True,
            )
            async for memory_id in self._members(request):
                found[memory_id] = topic.topic_id
        return found

    async def _members(
        self, request: topic_service_pb2.ListTopicMembersRequest
    ) -> AsyncGenerator[str, None]:
        """The members of a topic; none where it is gone by now."""
        while True:
            try:
                page = await call(self._topics.ListTopicMembers, request, timeout_s=self._timeout_s)
            except NotFound:
                return
            for memory_id in page.memory_ids:
                yield memory_id
            request.page_token = page.next_page_token
            if not page.next_page_token:
                return

    async def members(self, namespace: str, topic_id: str, limit: int) -> Sequence[str]:
        """The lessons of a topic that were stored first; none where it is gone."""
        request = topic_service_pb2.ListTopicMembersRequest(
            namespace=namespace, topic_id=topic_id, page_size=limit, for_assignment=True
        )
        try:
            page = await call(self._topics.ListTopicMembers, request, timeout_s=self._timeout_s)
        except NotFound:
            return ()
        return page.memory_ids

    async def move(
        self,
        namespace: str,
        assignments: Sequence[Assignment],
        labels: Mapping[str, Label],
        expected_topics_revision: str,
    ) -> str:
        """Put lessons into topics and name topics, without a lease; the cursor stays."""
        request = topic_service_pb2.AssignTopicMembersRequest(
            namespace=namespace,
            assignments=from_assignments(assignments),
            labels=from_labels(labels),
            expected_topics_revision=expected_topics_revision,
        )
        answer = await call(self._topics.AssignTopicMembers, request, timeout_s=self._timeout_s)
        return answer.revision

    async def assign(
        self,
        lease: Lease,
        assignments: Sequence[Assignment],
        expected_topics_revision: str,
        assigned_revision: str,
    ) -> None:
        """Put lessons into topics and move the cursor, unless that is empty."""
        request = topic_service_pb2.AssignTopicMembersRequest(
            namespace=lease.namespace,
            assignments=from_assignments(assignments),
            expected_topics_revision=expected_topics_revision,
            assigned_revision=assigned_revision,
            lease=from_lease(lease),
        )
        await call(self._topics.AssignTopicMembers, request, timeout_s=self._timeout_s)
