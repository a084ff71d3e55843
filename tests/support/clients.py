"""Stubs of all four services, for tests that speak as clients do."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from grpc import aio

from anamnesis.cluster.v1.cluster_service_pb2_grpc import ClusterServiceStub
from anamnesis.cluster.v1.projection_service_pb2_grpc import ProjectionServiceStub
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.document_service_pb2_grpc import DocumentServiceStub
from anamnesis.memory.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis.memory.v1.lesson_service_pb2_grpc import LessonServiceStub
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.palace_service_pb2_grpc import PalaceServiceStub
from anamnesis.memory.v1.procedure_service_pb2_grpc import ProcedureServiceStub
from anamnesis.memory.v1.topic_service_pb2_grpc import TopicServiceStub
from anamnesis.memory.v1.working_memory_service_pb2_grpc import WorkingMemoryServiceStub
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub

_OPTIONS = [("grpc.max_receive_message_length", 32 << 20)]


Open = Callable[[str], aio.Channel]


def _plain(address: str) -> aio.Channel:
    return aio.insecure_channel(address, options=_OPTIONS)


class Clients:
    """One stub a service; `addresses` names where each of the four is."""

    def __init__(self, addresses: Mapping[str, str], opened: Open = _plain) -> None:
        self._channels = {address: opened(address) for address in set(addresses.values())}
        memory = self._channels[addresses["memory"]]
        self.memory = MemoryServiceStub(memory)
        self.ledger = LedgerServiceStub(memory)
        self.admin = AdminServiceStub(memory)
        self.procedures = ProcedureServiceStub(memory)
        self.lessons = LessonServiceStub(memory)
        self.knowledge = KnowledgeServiceStub(memory)
        self.working = WorkingMemoryServiceStub(memory)
        self.topics = TopicServiceStub(memory)
        self.knowledge = KnowledgeServiceStub(memory)
        self.palace = PalaceServiceStub(memory)
        self.documents = DocumentServiceStub(memory)
        self.ingestion = IngestionServiceStub(self._channels[addresses["ingestion"]])
        self.cluster = ClusterServiceStub(self._channels[addresses["cluster"]])
        self.projections = ProjectionServiceStub(self._channels[addresses["cluster"]])
        self.retrieval = RetrievalServiceStub(self._channels[addresses["retrieval"]])

    async def close(self) -> None:
        """Close every channel."""
        for channel in self._channels.values():
            await channel.close()


@asynccontextmanager
async def clients_of(addresses: Mapping[str, str]) -> AsyncIterator[Clients]:
    """Clients of a running suite."""
    clients = Clients(addresses)
    try:
        yield clients
    finally:
        await clients.close()


SERVICES = ("memory", "ingestion", "cluster", "retrieval")


def everywhere(address: str) -> dict[str, str]:
    """All four services at one address."""
    return dict.fromkeys(SERVICES, address)
