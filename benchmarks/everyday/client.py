"""The calls that taking in pages and reading memories need besides those of `benchmarks.recall`."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from grpc import aio

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestTextRequest
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.event_pb2 import Role
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.memory_service_pb2 import BatchGetMemoriesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_libs.rpc.peers import call
from benchmarks.recall.client import Client, channel_to
from benchmarks.recall.lines import flat

_TIMEOUT_S = 120.0
_INDEXED_S_MAX = 1_800.0
_PEER = "the server"


class EverydayClient(Client):
    """A client of the suite that also takes in texts and reads memories."""

    def __init__(self, channel: aio.Channel) -> None:
        super().__init__(channel)
        self._texts = IngestionServiceStub(channel)
        self._namespaces = AdminServiceStub(channel)
        self._memories = MemoryServiceStub(channel)
        self._searches = RetrievalServiceStub(channel)

    async def take_in(self, namespace: str, label: str, text: str) -> None:
        """Take in a text as a session of its own, written now."""
        request = IngestTextRequest(
            namespace=namespace, label=label, text=text, use_server_time=True
        )
        await call(self._texts.IngestText, request, timeout_s=_TIMEOUT_S, peer=_PEER)

    async def indexed_revision(self, namespace: str) -> str:
        """The revision of a namespace, once its index has reached it, vectors included.

        What is learned meanwhile of a text moves the revision, and is waited for too.
        """
        named = GetNamespaceRequest(namespace=namespace)
        reached = ""
        while True:
            found = await call(
                self._namespaces.GetNamespace, named, timeout_s=_TIMEOUT_S, peer=_PEER
            )
            revision = found.namespace.revision
            if revision == reached:
                return revision
            waits = SearchRequest(
                namespace=namespace, query="?", limit=1, at_least_revision=revision
            )
            await call(self._searches.Search, waits, timeout_s=_INDEXED_S_MAX, peer=_PEER)
            reached = revision

    async def lines(
        self, namespace: str, memory_ids: Sequence[str], *, with_role: bool
    ) -> list[str]:
        """The whole texts of memories in this order, each on one line, led by its role if asked."""
        if not memory_ids:
            return []
        request = BatchGetMemoriesRequest(namespace=namespace, memory_ids=memory_ids)
        read = await call(
            self._memories.BatchGetMemories, request, timeout_s=_TIMEOUT_S, peer=_PEER
        )
        return [_line(memory, with_role=with_role) for memory in read.memories]


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[EverydayClient]:
    """A client of the suite at `host:port`."""
    async with channel_to(address) as channel:
        yield EverydayClient(channel)


def _line(memory: Memory, *, with_role: bool) -> str:
    if not with_role or not memory.HasField("episode"):
        return flat(memory.content)
    role = Role.Name(memory.episode.role).removeprefix("ROLE_").lower()
    return f"{role}: {flat(memory.content)}"
