"""Tests of observing many at once: order, batches, what is let go, and what is never lost."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anamnesis_ingestion.intake.observe import Observation
from anamnesis_ingestion.intake.observe_stream import BATCH_MAX, ObserveStream, StreamObserved
from anamnesis_ingestion.ledger import Append, Appended, Caller, Session
from anamnesis_ingestion.ports import Ledger
from anamnesis_libs.errors import InvalidArgument, PeerUnavailable, StoreUnavailable
from tests.support.pipeline_bench import SPACE, Bench, bench

pytestmark = pytest.mark.slow

AT = datetime(2026, 2, 1, tzinfo=UTC)


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Bench]:
    async with bench(tmp_path / "data") as opened:
        yield opened


@dataclass
class Gated:
    """A ledger that holds writes back, or fails one, before the real one gets them."""

    ledger: Ledger
    fail_at: int = 0
    writes: list[Append] = field(default_factory=list)
    begun: asyncio.Event = field(default_factory=asyncio.Event)
    free: asyncio.Event = field(default_factory=asyncio.Event)

    async def append(self, write: Append) -> Appended:
        self.writes.append(write)
        self.begun.set()
        await self.free.wait()
        if len(self.writes) == self.fail_at:
            raise StoreUnavailable("the disk is full")
        return await self.ledger.append(write)

    async def session(self, namespace: str, session_id: str, caller: Caller) -> Session:
        return await self.ledger.session(namespace, session_id, caller)


def seen(content: str, session_id: str = "s", source: str = "user") -> Observation:
    return Observation(
        namespace=SPACE, session_id=session_id, content=content, source=source, event_time=AT
    )


async def given(observations: Iterable[Observation]) -> AsyncIterator[Observation]:
    for each in observations:
        yield each


async def answers(
    stream: ObserveStream, observations: Iterable[Observation]
) -> list[StreamObserved]:
    """All answers to these."""
    return await collected(stream, given(observations), [])


async def collected(
    stream: ObserveStream, source: AsyncIterator[Observation], into: list[StreamObserved]
) -> list[StreamObserved]:
    """All answers, also those before a failure."""
    async for answer in stream.answers(source):
        into.append(answer)  # noqa: PERF401 - what came before a failure is wanted
    return into


async def test_one_answer_for_each_in_order(at: Bench) -> None:
    asked = [
        seen(f"I saw {n}", f"s-{n % 3}", "user" if n % 2 else "environment") for n in range(60)
    ]
    found = await answers(ObserveStream(at.ledger), asked)
    assert [answer.session_id for answer in found] == [one.session_id for one in asked]
    for one, answer in zip(asked, found, strict=True):
        stored = answer.observed.index is not None
        assert stored is (one.source == "user")
        if stored:
            (event,) = await at.peer.events(
                SPACE, one.session_id, answer.observed.index or 0, answer.observed.index
            )
            assert event.content == one.content
            assert event.memory_id == answer.observed.memory_id


async def test_the_events_of_a_session_keep_their_order(at: Bench) -> None:
    await answers(ObserveStream(at.ledger), [seen(f"I saw {n}") for n in range(500)])
    events = await at.peer.events(SPACE, "s")
    assert [event.content for event in events] == [f"I saw {n}" for n in range(500)]


async def test_what_waits_is_stored_in_batches(at: Bench) -> None:
    ledger = Gated(at.ledger)
    stream = ObserveStream(ledger)
    running = asyncio.create_task(answers(stream, [seen(f"I saw {n}") for n in range(400)]))
    await ledger.begun.wait()
    while stream._ended is False:  # noqa: ASYNC110 - until all has been read
        await asyncio.sleep(0)
    ledger.free.set()
    found = await running
    assert all(answer.observed.index is not None for answer in found)
    sizes = [len(write.events) for write in ledger.writes]
    assert sum(sizes) == 400
    assert len(sizes) <= 4
    assert max(sizes) <= BATCH_MAX


async def test_when_it_is_full_what_matters_least_is_let_go_the_oldest_first(at: Bench) -> None:
    ledger = Gated(at.ledger)
    stream = ObserveStream(ledger, ring_max=4)
    source = asyncio.Queue[Observation | None]()
    running = asyncio.create_task(_drained(stream, source))
    source.put_nowait(seen("first"))
    await ledger.begun.wait()
    told = ["w", "it failed, we must fix the error now", "b", "c", "d", "we decided to ship"]
    for content in told:
        source.put_nowait(seen(content))
    source.put_nowait(None)
    while stream._ended is False:  # noqa: ASYNC110
        await asyncio.sleep(0)
    ledger.free.set()
    found = await running
    assert [answer.overrun for answer in found] == [False, True, False, True, False, False, False]
    assert [answer.observed.index is None for answer in found] == [
        answer.overrun for answer in found
    ]
    events = await at.peer.events(SPACE, "s")
    assert [event.content for event in events] == ["first", told[1], "c", "d", told[5]]


async def test_a_failing_ledger_ends_the_stream_and_nothing_acknowledged_is_lost(
    at: Bench,
) -> None:
    ledger = Gated(at.ledger, fail_at=2)
    ledger.free.set()
    found: list[StreamObserved] = []
    with pytest.raises(StoreUnavailable):
        await collected(ObserveStream(ledger), _slowly(ledger), found)
    assert found
    events = await at.peer.events(SPACE, "s")
    assert [answer.observed.index for answer in found] == [event.index for event in events]


async def test_an_invalid_one_ends_the_stream_and_those_before_it_are_answered(at: Bench) -> None:
    wrong = Observation(namespace=SPACE, session_id="s", content="when?", source="user")
    found: list[StreamObserved] = []
    asked = [seen("trains"), seen("two"), wrong, seen("three")]
    with pytest.raises(InvalidArgument):
        await collected(ObserveStream(at.ledger), given(asked), found)
    assert [answer.observed.index for answer in found] == [0, 1]
    assert len(await at.peer.events(SPACE, "s")) == 2


async def test_a_caller_that_breaks_ends_it_and_leaves_no_task(at: Bench) -> None:
    async def broken() -> AsyncIterator[Observation]:
        yield seen("trains")
        raise PeerUnavailable("the caller is gone")

    found: list[StreamObserved] = []
    with pytest.raises(PeerUnavailable, match="the caller is gone"):
        await collected(ObserveStream(at.ledger), broken(), found)
    assert len(found) == 1
    names = {task.get_name() for task in asyncio.all_tasks()}
    assert not names & {"observe.read", "observe.write"}


async def test_an_empty_stream_is_answered_with_nothing(at: Bench) -> None:
    assert await answers(ObserveStream(at.ledger), []) == []


async def test_each_session_has_a_ring_of_its_own(at: Bench) -> None:
    ledger = Gated(at.ledger)
    stream = ObserveStream(ledger, ring_max=2)
    asked = [seen(f"I saw {n}", f"s-{n % 4}") for n in range(8)]
    running = asyncio.create_task(answers(stream, asked))
    await ledger.begun.wait()
    ledger.free.set()
    assert not any(answer.overrun for answer in await running)


async def test_observations_of_one_session_are_written_apart_for_each_project(at: Bench) -> None:
    stream = ObserveStream(at.ledger)
    asked = [replace(seen(f"I saw {n}", f"s-{n % 2}"), project=f"p-{n % 2}") for n in range(6)]
    assert len(await answers(stream, asked)) == 6
    sessions = [await at.peer.session(SPACE, f"s-{n}") for n in range(2)]
    assert [session.project for session in sessions] == ["p-0", "p-1"]


async def _drained(
    stream: ObserveStream, source: "asyncio.Queue[Observation | None]"
) -> list[StreamObserved]:
    async def all_of_it() -> AsyncIterator[Observation]:
        while (one := await source.get()) is not None:
            yield one

    return await collected(stream, all_of_it(), [])


async def _slowly(ledger: Gated) -> AsyncIterator[Observation]:
    """One more after the first write has begun."""
    yield seen("trains")
    await ledger.begun.wait()
    for n in range(20):
        yield seen(f"more {n}")
        await asyncio.sleep(0)
