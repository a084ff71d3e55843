"""IngestionService: each rpc translated to its verb and back."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from google.protobuf.message import Message
from grpc import aio

from anamnesis.ingestion.v1 import ingestion_service_pb2 as pb
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceServicer
from anamnesis_ingestion.api.pipeline import PipelineParts, PipelineRpcs
from anamnesis_ingestion.convert.ledger import to_caller
from anamnesis_ingestion.convert.values import (
    from_appended,
    from_ended,
    from_ingested,
    from_observed,
    to_append,
    to_header,
    to_observation,
)
from anamnesis_ingestion.intake.append import append_events
from anamnesis_ingestion.intake.end_session import end_session
from anamnesis_ingestion.intake.files.archiving import HELD_BYTES_MAX, Tee, archive_file
from anamnesis_ingestion.intake.files.file_reading import FileLimits
from anamnesis_ingestion.intake.files.file_sessions import FileHeader
from anamnesis_ingestion.intake.files.ingest_file import ingest_file
from anamnesis_ingestion.intake.files.room import Room
from anamnesis_ingestion.intake.observe import observe
from anamnesis_ingestion.peers.ledger import MemoryLedger
from anamnesis_libs.errors import invalid_field
from anamnesis_libs.rpc.peers import remaining_s

if TYPE_CHECKING:  # a name of the type stubs only
    from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceAsyncStub

Asked = TypeVar("Asked", bound=Message)
Answered = TypeVar("Answered", bound=Message)
Context: TypeAlias = aio.ServicerContext[Asked, Answered]


class IngestionServicer(PipelineRpcs, IngestionServiceServicer):
    """Serves ingestion; see the proto for what each rpc promises."""

    def __init__(
        self,
        stub: "LedgerServiceAsyncStub",
        limits: FileLimits,
        room: Room,
        peer_timeout_s: float,
        pipeline: PipelineParts,
    ) -> None:
        self._stub = stub
        self._limits = limits
        self._peer_timeout_s = peer_timeout_s
        self._pipeline = pipeline
        self._archive_room = Room(HELD_BYTES_MAX)
        self._room = room

    async def Observe(
        self, request: pb.ObserveRequest, context: Context[pb.ObserveRequest, pb.ObserveResponse]
    ) -> pb.ObserveResponse:
        """Score what an agent saw, and store it if it matters."""
        observed = await observe(to_observation(request), self._ledger(context))
        return from_observed(request.session_id, observed)

    async def AppendEvents(
        self,
        request: pb.AppendEventsRequest,
        context: Context[pb.AppendEventsRequest, pb.AppendEventsResponse],
    ) -> pb.AppendEventsResponse:
        """Store events of one session in one transaction."""
        return from_appended(await append_events(to_append(request), self._ledger(context)))

    async def IngestFile(
        self,
        request_iterator: AsyncIterator[pb.IngestFileRequest],
        context: Context[pb.IngestFileRequest, pb.IngestFileResponse],
    ) -> pb.IngestFileResponse:
        """Store the events of a file as it arrives."""
        header = await _header(request_iterator)
        with Tee(self._archive_room) as tee:
            chunks = tee.through(_chunks(request_iterator))
            done = await ingest_file(
                header, chunks, self._ledger(context), self._limits, self._room
            )
            archived = await archive_file(header, done, tee, self._archive(context))
        return from_ingested(done, archived)

    async def EndSession(
        self,
        request: pb.EndSessionRequest,
        context: Context[pb.EndSessionRequest, pb.EndSessionResponse],
    ) -> pb.EndSessionResponse:
        """End a session that is there."""
        done = await end_session(
            request.namespace,
            request.session_id,
            to_caller(request.caller),
            request.request_id,
            self._ledger(context),
        )
        return from_ended(done)

    def _ledger(self, context: Context[Asked, Answered]) -> MemoryLedger:
        return MemoryLedger(self._stub, lambda: remaining_s(context, self._peer_timeout_s))


async def _header(requests: AsyncIterator[pb.IngestFileRequest]) -> FileHeader:
    first = await anext(requests, None)
    if first is None or not first.HasField("header"):
        raise invalid_field("header", "is required; the first message of the stream must hold it")
    return to_header(first.header)


async def _chunks(requests: AsyncIterator[pb.IngestFileRequest]) -> AsyncIterator[bytes]:
    async for request in requests:
        if request.HasField("header"):
            raise invalid_field("header", "comes twice; only the first message may hold it")
        yield request.chunk
