"""Puts the ingestion service together: its servicer, its limits, its channel to memory."""

from collections.abc import Sequence

from grpc import aio

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import (
    add_IngestionServiceServicer_to_server,
)
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from libs.config import Settings
from libs.run.loop import Loop
from libs.run.module import ServiceContext, ServiceModule
from services.ingestion.file_reading import FileLimits
from services.ingestion.servicer import IngestionServicer

_EVENTS_IN_A_WRITE_MAX = 1000  # the ledger's own bound


class IngestionModule:
    """The ingestion service; it keeps nothing."""

    name = "ingestion"
    service_names: Sequence[str] = (
        ingestion_service_pb2.DESCRIPTOR.services_by_name["IngestionService"].full_name,
    )
    loops: Sequence[Loop] = ()

    def __init__(self, servicer: IngestionServicer) -> None:
        self._servicer = servicer

    def register(self, server: aio.Server) -> None:
        """Adds its servicer to a server."""
        add_IngestionServiceServicer_to_server(self._servicer, server)

    async def start(self) -> None:
        """Nothing to open: the channel to memory connects by itself."""

    async def stop(self) -> None:
        """Nothing to flush: what was acknowledged is committed."""


def build(context: ServiceContext) -> ServiceModule:
    """The service of a process."""
    stub = LedgerServiceStub(context.channels.to("memory"))
    limits = file_limits(context.settings)
    return IngestionModule(IngestionServicer(stub, limits, context.settings.peers.timeout_s))


def file_limits(settings: Settings) -> FileLimits:
    """A batch is kept well under the largest message, and so is one event."""
    message_bytes_max = settings.server.message_bytes_max
    return FileLimits(
        file_bytes_max=settings.ingestion.file_bytes_max,
        line_bytes_max=settings.ingestion.line_bytes_max,
        batch_events_max=min(settings.ingestion.append_batch_max, _EVENTS_IN_A_WRITE_MAX),
        batch_bytes_max=message_bytes_max // 4,
        event_bytes_max=message_bytes_max // 2,
    )
