"""JsonlReader: shapes are detected, bad lines cost themselves only, chunks do not matter."""

import json
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.intake.files.jsonl import JsonlReader, parse_jsonl
from anamnesis_ingestion.model import (
    ParsedFile,
    Role,
    Shape,
    SkippedLine,
    SourceEvent,
)

USER = {"role": "user", "content": "hi"}
CALLS = {
    "role": "assistant",
    "content": None,
    "reasoning_content": "let me look",
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "ls", "arguments": '{"b":1, "a":2}'}}
    ],
}
THINKS = {
    "role": "assistant",
    "content": [
        {"type": "thinking", "thinking": "let me look"},
        {"type": "tool_use", "id": "c1", "name": "ls", "input": {"b": 1, "a": 2}},
    ],
}
ANSWERED = {
    "role": "user",
    "content": [
        {"type": "text", "text": "here"},
        {"type": "tool_result", "tool_use_id": "c1", "content": "a.txt"},
    ],
}


def file_of(rows: Iterable[object]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def read(*rows: object, shape: Shape = Shape.AUTO) -> ParsedFile:
    return parse_jsonl([file_of(rows)], shape)


def said(parsed: ParsedFile) -> list[tuple[str, str]]:
    return [(event.role.value, event.content) for event in parsed.events]


@pytest.mark.parametrize(
    ("rows", "shape"),
    [
        ([USER], Shape.OPENAI),
        ([USER, CALLS], Shape.OPENAI),
        ([USER, {"role": "tool", "content": "x"}], Shape.OPENAI),
        ([{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}], Shape.OPENAI),
        ([USER, THINKS], Shape.ANTHROPIC),
        ([ANSWERED], Shape.ANTHROPIC),
        ([{"type": "user", "message": USER, "sessionId": "s"}], Shape.CLAUDE_CODE),
        ([{"type": "summary", "summary": "x"}], Shape.AUTO),
        ([{"role": "user", "content": [{"type": ["odd"], "text": "x"}]}], Shape.ANTHROPIC),
    ],
)
def test_the_first_telling_row_names_the_shape(rows: list[object], shape: Shape) -> None:
    assert read(*rows).report.shape is shape


def test_forced_openai_keeps_a_block_list_as_serialised_text() -> None:
    (event,) = read(THINKS, shape=Shape.OPENAI).events
    assert json.loads(event.content) == THINKS["content"]
    assert (event.tool_calls, event.reasoning, event.modality) == ((), "", "structured")


def test_forced_shape_is_the_one_reported() -> None:
    assert read(CALLS, shape=Shape.ANTHROPIC).report.shape is Shape.ANTHROPIC


def test_both_shapes_give_the_same_call_and_reasoning() -> None:
    (openai,), (anthropic,) = read(CALLS).events, read(THINKS).events
    assert openai == anthropic
    assert openai.tool_calls[0].arguments == '{"a":2,"b":1}'


def test_metadata_and_unknown_roles_give_no_event_and_are_counted() -> None:
    parsed = read(
        {"_type": "metadata", "role": "user", "content": "no"},
        {"role": "critic", "content": "no"},
        {"role": None, "content": "no"},
        {"role": "system", "content": "rules"},
        {"role": "developer", "content": "more"},
        {"role": "file", "content": "a.py"},
    )
    assert said(parsed) == [("system", "rules"), ("system", "more"), ("file", "a.py")]
    assert (parsed.report.metadata_lines, parsed.report.unknown_roles) == (1, 2)
    assert parsed.report.skipped_count == 0


def test_a_garbage_line_costs_only_itself_and_is_reported_by_number() -> None:
    deep = b"[" * 100_000
    data = b"\n".join(
        [b'{"role":"user","content":"a"}', b"{oops", b"[1]", b"", b"7", b'{"a":1}', deep]
    )
    parsed = parse_jsonl([data + b'\n{"role":"user","content":"\\ud83d b"}'])
    assert said(parsed) == [("user", "a"), ("user", "\ufffd b")]
    assert parsed.report.skipped == (
        SkippedLine(2, "not valid JSON"),
        SkippedLine(3, "not a JSON object"),
        SkippedLine(5, "not a JSON object"),
        SkippedLine(6, "no role"),
        SkippedLine(7, "not valid JSON"),
    )
    assert (parsed.report.lines, parsed.report.looks_binary) == (8, False)


def test_content_nested_to_the_limit_costs_only_its_line() -> None:
    levels = [b"[" * n + b"]" * n for n in range(300, 1000, 7)]
    rows = [b'{"role":"user","content":' + nested + b"}\n" for nested in levels]
    parsed = parse_jsonl([*rows, file_of([USER])])
    assert parsed.events[-1].content == "hi"
    assert len(parsed.events) + parsed.report.skipped_count == len(levels) + 1


def test_all_text_is_valid_utf8() -> None:
    lone = "x\ud800"
    row = {
        "role": "assistant",
        "name": lone,
        "uuid": lone,
        "content": [
            {"type": "text", "text": lone},
            {"type": "thinking", "thinking": lone},
            {"type": "tool_use", "id": lone, "name": lone, "input": {lone: lone}},
            {"type": "tool_result", "tool_use_id": lone, "content": lone},
        ],
    }
    for event in read(row).events:
        assert "\ufffd" in repr(event).encode("utf-8").decode()
        assert "\\ud800" not in repr(event)


def test_a_line_in_another_encoding_is_left_out_and_not_guessed_at() -> None:
    gbk = '{"role":"user","content":"我对花生过敏"}\n'.encode("gbk")
    parsed = parse_jsonl([gbk + b'{"role":"user","content":"a"}'])
    assert said(parsed) == [("user", "a")]
    assert parsed.report.skipped == (SkippedLine(1, "not UTF-8 text"),)


def test_crlf_bom_and_a_missing_last_line_ending() -> None:
    data = b'\xef\xbb\xbf{"role":"user","content":"a"}\r\n\r\n{"role":"user","content":"b"}'
    parsed = parse_jsonl([data])
    assert [(e.content, e.source_line) for e in parsed.events] == [("a", 1), ("b", 3)]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
@pytest.mark.parametrize(("over", "events"), [(0, 3), (1, 2)])
def test_a_line_over_the_limit_is_skipped_and_reported(
    ending: bytes, over: int, events: int
) -> None:
    row = json.dumps(USER).encode()
    padded = row + b" " * (100 + over - len(row))
    parsed = parse_jsonl([ending.join([row, padded, row])], line_bytes_max=100)
    assert len(parsed.events) == events
    assert parsed.report.skipped == (SkippedLine(2, "longer than 100 bytes"),) * over


def test_only_the_current_line_is_held() -> None:
    reader = JsonlReader(line_bytes_max=1000)
    for _ in range(500):
        assert list(reader.feed(b"x" * 1000)) == []
    assert sum(map(len, reader._splitter._held)) <= 1004


def test_the_list_of_skipped_lines_is_bounded_and_the_count_is_not() -> None:
    reader = JsonlReader(skipped_lines_max=2)
    list(reader.feed(b"bad\n" * 5))
    assert (len(reader.report().skipped), reader.report().skipped_count) == (2, 5)


@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (b"", False),
        (b"\n\n", False),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", True),
        (b"just some\nplain text\n", True),
        (b"\x00\n42\n", True),
        (file_of([USER]) + b"\x00" * 64, False),
        (b"[1]\n", False),
        (b"{}\nplain", False),
    ],
)
def test_a_binary_file_can_be_told(data: bytes, binary: bool) -> None:
    assert parse_jsonl([data]).report.looks_binary is binary


