"""TopicService: clusters as they are kept, for the cluster service."""

from grpc import aio

from anamnesis.memory.v1 import topic_pb2, topic_service_pb2_grpc
from anamnesis.memory.v1 import topic_service_pb2 as pb
from anamnesis_libs.errors.not_found import ClusterNotFound
from anamnesis_memory.api.convert.values import to_caller, to_timestamp
from anamnesis_memory.api.convert.work import to_lease
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Namespace, Topic, Work
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.progress import LogProgress
from anamnesis_memory.runtime.revisions import revision_token

_NO_TOPIC = "\0"
"""No topic has this id."""


class TopicServicer(topic_service_pb2_grpc.TopicServiceServicer):
    """Serves topics; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._progress = LogProgress()

    async def ListTopics(
        self,
        request: pb.ListTopicsRequest,
        context: aio.ServicerContext[pb.ListTopicsRequest, pb.ListTopicsResponse],
    ) -> pb.ListTopicsResponse:
        """List topics by id, and say how far memories have been assigned."""
        page = page_of(request, (str,))
        async with self._calls.reading(request.namespace) as opened:
            changed, cursor = await opened.store.topic_progress()
            assigned = await self._progress.reached(opened, cursor)
            listing = await opened.store.topics(
                await _topic_asked(request, opened.store),
                None if request.for_assignment else to_caller(request.caller),
                str(page.after[0]) if page.after else "",
                page.size,
            )
            last = listing.next_after
            return pb.ListTopicsResponse(
                topics=[
                    _from_topic(topic, opened.namespace, request.include_centroids)
                    for topic in listing.items
                ],
                next_page_token="" if last is None else page.next_token((last,)),
                topics_revision=revision_token(opened.namespace, changed),
                assigned_revision=revision_token(opened.namespace, assigned),
            )

    async def ListTopicMembers(
        self,
        request: pb.ListTopicMembersRequest,
        context: aio.ServicerContext[pb.ListTopicMembersRequest, pb.ListTopicMembersResponse],
    ) -> pb.ListTopicMembersResponse:
        """List the ids of a topic's members."""
        page = page_of(request, (int,))
        async with self._calls.reading(request.namespace) as opened:
            caller = None if request.for_assignment else to_caller(request.caller)
            if not (await opened.store.topics(request.topic_id, caller, "", 1)).items:
                raise ClusterNotFound(request.topic_id)
            after = int(page.after[0]) if page.after else 0
            listing = await opened.store.list_topic_members(request.topic_id, after, page.size)
            last = listing.next_after
            return pb.ListTopicMembersResponse(
                memory_ids=listing.items,
                next_page_token="" if last is None else page.next_token((last,)),
            )

    async def AssignTopicMembers(
        self,
        request: pb.AssignTopicMembersRequest,
        context: aio.ServicerContext[pb.AssignTopicMembersRequest, pb.AssignTopicMembersResponse],
    ) -> pb.AssignTopicMembersResponse:
        """Accept the decisions of one step."""
        has_lease = request.HasField("lease")
        lease = to_lease(request.lease, kind=Work.CLUSTER) if has_lease else None
        async with self._calls.reading(request.namespace) as opened:
            space, check = opened.namespace, self._calls.check_revision
            cursor = await check(opened, request.assigned_revision, "assigned_revision")
            write = AssignTopicMembers(
                [_to_assignment(one) for one in request.assignments],
                await check(opened, request.expected_topics_revision, "expected_topics_revision"),
                cursor if request.assigned_revision else None,
                lease,
                {one.topic_id: one.label for one in request.labels},
            )
            _, revision = await self._calls.apply(opened, write)
            return pb.AssignTopicMembersResponse(revision=revision_token(space, revision))


async def _topic_asked(request: pb.ListTopicsRequest, store: NamespaceStore) -> str:
    """The one topic that is asked for; empty for all."""
    if not request.memory_id:
        return request.topic_id
    homes = await store.topics_of([request.memory_id])
    return homes.get(request.memory_id, _NO_TOPIC)


def _to_assignment(one: pb.TopicAssignment) -> Assignment:
    held = one.held if one.HasField("held") else None
    return Assignment(one.memory_id, one.topic_id, one.label, held)


def _from_topic(topic: Topic, namespace: Namespace, with_centroid: bool) -> topic_pb2.Topic:
    return topic_pb2.Topic(
        topic_id=topic.topic_id,
        label=topic.label,
        member_count=topic.member_count,
        centroid=topic.centroid.tolist() if with_centroid else (),
        scope=topic.scope,
        create_time=to_timestamp(topic.create_time_us),
        update_time=to_timestamp(topic.update_time_us),
        revision=revision_token(namespace, topic.revision),
    )
