"""IngestFile on Claude Code's session files: what becomes of each kind of line, sent once or again.

The files that other programs wrote are read where they lie beside the repository.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileHeader
from anamnesis.memory.v1.event_pb2 import ROLE_ASSISTANT, ROLE_SYSTEM, ROLE_TOOL, ROLE_USER, Event
from anamnesis_libs import errors
from anamnesis_libs.settings import Ingestion
from tests.support.ingestion_suite import IngestionSuite, ingestion_suite, jsonl

SHARED = Path(__file__).parents[7] / "shared" / "data"
HEADER = IngestFileHeader(namespace="team", agent_id="claude-code", label="p/4711.jsonl")
SESSION = "4711"

needs_shared = pytest.mark.skipif(not SHARED.exists(), reason="no shared data beside the tree")


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite(ingestion=Ingestion(append_batch_max=3)) as running:
        yield running


def line(kind: str, content: object, second: int, **fields: object) -> dict[str, object]:
    """A turn as Claude Code writes it."""
    return {
        "type": kind,
        "sessionId": SESSION,
        "uuid": f"u{second}",
        "timestamp": f"2026-03-02T09:00:{second:02}.000Z",
        "isSidechain": False,
        "message": {"role": kind, "content": content},
        **fields,
    }


def call(name: str, second: int) -> dict[str, object]:
    block = {"type": "tool_use", "id": f"c{second}", "name": name, "input": {"path": "a.py"}}
    return line("assistant", [block], second)


SNAPSHOT = {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {"text": "old"}}
PROGRESS = {"type": "progress", "sessionId": SESSION, "uuid": "p", "data": {"text": "running"}}
CONTINUED = (
    "This session is being continued from a previous conversation that ran out of context. "
    "The conversation is summarized below: the user wants tabs."
)
CONVERSATION = [
    SNAPSHOT,
    line("user", "Why does the import fail?", 1),
    PROGRESS,
    line("assistant", [{"type": "thinking", "thinking": "Look at it."}], 2),
    call("Read", 3),
    line("user", [{"type": "tool_result", "tool_use_id": "c3", "content": "import b"}], 4),
    line("user", "Look it up elsewhere.", 5, isSidechain=True, agentId="a1"),
    line("assistant", [{"type": "text", "text": "Found it."}], 6, isSidechain=True, agentId="a1"),
    PROGRESS,
    line("assistant", [{"type": "text", "text": "b is missing."}], 7),
]


def told(events: list[Event]) -> list[tuple[int, str, str]]:
    """Role, text and second of each event."""
    return [(e.role, e.content, e.event_time.ToJsonString()[17:19]) for e in events]


async def test_turns_keep_order_session_and_time_and_what_is_no_turn_gives_no_event(
    suite: IngestionSuite,
) -> None:
    answer = await suite.ingest(jsonl(*CONVERSATION), HEADER)
    assert (answer.events, answer.appended, answer.ignored, answer.skipped) == (7, 7, 3, 0)
    events = suite.ledger.events(SESSION)
    assert told(events) == [
        (ROLE_USER, "Why does the import fail?", "01"),
        (ROLE_ASSISTANT, "", "02"),
        (ROLE_ASSISTANT, "", "03"),
        (ROLE_TOOL, "import b", "04"),
        (ROLE_ASSISTANT, "b is missing.", "07"),
    ]
    assert [event.source_line for event in events] == [2, 4, 5, 6, 10]
    assert (events[1].reasoning, events[3].tool_call_id) == ("Look at it.", "c3")


async def test_a_subagent_is_a_session_of_its_own_and_linked(suite: IngestionSuite) -> None:
    answer = await suite.ingest(jsonl(*CONVERSATION), HEADER)
    (side,) = answer.side_sessions
    assert (answer.session.session_id, side.session_id) == (SESSION, f"{SESSION}.a1")
    assert side.parent_session_id == SESSION
    assert suite.ledger.texts(side.session_id) == ["Look it up elsewhere.", "Found it."]


async def test_again_adds_nothing_and_grown_by_two_lines_adds_two(suite: IngestionSuite) -> None:
    await suite.ingest(jsonl(*CONVERSATION), HEADER)
    again = await suite.ingest(jsonl(*CONVERSATION), HEADER)
    assert (again.appended, again.replaced, again.unchanged) == (0, 0, 7)
    more = [line("user", "Add it.", 8), PROGRESS, line("assistant", "Done.", 9)]
    grown = await suite.ingest(jsonl(*CONVERSATION, *more), HEADER)
    assert (grown.appended, grown.replaced, grown.unchanged) == (2, 0, 7)


async def test_a_fragment_of_another_session_takes_no_events_place(suite: IngestionSuite) -> None:
    other = [
        line("user", f"other {n}", n, sessionId="4712", uuid=f"o{n}", parentUuid=parent)
        for n, parent in ((1, None), (2, "o1"), (3, "o2"))
    ]
    await suite.ingest(jsonl(*other), IngestFileHeader(namespace="team", label="p/4712.jsonl"))
    mixed = jsonl(line("user", "mine", 1), *other[1:], line("user", "mine too", 4))
    for expected in ((4, 0, 0), (0, 0, 4)):
        answer = await suite.ingest(mixed, HEADER)
        assert (answer.appended, answer.replaced, answer.unchanged) == expected
    assert suite.ledger.texts("4712") == ["other 1", "other 2", "other 3"]
    assert suite.ledger.texts(SESSION) == ["mine", "mine too"]
    assert suite.ledger.texts(f"{SESSION}.4712") == ["other 2", "other 3"]
    (side,) = answer.side_sessions
    assert side.parent_session_id == SESSION


async def test_a_session_that_the_file_goes_on_with_is_itself(suite: IngestionSuite) -> None:
    rows = [
        line("user", "a", 1),
        {**PROGRESS, "uuid": "p1", "parentUuid": "u1"},
        line("user", "b", 2, sessionId="4712", parentUuid="p1"),
        line("user", "c", 3, sessionId="4713", parentUuid=None),
    ]
    await suite.ingest(jsonl(*rows), HEADER)
    assert [suite.ledger.texts(each) for each in (SESSION, "4712", "4713")] == [["a"], ["b"], ["c"]]


@needs_shared
async def test_a_directory_of_real_files_again_changes_nothing(suite: IngestionSuite) -> None:
    files = sorted((SHARED / "claude-code-log").glob("*.jsonl"))
    for is_first in (True, False):
        for file in files:
            header = IngestFileHeader(namespace="team", label=file.name)
            answer = await suite.ingest(file.read_bytes(), header)
            assert answer.replaced == 0
            assert (answer.unchanged == 0) is is_first


@pytest.mark.parametrize(
    "summary",
    [
        line("user", "the user wants tabs", 2, isCompactSummary=True),
        line("user", [{"type": "text", "text": "tabs"}], 2, isCompactSummary=True),
        line("user", CONTINUED, 2),
        line("user", [{"type": "text", "text": CONTINUED}], 2),
        {"type": "summary", "summary": "Tabs are wanted", "leafUuid": "u1"},
        {"type": "system", "subtype": "compact_boundary", "content": "compacted", "sessionId": "s"},
    ],
)
async def test_a_compaction_summary_is_nothing_that_anybody_said(
    suite: IngestionSuite, summary: dict[str, object]
) -> None:
    answer = await suite.ingest(jsonl(line("user", "hello", 1), summary), HEADER)
    assert suite.ledger.texts(SESSION) == ["hello"]
    assert (answer.ignored, answer.skipped) == (1, 0)


async def test_talk_about_a_continued_session_is_said(suite: IngestionSuite) -> None:
    asked = f"Why does the transcript say: {CONTINUED}"
    await suite.ingest(jsonl(line("user", asked, 1), line("assistant", CONTINUED, 2)), HEADER)
    assert suite.ledger.texts(SESSION) == [asked, CONTINUED]


async def test_a_call_that_was_never_answered_is_kept_as_it_is(suite: IngestionSuite) -> None:
    rows = [line("user", "Run it.", 1), call("Bash", 2), line("user", "Stop!", 3)]
    await suite.ingest(jsonl(*rows), HEADER)
    events = suite.ledger.events(SESSION)
    assert [event.role for event in events] == [ROLE_USER, ROLE_ASSISTANT, ROLE_USER]
    assert [(c.call_id, c.name) for c in events[1].tool_calls] == [("c2", "Bash")]


async def test_what_memory_answered_a_tool_is_not_kept_once_more(suite: IngestionSuite) -> None:
    tools = ("mcp__anamnesis__recall", "mcp__plugin_anamnesis_anamnesis__search", "mcp__notes__get")
    rows = [
        row
        for second, tool in enumerate(tools, start=1)
        for row in (
            call(tool, second),
            line(
                "user",
                [
                    {
                        "type": "tool_result",
                        "tool_use_id": f"c{second}",
                        "content": "They keep bees.",
                    }
                ],
                second,
            ),
        )
    ]
    await suite.ingest(jsonl(*rows), HEADER)
    answers = [one for one in suite.ledger.events(SESSION) if one.role == ROLE_TOOL]
    assert [one.content for one in answers] == ["", "", "They keep bees."]


async def test_an_unclosed_reminder_takes_nothing_with_it(suite: IngestionSuite) -> None:
    texts = ["before <system-reminder>\nbe brief", "my name is Mara", "</system-reminder> after"]
    rows = [line("user", text, second) for second, text in enumerate(texts, start=1)]
    await suite.ingest(jsonl(*rows), HEADER)
    assert suite.ledger.texts(SESSION) == texts


async def test_what_the_tool_slipped_in_has_the_systems_role(suite: IngestionSuite) -> None:
    await suite.ingest(jsonl(line("user", "Caveat: not typed", 1, isMeta=True)), HEADER)
    assert told(suite.ledger.events(SESSION)) == [(ROLE_SYSTEM, "Caveat: not typed", "01")]


async def test_good_lines_survive_bad_ones_and_all_text_is_utf8(suite: IngestionSuite) -> None:
    bad = b'{"type": "user", "mess\n[{"type": "user"}]\n\xff\xfe\x00\n"text"\n'
    lone = line("user", "half of \ud83d", 1)
    content = jsonl(lone) + bad + jsonl(line("assistant", "good", 2))
    answer = await suite.ingest(content, HEADER)
    assert [skipped.line for skipped in answer.skipped_lines] == [2, 3, 4, 5]
    assert suite.ledger.texts(SESSION) == ["half of \ufffd", "good"]


@needs_shared
@pytest.mark.parametrize(
    ("name", "events", "ignored", "skipped"),
    [
        ("edge_cases", 12, 2, 5),
        ("representative_messages", 11, 1, 0),
        ("session_b", 3, 0, 0),
        ("todowrite_examples", 11, 1, 0),
    ],
)
async def test_files_as_they_really_are(
    suite: IngestionSuite, name: str, events: int, ignored: int, skipped: int
) -> None:
    content = (SHARED / "claude-code-log" / f"{name}.jsonl").read_bytes()
    whole = content.splitlines(keepends=True)
    first = await suite.ingest(b"".join(whole[:2]), HEADER)
    assert first.appended == 2
    answer = await suite.ingest(content, HEADER)
    assert (answer.appended, answer.unchanged) == (events - 2, 2)
    assert (answer.ignored, answer.skipped) == (ignored, skipped)
    assert (await suite.ingest(content, HEADER)).unchanged == events
    stored = suite.ledger.events(answer.session.session_id)
    assert all(event.HasField("event_time") for event in stored)


@needs_shared
async def test_a_transcript_that_is_one_document(suite: IngestionSuite) -> None:
    path = SHARED / "claude-code-transcripts" / "sample_session.json"
    answer = await suite.ingest(path.read_bytes(), HEADER)
    assert (answer.lines, answer.events, answer.ignored, answer.skipped) == (33, 32, 1, 0)
    events = suite.ledger.events(answer.session.session_id)
    assert events[0].content == "Create a simple Python function to add two numbers"
    assert [event.source_line for event in events] == [n for n in range(1, 34) if n != 29]
    assert (await suite.ingest(path.read_bytes(), HEADER)).unchanged == 32


async def test_a_document_that_breaks_is_refused_and_nothing_is_stored(
    suite: IngestionSuite,
) -> None:
    whole = b'{\n  "loglines": ' + jsonl(CONVERSATION).strip() + b"\n}"
    with pytest.raises(errors.InvalidArgument) as refused:
        await suite.ingest(whole[:-1], HEADER)
    assert refused.value.reason == "DOCUMENT_UNREADABLE"
    assert "breaks at line 3, column 1" in refused.value.violations[0].description
    assert suite.ledger.writes == []
    assert (await suite.ingest(whole, HEADER)).appended == 7


async def test_a_document_beyond_its_limit_is_refused_and_nothing_is_stored() -> None:
    document = b'{"messages": ' + jsonl(CONVERSATION * 9).strip() + b"}"
    bounds = Ingestion(document_bytes_max=len(document) - 1)
    async with ingestion_suite(ingestion=bounds) as narrow:
        with pytest.raises(errors.TooLarge, match="document_bytes_max"):
            await narrow.ingest(document, HEADER, chunk_bytes=1000)
        assert narrow.ledger.writes == []
