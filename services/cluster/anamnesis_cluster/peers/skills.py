"""The memory service as crystallisation sees it: topics, their lessons, ways, and skills.

It asks for itself, within the scope of a topic: what is read for a skill is what all who see the
topic see.
"""

from collections.abc import Sequence

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import (
    filter_pb2,
    memory_pb2,
    memory_service_pb2,
    topic_pb2,
    topic_service_pb2,
)
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.topic_service_pb2_grpc import TopicServiceStub
from anamnesis_cluster.convert.skills import (
    from_attempt,
    from_skill,
    to_evidence,
    to_kept_skill,
    to_path,
    to_skill_topic,
)
from anamnesis_cluster.convert.topics import scope_of
from anamnesis_cluster.skill_model import (
    SKILL_TAG,
    Attempt,
    Evidence,
    KeptSkill,
    Path,
    Skill,
    SkillTopic,
)
from anamnesis_libs.errors.not_found import ClusterNotFound
from anamnesis_libs.paging import PAGE_SIZE_MAX
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.parts import in_parts
from anamnesis_libs.rpc.peers import call
from anamnesis_libs.scopes import SHARED_SCOPE, caller_in

LESSONS_MAX = 80
"""The newest lessons of a topic that a skill is made of."""


class SkillPeer:
    """Reads and writes for the skills of one namespace; each call has `timeout_s`."""

    def __init__(self, channels: Channels, namespace: str, timeout_s: float) -> None:
        channel = channels.to("memory")
        self._memory = MemoryServiceStub(channel)
        self._topics = TopicServiceStub(channel)
        self._namespace = namespace
        self._timeout_s = timeout_s

    async def topic(self, topic_id: str, caller: caller_pb2.Caller) -> SkillTopic:
        """A topic that a caller sees, with its attempts.

        Raises:
            ClusterNotFound: there is none.
        """
        return to_skill_topic(await self._told(topic_id, caller))

    async def _told(self, topic_id: str, caller: caller_pb2.Caller) -> topic_pb2.Topic:
        request = topic_service_pb2.ListTopicsRequest(
            namespace=self._namespace,
            caller=caller,
            topic_id=topic_id,
            include_crystallizations=True,
        )
        page = await call(self._topics.ListTopics, request, timeout_s=self._timeout_s)
        if not page.topics:
            raise ClusterNotFound(topic_id)
        return page.topics[0]

    async def crystallizations(
        self, topic_id: str, caller: caller_pb2.Caller
    ) -> list[topic_pb2.Crystallization]:
        """The attempts of a topic that a caller sees, the oldest first.

        Raises:
            ClusterNotFound: there is none.
        """
        return list((await self._told(topic_id, caller)).crystallizations)

    async def topics(self, page_token: str) -> tuple[list[SkillTopic], str]:
        """A page of the topics of all scopes, and the token of the next one."""
        request = topic_service_pb2.ListTopicsRequest(
            namespace=self._namespace,
            page_size=PAGE_SIZE_MAX,
            page_token=page_token,
            for_assignment=True,
            include_crystallizations=True,
        )
        page = await call(self._topics.ListTopics, request, timeout_s=self._timeout_s)
        return [to_skill_topic(one) for one in page.topics], page.next_page_token

    async def lessons(self, topic: SkillTopic) -> list[Evidence]:
        """The newest lessons of a topic that are active, by the drawers that they were taken from.

        Those of one session come as they were learned; sessions that are learned from side by side
        end in any order, so that lessons by themselves would go now this way and now that.
        """
        request = topic_service_pb2.ListTopicMembersRequest(
            namespace=self._namespace,
            topic_id=topic.topic_id,
            caller=_caller_in(topic.scope),
            page_size=PAGE_SIZE_MAX,
        )
        ids: list[str] = []
        while True:
            page = await call(self._topics.ListTopicMembers, request, timeout_s=self._timeout_s)
            ids += page.memory_ids
            request.page_token = page.next_page_token
            if not page.next_page_token:
                break
        found = await self._fetched(ids[-LESSONS_MAX:])
        return [to_evidence(one) for one in sorted(found, key=_place) if _is_active(one)]

    async def paths(self, topic: SkillTopic) -> list[Path]:
        """Procedures that whoever sees the topic sees too, but for skills; the first 500."""
        request = memory_service_pb2.ListMemoriesRequest(
            namespace=self._namespace,
            caller=_caller_in(topic.scope),
            filter=filter_pb2.MemoryFilter(kinds=[memory_pb2.MEMORY_KIND_PROCEDURAL]),
            page_size=PAGE_SIZE_MAX,
        )
        page = await call(self._memory.ListMemories, request, timeout_s=self._timeout_s)
        return [
            to_path(one)
            for one in page.memories
            if SKILL_TAG not in one.tags and scope_of(one) in (SHARED_SCOPE, topic.scope)
        ]

    async def kept(self, memory_id: str) -> KeptSkill | None:
        """A skill; None where it is gone."""
        found = await self._fetched([memory_id])
        return to_kept_skill(found[0]) if found else None

    async def record(
        self, topic: SkillTopic, attempt: Attempt, skill: Skill | None, text: str
    ) -> topic_service_pb2.RecordCrystallizationResponse:
        """Keep an attempt, and the skill that came of it.

        Raises:
            Conflict: another was recorded meanwhile, or a lesson is gone.
        """
        request = topic_service_pb2.RecordCrystallizationRequest(
            namespace=self._namespace,
            topic_id=topic.topic_id,
            crystallization=from_attempt(attempt),
            skill=from_skill(skill) if skill else None,
            text=text,
        )
        return await call(self._topics.RecordCrystallization, request, timeout_s=self._timeout_s)

    async def _fetched(self, memory_ids: Sequence[str]) -> list[memory_pb2.Memory]:
        async def batch(ids: Sequence[str]) -> Sequence[memory_pb2.Memory]:
            request = memory_service_pb2.BatchGetMemoriesRequest(
                purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
                namespace=self._namespace,
                memory_ids=ids,
                all_visibilities=True,
            )
            answer = await call(self._memory.BatchGetMemories, request, timeout_s=self._timeout_s)
            return answer.memories

        return [*await in_parts(batch, memory_ids)] if memory_ids else []


def _place(lesson: memory_pb2.Memory) -> tuple[str, str]:
    """The place of a lesson among others: ids go up, those of the drawers behind it, too."""
    return min(lesson.lesson.evidence_memory_ids, default=lesson.memory_id), lesson.memory_id


def _caller_in(scope: str) -> caller_pb2.Caller:
    agent_id, user_id = caller_in(scope)
    return caller_pb2.Caller(agent_id=agent_id, user_id=user_id)


def _is_active(memory: memory_pb2.Memory) -> bool:
    return memory.status == memory_pb2.MEMORY_STATUS_ACTIVE
