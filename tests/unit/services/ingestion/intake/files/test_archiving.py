"""What came is archived behind its events, and never in their way; over real channels."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from structlog.testing import capture_logs

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestTextRequest, IngestTextResponse
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1.upload_pb2 import UPLOAD_FORMAT_JSON_LINES, UPLOAD_FORMAT_TEXT
from anamnesis_ingestion.intake.files.archiving import ARCHIVED_BYTES_MAX, HELD_BYTES_MAX, Tee
from anamnesis_ingestion.intake.files.room import Room
from anamnesis_libs.errors import AnamnesisError, StoreUnavailable
from tests.support.ingestion_suite import (
    DERIVED,
    HEADER,
    TIMEOUT_S,
    IngestionSuite,
    ingestion_suite,
    jsonl,
    said,
)

LARGE = f"larger than {ARCHIVED_BYTES_MAX} bytes"


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite() as running:
        yield running


async def text(suite: IngestionSuite, content: str) -> IngestTextResponse:
    """Take in a text."""
    request = IngestTextRequest(
        namespace="team", text=content, label="notes", event_time=Timestamp(seconds=1)
    )
    return await suite.stub.IngestText(request, timeout=TIMEOUT_S)


async def test_a_file_is_archived_as_it_came_under_its_session(suite: IngestionSuite) -> None:
    content = b"\xef\xbb\xbf" + jsonl(*said("a", "b")) + b"no json\n" + b'{"x": 1}'
    answer = await suite.ingest(content, chunk_bytes=7)
    assert (answer.upload_id, answer.not_archived) == ("u-1", "")
    (upload,) = suite.ledger.uploads
    assert upload.content == content
    assert (upload.namespace, upload.session_id, upload.label) == ("team", DERIVED, HEADER.label)
    assert upload.format == UPLOAD_FORMAT_JSON_LINES


async def test_a_text_is_archived_under_its_session(suite: IngestionSuite) -> None:
    answer = await text(suite, "Tea is at four.\n\nBring cake.")
    (upload,) = suite.ledger.uploads
    assert (answer.upload_id, answer.not_archived) == ("u-1", "")
    assert upload.content.decode() == "Tea is at four.\n\nBring cake."
    assert (upload.session_id, upload.label) == (answer.session_id, "notes")
    assert upload.format == UPLOAD_FORMAT_TEXT


async def test_it_comes_after_the_events(suite: IngestionSuite) -> None:
    seen: list[int] = []

    async def look(request: pb.PutUploadRequest) -> None:
        seen.append(len(suite.ledger.texts(request.session_id)))

    suite.ledger.before_upload = look
    await suite.ingest(jsonl(*said("a", "b", "c")))
    assert seen == [3]


async def test_a_file_without_events_is_not_archived(suite: IngestionSuite) -> None:
    answer = await suite.ingest(jsonl({"type": "progress"}))
    assert (answer.upload_id, answer.not_archived) == ("", "it holds no event")
    assert suite.ledger.uploads == []


@pytest.mark.slow
async def test_a_failing_archive_does_not_fail_the_file(suite: IngestionSuite) -> None:
    async def fail(_: pb.PutUploadRequest) -> None:
        raise StoreUnavailable("the disk is full")

    suite.ledger.before_upload = fail
    with capture_logs() as logs:
        answer = await suite.ingest(jsonl(*said("a", "b")))
    assert (answer.appended, answer.upload_id) == (2, "")
    assert answer.not_archived == "STORE_UNAVAILABLE: the disk is full"
    assert [one["event"] for one in logs if one["event"].startswith("archiving")] == [
        "archiving.failed"
    ]
    assert (await text(suite, "Tea is at four.")).not_archived == answer.not_archived


@pytest.mark.slow
async def test_an_archive_that_hangs_leaves_time_for_the_answer(suite: IngestionSuite) -> None:
    async def hang(_: pb.PutUploadRequest) -> None:
        await asyncio.Event().wait()

    suite.ledger.before_upload = hang
    request = IngestTextRequest(namespace="team", text="Tea is at four.", use_server_time=True)
    answer = await suite.stub.IngestText(request, timeout=2.0)
    assert answer.appended == 1
    assert answer.not_archived.startswith("DEADLINE_EXCEEDED")


async def test_what_is_too_large_is_ingested_and_not_archived(suite: IngestionSuite) -> None:
    line = jsonl(*said("word " * 1000))
    content = line + b'{"padding": "' + b"x" * ARCHIVED_BYTES_MAX + b'"}\n'
    answer = await suite.ingest(content)
    assert (answer.appended, answer.upload_id, answer.not_archived) == (1, "", LARGE)
    assert suite.ledger.uploads == []


async def chunks(*sizes: int) -> AsyncIterator[bytes]:
    """Chunks of these sizes."""
    for size in sizes:
        yield bytes(size)


@pytest.mark.parametrize(("more", "let_go"), [(0, ""), (1, LARGE)])
async def test_a_tee_holds_at_most_its_bound(more: int, let_go: str) -> None:
    half = ARCHIVED_BYTES_MAX // 2
    with Tee(Room(HELD_BYTES_MAX)) as tee:
        passed = [len(chunk) async for chunk in tee.through(chunks(half, half, more))]
        assert passed == [half, half, more]
        assert tee.let_go == let_go
        assert len(tee.content) == (0 if let_go else ARCHIVED_BYTES_MAX)


async def test_files_that_come_at_once_share_their_room() -> None:
    room = Room(10)
    with Tee(room) as first:
        assert [chunk async for chunk in first.through(chunks(4, 4))] == [bytes(4)] * 2
        with Tee(room) as second:
            assert [chunk async for chunk in second.through(chunks(2, 1))] == [bytes(2), bytes(1)]
            assert second.let_go.startswith("too many files come at once")
            assert second.content == b""
        assert first.content == bytes(8)
    with Tee(room) as third:
        assert [len(chunk) async for chunk in third.through(chunks(10))] == [10]
        assert third.let_go == ""


async def test_a_refused_file_is_not_archived(suite: IngestionSuite) -> None:
    with pytest.raises(AnamnesisError, match="none of its lines is JSON"):
        await suite.ingest(b"plain text\n")
    assert suite.ledger.uploads == []
