"""IngestFile, over real channels: what is stored of a file, once, twice, grown and cut off."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from structlog.testing import capture_logs

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileHeader, IngestFileRequest
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1.ledger_service_pb2 import AppendEventsRequest as LedgerWrite
from libs import errors
from libs.settings import Ingestion
from services.ingestion.fingerprints import derive_session_id
from tests.support.ingestion_suite import (
    HEADER,
    TIMEOUT_S,
    IngestionSuite,
    file_messages,
    ingestion_suite,
    jsonl,
    said,
)

DERIVED = derive_session_id("coder", "chats/monday.jsonl")


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite(ingestion=Ingestion(append_batch_max=2)) as running:
        yield running


def header(**fields: object) -> IngestFileHeader:
    made = IngestFileHeader(**fields)  # type: ignore[arg-type]
    whole = IngestFileHeader()
    whole.CopyFrom(HEADER)
    whole.MergeFrom(made)
    return whole


def turn(text: str, **envelope: object) -> dict[str, object]:
    """A line of Claude Code."""
    message = {"role": "user", "content": text}
    return {"type": "user", "message": message, "sessionId": "s1", **envelope}


def stamp(minute: int) -> Timestamp:
    return Timestamp(seconds=round(datetime(2026, 1, 1, 0, minute, tzinfo=UTC).timestamp()))


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


@pytest.mark.parametrize("chunk_bytes", [1, 7, 64, 1 << 16])
async def test_where_the_chunks_were_cut_does_not_matter(
    suite: IngestionSuite, chunk_bytes: int
) -> None:
    content = jsonl(*said("你好", "b", "ç"))
    answer = await suite.ingest(content.rstrip(), chunk_bytes=chunk_bytes)
    assert (answer.events, answer.skipped) == (3, 0)
    assert suite.ledger.texts(DERIVED) == ["你好", "b", "ç"]


async def test_events_carry_what_their_line_says(suite: IngestionSuite) -> None:
    call = {"id": "c1", "function": {"name": "ls", "arguments": '{"b":1, "a":2}'}}
    row = {"role": "assistant", "content": None, "tool_calls": [call], "reasoning": "hm"}
    await suite.ingest(jsonl({"_type": "metadata"}, row, {"role": "tool", "tool_call_id": "c1"}))
    thought, answered = suite.ledger.events(DERIVED)
    assert (thought.role, thought.reasoning) == (event_pb2.ROLE_ASSISTANT, "hm")
    assert thought.tool_calls[0].arguments == '{"a":2,"b":1}'
    assert (thought.source_line, answered.source_line) == (2, 3)
    assert (answered.role, answered.content) == (event_pb2.ROLE_TOOL, "")


async def test_what_is_no_message_is_counted(suite: IngestionSuite) -> None:
    rows = ({"_type": "metadata"}, {"role": "critic", "content": "x"}, *said("a", ""), "[1]")
    answer = await suite.ingest(jsonl(*rows))
    assert (answer.lines, answer.events, answer.ignored, answer.skipped) == (5, 1, 3, 1)
    assert suite.ledger.texts(DERIVED) == ["a"]


async def test_good_lines_survive_bad_ones(suite: IngestionSuite) -> None:
    bad = [b"{garbage\n", b'[{"role": "user"}]\n', b'{"role": "user", "content": "\\ud83d!"}\n']
    content = jsonl(*said("a")) + bad[0] + bad[1] + bad[2] + jsonl(*said("b"))
    answer = await suite.ingest(content)
    assert [(each.line, each.reason) for each in answer.skipped_lines] == [
        (2, "not valid JSON"),
        (3, "not a JSON object"),
    ]
    assert suite.ledger.texts(DERIVED) == ["a", "\ufffd!", "b"]


async def test_the_session_is_the_senders_else_the_files_else_derived(
    suite: IngestionSuite,
) -> None:
    named = jsonl(turn("a"))
    for content, given, expected in (
        (named, header(session_id="mine"), "mine"),
        (named, header(), "s1"),
        (jsonl(*said("a")), header(session_id="mine"), "mine"),
        (jsonl(*said("a")), header(), DERIVED),
    ):
        answer = await suite.ingest(content, given)
        assert answer.session.session_id == expected


async def test_the_same_name_by_another_agent_is_another_session(suite: IngestionSuite) -> None:
    first = await suite.ingest(jsonl(*said("a")))
    second = await suite.ingest(jsonl(*said("a")), header(agent_id="tester"))
    assert first.session.session_id != second.session.session_id
    assert second.appended == 1


async def test_what_the_header_says_goes_with_the_session(suite: IngestionSuite) -> None:
    private = event_pb2.VISIBILITY_PRIVATE_TO_USER
    answer = await suite.ingest(jsonl(*said("a")), header(user_id="mara", visibility=private))
    session = answer.session
    assert (session.agent_id, session.user_id, session.label) == ("coder", "mara", HEADER.label)
    assert session.visibility == private


async def test_times_come_from_the_line_or_the_line_before(suite: IngestionSuite) -> None:
    rows = [
        *said("a"),
        *said("b", timestamp="2026-01-01T00:05:00Z"),
        *said("c"),
        *said("d", timestamp="2026-01-01T00:04:00Z"),
        *said("e"),
    ]
    await suite.ingest(jsonl(*rows), header(default_event_time=stamp(1)))
    times = [event.event_time for event in suite.ledger.events(DERIVED)]
    assert times == [stamp(1), stamp(5), stamp(5), stamp(4), stamp(4)]


async def test_times_may_stay_unknown(suite: IngestionSuite) -> None:
    answer = await suite.ingest(jsonl(*said("a", "b")))
    assert answer.appended == 2
    events = suite.ledger.events(DERIVED)
    assert not any(event.HasField("event_time") for event in events)


async def test_a_session_does_not_lend_its_times_to_another(suite: IngestionSuite) -> None:
    aside = turn("aside", isSidechain=True, agentId="a1")
    await suite.ingest(jsonl(turn("a", timestamp="2026-01-01T00:05:00Z"), aside, turn("b")))
    assert suite.ledger.events("s1")[1].event_time == stamp(5)
    assert not suite.ledger.events("s1.a1")[0].HasField("event_time")


async def test_sidechains_are_sessions_of_their_own(suite: IngestionSuite) -> None:
    aside = {"isSidechain": True, "agentId": "a1"}
    rows = [
        {"type": "file-history-snapshot", "messageId": "m"},
        turn("a"),
        turn("side 1", **aside),
        {"type": "progress"},
        turn("b"),
        turn("side 2", **aside),
        turn("other side", isSidechain=True, agentId="a2"),
        {
            "type": "user",
            "message": {"role": "user", "content": "so far"},
            "isCompactSummary": True,
        },
        turn("c"),
    ]
    answer = await suite.ingest(jsonl(*rows))
    assert suite.ledger.texts("s1") == ["a", "b", "c"]
    assert suite.ledger.texts("s1.a1") == ["side 1", "side 2"]
    assert (answer.events, answer.ignored) == (6, 3)
    assert answer.session.session_id == "s1"
    assert [(side.session_id, side.parent_session_id) for side in answer.side_sessions] == [
        ("s1.a1", "s1"),
        ("s1.a2", "s1"),
    ]
    again = await suite.ingest(jsonl(*rows))
    assert (again.appended, again.unchanged) == (0, 6)


async def test_sidechains_follow_the_name_that_the_sender_gave(suite: IngestionSuite) -> None:
    rows = [turn("a"), turn("side", isSidechain=True, agentId="a1")]
    answer = await suite.ingest(jsonl(*rows), header(session_id="mine"))
    assert answer.session.session_id == "mine"
    (side,) = answer.side_sessions
    assert (side.session_id, side.parent_session_id) == ("mine.a1", "mine")


async def test_a_file_of_a_subagent_alone_is_its_side_session(suite: IngestionSuite) -> None:
    answer = await suite.ingest(jsonl(turn("side", isSidechain=True, agentId="a1")))
    assert (answer.session.session_id, answer.session.parent_session_id) == ("s1.a1", "s1")
    assert list(answer.side_sessions) == []


async def test_a_file_that_continues_a_session_adds_nothing_to_it_twice(
    suite: IngestionSuite,
) -> None:
    before = [turn("a"), turn("b")]
    await suite.ingest(jsonl(*before))
    answer = await suite.ingest(
        jsonl(*before, turn("c", sessionId="s2")), header(label="chats/tuesday.jsonl")
    )
    assert (answer.appended, answer.unchanged) == (1, 2)
    assert suite.ledger.texts("s1") == ["a", "b"]
    assert suite.ledger.texts("s2") == ["c"]


@pytest.mark.parametrize("texts", [("a",), ("a", "b"), ("a", "b", "c")])
async def test_the_end_is_said_with_the_last_write(
    suite: IngestionSuite, texts: tuple[str, ...]
) -> None:
    answer = await suite.ingest(jsonl(*said(*texts)), header(end_session=True))
    assert answer.session.state == event_pb2.SESSION_STATE_ENDED
    assert [write.end_session for write in suite.ledger.writes[:-1]] == [False] * (
        len(suite.ledger.writes) - 1
    )


async def test_the_end_is_said_also_where_nothing_is_new(suite: IngestionSuite) -> None:
    content = jsonl(turn("a"), turn("side", isSidechain=True, agentId="a1"), turn("b"))
    opened = await suite.ingest(content)
    assert opened.session.state == event_pb2.SESSION_STATE_OPEN
    ended = await suite.ingest(content, header(end_session=True))
    assert (ended.appended, ended.unchanged) == (0, 3)
    states = [ended.session.state, *(side.state for side in ended.side_sessions)]
    assert states == [event_pb2.SESSION_STATE_ENDED] * 2


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


async def test_chunks_may_be_empty(suite: IngestionSuite) -> None:
    row = jsonl(*said("a"))
    messages = [IngestFileRequest(header=HEADER), *(IngestFileRequest(chunk=c) for c in (b"", row))]
    assert (await suite.stream(messages)).events == 1


async def test_text_is_never_logged(suite: IngestionSuite) -> None:
    too_long = {"role": "user", "content": "diary" * (1 << 18)}
    content = jsonl(*said("my diary"), too_long) + b'{"role": "user", "content": "diary\n'
    with capture_logs() as lines:
        answer = await suite.ingest(content)
        with pytest.raises(errors.InvalidArgument):
            await suite.ingest(b"dear diary\n")
    assert answer.skipped == 2
    assert len(lines) >= 3
    assert "diary" not in repr(lines)


async def test_a_session_that_cannot_be_stored_does_not_lend_its_name(
    suite: IngestionSuite,
) -> None:
    rows = [turn("a"), turn("x", sessionId="s" * 257), *said("b")]
    answer = await suite.ingest(jsonl(*rows))
    assert [skipped.line for skipped in answer.skipped_lines] == [2]
    assert suite.ledger.texts("s1") == ["a", "b"]
