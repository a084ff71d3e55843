"""The pipeline's rpcs of IngestionService: text, streams, progress, failures, training rows."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from google.protobuf.message import Message
from grpc import aio

from anamnesis.ingestion.v1 import ingestion_service_pb2 as pb
from anamnesis_ingestion.convert.ledger import to_caller
from anamnesis_ingestion.convert.pipeline import to_asked_stages
from anamnesis_ingestion.convert.runs import (
    from_item,
    from_row,
    from_status,
    from_step,
    from_stream_observed,
    from_text,
    to_sft_filter,
    to_text,
)
from anamnesis_ingestion.convert.values import to_observation
from anamnesis_ingestion.intake.files.archiving import archive_text
from anamnesis_ingestion.intake.ingest_text import ingest_text
from anamnesis_ingestion.intake.observe import Observation
from anamnesis_ingestion.intake.observe_stream import ObserveStream
from anamnesis_ingestion.peers.archive import MemoryArchive
from anamnesis_ingestion.peers.ledger import MemoryLedger
from anamnesis_ingestion.peers.pipeline import PipelinePeer
from anamnesis_ingestion.pipeline.export_sft import export_sft
from anamnesis_ingestion.pipeline.progress import run_to_end, status_of, wait_idle
from anamnesis_ingestion.pipeline.running import Runner
from anamnesis_ingestion.pipeline.work import StageState
from anamnesis_libs.rpc.peers import remaining_s

if TYPE_CHECKING:  # a name of the type stubs only
    from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceAsyncStub

Asked = TypeVar("Asked", bound=Message)
Answered = TypeVar("Answered", bound=Message)
Context: TypeAlias = aio.ServicerContext[Asked, Answered]

_FAILED = (StageState.FAILED, StageState.DEAD)


@dataclass(frozen=True, slots=True)
class PipelineParts:
    """The memory service, the runner and the limits that the pipeline's rpcs work with."""

    memory: PipelinePeer
    runner: Runner
    sft_score_min: float
    parallel: int


class PipelineRpcs:
    """Serves the pipeline; see the proto for what each rpc promises."""

    _stub: "LedgerServiceAsyncStub"
    _peer_timeout_s: float
    _pipeline: PipelineParts

    def _archive(self, context: Context[Asked, Answered]) -> MemoryArchive:
        return MemoryArchive(self._stub, lambda: remaining_s(context, self._peer_timeout_s))

    async def ObserveStream(
        self,
        request_iterator: AsyncIterator[pb.ObserveStreamRequest],
        context: Context[pb.ObserveStreamRequest, pb.ObserveStreamResponse],
    ) -> AsyncIterator[pb.ObserveStreamResponse]:
        """Score what comes, and store what matters in batches."""
        ledger = MemoryLedger(self._stub, lambda: self._peer_timeout_s)
        seen = _observations(request_iterator)
        async for answer in ObserveStream(ledger).answers(seen):
            yield from_stream_observed(answer)

    async def IngestText(
        self,
        request: pb.IngestTextRequest,
        context: Context[pb.IngestTextRequest, pb.IngestTextResponse],
    ) -> pb.IngestTextResponse:
        """Store a text as a session of its own; with `wait`, until it has been learned."""
        ledger = MemoryLedger(self._stub, lambda: remaining_s(context, self._peer_timeout_s))
        text = to_text(request)
        done = await ingest_text(text, ledger)
        answer = from_text(done, await archive_text(text, done, self._archive(context)))
        if request.wait:
            memory = self._pipeline.memory
            within_s = remaining_s(context, self._peer_timeout_s) * _SHARE_TO_WAIT
            answer.complete = await wait_idle(memory, request.namespace, done.session_id, within_s)
            learned = await memory.learned_memories(request.namespace, done.session_id, text.writer)
            answer.memories.extend(learned)
        return answer

    async def GetPipelineStatus(
        self,
        request: pb.GetPipelineStatusRequest,
        context: Context[pb.GetPipelineStatusRequest, pb.GetPipelineStatusResponse],
    ) -> pb.GetPipelineStatusResponse:
        """Tell how far the work has come."""
        memory = self._pipeline.memory
        if request.session_id:
            ledger = MemoryLedger(self._stub, lambda: remaining_s(context, self._peer_timeout_s))
            await ledger.session(request.namespace, request.session_id, to_caller(request.caller))
        return from_status(status_of(await memory.counts(request.namespace, request.session_id)))

    async def ListFailures(
        self,
        request: pb.ListFailuresRequest,
        context: Context[pb.ListFailuresRequest, pb.ListFailuresResponse],
    ) -> pb.ListFailuresResponse:
        """List what failed."""
        items, next_token = await self._pipeline.memory.items(
            request.namespace, request.session_id, _FAILED, request.page_size, request.page_token
        )
        return pb.ListFailuresResponse(
            failures=[from_item(item, request.namespace) for item in items],
            next_page_token=next_token,
        )

    async def RetryFailures(
        self,
        request: pb.RetryFailuresRequest,
        context: Context[pb.RetryFailuresRequest, pb.RetryFailuresResponse],
    ) -> pb.RetryFailuresResponse:
        """Make failed work due now."""
        stages = to_asked_stages(request.stages)
        retried = await self._pipeline.memory.retry(request.namespace, request.session_id, stages)
        return pb.RetryFailuresResponse(retried=retried)

    async def RunPipeline(
        self,
        request: pb.RunPipelineRequest,
        context: Context[pb.RunPipelineRequest, pb.RunPipelineResponse],
    ) -> AsyncIterator[pb.RunPipelineResponse]:
        """Do all due work now, and tell each piece of it."""
        pipeline = self._pipeline
        steps = run_to_end(
            pipeline.memory,
            pipeline.runner,
            request.namespace,
            to_asked_stages(request.stages),
            request.session_id,
            pipeline.parallel,
        )
        async with aclosing(steps):
            async for step in steps:
                yield from_step(step)

    async def ExportSft(
        self,
        request: pb.ExportSftRequest,
        context: Context[pb.ExportSftRequest, pb.ExportSftResponse],
    ) -> AsyncIterator[pb.ExportSftResponse]:
        """Stream training rows."""
        where = to_sft_filter(request, self._pipeline.sft_score_min)
        async for exported in export_sft(where, self._pipeline.memory):
            yield from_row(exported)


_SHARE_TO_WAIT = 0.9
"""Part of a caller's time that goes into waiting; the rest is for the answer."""


async def _observations(
    requests: AsyncIterator[pb.ObserveStreamRequest],
) -> AsyncIterator[Observation]:
    async for request in requests:
        yield to_observation(request.observation)
