"""Nothing acknowledged is lost: the server is killed at random moments and looked at again."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import aio

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import (
    event_pb2,
    filter_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
)
from anamnesis.retrieval.v1 import retrieval_pb2, retrieval_service_pb2
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

KILLS = 5
SESSIONS = 4
SPACE = "crash"
EPOCH_S = 1_770_000_000
WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "jetty",
    "knoll",
    "larch",
]


def text_of(session: int, index: int) -> str:
    """A text that no other event has."""
    generator = random.Random(session * 100_003 + index)
    words = " ".join(generator.choices(WORDS, k=6))
    return f"In session {session} we counted token{session}x{index} near the {words}."


def second_of(index: int) -> filter_pb2.TimeRange:
    """The second in which an event happened, and no other did in its session."""
    begin = EPOCH_S + index
    return filter_pb2.TimeRange(
        start_time=Timestamp(seconds=begin), end_time=Timestamp(seconds=begin + 1)
    )


@dataclass(slots=True)
class Acknowledged:
    """What the server said it had stored."""

    events: dict[int, int] = field(default_factory=lambda: dict.fromkeys(range(SESSIONS), 0))
    memories: dict[str, str] = field(default_factory=dict)
    lessons_sent: int = 0
    in_doubt: int = 0


async def append(clients: Clients, session: int, index: int) -> str:
    """Append one event; the answer's revision."""
    event = event_pb2.Event(
        index=index,
        role=event_pb2.ROLE_USER,
        content=text_of(session, index),
        event_time=Timestamp(seconds=EPOCH_S + index),
    )
    answer = await clients.ingestion.AppendEvents(
        ingestion_service_pb2.AppendEventsRequest(
            namespace=SPACE, session_id=f"s-{session}", agent_id="a", events=[event]
        )
    )
    return answer.revision


async def write_session(clients: Clients, session: int, known: Acknowledged) -> None:
    """Append events, one call each, until the server is gone."""
    while True:
        try:
            await append(clients, session, known.events[session])
        except aio.AioRpcError:
            known.in_doubt += 1
            return
        known.events[session] += 1


async def write_lessons(clients: Clients, known: Acknowledged) -> None:
    """Create lessons until the server is gone; the one in doubt is sent again with its id."""
    while True:
        number = known.lessons_sent
        request = memory_service_pb2.CreateMemoryRequest(
            namespace=SPACE,
            memory=memory_service_pb2.NewMemory(
                kind=memory_pb2.MEMORY_KIND_LEARNING, content=f"Lesson lesson{number}n is learned."
            ),
            request_id=f"lesson-{number}",
        )
        try:
            answer = await clients.memory.CreateMemory(request)
        except aio.AioRpcError:
            return
        known.memories[answer.memory.memory_id] = request.memory.content
        known.lessons_sent += 1


async def stored_events(clients: Clients, session: int) -> list[event_pb2.Event]:
    """Every event of a session."""
    events: list[event_pb2.Event] = []
    token = ""
    while True:
        page = await clients.ledger.ListEvents(
            ledger_service_pb2.ListEventsRequest(
                namespace=SPACE, session_id=f"s-{session}", page_size=500, page_token=token
            )
        )
        events += page.events
        token = page.next_page_token
        if not token:
            return events


async def stored_memories(clients: Clients) -> dict[str, str]:
    """Every memory by id; a text that stands twice is an error."""
    found: dict[str, str] = {}
    token = ""
    while True:
        page = await clients.memory.ListMemories(
            memory_service_pb2.ListMemoriesRequest(namespace=SPACE, page_size=500, page_token=token)
        )
        found |= {memory.memory_id: memory.content for memory in page.memories}
        token = page.next_page_token
        if not token:
            assert len(set(found.values())) == len(found), "something is stored twice"
            return found


async def check_stored(clients: Clients, known: Acknowledged) -> None:
    """Everything acknowledged is there once, and nothing that was never sent."""
    memories = await stored_memories(clients)
    for session, acknowledged in known.events.items():
        if not acknowledged:
            continue
        events = await stored_events(clients, session)
        assert acknowledged <= len(events) <= acknowledged + 1
        for event in events:
            assert event.content == text_of(session, event.index)
            assert memories[event.memory_id] == event.content
        known.events[session] = len(events)
    assert known.memories.items() <= memories.items()


