"""Stubs of an installation's services, as a client without retries of its own has them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from grpc import aio

from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from benchmarks.installation import Installation

CALL_S_MAX = 60.0
_OPTIONS = [
    ("grpc.max_receive_message_length", 32 << 20),
    ("grpc.enable_retries", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.use_local_subchannel_pool", 1),  # a connection of each one's own
]


class Stubs:
    """One stub a service, over one connection an address."""

    def __init__(self, installation: Installation) -> None:
        self._channels: dict[str, aio.Channel] = {}
        memory = self._to(installation.address("memory"))
        self.memory = MemoryServiceStub(memory)
        self.ledger = LedgerServiceStub(memory)
        self.ingestion = IngestionServiceStub(self._to(installation.address("ingestion")))
        self.retrieval = RetrievalServiceStub(self._to(installation.address("retrieval")))

    def _to(self, address: str) -> aio.Channel:
        if address not in self._channels:
            self._channels[address] = aio.insecure_channel(address, options=_OPTIONS)
        return self._channels[address]

    async def close(self) -> None:
        """Close every connection."""
        for channel in self._channels.values():
            await channel.close()


@asynccontextmanager
async def stubs_of(installation: Installation) -> AsyncIterator[Stubs]:
    """Stubs of a running installation."""
    stubs = Stubs(installation)
    try:
        yield stubs
    finally:
        await stubs.close()
