"""Conversations into a running suite, and what came of them, as clients see it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1 import caller_pb2
from anamnesis.ingestion.v1 import ingestion_service_pb2 as ingestion_pb
from anamnesis.memory.v1 import (
    admin_service_pb2,
    entity_pb2,
    event_pb2,
    filter_pb2,
    knowledge_service_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    segment_pb2,
    work_pb2,
)
from tests.support.clients import Clients
from tests.support.ledger_events import conversation

TODAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ADA = caller_pb2.Caller(user_id="Ada", agent_id="helper")
LEARNED = (
    memory_pb2.MEMORY_KIND_SEMANTIC,
    memory_pb2.MEMORY_KIND_LEARNING,
    memory_pb2.MEMORY_KIND_PROCEDURAL,
)


@dataclass(frozen=True, slots=True)
class Space:
    """One namespace of a running suite."""

    clients: Clients
    name: str

    async def tell(
        self,
        session_id: str,
        *lines: str,
        time: datetime = TODAY,
        first: int = 0,
        end: bool = True,
        user: str = "Ada",
    ) -> ingestion_pb.AppendEventsResponse:
        """Events from `role: content` lines, from an index on."""
        request = ingestion_pb.AppendEventsRequest(
            namespace=self.name,
            session_id=session_id,
            agent_id="helper",
            user_id=user,
            events=_events(lines, first, time),
            end_session=end,
        )
        return await self.clients.ingestion.AppendEvents(request)

    async def run(self, session_id: str = "") -> list[ingestion_pb.RunPipelineResponse]:
        """Everything that can be done now, each piece."""
        request = ingestion_pb.RunPipelineRequest(namespace=self.name, session_id=session_id)
        return [step async for step in self.clients.ingestion.RunPipeline(request)]

    async def segments(self, session_id: str = "") -> Sequence[segment_pb2.Segment]:
        """How it is cut."""
        request = ledger_service_pb2.ListSegmentsRequest(
            namespace=self.name, session_id=session_id, all_visibilities=True, page_size=500
        )
        return (await self.clients.ledger.ListSegments(request)).segments

    async def memories(
        self, session_id: str = "", *, archived: bool = False
    ) -> list[memory_pb2.Memory]:
        """What was learned and holds, or was archived."""
        where = filter_pb2.MemoryFilter(
            session_ids=[session_id] if session_id else [],
            kinds=LEARNED,
            include_archived=archived,
        )
        request = memory_service_pb2.ListMemoriesRequest(
            namespace=self.name, filter=where, page_size=500, all_visibilities=True
        )
        status = memory_pb2.MEMORY_STATUS_ARCHIVED if archived else memory_pb2.MEMORY_STATUS_ACTIVE
        found = (await self.clients.memory.ListMemories(request)).memories
        return [memory for memory in found if memory.status == status]

    async def entities(self) -> Sequence[entity_pb2.Entity]:
        """Whom and what its memories name."""
        request = knowledge_service_pb2.ListEntitiesRequest(
            namespace=self.name, caller=ADA, page_size=500
        )
        return (await self.clients.knowledge.ListEntities(request)).entities

    async def drawers(self, session_id: str) -> list[memory_pb2.Memory]:
        """The memories of its events, in order."""
        where = filter_pb2.MemoryFilter(
            session_ids=[session_id], kinds=[memory_pb2.MEMORY_KIND_EPISODIC]
        )
        request = memory_service_pb2.ListMemoriesRequest(
            namespace=self.name, filter=where, page_size=500, all_visibilities=True
        )
        found = (await self.clients.memory.ListMemories(request)).memories
        return sorted(found, key=lambda memory: memory.episode.event_index)

    async def texts(self, session_id: str = "") -> set[str]:
        """What the learned memories say."""
        return {memory.content for memory in await self.memories(session_id)}

    async def activities(self, session_id: str = "") -> Sequence[segment_pb2.Activity]:
        """What was learned when."""
        request = memory_service_pb2.ListActivityRequest(
            namespace=self.name, caller=ADA, session_id=session_id, page_size=500
        )
        return (await self.clients.memory.ListActivity(request)).activities

    async def status(self, session_id: str = "") -> ingestion_pb.GetPipelineStatusResponse:
        """How far the work has come."""
        request = ingestion_pb.GetPipelineStatusRequest(
            namespace=self.name, session_id=session_id, caller=ADA
        )
        return await self.clients.ingestion.GetPipelineStatus(request)

    async def failures(self, session_id: str = "") -> Sequence[work_pb2.WorkItem]:
        """What failed."""
        request = ingestion_pb.ListFailuresRequest(namespace=self.name, session_id=session_id)
        return (await self.clients.ingestion.ListFailures(request)).failures

    async def retry(self, session_id: str = "") -> int:
        """Make what failed due now."""
        request = ingestion_pb.RetryFailuresRequest(namespace=self.name, session_id=session_id)
        return (await self.clients.ingestion.RetryFailures(request)).retried

    async def usage(self) -> admin_service_pb2.GetUsageResponse:
        """What models cost."""
        request = admin_service_pb2.GetUsageRequest(namespace=self.name, hours=2)
        return await self.clients.admin.GetUsage(request)


def _events(lines: Sequence[str], first: int, time: datetime) -> list[event_pb2.Event]:
    moment = Timestamp()
    moment.FromDatetime(time)
    return [
        event_pb2.Event(
            index=first + (event.index or 0),
            role=event_pb2.Role.Value(f"ROLE_{event.role.name}"),
            content=event.content,
            event_time=moment,
            tool_calls=[
                event_pb2.ToolCall(call_id=call.call_id, name=call.name, arguments=call.arguments)
                for call in event.tool_calls
            ],
            tool_call_id=event.tool_call_id,
        )
        for event in conversation(*lines)
    ]
