"""A large file: what is held of it at any time, and how it is sent on."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, replace

import pytest

from anamnesis_ingestion.intake.files.file_reading import FileLimits
from anamnesis_ingestion.intake.files.file_sessions import SESSIONS_MAX, FileHeader
from anamnesis_ingestion.intake.files.ingest_file import ingest_file
from anamnesis_ingestion.intake.files.room import Room
from anamnesis_ingestion.ledger import (
    Append,
    Appended,
    Caller,
    Session,
    SessionState,
    Stored,
    Visibility,
)
from anamnesis_libs.errors import ResourceExhausted
from anamnesis_libs.settings import Ingestion
from tests.support.ingestion_suite import ingestion_suite, jsonl, said

CHUNK = 256 * 1024
LIMITS = FileLimits(
    file_bytes_max=1 << 30,
    document_bytes_max=1 << 20,
    line_bytes_max=8 << 20,
    batch_events_max=256,
    batch_bytes_max=64 * 1024,
    event_bytes_max=128 * 1024,
)
HEADER = FileHeader(namespace="team", session_id="s")


@dataclass
class CountingLedger:
    """A Ledger that keeps counts only, and takes its time."""

    open: asyncio.Event = field(default_factory=asyncio.Event)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    sizes: list[int] = field(default_factory=list)
    bytes_most: int = 0

    async def append(self, write: Append) -> Appended:
        """Counts the events."""
        self.begun.set()
        await self.open.wait()
        self.sizes.append(len(write.events))
        size = sum(len(event.content.encode()) for event in write.events)
        self.bytes_most = max(self.bytes_most, size)
        return Appended(
            appended=len(write.events),
            replaced=0,
            unchanged=0,
            session=_session(write.session_id),
            revision="r",
            stored=tuple(Stored(event.index or 0, "m") for event in write.events),
        )

    async def session(self, namespace: str, session_id: str, caller: Caller) -> Session:
        """Any session."""
        del namespace, caller
        return _session(session_id)


@dataclass
class Upload:
    """A file as it arrives, made while it is asked for."""

    rows: Iterator[bytes]
    chunks_taken: int = 0

    async def chunks(self) -> AsyncIterator[bytes]:
        """Chunks of whole rows."""
        held = bytearray()
        for row in self.rows:
            held += row
            if len(held) >= CHUNK:
                self.chunks_taken += 1
                yield bytes(held)
                held.clear()
        yield bytes(held)


def _session(session_id: str) -> Session:
    return Session(
        session_id=session_id,
        agent_id="",
        user_id="",
        label="",
        parent_session_id="",
        state=SessionState.OPEN,
        event_count=0,
        start_time=None,
        end_time=None,
        create_time=None,
        update_time=None,
        revision="r",
        etag="",
        visibility=Visibility.SHARED,
    )


@pytest.mark.slow
async def test_no_chunk_is_taken_while_a_batch_is_on_its_way() -> None:
    upload, ledger = Upload(iter(jsonl(*said("x" * 100)) for _ in range(20_000))), CountingLedger()
    running = asyncio.create_task(
        ingest_file(HEADER, upload.chunks(), ledger, LIMITS, Room(1 << 20))
    )
    await asyncio.wait_for(ledger.begun.wait(), 10)
    await asyncio.sleep(0.1)
    assert upload.chunks_taken == 1
    ledger.open.set()
    answer = await running
    assert answer.appended == answer.events == 20_000
    assert max(ledger.sizes) == 256


async def test_a_batch_is_bounded_in_bytes_too() -> None:
    ledger = CountingLedger()
    ledger.open.set()
    texts = [["x" * 10_000], ["x" * 100_000], ["短" * 1_000]] * 50
    rows = iter([jsonl(*said(*text)) for text in texts])
    answer = await ingest_file(HEADER, Upload(rows).chunks(), ledger, LIMITS, Room(1 << 20))
    assert answer.appended == 150
    # one event over the bound goes alone; nothing else exceeds it
    assert ledger.bytes_most == 100_000
    assert all(size == 1 or size * 3_000 <= LIMITS.batch_bytes_max for size in ledger.sizes)


@pytest.mark.slow
async def test_many_sessions_at_once_share_one_batch() -> None:
    ledger = CountingLedger()
    ledger.open.set()
    rows = (
        {"type": "user", "message": {"content": "x"}, "sessionId": "s", **_side(number % 50)}
        for number in range(5_000)
    )
    content = iter([jsonl(row) for row in rows])
    header = FileHeader(namespace="team")
    answer = await ingest_file(header, Upload(content).chunks(), ledger, LIMITS, Room(1 << 20))
    assert answer.appended == 5_000
    assert answer.session is not None
    assert len(answer.side_sessions) == 49
    # interleaved as they are, they are not sent one by one
    assert len(ledger.sizes) <= 50 * (5_000 // 256 + 1)


@pytest.mark.slow
async def test_the_sessions_of_a_file_are_bounded() -> None:
    ledger = CountingLedger()
    ledger.open.set()
    rows = iter(
        jsonl({"type": "user", "message": {"content": "x"}, "sessionId": f"s{number}"})
        for number in range(SESSIONS_MAX + 3)
    )
    answer = await ingest_file(
        FileHeader(namespace="t"), Upload(rows).chunks(), ledger, LIMITS, Room(1 << 20)
    )
    assert answer.events == SESSIONS_MAX
    assert [(each.line, each.reason) for each in answer.skipped] == [
        (SESSIONS_MAX + number, "beyond the 4096 sessions of a file") for number in (1, 2, 3)
    ]


@pytest.mark.slow
async def test_ten_megabytes_through_the_channels() -> None:
    row = jsonl({"role": "user", "content": "what was said, at some length. " * 16})
    count = 10 * (1 << 20) // len(row)
    async with ingestion_suite(ingestion=Ingestion(append_batch_max=256)) as suite:
        answer = await suite.ingest(row * count, chunk_bytes=1 << 20)
        assert answer.appended == count
        assert max(len(write.events) for write in suite.ledger.writes) == 256
        assert max(write.ByteSize() for write in suite.ledger.writes) < 4 << 20


def _side(number: int) -> dict[str, object]:
    return {"isSidechain": True, "agentId": f"a{number}"} if number else {}


def document(messages: int) -> bytes:
    """A conversation as one JSON document over several lines."""
    rows = [{"role": "user", "content": "x" * 1000} for _ in range(messages)]
    return json.dumps(rows, indent=1).encode()


async def whole(content: bytes) -> AsyncIterator[bytes]:
    """A file in one chunk."""
    yield content


async def test_a_document_that_is_announced_too_large_is_refused_with_its_first_bytes() -> None:
    ledger = CountingLedger()
    content = document(2)
    header = replace(HEADER, size_bytes=2 << 20)
    with pytest.raises(ResourceExhausted, match="document_bytes_max"):
        await ingest_file(header, whole(content), ledger, LIMITS, Room(1 << 20))
    header = replace(HEADER, size_bytes=2 << 30)
    with pytest.raises(ResourceExhausted, match="file_bytes_max"):
        await ingest_file(header, whole(content), ledger, LIMITS, Room(1 << 20))
    assert not ledger.sizes


async def test_documents_that_come_at_once_share_their_room() -> None:
    room = Room(150_000)
    first, second = CountingLedger(), CountingLedger()
    first.open.set()
    second.open.set()
    more = asyncio.Event()

    async def halting() -> AsyncIterator[bytes]:
        yield document(100)
        await more.wait()
        yield b" "

    running = asyncio.create_task(ingest_file(HEADER, halting(), first, LIMITS, room))
    while room.take(100_000):
        room.give_back(100_000)
        await asyncio.sleep(0.01)
    with pytest.raises(ResourceExhausted, match="held_bytes_max") as refused:
        await ingest_file(HEADER, whole(document(100)), second, LIMITS, room)
    assert refused.value.retry_after_s > 0
    more.set()
    assert (await running).events == 100
    assert (await ingest_file(HEADER, whole(document(100)), second, LIMITS, room)).events
