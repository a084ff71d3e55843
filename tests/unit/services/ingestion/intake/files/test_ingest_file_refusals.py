"""IngestFile: files and streams that are wrong, and lines that break a limit."""

from collections.abc import AsyncIterator

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileHeader, IngestFileRequest
from anamnesis_libs import errors
from anamnesis_libs.settings import Ingestion
from tests.support.ingestion_suite import (
    HEADER,
    IngestionSuite,
    file_messages,
    ingestion_suite,
    jsonl,
    said,
)

MIB = 1 << 20
ONE = jsonl(*said("a"))


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite(ingestion=Ingestion(append_batch_max=2)) as running:
        yield running


def stored(suite: IngestionSuite) -> list[str]:
    (session_id,) = (session_id for _, session_id in suite.ledger.sessions)
    return suite.ledger.texts(session_id)


def head(**fields: object) -> IngestFileRequest:
    return IngestFileRequest(header=IngestFileHeader(namespace="team", **fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("messages", "field"),
    [
        ([], "header"),
        ([IngestFileRequest(chunk=ONE)], "header"),
        ([IngestFileRequest(chunk=ONE), head(label="x")], "header"),
        ([head(label="x"), head(label="x"), IngestFileRequest(chunk=ONE)], "header"),
        ([IngestFileRequest()], "part"),
        ([head(label="x", shape=77)], "header.shape"),
        ([head(label="x", visibility=9)], "header.visibility"),
        ([head(label="x" * 1025)], "header.label"),
        (
            [head(label="x", default_event_time=Timestamp(seconds=2**60))],
            "header.default_event_time",
        ),
        ([IngestFileRequest(header=IngestFileHeader(namespace="No"))], "header.namespace"),
        ([head(), IngestFileRequest(chunk=ONE)], "header.session_id"),
        ([head(agent_id="a"), IngestFileRequest(chunk=ONE * 9)], "header.session_id"),
        ([head(label="x"), IngestFileRequest(chunk=bytes(MIB + 1))], "chunk"),
    ],
)
async def test_what_is_wrong_with_a_stream_is_named_and_nothing_is_stored(
    suite: IngestionSuite, messages: list[IngestFileRequest], field: str
) -> None:
    with pytest.raises(errors.InvalidArgument) as refused:
        await suite.stream(messages)
    assert [violation.field for violation in refused.value.violations] == [field]
    assert suite.ledger.writes == []


async def test_a_file_without_a_name_needs_none_where_no_event_is_in_it(
    suite: IngestionSuite,
) -> None:
    answer = await suite.stream([head(), IngestFileRequest(chunk=b"{}\n")])
    assert (answer.lines, answer.skipped) == (1, 1)


@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 512,
        bytes(200_000),
        b"Dear diary,\ntoday was fine.\n",
        b"%PDF-1.7\n" + b"\xff\xfe junk \n" * 5_000,
    ],
)
async def test_a_file_that_is_no_text_is_refused(suite: IngestionSuite, content: bytes) -> None:
    with pytest.raises(errors.InvalidArgument) as refused:
        await suite.ingest(content)
    assert refused.value.reason == "FILE_NOT_TEXT"
    assert refused.value.metadata == {"label": HEADER.label}
    assert suite.ledger.writes == []


@pytest.mark.parametrize(
    "content",
    [
        '[{"role": "user", "content": "我对花生过敏"},\n{"role": "user", "content": "a"}]',
        "[14/03/2024, 09:26:53] 小林: 我对花生过敏\n",
    ],
    ids=["document", "chat"],
)
async def test_a_document_or_chat_in_another_encoding_is_refused(
    suite: IngestionSuite, content: str
) -> None:
    with pytest.raises(errors.InvalidArgument, match="not UTF-8 text") as refused:
        await suite.ingest(content.encode("gbk"))
    assert refused.value.reason == "DOCUMENT_UNREADABLE"
    assert suite.ledger.writes == []


async def test_a_text_file_may_begin_with_much_that_is_no_json(suite: IngestionSuite) -> None:
    answer = await suite.ingest(b"garbage\n" * 20_000 + ONE)
    assert (answer.appended, answer.skipped) == (1, 20_000)


