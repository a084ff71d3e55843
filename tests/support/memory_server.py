"""The memory services as a test scripts them, on a real server behind the real error edge.

What is asked is kept; what is answered follows from small state that a test sets: candidates,
memories and facts for searches; lessons with a change log, topics and a cursor for clusters.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import TypeVar

from google.protobuf.message import Message
from grpc import aio

from anamnesis.memory.v1 import (
    admin_service_pb2,
    admin_service_pb2_grpc,
    knowledge_service_pb2,
    knowledge_service_pb2_grpc,
    memory_pb2,
    memory_service_pb2,
    memory_service_pb2_grpc,
    namespace_pb2,
    topic_service_pb2,
    topic_service_pb2_grpc,
)
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found
from tests.support.memory_spaces import Space, items, move, number, scope, sees, shown, token
from tests.support.memory_work import Work, WorkServer

Asked = TypeVar("Asked", bound=Message)
Context = aio.ServicerContext[Message, Message]


class MemoryServer(
    memory_service_pb2_grpc.MemoryServiceServicer,
    topic_service_pb2_grpc.TopicServiceServicer,
    admin_service_pb2_grpc.AdminServiceServicer,
    knowledge_service_pb2_grpc.KnowledgeServiceServicer,
):
    """The scripted services."""

    def __init__(self) -> None:
        self.address = ""
        self.requests: list[Message] = []
        self.found = memory_service_pb2.FindCandidatesResponse(revision=token(1))
        self.memories: dict[str, memory_pb2.Memory] = {}
        self.facts = knowledge_service_pb2.ListFactsResponse()
        self.model_calls_left = 1_000
        self.spaces: dict[str, Space] = {}
        self.watching: defaultdict[str, int] = defaultdict(int)
        # rpcs that are not scripted are UNIMPLEMENTED, as they are generated
        self.ledger = WorkServer(self._take, self._work, lambda: sorted(self.spaces))  # type: ignore[abstract]
        self._failures: defaultdict[str, list[errors.AnamnesisError]] = defaultdict(list)
        self._changed = asyncio.Condition()
        self._streams_broken = 0

    def asked(self, kind: type[Asked]) -> list[Asked]:
        """The requests of a kind, in order."""
        return [request for request in self.requests if isinstance(request, kind)]

    def fail(self, rpc: str, *failures: errors.AnamnesisError) -> None:
        """An rpc's next calls fail so, one each."""
        self._failures[rpc] += failures

    async def put(self, namespace: str, *lessons: memory_pb2.Memory) -> str:
        """Store lessons in one revision; gives it."""
        space = self.spaces.setdefault(namespace, Space())
        space.revision += 1
        for lesson in lessons:
            lesson.kind = memory_pb2.MEMORY_KIND_LEARNING
            space.lessons[lesson.memory_id] = lesson
            space.log.append((space.revision, lesson.memory_id, False))
        space.work.make_due()
        return await self._told(space)

    async def delete(self, namespace: str, memory_id: str) -> str:
        """Remove a lesson; gives the revision."""
        space = self.spaces[namespace]
        space.revision += 1
        space.leave(memory_id)
        del space.lessons[memory_id]
        space.log.append((space.revision, memory_id, True))
        return await self._told(space)

    async def break_streams(self) -> None:
        """Every running watch fails."""
        self._streams_broken += 1
        async with self._changed:
            self._changed.notify_all()

    async def _told(self, space: Space) -> str:
        async with self._changed:
            self._changed.notify_all()
        return token(space.revision)

    def _take(self, rpc: str, request: Message) -> None:
        self.requests.append(request)
        if self._failures[rpc]:
            raise self._failures[rpc].pop(0)

    def _space(self, namespace: str) -> Space:
        if namespace not in self.spaces:
            raise not_found.NamespaceNotFound(namespace)
        return self.spaces[namespace]

    def _work(self, namespace: str) -> Work:
        return self._space(namespace).work

    async def FindCandidates(  # noqa: N802
        self, request: memory_service_pb2.FindCandidatesRequest, context: Context
    ) -> memory_service_pb2.FindCandidatesResponse:
        """What the test set."""
        self._take("FindCandidates", request)
        return self.found

    async def ListFacts(  # noqa: N802
        self, request: knowledge_service_pb2.ListFactsRequest, context: Context
    ) -> knowledge_service_pb2.ListFactsResponse:
        """What the test set."""
        self._take("ListFacts", request)
        return self.facts

    async def BatchGetMemories(  # noqa: N802
        self, request: memory_service_pb2.BatchGetMemoriesRequest, context: Context
    ) -> memory_service_pb2.BatchGetMemoriesResponse:
        """The memories there are, that the caller may see, in the order asked for."""
        self._take("BatchGetMemories", request)
        space = self.spaces.get(request.namespace, Space(revision=1_000_000))
        if number(request.at_least_revision) > space.revision:
            raise errors.RevisionInFuture(number(request.at_least_revision), space.revision)
        there = {**self.memories, **space.lessons}
        known = [there[one] for one in request.memory_ids if one in there]
        seen = [
            one for one in known if request.all_visibilities or sees(request.caller, scope(one))
        ]
        answer = memory_service_pb2.BatchGetMemoriesResponse(memories=seen)
        if not request.include_embeddings:
            for memory in answer.memories:
                memory.ClearField("embedding")
        return answer

    async def ReportUse(  # noqa: N802
        self, request: memory_service_pb2.ReportUseRequest, context: Context
    ) -> memory_service_pb2.ReportUseResponse:
        """As many as are named and there."""
        self._take("ReportUse", request)
        there = set(request.memory_ids) & self.memories.keys()
        return memory_service_pb2.ReportUseResponse(counted=len(there))

    async def ListMemories(  # noqa: N802
        self, request: memory_service_pb2.ListMemoriesRequest, context: Context
    ) -> memory_service_pb2.ListMemoriesResponse:
        """Lessons two a page; the token is a position."""
        self._take("ListMemories", request)
        start = int(request.page_token or 0)
        known = list(self._space(request.namespace).lessons.values())
        seen = [
            one for one in known if request.all_visibilities or sees(request.caller, scope(one))
        ]
        more = start + 2 < len(seen)
        return memory_service_pb2.ListMemoriesResponse(
            memories=seen[start : start + 2], next_page_token=str(start + 2) if more else ""
        )

    async def WatchMemories(  # noqa: N802
        self, request: memory_service_pb2.WatchMemoriesRequest, context: Context
    ) -> AsyncIterator[memory_service_pb2.WatchMemoriesResponse]:
        """The log after a revision, a bookmark, and so on until the streams are broken."""
        self._take("WatchMemories", request)
        space, after = self._space(request.namespace), number(request.after_revision)
        if after < space.oldest:
            raise errors.CursorExpired(space.oldest)
        broken = self._streams_broken
        self.watching[request.namespace] += 1
        try:
            while True:
                reached = space.revision
                for item in items(space, after, reached):
                    kept = space.lessons.get(item.memory_id)
                    if request.all_visibilities or not kept or sees(request.caller, scope(kept)):
                        yield item
                yield memory_service_pb2.WatchMemoriesResponse(
                    revision=token(reached), bookmark=True
                )
                after = reached
                async with self._changed:
                    while space.revision == after and self._streams_broken == broken:
                        await self._changed.wait()
                if self._streams_broken > broken:
                    raise errors.StoreUnavailable("the stream is broken")
        finally:
            self.watching[request.namespace] -= 1

    async def ListTopics(  # noqa: N802
        self, request: topic_service_pb2.ListTopicsRequest, context: Context
    ) -> topic_service_pb2.ListTopicsResponse:
        """Topics by id, as many as asked for; the token is the last id."""
        self._take("ListTopics", request)
        space = self._space(request.namespace)
        ids = [
            key
            for key in sorted(space.topics)
            if key > request.page_token
            and (request.for_assignment or sees(request.caller, space.scope_of(key)))
            and request.topic_id in ("", key)
            and (not request.memory_id or request.memory_id in space.topics[key].members)
        ]
        page = ids[: request.page_size or 50]
        return topic_service_pb2.ListTopicsResponse(
            topics=[shown(space, key, request.include_centroids) for key in page],
            next_page_token=page[-1] if len(page) < len(ids) else "",
            topics_revision=token(space.topics_revision),
            assigned_revision=token(space.reached),
        )

    async def ListTopicMembers(  # noqa: N802
        self, request: topic_service_pb2.ListTopicMembersRequest, context: Context
    ) -> topic_service_pb2.ListTopicMembersResponse:
        """Members in one page."""
        self._take("ListTopicMembers", request)
        space = self._space(request.namespace)
        known = request.topic_id in space.topics
        if not known or not sees(request.caller, space.scope_of(request.topic_id)):
            raise not_found.ClusterNotFound(request.topic_id)
        return topic_service_pb2.ListTopicMembersResponse(
            memory_ids=space.topics[request.topic_id].members
        )

    async def AssignTopicMembers(  # noqa: N802
        self, request: topic_service_pb2.AssignTopicMembersRequest, context: Context
    ) -> topic_service_pb2.AssignTopicMembersResponse:
        """Move members and cursor, unless topics changed since."""
        self._take("AssignTopicMembers", request)
        space = self._space(request.namespace)
        if (request.assignments or request.labels) and number(
            request.expected_topics_revision
        ) != space.topics_revision:
            raise errors.Conflict("topics have changed", metadata={"resource": "topics"})
        if request.HasField("lease"):
            space.work.check(request.lease)
        space.revision += bool(request.assignments or request.labels)
        for one in request.assignments:
            move(space, one)
        for named in request.labels:
            if named.topic_id in space.topics:
                space.topics[named.topic_id].label = named.label
                space.topics_revision = space.revision
        if request.assigned_revision:
            space.assigned = number(request.assigned_revision)
        return topic_service_pb2.AssignTopicMembersResponse(revision=await self._told(space))

    async def GetUsage(  # noqa: N802
        self, request: admin_service_pb2.GetUsageRequest, context: Context
    ) -> admin_service_pb2.GetUsageResponse:
        """As many calls as the test set, and enough tokens."""
        self._take("GetUsage", request)
        return admin_service_pb2.GetUsageResponse(
            calls_left=self.model_calls_left, tokens_left=1_000_000
        )

    async def ReportUsage(  # noqa: N802
        self, request: admin_service_pb2.ReportUsageRequest, context: Context
    ) -> admin_service_pb2.ReportUsageResponse:
        """Taken, and not counted."""
        self._take("ReportUsage", request)
        return admin_service_pb2.ReportUsageResponse()

    async def GetNamespace(  # noqa: N802
        self, request: admin_service_pb2.GetNamespaceRequest, context: Context
    ) -> admin_service_pb2.GetNamespaceResponse:
        """The latest revision."""
        self._take("GetNamespace", request)
        return admin_service_pb2.GetNamespaceResponse(
            namespace=namespace_pb2.Namespace(
                namespace=request.namespace,
                revision=token(self._space(request.namespace).revision),
            )
        )