def test_events_of_one_time_are_all_kept_and_told_apart() -> None:
    rows = [{"role": "user", "content": "same", "timestamp": 1_718_000_000}] * 3
    events = read(*rows).events
    assert [event.source_line for event in events] == [1, 2, 3]
    assert len({event.event_time for event in events}) == 1


@pytest.mark.parametrize(
    "row",
    [
        {"role": "tool"},
        {"role": "tool", "name": "", "tool_call_id": None, "content": ""},
        {"role": "tool", "content": []},
    ],
)
def test_an_empty_tool_row_is_kept(row: dict[str, object]) -> None:
    (event,) = read(row).events
    assert event == SourceEvent(role=Role.TOOL, content="", source_line=1)


json_rows = st.lists(
    st.one_of(
        st.sampled_from([USER, CALLS, THINKS, ANSWERED, {"_type": "metadata"}]),
        st.fixed_dictionaries({"role": st.sampled_from(Role), "content": st.text()}),
        st.integers(),
    ).map(lambda row: json.dumps(row, ensure_ascii=False).encode("utf-8", "replace")),
    max_size=8,
)


@given(
    rows=json_rows,
    ending=st.sampled_from([b"\n", b"\r\n"]),
    bom=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    cuts=st.lists(st.integers(0, 2000), max_size=20),
    line_bytes_max=st.sampled_from([40, 10_000]),
)
def test_where_the_chunks_are_cut_makes_no_difference(
    rows: list[bytes], ending: bytes, bom: bytes, cuts: list[int], line_bytes_max: int
) -> None:
    data = bom + ending.join(rows)
    bounds = [0, *sorted(cuts), len(data)]
    chunks = [data[a:b] for a, b in pairwise(bounds) if a <= b]
    whole = parse_jsonl([data], line_bytes_max=line_bytes_max)
    assert parse_jsonl(chunks, line_bytes_max=line_bytes_max) == whole
    bytewise = (data[i : i + 1] for i in range(len(data)))
    assert parse_jsonl(bytewise, line_bytes_max=line_bytes_max) == whole


@given(data=st.binary(max_size=300), cut=st.integers(0, 300))
def test_any_bytes_are_read_without_failing(data: bytes, cut: int) -> None:
    assert parse_jsonl([data[:cut], data[cut:]]) == parse_jsonl([data])


@given(rows=json_rows, more=json_rows)
def test_a_file_that_grew_begins_with_the_events_it_had(
    rows: list[bytes], more: list[bytes]
) -> None:
    before = parse_jsonl([row + b"\n" for row in rows]).events
    after = parse_jsonl([row + b"\n" for row in rows + more]).events
    assert after[: len(before)] == before
