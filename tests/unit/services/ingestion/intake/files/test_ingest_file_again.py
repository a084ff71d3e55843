"""IngestFile: a file sent twice, grown, changed, or after it was cut off."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from anamnesis.memory.v1.ledger_service_pb2 import AppendEventsRequest as LedgerWrite
from anamnesis_libs import errors
from anamnesis_libs.settings import Ingestion
from tests.support.ingestion_suite import (
    DERIVED,
    HEADER,
    TIMEOUT_S,
    IngestionSuite,
    file_messages,
    ingestion_suite,
    jsonl,
    said,
)


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite(ingestion=Ingestion(append_batch_max=2)) as running:
        yield running


async def test_a_file_twice_changes_nothing_and_a_grown_one_adds_the_new(
    suite: IngestionSuite,
) -> None:
    rows = said("a", "b", "c")
    first = await suite.ingest(jsonl(*rows))
    assert (first.lines, first.events, first.appended) == (3, 3, 3)
    again = await suite.ingest(jsonl(*rows))
    assert (again.appended, again.replaced, again.unchanged) == (0, 0, 3)
    assert again.revision == first.revision
    grown = await suite.ingest(jsonl(*rows, *said("d", "e")))
    assert (grown.appended, grown.replaced, grown.unchanged) == (2, 0, 3)
    assert suite.ledger.texts(DERIVED) == ["a", "b", "c", "d", "e"]
    assert grown.session == suite.ledger.sessions["team", DERIVED]
    assert grown.session.event_count == 5


async def test_a_changed_line_replaces_its_event(suite: IngestionSuite) -> None:
    await suite.ingest(jsonl(*said("a", "b", "c")))
    answer = await suite.ingest(jsonl(*said("a", "B", "c")))
    assert (answer.appended, answer.replaced, answer.unchanged) == (0, 1, 2)
    assert suite.ledger.texts(DERIVED) == ["a", "B", "c"]


def _after_events(count: int) -> Callable[[LedgerWrite], bool]:
    stored = 0

    def reached(write: LedgerWrite) -> bool:
        nonlocal stored
        stored += len(write.events)
        return stored > count

    return reached


async def test_three_events_of_one_moment_cut_after_two_are_three_in_the_end(
    suite: IngestionSuite,
) -> None:
    content = jsonl(*said("a", "b", "c", timestamp="2026-01-01T00:00:00Z"))
    beyond = _after_events(2)

    async def break_down(write: LedgerWrite) -> None:
        if beyond(write):
            raise errors.FailedPrecondition("the power is gone", reason="CONFLICT")

    suite.ledger.before = break_down
    with pytest.raises(errors.FailedPrecondition):
        await suite.ingest(content)
    assert suite.ledger.texts(DERIVED) == ["a", "b"]

    async def pass_by(_: LedgerWrite) -> None:
        """The power is back."""

    suite.ledger.before = pass_by
    answer = await suite.ingest(content)
    assert (answer.appended, answer.replaced, answer.unchanged) == (1, 0, 2)
    assert suite.ledger.texts(DERIVED) == ["a", "b", "c"]


async def test_a_stream_cut_off_by_its_sender_loses_and_doubles_nothing(
    suite: IngestionSuite,
) -> None:
    rows = said(*map(str, range(9)), timestamp="2026-01-01T00:00:00Z")
    stored = asyncio.Event()

    async def tell(_: LedgerWrite) -> None:
        stored.set()

    suite.ledger.after = tell
    sending = suite.stub.IngestFile(timeout=TIMEOUT_S)
    for message in file_messages(jsonl(*rows)[:-60], HEADER, chunk_bytes=40):
        await sending.write(message)
    await asyncio.wait_for(stored.wait(), TIMEOUT_S)
    sending.cancel()
    await asyncio.sleep(0.05)
    held = len(suite.ledger.texts(DERIVED))
    assert 2 <= held < 9
    answer = await suite.ingest(jsonl(*rows))
    assert (answer.appended, answer.replaced, answer.unchanged) == (9 - held, 0, held)
    assert suite.ledger.texts(DERIVED) == [str(number) for number in range(9)]


async def test_a_half_written_last_line_is_taken_when_it_is_whole(suite: IngestionSuite) -> None:
    content = jsonl(*said("a", "b"))
    half = await suite.ingest(content[:-5])
    assert (half.appended, [skipped.line for skipped in half.skipped_lines]) == (1, [2])
    whole = await suite.ingest(content + jsonl(*said("c")))
    assert (whole.appended, whole.replaced, whole.unchanged) == (2, 0, 1)
    assert suite.ledger.texts(DERIVED) == ["a", "b", "c"]


async def test_a_ledger_that_was_away_for_a_moment_is_asked_again(suite: IngestionSuite) -> None:
    failures = [errors.StoreUnavailable("busy", retry_after_s=0.01) for _ in range(2)]

    async def fail_twice(_: LedgerWrite) -> None:
        if failures:
            raise failures.pop()

    suite.ledger.after = fail_twice
    answer = await suite.ingest(jsonl(*said("a", "b", "c")))
    assert answer.events == 3
    assert suite.ledger.texts(DERIVED) == ["a", "b", "c"]
