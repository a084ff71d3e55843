"""IngestFile, over real channels: what is stored of a file."""

from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileRequest
from anamnesis.memory.v1 import event_pb2
from anamnesis_libs import errors
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


async def test_events_are_counted_that_no_line_gives_a_time(suite: IngestionSuite) -> None:
    mistyped = {"role": "user", "content": "a", "timestamp": "31.02.2026"}
    dated = {"role": "user", "content": "b", "timestamp": "2026-02-28T09:00:00Z"}
    answer = await suite.ingest(jsonl(mistyped, dated, *said("c")))
    assert (answer.events, answer.undated) == (3, 1)


async def test_good_lines_survive_bad_ones(suite: IngestionSuite) -> None:
    bad = [b"{garbage\n", b'[{"role": "user"}]\n', b'{"role": "user", "content": "\\ud83d!"}\n']
    content = jsonl(*said("a")) + bad[0] + bad[1] + bad[2] + jsonl(*said("b"))
    answer = await suite.ingest(content)
    assert [(each.line, each.reason) for each in answer.skipped_lines] == [
        (2, "not valid JSON"),
        (3, "not a JSON object"),
    ]
    assert suite.ledger.texts(DERIVED) == ["a", "\ufffd!", "b"]


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
    assert lines
    assert "diary" not in repr(lines)
