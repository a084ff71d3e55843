"""TopicService: clusters as they are kept, for the cluster service."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grpc import aio

from anamnesis.memory.v1 import topic_service_pb2 as pb
from anamnesis.memory.v1 import topic_service_pb2_grpc
from anamnesis_libs.errors.not_found import ClusterNotFound
from anamnesis_memory.api.convert.craft import new_procedure
from anamnesis_memory.api.convert.enums import VISIBILITY
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.topic import (
    from_crystallization,
    from_topic,
    to_crystallization,
    to_label,
)
from anamnesis_memory.api.convert.values import to_caller
from anamnesis_memory.api.convert.work import to_lease
from anamnesis_memory.api.creating import Creator
from anamnesis_memory.memories.craft.crystallize import RecordCrystallization, crystallizations
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.crystallizations import (
    Crystallization,
    crystallizations_key,
    crystallizations_of,
)
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Memory, Origin, Provenance, Work
from anamnesis_memory.model.scopes import owners_of, visibility_in
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.runtime.calls import Calls, page_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace
from anamnesis_memory.runtime.progress import LogProgress
from anamnesis_memory.runtime.revisions import revision_token

_NO_TOPIC = "\0"
"""No topic has this id."""


class TopicServicer(topic_service_pb2_grpc.TopicServiceServicer):
    """Serves topics; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, creator: Creator) -> None:
        self._calls = calls
        self._creator = creator
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
            attempts: Mapping[str, Sequence[Crystallization]] = {}
            if request.include_crystallizations:
                attempts = await crystallizations(opened.store, listing.items)
            return pb.ListTopicsResponse(
                topics=[
                    from_topic(
                        topic,
                        opened.namespace,
                        attempts.get(topic.topic_id, ()),
                        with_centroid=request.include_centroids,
                    )
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
                {one.topic_id: to_label(one) for one in request.labels},
            )
            _, revision = await self._calls.apply(opened, write)
            return pb.AssignTopicMembersResponse(revision=revision_token(space, revision))

    async def RecordCrystallization(
        self,
        request: pb.RecordCrystallizationRequest,
        context: aio.ServicerContext[
            pb.RecordCrystallizationRequest, pb.RecordCrystallizationResponse
        ],
    ) -> pb.RecordCrystallizationResponse:
        """Keep an attempt to make a skill of a topic, and the skill."""
        attempt = to_crystallization(request)
        async with self._calls.changing(request.namespace) as opened:
            topic = next(
                iter((await opened.store.topics(request.topic_id, None, "", 1)).items), None
            )
            if topic is None:
                raise ClusterNotFound(request.topic_id)
            key = crystallizations_key(request.topic_id)
            before = crystallizations_of(await opened.store.document(key))
            write = RecordCrystallization(
                topic.topic_id,
                topic.scope,
                replace(attempt, reason=await self._creator.clean(opened, attempt.reason)),
                await self._skill(opened, topic.scope, request),
                before[-1].skill_memory_id if before else "",
                new_id(self._calls.now_us()),
            )
            made, revision = await self._calls.apply(opened, write)
            return pb.RecordCrystallizationResponse(
                crystallization=from_crystallization(made.crystallization),
                skill=from_memory(made.skill, opened.namespace) if made.skill else None,
                revision=revision_token(opened.namespace, revision),
            )

    async def _skill(
        self, opened: OpenNamespace, scope: str, request: pb.RecordCrystallizationRequest
    ) -> Memory | None:
        """The skill that a request states, ready to be stored for whoever sees the topic."""
        if not request.HasField("skill"):
            return None
        stated = new_procedure(request.skill)
        stated.content = request.text.strip() or stated.content
        stated.visibility = VISIBILITY.to_pb(visibility_in(scope))
        stated.agent_id, stated.user_id = owners_of(scope)
        (memory,) = (await self._creator.ready(opened, [stated], "skill")).memories
        provenance = Provenance(Origin.GENERATED, model=request.crystallization.model)
        return replace(memory, provenance=provenance)


async def _topic_asked(request: pb.ListTopicsRequest, store: NamespaceStore) -> str:
    """The one topic that is asked for; empty for all."""
    if not request.memory_id:
        return request.topic_id
    homes = await store.topics_of([request.memory_id])
    return homes.get(request.memory_id, _NO_TOPIC)


def _to_assignment(one: pb.TopicAssignment) -> Assignment:
    held = one.held if one.HasField("held") else None
    return Assignment(one.memory_id, one.topic_id, one.label, held)
