"""The memory service as the views see it, for one request: its namespace, caller and deadline.

Memory applies the caller's rights to every read, so nothing that the caller may not see comes here.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from anamnesis.common.v1 import caller_pb2
from anamnesis.memory.v1 import (
    admin_service_pb2,
    entity_pb2,
    event_pb2,
    filter_pb2,
    knowledge_service_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
)
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cluster.convert.views import (
    to_lesson,
    to_line,
    to_procedure,
    to_source,
    to_task,
)
from anamnesis_cluster.view_model import UNNAMED, LessonLine, Line, Procedure, Source, Task
from anamnesis_libs.own_name import spelled_name
from anamnesis_libs.paging import PAGE_SIZE_MAX
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.parts import in_parts
from anamnesis_libs.rpc.peers import call

PAGES_MAX = 20
"""Pages of a list that a view reads: 10,000 records."""
NAMED_LINES_MAX = 100
"""The latest lines that are asked for the caller's name."""
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Reading:
    """Who asks, of which namespace, and the revision that is at least to be read."""

    namespace: str
    caller: caller_pb2.Caller
    at_least_revision: str = ""


class ScopedKnowledge:
    """Facts, tasks, lessons and drawers of one namespace, as one caller may see them."""

    def __init__(self, channels: Channels, reading: Reading, timeout_s: float) -> None:
        """All calls together may take `timeout_s`, counted from now."""
        channel = channels.to("memory")
        self._knowledge = KnowledgeServiceStub(channel)
        self._memory = MemoryServiceStub(channel)
        self._ledger = LedgerServiceStub(channel)
        self._admin = AdminServiceStub(channel)
        self._reading = reading
        self._deadline_s = asyncio.get_running_loop().time() + timeout_s

    async def revision(self) -> str:
        """The latest committed revision."""
        request = admin_service_pb2.GetNamespaceRequest(namespace=self._reading.namespace)
        answer = await call(self._admin.GetNamespace, request, timeout_s=self._left_s)
        return answer.namespace.revision

    async def facts(self, subject: str) -> tuple[list[Line], str]:
        """Facts of all times of a subject, under all of its names, and the revision read."""
        revisions: list[str] = []

        async def page(token: str) -> tuple[Sequence[Line], str]:
            request = knowledge_service_pb2.ListFactsRequest(
                namespace=self._reading.namespace,
                caller=self._reading.caller,
                subject=subject,
                page_size=PAGE_SIZE_MAX,
                page_token=token,
                at_least_revision=self._reading.at_least_revision,
            )
            answer = await call(self._knowledge.ListFacts, request, timeout_s=self._left_s)
            revisions.append(answer.revision)
            return [to_line(known) for known in answer.facts], answer.next_page_token

        found, _ = await _pages(page)
        return found, revisions[0]

    async def facts_of_life(self, subject: str) -> tuple[str, list[Line], str]:
        """Facts of all times of a subject, or of the caller, where none is named.

        What callers say is learned of their user, or of the name that their lines have: of both
        where they talk to an agent by themselves, and with others by name.

        Returns:
            Whom the facts are about, the facts, and the revision read.
        """
        asked = subject or self._reading.caller.user_id or UNNAMED
        found, revision = await self.facts(asked)
        if subject or not (name := await self._caller_name()):
            return asked, found, revision
        named, revision = await self.facts(name)
        told = {line.memory_ids: line for line in (*found, *named)}
        return name if named else asked, list(told.values()), revision

    async def _caller_name(self) -> str:
        """The name of the caller's user on their latest lines; "" where nobody knows it."""
        user_id = self._reading.caller.user_id
        if not user_id:
            return ""
        request = memory_service_pb2.FindCandidatesRequest(
            namespace=self._reading.namespace,
            caller=self._reading.caller,
            filter=filter_pb2.MemoryFilter(
                kinds=[memory_pb2.MEMORY_KIND_EPISODIC], user_id=user_id
            ),
            limit=NAMED_LINES_MAX,
        )
        answer = await call(self._memory.FindCandidates, request, timeout_s=self._left_s)
        people = {
            one.name: one.memory_id for one in answer.candidates if one.role == event_pb2.ROLE_USER
        }
        if spelled := spelled_name(user_id, people):
            return spelled
        if len(people) != 1:
            return ""
        ((name, memory_id),) = people.items()
        together = any(memory.participants for memory in await self._drawers([memory_id]))
        return "" if together else name

    async def timeline(
        self, entity_id: str, name: str
    ) -> tuple[entity_pb2.Entity, list[Line], str]:
        """An entity, the facts of all times that name it, and the revision that was read.

        Raises:
            EntityNotFound: the caller may see none of this id.
            EntityNameNotFound: the caller may see none of this name.
        """
        first: list[knowledge_service_pb2.GetTimelineResponse] = []

        async def page(token: str) -> tuple[Sequence[Line], str]:
            request = knowledge_service_pb2.GetTimelineRequest(
                namespace=self._reading.namespace,
                caller=self._reading.caller,
                entity_id=entity_id,
                name=name,
                page_size=PAGE_SIZE_MAX,
                page_token=token,
                at_least_revision=self._reading.at_least_revision,
            )
            answer = await call(self._knowledge.GetTimeline, request, timeout_s=self._left_s)
            first.append(answer)
            return [to_line(known) for known in answer.facts], answer.next_page_token

        found, _ = await _pages(page)
        return first[0].entity, found, first[0].revision

    async def tasks(self) -> tuple[list[Task], bool]:
        """Measured tasks of sessions that the caller may see; True if there are more."""

        async def page(token: str) -> tuple[Sequence[Task], str]:
            request = ledger_service_pb2.ListSegmentsRequest(
                namespace=self._reading.namespace,
                caller=self._reading.caller,
                page_size=PAGE_SIZE_MAX,
                page_token=token,
                at_least_revision=self._reading.at_least_revision,
            )
            answer = await call(self._ledger.ListSegments, request, timeout_s=self._left_s)
            measured = [to_task(one) for one in answer.segments if one.HasField("score")]
            return measured, answer.next_page_token

        return await _pages(page)

    async def lessons(self, naming: Sequence[str] = ()) -> list[LessonLine]:
        """Active lessons; those that mention one of these names, where some are given."""
        found = await self._memories(memory_pb2.MEMORY_KIND_LEARNING, naming)
        return [to_lesson(memory) for memory in found]

    async def procedures(self) -> list[Procedure]:
        """Active procedures."""
        found = await self._memories(memory_pb2.MEMORY_KIND_PROCEDURAL, ())
        return [to_procedure(memory) for memory in found]

    async def sources(self, memory_ids: Sequence[str]) -> list[Source]:
        """Drawers by id; those that are gone or hidden are left out."""
        return list(map(to_source, await self._drawers(memory_ids)))

    async def _drawers(self, memory_ids: Sequence[str]) -> Sequence[memory_pb2.Memory]:
        async def batch(ids: Sequence[str]) -> Sequence[memory_pb2.Memory]:
            request = memory_service_pb2.BatchGetMemoriesRequest(
                purpose=memory_service_pb2.READ_PURPOSE_INTERNAL,
                namespace=self._reading.namespace,
                memory_ids=ids,
                caller=self._reading.caller,
            )
            answer = await call(self._memory.BatchGetMemories, request, timeout_s=self._left_s)
            return answer.memories

        return await in_parts(batch, memory_ids) if memory_ids else []

    async def entities(
        self, page_size: int, page_token: str
    ) -> knowledge_service_pb2.ListEntitiesResponse:
        """A page of the entities that the caller may see."""
        request = knowledge_service_pb2.ListEntitiesRequest(
            namespace=self._reading.namespace,
            caller=self._reading.caller,
            page_size=page_size,
            page_token=page_token,
            at_least_revision=self._reading.at_least_revision,
        )
        return await call(self._knowledge.ListEntities, request, timeout_s=self._left_s)

    async def _memories(
        self, kind: memory_pb2.MemoryKind.ValueType, naming: Sequence[str]
    ) -> list[memory_pb2.Memory]:
        async def page(token: str) -> tuple[Sequence[memory_pb2.Memory], str]:
            request = memory_service_pb2.ListMemoriesRequest(
                namespace=self._reading.namespace,
                caller=self._reading.caller,
                filter=filter_pb2.MemoryFilter(kinds=[kind], entities=naming),
                page_size=PAGE_SIZE_MAX,
                page_token=token,
                at_least_revision=self._reading.at_least_revision,
            )
            answer = await call(self._memory.ListMemories, request, timeout_s=self._left_s)
            return answer.memories, answer.next_page_token

        found, _ = await _pages(page)
        return found

    @property
    def _left_s(self) -> float:
        return max(0.0, self._deadline_s - asyncio.get_running_loop().time())


async def _pages(
    page: Callable[[str], Awaitable[tuple[Sequence[Item], str]]],
) -> tuple[list[Item], bool]:
    """The items of a list, and whether there are more than are read."""
    found: list[Item] = []
    token = ""
    for _ in range(PAGES_MAX):
        items, token = await page(token)
        found += items
        if not token:
            break
    return found, bool(token)
