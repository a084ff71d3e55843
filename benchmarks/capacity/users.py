"""Users with a namespace each: what they say, and the calls by which it is kept and found."""

import time
from typing import TYPE_CHECKING

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Event
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from benchmarks.speed.talk import Talk

if TYPE_CHECKING:  # stubs of asyncio are a type only
    from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import IngestionServiceAsyncStub
    from anamnesis.retrieval.v1.retrieval_service_pb2_grpc import RetrievalServiceAsyncStub

BATCH = 20
CALL_S_MAX = 120.0
TALK_AT_S = 1_770_000_000


class Users:
    """Whoever talks, with a place in the talk for each namespace."""

    def __init__(
        self,
        ingestion: "IngestionServiceAsyncStub",
        retrieval: "RetrievalServiceAsyncStub",
        talk: Talk,
    ) -> None:
        self._ingestion = ingestion
        self._retrieval = retrieval
        self._talk = talk
        self._said = 0
        self._asked = 0

    async def say(self, namespace: str, events: int) -> None:
        """Append so many to a session of their own, and wait until they are found."""
        revision, session = "", f"s-{self._said}"
        for begin in range(0, events, BATCH):
            request = AppendEventsRequest(namespace=namespace, session_id=session)
            request.events.extend(
                self._event(index) for index in range(begin, min(begin + BATCH, events))
            )
            appended = await self._ingestion.AppendEvents(request, timeout=CALL_S_MAX)
            revision = appended.revision
        await self._search(SearchRequest(namespace=namespace, query="?"), revision)

    async def ask(self, namespace: str) -> float:
        """Ask what nobody asked yet; seconds that it took."""
        question = self._talk.questions[self._asked % len(self._talk.questions)]
        self._asked += 1
        begun_s = time.perf_counter()
        await self._search(SearchRequest(namespace=namespace, query=question), "")
        return time.perf_counter() - begun_s

    async def _search(self, request: SearchRequest, revision: str) -> None:
        request.at_least_revision = revision
        while (await self._retrieval.Search(request, timeout=CALL_S_MAX)).degraded:
            pass

    def _event(self, index: int) -> Event:
        name, text = self._talk.turn(self._said)
        self._said += 1
        at = Timestamp(seconds=TALK_AT_S + self._said)
        return Event(index=index, role=ROLE_USER, name=name, content=text, event_time=at)
