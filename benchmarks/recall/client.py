"""The suite as its callers see it: turns go in, turns come out, all through the public API."""

import itertools
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest, RunPipelineRequest
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceStub
from anamnesis.memory.v1.admin_service_pb2 import GetNamespaceRequest, GetStatsRequest
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis.memory.v1.event_pb2 import ROLE_ASSISTANT, ROLE_USER, Event
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis.memory.v1.memory_service_pb2 import ListMemoriesRequest
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis.memory.v1.work_pb2 import WORK_KIND_EXTRACT
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    BuildContextRequest,
    SearchRequest,
)
from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceStub
from anamnesis_libs.rpc.peers import call, connect, receive
from benchmarks.recall.conversations import Session, Turn

EVENTS_AT_ONCE_MAX = 100
PAGE_RESULTS = 50
_PAGE_MEMORIES = 500
_MESSAGE_BYTES_MAX = 16 * 1024 * 1024
_TIMEOUT_S = 120.0
_PEER = "the server"
_ROLES = {"user": ROLE_USER, "assistant": ROLE_ASSISTANT}


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a turn: its session, and its index in it, from 0; -1: learned from turns."""

    session_id: str
    event_index: int

    @property
    def learned(self) -> bool:
        """True if the place is no turn, but a memory that was learned from turns."""
        return self.event_index < 0


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a search, best first; `latency_ms` is that of its first page."""

    memory_ids: Sequence[str]
    places: Sequence[Place]
    latency_ms: float
    profile: str
    degraded: Sequence[str]


@dataclass(frozen=True, slots=True)
class Block:
    """A context as it was built: its text, and the memories that it cites by these pointers."""

    text: str
    pointers: Sequence[str]
    memory_ids: Sequence[str]
    latency_ms: float
    degraded: Sequence[str]


class Client:
    """The few calls that the benchmark makes."""

    def __init__(self, channel: aio.Channel) -> None:
        self._ingestion = IngestionServiceStub(channel)
        self._admin = AdminServiceStub(channel)
        self._memory = MemoryServiceStub(channel)
        self._retrieval = RetrievalServiceStub(channel)

    async def append(
        self, namespace: str, session: Session, *, agent_id: str = "", user_id: str = ""
    ) -> str:
        """Store a session's turns at their indices.

        Returns:
            The revision of the last write.
        """
        revision = ""
        for events in _batched(_events(session.turns), EVENTS_AT_ONCE_MAX):
            request = AppendEventsRequest(
                namespace=namespace,
                session_id=session.session_id,
                agent_id=agent_id,
                user_id=user_id,
                events=events,
            )
            append = self._ingestion.AppendEvents
            revision = (await call(append, request, timeout_s=_TIMEOUT_S, peer=_PEER)).revision
        return revision

    async def learn(self, namespace: str) -> AsyncIterator[int]:
        """Run the pipeline to its end; gives 1 for each session that was learned from."""
        request = RunPipelineRequest(namespace=namespace)
        async for step in receive(self._ingestion.RunPipeline, request, timeout_s=None, peer=_PEER):
            yield int(step.stage == WORK_KIND_EXTRACT and not step.failure)

    async def embedded(self, namespace: str) -> int:
        """Number of memories that are indexed with their vectors."""
        request = GetStatsRequest(namespace=namespace)
        stats = (await call(self._admin.GetStats, request, timeout_s=_TIMEOUT_S, peer=_PEER)).stats
        return max(0, stats.indexed_memories - stats.pending_embeddings)

    async def embedding_model(self, namespace: str) -> str:
        """The fingerprint of the model that the namespace is bound to."""
        request = GetNamespaceRequest(namespace=namespace)
        found = await call(self._admin.GetNamespace, request, timeout_s=_TIMEOUT_S, peer=_PEER)
        return found.namespace.embedding_model

    async def search(
        self, namespace: str, query: str, now: Timestamp | None, revision: str, results_max: int
    ) -> Answer:
        """Ask as a caller does by default, page by page until there is enough or no more."""
        request = SearchRequest(
            namespace=namespace,
            query=query,
            now=now,
            limit=min(PAGE_RESULTS, results_max),
            at_least_revision=revision,
        )
        begun_s = time.perf_counter()
        page = await call(self._retrieval.Search, request, timeout_s=_TIMEOUT_S, peer=_PEER)
        latency_ms = 1000 * (time.perf_counter() - begun_s)
        found = [result.memory for result in page.results]
        profile, degraded = page.profile, list(page.degraded)
        while page.next_page_token and len(found) < results_max:
            request.page_token = page.next_page_token
            page = await call(self._retrieval.Search, request, timeout_s=_TIMEOUT_S, peer=_PEER)
            found += [result.memory for result in page.results]
            degraded += page.degraded
        memory_ids = [memory.memory_id for memory in found[:results_max]]
        places = [_place(memory) for memory in found[:results_max]]
        return Answer(memory_ids, places, latency_ms, profile, degraded)

    async def build_context(
        self,
        namespace: str,
        query: str,
        token_budget: int,
        revision: str,
        *,
        now: Timestamp | None = None,
        caller: Caller | None = None,
    ) -> Block:
        """Build a context as a caller does who names a budget and nothing else."""
        request = BuildContextRequest(
            namespace=namespace,
            query=query,
            token_budget=token_budget,
            now=now,
            caller=caller,
            at_least_revision=revision,
        )
        begun_s = time.perf_counter()
        built = await call(self._retrieval.BuildContext, request, timeout_s=_TIMEOUT_S, peer=_PEER)
        latency_ms = 1000 * (time.perf_counter() - begun_s)
        pointers = [each.pointer for each in built.citations]
        memory_ids = [each.memory_id for each in built.citations]
        return Block(built.text, pointers, memory_ids, latency_ms, list(built.degraded))

    async def places(self, namespace: str) -> Mapping[str, Place]:
        """The place of every memory of a namespace, by its id."""
        request = ListMemoriesRequest(namespace=namespace, page_size=_PAGE_MEMORIES)
        found: dict[str, Place] = {}
        while True:
            page = await call(self._memory.ListMemories, request, timeout_s=_TIMEOUT_S, peer=_PEER)
            found.update((memory.memory_id, _place(memory)) for memory in page.memories)
            if not page.next_page_token:
                return found
            request.page_token = page.next_page_token


@asynccontextmanager
async def connected(address: str) -> AsyncIterator[Client]:
    """A client of the suite at `host:port`."""
    async with channel_to(address) as channel:
        yield Client(channel)


@asynccontextmanager
async def channel_to(address: str) -> AsyncIterator[aio.Channel]:
    """A channel to the suite at `host:port`, closed in the end."""
    channel = connect(address, message_bytes_max=_MESSAGE_BYTES_MAX)
    try:
        yield channel
    finally:
        await channel.close()


def _events(turns: Sequence[Turn]) -> Iterator[Event]:
    for index, turn in enumerate(turns):
        event = Event(index=index, role=_ROLES[turn.role], name=turn.name, content=turn.content)
        event.event_time.FromDatetime(turn.time)
        yield event


def _batched(events: Iterator[Event], count: int) -> Iterator[list[Event]]:
    while batch := list(itertools.islice(events, count)):
        yield batch


def _place(memory: Memory) -> Place:
    index = memory.event_index if memory.HasField("event_index") else -1
    return Place(memory.session_id, index)
