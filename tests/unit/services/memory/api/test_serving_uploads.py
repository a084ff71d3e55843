"""Tests of the archive over real channels and SQLite."""

import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2
from anamnesis.memory.v1 import ledger_service_pb2 as pb
from anamnesis.memory.v1.upload_pb2 import UPLOAD_FORMAT_JSON_LINES, UPLOAD_FORMAT_TEXT, Upload
from tests.support.memory_service import Served, serving
from tests.support.messages import made
from tests.support.pipeline_calls import SECRET, refused, talk

pytestmark = pytest.mark.slow

LINES = (
    json.dumps({"role": "user", "content": f"it is\n{SECRET}"}) + "\r\n"
    "no json\n"
    "\n"
    '{"role": "assistant",  "content": "\u00e4h"}\n'
    f'"cut off {SECRET}'
).encode()


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A memory service."""
    async with serving(tmp_path) as running:
        yield running


async def put(served: Served, content: bytes = LINES, **fields: object) -> Upload:
    """Archive something under the session "s"."""
    asked = {"format": UPLOAD_FORMAT_JSON_LINES, "label": "/home/ada/a.jsonl", **fields}
    request = made(
        pb.PutUploadRequest, **{"namespace": "n", "session_id": "s", "content": content, **asked}
    )
    return (await served.ledger.PutUpload(request)).upload


async def got(served: Served, upload_id: str, caller: Caller | None = None) -> tuple[Upload, bytes]:
    """An upload as it is kept."""
    request = pb.GetUploadRequest(namespace="n", upload_id=upload_id, caller=caller)
    parts = [part async for part in served.ledger.GetUpload(request)]
    assert all(len(part.chunk) <= 256 * 1024 for part in parts)
    return parts[0].upload, b"".join(part.chunk for part in parts[1:])


async def test_lines_are_kept_redacted_with_the_digest_of_what_came(served: Served) -> None:
    await talk(served)
    upload = await put(served)
    assert upload.sha256 == hashlib.sha256(LINES).hexdigest()
    assert (upload.size_bytes, upload.lines_left_out) == (len(LINES), 2)
    assert upload.label == "/home/<USER>/a.jsonl"
    kept, content = await got(served, upload.upload_id)
    assert kept == upload
    assert content.decode() == (
        '{"role":"user","content":"it is\\n<LLM_API_KEY>"}\n'
        '{"role":"assistant","content":"\u00e4h"}\n'
    )


async def test_a_text_is_kept_redacted_as_text(served: Served) -> None:
    await talk(served)
    upload = await put(served, f"note\n{SECRET}".encode(), format=UPLOAD_FORMAT_TEXT)
    assert (await got(served, upload.upload_id))[1] == b"note\n<LLM_API_KEY>"
    assert upload.lines_left_out == 0


async def test_the_same_again_is_one_and_keeps_its_time(served: Served) -> None:
    await talk(served)
    first = await put(served)
    served.clock.move(hours=1)
    assert await put(served, label="another") == first
    listed = await served.ledger.ListUploads(pb.ListUploadsRequest(namespace="n"))
    assert list(listed.uploads) == [first]


async def test_pages_hold_each_upload_once(served: Served) -> None:
    await talk(served)
    ids = {(await put(served, f'"{number}"'.encode())).upload_id for number in range(5)}
    found: list[str] = []
    token = ""
    while True:
        request = pb.ListUploadsRequest(
            namespace="n", session_id="s", page_size=2, page_token=token
        )
        answer = await served.ledger.ListUploads(request)
        found += [one.upload_id for one in answer.uploads]
        token = answer.next_page_token
        if not token:
            break
    assert found == sorted(ids)


async def test_an_upload_is_seen_by_who_sees_its_session(served: Served) -> None:
    event = event_pb2.Event(role=event_pb2.ROLE_USER, content="mine")
    await served.ledger.AppendEvents(
        pb.AppendEventsRequest(
            namespace="n",
            session_id="s",
            user_id="ada",
            events=[event],
            use_server_time=True,
            visibility=event_pb2.VISIBILITY_PRIVATE_TO_USER,
        )
    )
    ada, bob = Caller(user_id="ada"), Caller(user_id="bob")
    assert (await refused(put(served, caller=bob))).reason == "SESSION_NOT_FOUND"
    upload = await put(served, caller=ada)
    for caller, seen in ((ada, 1), (bob, 0), (Caller(), 0)):
        request = pb.ListUploadsRequest(namespace="n", caller=caller)
        assert len((await served.ledger.ListUploads(request)).uploads) == seen
    assert (await got(served, upload.upload_id, ada))[0] == upload
    error = await refused(got(served, upload.upload_id, bob))
    assert (error.reason, error.metadata) == ("UPLOAD_NOT_FOUND", {"upload_id": upload.upload_id})


async def test_without_a_session_there_is_no_upload(served: Served) -> None:
    await talk(served, "other")
    assert (await refused(put(served))).reason == "SESSION_NOT_FOUND"
    assert (await refused(got(served, "none"))).reason == "UPLOAD_NOT_FOUND"


@pytest.mark.parametrize(
    "fields", [{"content": b""}, {"format": 0}, {"content": b"1" * (10 * 1024 * 1024 + 1)}]
)
async def test_what_breaks_a_rule_is_refused(served: Served, fields: dict[str, object]) -> None:
    await talk(served)
    request = {"namespace": "n", "session_id": "s", "content": b"1", "format": 1, **fields}
    error = await refused(served.ledger.PutUpload(made(pb.PutUploadRequest, **request)))
    assert error.reason == "FIELD_INVALID"


async def test_what_grows_by_redaction_comes_in_chunks(served: Served) -> None:
    await talk(served)
    text = "/home/al/x " * 50_000
    upload = await put(served, text.encode(), format=UPLOAD_FORMAT_TEXT)
    _, content = await got(served, upload.upload_id)
    assert content.decode() == text.replace("/al/", "/<USER>/")
