"""Writers and readers, each with one call under way until the time is over."""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Event
from anamnesis.memory.v1.ledger_service_pb2 import ListEventsRequest
from anamnesis.memory.v1.memory_service_pb2 import GetMemoryRequest
from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest
from anamnesis_libs.rpc.status import from_rpc_error
from benchmarks.stubs import CALL_S_MAX, Stubs

SPACE = "load"
BATCH = 20
LISTED = 50
_TALK_AT_S = 1_770_000_000
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty")

R = TypeVar("R")


@dataclass(slots=True)
class Observed:
    """Observations of clients: seconds of each successful call, failures by status, and texts."""

    taken_s: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failures: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    acknowledged: list[str] = field(default_factory=list)
    in_doubt: list[str] = field(default_factory=list)
    wrong: Counter[str] = field(default_factory=Counter)

    async def call(self, kind: str, made: Callable[[], Awaitable[R]]) -> R | None:
        """Make a call and note how it went; None where it failed."""
        begun_s = time.perf_counter()
        try:
            answer = await made()
        except aio.AioRpcError as failed:
            reason = from_rpc_error(failed, "the suite").reason
            self.failures[kind][f"{failed.code().name} {reason}"] += 1
            return None
        self.taken_s[kind].append(time.perf_counter() - begun_s)
        return answer


@dataclass(slots=True)
class Writer:
    """Appends turns to a session of its own, one by one or in batches."""

    stubs: Stubs
    observed: Observed
    number: int
    written: int = 0

    @property
    def kind(self) -> str:
        """Every second writer sends batches."""
        return f"append {BATCH}" if self.number % 2 else "append 1"

    async def step(self) -> None:
        """One call."""
        size = BATCH if self.number % 2 else 1
        indices = range(self.written, self.written + size)
        texts = [text_of(self.number, index) for index in indices]
        request = AppendEventsRequest(
            namespace=SPACE,
            session_id=f"s-{self.number}",
            events=[_event(index, text) for index, text in zip(indices, texts, strict=True)],
        )
        answer = await self.observed.call(
            self.kind, lambda: self.stubs.ingestion.AppendEvents(request, timeout=CALL_S_MAX)
        )
        self.written += size
        (self.observed.in_doubt if answer is None else self.observed.acknowledged).extend(texts)


@dataclass(slots=True)
class Reader:
    """Searches, lists a session, and gets a memory of it, in turn."""

    stubs: Stubs
    observed: Observed
    generator: random.Random
    writers: int

    async def step(self) -> None:
        """One call of each kind."""
        await self._search()
        memory_id = await self._list()
        if memory_id:
            await self._get(memory_id)

    async def _search(self) -> None:
        words = " ".join(self.generator.choices(_WORDS, k=3))
        request = SearchRequest(namespace=SPACE, query=f"what was counted near the {words}?")
        answer = await self.observed.call(
            "search", lambda: self.stubs.retrieval.Search(request, timeout=CALL_S_MAX)
        )
        if answer is not None and not answer.results:
            self.observed.wrong["search without results"] += 1

    async def _list(self) -> str:
        """List a page of a session; the memory of one of its events."""
        session_id = f"s-{self.generator.randrange(self.writers)}"
        request = ListEventsRequest(namespace=SPACE, session_id=session_id, page_size=LISTED)
        answer = await self.observed.call(
            "list", lambda: self.stubs.ledger.ListEvents(request, timeout=CALL_S_MAX)
        )
        if answer is None:
            return ""
        if not answer.events:
            self.observed.wrong["session without events"] += 1
            return ""
        return self.generator.choice(answer.events).memory_id

    async def _get(self, memory_id: str) -> None:
        request = GetMemoryRequest(namespace=SPACE, memory_id=memory_id)
        answer = await self.observed.call(
            "get", lambda: self.stubs.memory.GetMemory(request, timeout=CALL_S_MAX)
        )
        if answer is not None and answer.memory.memory_id != memory_id:
            self.observed.wrong["another memory"] += 1


def text_of(writer: int, index: int) -> str:
    """A text that comes once."""
    words = " ".join(random.Random(f"{writer} {index}").choices(_WORDS, k=6))
    return f"token{writer}x{index} was counted near the {words}."


def _event(index: int, text: str) -> Event:
    return Event(
        index=index,
        role=ROLE_USER,
        content=text,
        event_time=Timestamp(seconds=_TALK_AT_S + index),
    )
