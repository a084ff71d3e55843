"""IngestFile: the sessions of a file, their times, their ends."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileHeader
from anamnesis.memory.v1 import event_pb2
from anamnesis_libs.errors import InvalidArgument
from anamnesis_libs.settings import Ingestion
from tests.support.ingestion_suite import (
    DERIVED,
    HEADER,
    IngestionSuite,
    ingestion_suite,
    jsonl,
    said,
)


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
    answer = await suite.ingest(
        jsonl(*said("a")), header(user_id="mara", visibility=private, project="p")
    )
    session = answer.session
    assert (session.agent_id, session.user_id, session.label) == ("coder", "mara", HEADER.label)
    assert (session.visibility, session.project) == (private, "p")


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


async def test_clocks_come_from_the_line_or_from_where_it_was_said(suite: IngestionSuite) -> None:
    rows = [
        *said("a"),
        *said("b", timestamp="2026-01-01T08:05:00+08:00"),
        *said("c"),
        *said("d", timestamp="2026-01-01T00:04:00Z"),
        *said("e", timestamp="2026-01-01 00:04:00"),
    ]
    await suite.ingest(jsonl(*rows), header(default_event_time=stamp(1)))
    events = suite.ledger.events(DERIVED)
    assert [one.event_time for one in events] == [stamp(each) for each in (1, 5, 5, 4, 4)]
    assert [one.utc_offset_minutes for one in events] == [0, 480, 480, 0, 0]
    there = header(session_id="there", default_event_time=stamp(1), time_zone="America/New_York")
    await suite.ingest(jsonl(*rows), there)
    events = suite.ledger.events("there")
    assert [one.utc_offset_minutes for one in events] == [-300, 480, 480, -300, -300]
    assert events[3].event_time == stamp(4)
    assert events[4].event_time == Timestamp(seconds=stamp(4).seconds + 5 * 3600)


async def test_a_zone_that_is_none_is_refused(suite: IngestionSuite) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await suite.ingest(jsonl(*said("a")), header(time_zone="Asia/Atlantis"))
    assert refused.value.violations[0].field == "header.time_zone"
    assert not suite.ledger.events(DERIVED)


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


async def test_a_session_that_cannot_be_stored_does_not_lend_its_name(
    suite: IngestionSuite,
) -> None:
    rows = [turn("a"), turn("x", sessionId="s" * 257), *said("b")]
    answer = await suite.ingest(jsonl(*rows))
    assert [skipped.line for skipped in answer.skipped_lines] == [2]
    assert suite.ledger.texts("s1") == ["a", "b"]
