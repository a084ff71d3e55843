"""One JSON document is told from JSON Lines by how it begins, wherever the chunks are cut."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.intake.files.session_reader import SessionReader
from anamnesis_ingestion.model import Shape, SourceEvent
from anamnesis_libs.errors import InvalidArgument, ResourceExhausted

USER = {"role": "user", "content": "hi"}
ANSWER = {"role": "assistant", "content": "ho"}
LINE = {"type": "user", "message": USER, "sessionId": "s-1", "uuid": "u1"}
TWO = [("user", "hi", 1), ("assistant", "ho", 2)]


def reader(*, line_bytes_max: int = 1 << 16, document_bytes_max: int = 1 << 16) -> SessionReader:
    return SessionReader(
        Shape.AUTO, line_bytes_max=line_bytes_max, document_bytes_max=document_bytes_max
    )


def read(content: bytes, chunk_bytes: int = 1 << 20) -> tuple[SessionReader, list[SourceEvent]]:
    reading = reader()
    pieces = (content[at : at + chunk_bytes] for at in range(0, len(content), chunk_bytes))
    events = [event for piece in pieces for event in reading.feed(piece)]
    return reading, [*events, *reading.close()]


def said(content: bytes, chunk_bytes: int = 1 << 20) -> list[tuple[str, str, int]]:
    _, events = read(content, chunk_bytes)
    return [(event.role.value, event.content, event.source_line) for event in events]


def compact(value: object) -> bytes:
    return json.dumps(value).encode()


def pretty(value: object) -> bytes:
    return json.dumps(value, indent=2).encode()


def windows(value: object) -> bytes:
    return b"\xef\xbb\xbf\r\n" + pretty(value).replace(b"\n", b"\r\n") + b"\r\n"


@pytest.mark.parametrize("written", [compact, pretty, windows])
@pytest.mark.parametrize(
    "document",
    [
        [USER, ANSWER],
        {"messages": [USER, ANSWER]},
        {"model": "m", "temperature": 0, "messages": [USER, ANSWER]},
        {"loglines": [LINE, {"type": "assistant", "message": ANSWER}]},
    ],
    ids=["list", "messages", "messages last", "loglines"],
)
@pytest.mark.parametrize("chunk_bytes", [1, 7, 1 << 20])
def test_a_document_gives_its_messages_with_their_places(
    document: object, written: Callable[[object], bytes], chunk_bytes: int
) -> None:
    assert said(written(document), chunk_bytes) == TWO


def test_lines_of_a_document_are_its_messages() -> None:
    reading, events = read(pretty({"loglines": [LINE, 7, {"type": "progress"}, LINE]}))
    report = reading.report()
    assert (report.lines, report.event_count, report.metadata_lines) == (4, 2, 1)
    assert [(skipped.line, skipped.reason) for skipped in report.skipped] == [
        (2, "not a JSON object")
    ]
    assert (events[1].session_id, events[1].source_id) == ("s-1", "u1")
    assert not reading.looks_binary


def test_a_single_message_over_several_lines_is_read() -> None:
    assert said(pretty(USER)) == [("user", "hi", 1)]


@pytest.mark.parametrize(
    "first",
    [
        b"[1, 2]",
        compact([USER]),
        compact({"messages": [1]}),
        b"[INFO] started",
        b'{"role": "user", "content": "cut of',
        b"{",
        b"[" * 5000,
        b"",
        b"null",
    ],
)
@pytest.mark.parametrize("chunk_bytes", [1, 1 << 20])
def test_a_first_line_that_looks_like_a_document_costs_itself_only(
    first: bytes, chunk_bytes: int
) -> None:
    content = first + b"\n\n" + compact(USER) + b"\n" + compact(ANSWER) + b"\n"
    assert said(content, chunk_bytes) == [("user", "hi", 3), ("assistant", "ho", 4)]


def test_lines_are_not_held_back() -> None:
    reading = reader()
    assert list(reading.feed(compact(USER))) == []
    assert [event.content for event in reading.feed(b"\n" + compact(ANSWER))] == ["hi"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (pretty({"loglines": [LINE]})[:-3], "breaks at line 12, column "),
        (b'{"messages": [{"role": "user" "content"}]}', "breaks at line 1, column 31"),
        (b'[\n  {"role": "user",\n   "content": oops}\n]', "breaks at line 3, column 15"),
        (pretty(USER) + b"\n" + pretty(ANSWER), "Extra data"),
        (pretty({"title": "a config", "list": [1]}), "holds no conversation"),
        (b'{"messages": ' + b"[" * 9000, "nested too deeply"),
        (b'[\n{"n": ' + b"9" * 5000 + b"}]", "cannot be read"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused_and_the_place_named(
    content: bytes, why: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read(content)
    (violation,) = refused.value.violations
    assert why in violation.description
    assert refused.value.reason == "DOCUMENT_UNREADABLE"


def test_a_document_beyond_its_limit_is_refused_as_it_comes() -> None:
    reading = reader(document_bytes_max=100)
    list(reading.feed(b'{"loglines": ['))
    with pytest.raises(ResourceExhausted, match="document_bytes_max"):
        list(reading.feed(b" " * 100))


def test_a_line_may_be_longer_than_a_document() -> None:
    reading = reader(line_bytes_max=400, document_bytes_max=500)
    long = compact({"role": "user", "content": "x" * 300}) + b"\n"
    events = [event for _ in range(5) for event in reading.feed(long)]
    assert len([*events, *reading.close()]) == 5


@given(
    st.lists(st.sampled_from([USER, ANSWER, LINE, {"type": "summary"}, 7]), max_size=6),
    st.booleans(),
    st.integers(1, 40),
)
def test_a_document_reads_as_its_lines_do(
    messages: list[object], indented: bool, chunk_bytes: int
) -> None:
    document = {"messages": messages}
    lines = b"".join(compact(message) + b"\n" for message in messages)
    assert said(pretty(document) if indented else compact(document), chunk_bytes) == said(lines)