async def check_found(clients: Clients, generator: random.Random, known: Acknowledged) -> None:
    """A sample of what was acknowledged, found by its word and by its meaning.

    The meaning is asked for within the event's own second: the texts share nearly all their
    words, so that which of them ranks first over all says nothing about what was kept.
    """
    for session, count in known.events.items():
        for index in {count - 1, generator.randrange(count)} if count else ():
            for mode in (retrieval_pb2.SEARCH_MODE_HYBRID, retrieval_pb2.SEARCH_MODE_SEMANTIC):
                request = retrieval_service_pb2.SearchRequest(namespace=SPACE, mode=mode, limit=5)
                if mode == retrieval_pb2.SEARCH_MODE_HYBRID:
                    request.query = f"token{session}x{index}"
                else:
                    request.query = text_of(session, index)
                    request.filter.time_range.CopyFrom(second_of(index))
                answer = await clients.retrieval.Search(request)
                texts = [result.memory.summary for result in answer.results]
                assert text_of(session, index) in texts, (request, texts)


@asynccontextmanager
async def crashing_suite(data_dir: Path, after_s: float) -> AsyncIterator[Clients]:
    """A suite that is killed some time after it was handed out."""
    process = start(data_dir)
    async with clients_of(everywhere(process.address)) as clients:
        kill = asyncio.get_running_loop().call_later(after_s, process.popen.kill)
        try:
            yield clients
        finally:
            kill.cancel()
            process.kill()


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_kills_lose_nothing_and_double_nothing(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    generator = random.Random(20)
    data_dir = tmp_path / "data"
    known = Acknowledged()
    for _ in range(KILLS):
        async with crashing_suite(data_dir, generator.uniform(0.05, 1.5)) as clients:
            writers = [write_session(clients, session, known) for session in range(SESSIONS)]
            await asyncio.gather(*writers, write_lessons(clients, known))
        process = start(data_dir)
        async with clients_of(everywhere(process.address)) as clients:
            await write_lesson_in_doubt(clients, known)
            await check_stored(clients, known)
            await check_found(clients, generator, known)
        assert process.stop() == 0
    await repeat_everything(data_dir, known)
    events = sum(known.events.values())
    record_property("acknowledged_events", events)
    record_property("acknowledged_lessons", len(known.memories))
    record_property("in_doubt_at_a_kill", known.in_doubt)
    assert events > 10 * KILLS


async def write_lesson_in_doubt(clients: Clients, known: Acknowledged) -> None:
    """Send the lesson that was under way at the kill again, with the same request id."""
    number = known.lessons_sent
    content = f"Lesson lesson{number}n is learned."
    request = memory_service_pb2.CreateMemoryRequest(
        namespace=SPACE,
        memory=memory_service_pb2.NewMemory(kind=memory_pb2.MEMORY_KIND_LEARNING, content=content),
        request_id=f"lesson-{number}",
    )
    answer = await clients.memory.CreateMemory(request)
    known.memories[answer.memory.memory_id] = content
    known.lessons_sent += 1


async def repeat_everything(data_dir: Path, known: Acknowledged) -> None:
    """Send every event once more: nothing is added."""
    process = start(data_dir)
    async with clients_of(everywhere(process.address)) as clients:
        before = await stored_memories(clients)
        for session, count in known.events.items():
            events = [
                event_pb2.Event(
                    index=index,
                    role=event_pb2.ROLE_USER,
                    content=text_of(session, index),
                    event_time=Timestamp(seconds=EPOCH_S + index),
                )
                for index in range(count)
            ]
            for first in range(0, count, 500):
                answer = await clients.ingestion.AppendEvents(
                    ingestion_service_pb2.AppendEventsRequest(
                        namespace=SPACE,
                        session_id=f"s-{session}",
                        agent_id="a",
                        events=events[first : first + 500],
                    )
                )
                assert (answer.appended, answer.replaced) == (0, 0)
        assert await stored_memories(clients) == before
    assert process.stop() == 0