@pytest.mark.parametrize("content", [b"", b"\n\n", b'{"_type": "metadata"}\n', b"[1]\n{}\n"])
@pytest.mark.parametrize("end_session", [False, True])
async def test_a_file_without_an_event_makes_no_session(
    suite: IngestionSuite, content: bytes, end_session: bool
) -> None:
    header = IngestFileHeader(namespace="team", session_id="s", end_session=end_session)
    answer = await suite.ingest(content, header)
    assert (answer.lines, answer.events) == (content.count(b"\n"), 0)
    assert not answer.HasField("session")
    assert answer.revision == ""
    assert suite.ledger.writes == []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"role": "user", "content": "x" * (MIB + 1)}, "content longer than 1048576 bytes"),
        ({"role": "user", "content": "字" * (MIB // 3 + 1)}, "content longer than 1048576 bytes"),
        (
            {"role": "assistant", "content": "x", "reasoning": "y" * (MIB + 1)},
            "reasoning longer than 1048576 bytes",
        ),
        ({"role": "user", "name": "n" * 257, "content": "x"}, "a name longer than 256 characters"),
        (
            {"role": "tool", "tool_call_id": "i" * 257},
            "a tool call id longer than 256 characters",
        ),
        (
            {"role": "assistant", "tool_calls": [{"function": {"name": "ls"}}] * 257},
            "more than 256 tool calls",
        ),
        (
            {"role": "assistant", "tool_calls": [{"function": {"name": "l" * 257}}]},
            "a tool call with an id or name longer than 256 characters",
        ),
        (
            {
                "role": "assistant",
                "tool_calls": [{"function": {"name": "w", "arguments": "x" * (MIB + 1)}}],
            },
            "tool call arguments longer than 1048576 bytes",
        ),
        (
            {"type": "user", "message": {"content": "x"}, "sessionId": "s" * 257},
            "a session id longer than 256 characters",
        ),
    ],
)
async def test_a_line_that_breaks_a_limit_costs_that_line_only(
    suite: IngestionSuite, row: object, reason: str
) -> None:
    answer = await suite.ingest(jsonl(*said("a"), row, *said("b")))
    assert [(each.line, each.reason) for each in answer.skipped_lines] == [(2, reason)]
    assert (answer.skipped, answer.events) == (1, 2)
    assert stored(suite) == ["a", "b"]


@pytest.mark.parametrize("text", ["x" * MIB, "字" * (MIB // 3)])
async def test_the_largest_content_is_stored(suite: IngestionSuite, text: str) -> None:
    answer = await suite.ingest(jsonl(*said(text, text)))
    assert (answer.appended, answer.skipped) == (2, 0)


async def test_an_event_too_large_for_a_message_costs_its_line_only() -> None:
    call = {"function": {"name": "write", "arguments": '"' + "x" * (MIB - 10) + '"'}}
    rows = [{"role": "assistant", "tool_calls": [call] * count} for count in (8, 7)]
    async with ingestion_suite(ingestion=Ingestion(line_bytes_max=16 * MIB)) as large:
        answer = await large.ingest(jsonl(*rows))
    assert [(each.line, each.reason) for each in answer.skipped_lines] == [
        (1, "an event longer than 8388608 bytes in all")
    ]
    assert answer.appended == 1


async def test_the_first_thousand_bad_lines_are_named_in_order(suite: IngestionSuite) -> None:
    nameless = [{"role": "user", "name": "n" * 257, "content": "x"}]
    content = (jsonl(*nameless) + b"junk\n") * 700 + ONE
    answer = await suite.ingest(content)
    assert answer.skipped == 1_400
    assert [each.line for each in answer.skipped_lines] == list(range(1, 1_001))
    assert stored(suite) == ["a"]


async def test_a_file_over_the_limit_keeps_what_was_committed() -> None:
    rows = jsonl(*said("a", "b", "c"))
    limit = len(rows) + 100
    ingestion = Ingestion(append_batch_max=2, file_bytes_max=limit)
    async with ingestion_suite(ingestion=ingestion) as suite:
        with pytest.raises(errors.TooLarge) as refused:
            await suite.stream([*file_messages(rows, HEADER), IngestFileRequest(chunk=rows * 10)])
        assert stored(suite) == ["a", "b"]
    assert refused.value.metadata == {"limit_bytes": str(limit)}
    assert f"larger than {limit} bytes" in refused.value.message
    assert "first 2 events are stored" in refused.value.message
    assert refused.value.message.endswith("of its own")


async def test_a_file_of_exactly_the_limit_is_taken() -> None:
    async with ingestion_suite(ingestion=Ingestion(file_bytes_max=len(ONE))) as suite:
        assert (await suite.ingest(ONE)).appended == 1
