"""The calls of an agent, through a client: write, ask, write and ask, and a context."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import AppendEventsRequest
from anamnesis.memory.v1.event_pb2 import ROLE_USER, Event
from anamnesis.retrieval.v1.retrieval_service_pb2 import (
    BuildContextRequest,
    SearchRequest,
    SearchResponse,
)
from benchmarks.speed.talk import Talk
from benchmarks.speed.timing import Timed, timed_calls
from benchmarks.stubs import CALL_S_MAX, Stubs

SPACE = "speed"
BATCH = 20
SESSION_TURNS = 400
MOMENT_S = 0.02
"""A short answer of an agent between what it writes and what it asks next."""
CAUGHT_UP_S_MAX = 600.0
_TALK_AT_S = 1_770_000_000
_AGO_S = 60


class Agent:
    """One client, which stores the talk in order and asks its questions."""

    def __init__(self, stubs: Stubs, talk: Talk) -> None:
        self._stubs = stubs
        self._talk = talk
        self._revision = ""
        self._asked = 0
        self.stored = 0

    async def store(self, memories: int) -> float:
        """Store until there are so many; seconds until they were acknowledged."""
        begun_s = time.perf_counter()
        while self.stored < memories:
            await self._append(min(BATCH, memories - self.stored))
        return time.perf_counter() - begun_s

    async def catch_up(self) -> float:
        """Wait until all that was stored is found; seconds that it took."""
        begun_s = time.perf_counter()
        request = SearchRequest(namespace=SPACE, query="?", at_least_revision=self._revision)
        while (await self._search(request, CAUGHT_UP_S_MAX)).degraded:
            pass
        return time.perf_counter() - begun_s

    async def calls(self, number: int) -> AsyncIterator[Timed]:
        """Each kind of call, so many times."""
        size = self.stored
        for question in self._questions(20):
            await self._ask(question)
        new = self._questions(number)
        yield await timed_calls("search", size, new, self._ask)
        yield await timed_calls("search, asked before", size, new, self._ask)
        yield await timed_calls(
            "context of 1,000 tokens", size, self._questions(number), self._tell
        )
        yield await timed_calls("append of 1", size, [1] * number, self._append)
        batches = [BATCH] * (number // 4)
        yield await timed_calls(f"append of {BATCH}", size, batches, self._append)
        await self.catch_up()
        yield await self._after_writes("search right after a write", self._questions(number))
        yield await self._after_writes(
            "search a moment after a write", self._questions(number), MOMENT_S
        )

    async def ask_next(self) -> None:
        """Search by a question that was not asked yet, as far as there is one."""
        await self._ask(self._questions(1)[0])

    async def append_next(self) -> None:
        """Append the next turn to a session of its own; several may be under way."""
        number, self.stored = self.stored, self.stored + 1
        event = self._event(number, 0)
        event.index = 0
        request = AppendEventsRequest(namespace=SPACE, session_id=f"c-{number}", events=[event])
        await self._stubs.ingestion.AppendEvents(request, timeout=CALL_S_MAX)

    async def _after_writes(
        self, name: str, questions: Sequence[str], pause_s: float = 0.0
    ) -> Timed:
        """Only the search is timed; it sees what was written so long before it."""
        taken_s = []
        for question in questions:
            await self._append(1)
            request = SearchRequest(
                namespace=SPACE, query=question, at_least_revision=self._revision
            )
            await asyncio.sleep(pause_s)
            begun_s = time.perf_counter()
            await self._search(request, CALL_S_MAX)
            taken_s.append(time.perf_counter() - begun_s)
        return Timed(name, self.stored, taken_s)

    async def _append(self, count: int) -> None:
        numbers = range(self.stored, self.stored + count)
        session = self.stored // SESSION_TURNS
        request = AppendEventsRequest(
            namespace=SPACE,
            session_id=f"s-{session}",
            events=[self._event(number, session) for number in numbers],
        )
        answer = await self._stubs.ingestion.AppendEvents(request, timeout=CALL_S_MAX)
        self.stored += count
        self._revision = answer.revision

    def _event(self, number: int, session: int) -> Event:
        name, text = self._talk.turn(number)
        return Event(
            index=number - session * SESSION_TURNS,
            role=ROLE_USER,
            name=name,
            content=text,
            event_time=Timestamp(seconds=_TALK_AT_S + number * _AGO_S),
        )

    def _questions(self, count: int) -> list[str]:
        """Questions that were not asked yet, as far as there are any."""
        questions = self._talk.questions
        places = range(self._asked, self._asked + count)
        self._asked += count
        return [questions[place % len(questions)] for place in places]

    async def _ask(self, question: str) -> None:
        await self._search(SearchRequest(namespace=SPACE, query=question), CALL_S_MAX)

    async def _search(self, request: SearchRequest, timeout_s: float) -> SearchResponse:
        return await self._stubs.retrieval.Search(request, timeout=timeout_s)

    async def _tell(self, question: str) -> None:
        request = BuildContextRequest(namespace=SPACE, query=question, token_budget=1_000)
        await self._stubs.retrieval.BuildContext(request, timeout=CALL_S_MAX)
