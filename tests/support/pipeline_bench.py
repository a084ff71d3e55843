"""The pipeline's own parts beside the memory service's, over a real channel and SQLite."""

import functools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from anamnesis.common.v1.caller_pb2 import Caller as Asking
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1 import memory_pb2, segment_pb2
from anamnesis.memory.v1 import work_pb2 as work
from anamnesis.memory.v1.filter_pb2 import MemoryFilter
from anamnesis.memory.v1.memory_service_pb2 import ListActivityRequest, ListMemoriesRequest
from anamnesis_ingestion.ledger import Append, Appended, Caller, LedgerEvent
from anamnesis_ingestion.peers.ledger import MemoryLedger
from anamnesis_ingestion.peers.pipeline import PipelinePeer
from anamnesis_ingestion.pipeline.progress import PipelineStep, run_to_end
from anamnesis_ingestion.pipeline.running import Runner, Work
from anamnesis_ingestion.pipeline.stages import StageRules, Stages
from anamnesis_ingestion.pipeline.work import PipelineStage, WorkItem
from anamnesis_libs.logs import logger
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.settings import Peers, Security, WriteGate
from anamnesis_libs.tokens import TokenCounter, load_counter
from tests.support.analyzers import SteeredAnalyzers
from tests.support.ledger_events import conversation
from tests.support.memory_service import Served, serving
from tests.support.messages import made

SPACE = "team"
ADA = Caller(user_id="ada")
AT = datetime(2026, 2, 20, 9, 0, tzinfo=UTC)
RULES = StageRules(
    segment_window_tokens=100_000,
    extract_window_tokens=60_000,
    extract_overlap_events=5,
    lesson_score_min=0.7,
)
LEASE_S = 60
KEEP_EVERY_S = 0.02
LEARNED = (
    memory_pb2.MEMORY_KIND_SEMANTIC,
    memory_pb2.MEMORY_KIND_LEARNING,
    memory_pb2.MEMORY_KIND_PROCEDURAL,
)


@functools.cache
def counter() -> TokenCounter:
    """Loading it takes longer than most tests."""
    return load_counter("o200k_base")


@dataclass(slots=True)
class Bench:
    """Memory behind its stubs, and the pipeline's view of it; tests steer the `analyzers`."""

    served: Served
    peer: PipelinePeer
    channels: Channels
    analyzers: SteeredAnalyzers = field(default_factory=SteeredAnalyzers)

    @property
    def ledger(self) -> MemoryLedger:
        """The ledger as verbs see it."""
        return MemoryLedger(self.served.ledger, lambda: 20.0)

    @property
    def stages(self) -> Stages:
        """The stages with the steered analyzers."""
        return Stages(self.peer, self.analyzers, WriteGate(), RULES, counter())

    def runner(self, do: Work | None = None) -> Runner:
        """A worker that looks after its leases every few milliseconds."""
        return Runner(self.peer, do or self.stages.work, 3 * KEEP_EVERY_S, logger("test"))

    async def tell(
        self, *lines: str, session_id: str = "s", end: bool = True, first: int = 0
    ) -> Appended:
        """Events from `role: content` lines, from an index on."""
        events = [
            LedgerEvent(
                role=event.role,
                content=event.content,
                index=first + (event.index or 0),
                event_time=AT,
                tool_calls=event.tool_calls,
                tool_call_id=event.tool_call_id,
            )
            for event in conversation(*lines)
        ]
        return await self.append(events, session_id=session_id, end=end)

    async def append(
        self, events: Sequence[LedgerEvent], *, session_id: str = "s", end: bool = True
    ) -> Appended:
        """These events."""
        write = Append(
            namespace=SPACE,
            session_id=session_id,
            agent_id="coder",
            user_id=ADA.user_id,
            events=events,
            end_session=end,
        )
        return await self.ledger.append(write)

    async def run(
        self,
        *stages: PipelineStage,
        session_id: str = "",
        runner: Runner | None = None,
        parallel: int = 2,
    ) -> list[PipelineStep]:
        """Everything that can be done now."""
        steps = run_to_end(self.peer, runner or self.runner(), SPACE, stages, session_id, parallel)
        return [step async for step in steps]

    async def item(self, stage: PipelineStage, session_id: str = "s") -> WorkItem:
        """Where a stage of a session stands."""
        items, _ = await self.peer.items(SPACE, session_id, (), 50, "")
        return next(item for item in items if item.stage is stage)

    async def segments(self, session_id: str = "s") -> Sequence[segment_pb2.Segment]:
        """The segments as the ledger tells them."""
        request = pb.ListSegmentsRequest(
            namespace=SPACE, session_id=session_id, all_visibilities=True
        )
        return (await self.served.ledger.ListSegments(request)).segments

    async def learned(self, session_id: str = "s") -> list[memory_pb2.Memory]:
        """What was learned and holds."""
        request = made(
            ListMemoriesRequest,
            namespace=SPACE,
            filter=MemoryFilter(session_ids=[session_id], kinds=LEARNED),
            page_size=500,
            all_visibilities=True,
        )
        found = await self.served.memory.ListMemories(request)
        return list(found.memories)

    async def activities(self) -> Sequence[segment_pb2.Activity]:
        """What was learned when."""
        request = ListActivityRequest(namespace=SPACE, caller=Asking(user_id=ADA.user_id))
        return (await self.served.memory.ListActivity(request)).activities

    async def failures(self) -> list[tuple[str, int, str]]:
        """State, tries and reason of what failed."""
        request = pb.ListWorkRequest(
            namespace=SPACE, states=[work.WORK_STATE_FAILED, work.WORK_STATE_DEAD]
        )
        found = await self.served.ledger.ListWork(request)
        return [
            (work.WorkState.Name(item.state)[11:], item.attempts, item.reason)
            for item in found.items
        ]


@asynccontextmanager
async def bench(directory: Path) -> AsyncIterator[Bench]:
    """A bench over a data directory."""
    async with serving(directory) as served:
        channels = Channels(Peers(memory=served.address), Security(), 16 << 20)
        try:
            yield Bench(served, PipelinePeer(channels, 20.0, LEASE_S), channels)
        finally:
            await channels.close()
