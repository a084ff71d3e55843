"""Rows to events: OpenAI and Anthropic rows, and the lines of Claude Code."""

import json

import pytest

from anamnesis_ingestion.intake.files.jsonl import parse_jsonl
from anamnesis_ingestion.model import ParsedFile, Role, SourceEvent


def read(*rows: object) -> ParsedFile:
    return parse_jsonl([json.dumps(row).encode() + b"\n" for row in rows])


def events(*rows: object) -> tuple[SourceEvent, ...]:
    return read(*rows).events


def turn(kind: str, content: object, **envelope: object) -> dict[str, object]:
    message = {"role": kind, "content": content}
    return {"type": kind, "message": message, "sessionId": "s1", **envelope}


def test_an_anthropic_user_row_becomes_user_and_tool_events_in_order() -> None:
    result = {
        "type": "tool_result",
        "tool_use_id": "c1",
        "content": [{"type": "text", "text": "r"}],
    }
    text = {"type": "text", "text": "said"}
    first, second = events({"role": "user", "name": "Ann", "content": [text, result]})
    assert (first.role, first.content, first.name) == (Role.USER, "said", "Ann")
    assert (second.role, second.content, second.tool_call_id) == (Role.TOOL, "r", "c1")
    assert second.name == ""
    assert [e.role for e in events({"role": "user", "content": [result, text, result]})] == [
        Role.TOOL,
        Role.USER,
        Role.TOOL,
    ]


def test_an_assistant_row_with_thinking_and_a_call_is_one_event() -> None:
    blocks = [
        {"type": "thinking", "thinking": "hmm"},
        {"type": "tool_use", "id": "c1", "name": "ls", "input": {"path": "."}},
        {"type": "redacted_thinking", "data": "AAAA"},
    ]
    (event,) = events({"role": "assistant", "content": blocks, "stop_reason": "tool_use"})
    assert (event.content, event.reasoning, event.stop_reason) == ("", "hmm", "tool_use")
    assert [(c.call_id, c.name, c.arguments) for c in event.tool_calls] == [
        ("c1", "ls", '{"path":"."}')
    ]


@pytest.mark.parametrize(
    "content",
    [
        "hi",
        "  hi\n",
        [{"type": "text", "text": "  hi  "}],
        ["hi"],
        [{"type": "text", "text": "hi"}],
    ],
)
def test_the_same_words_give_the_identical_event(content: object) -> None:
    assert events({"role": "user", "content": content}) == (
        SourceEvent(role=Role.USER, content="hi", source_line=1),
    )


@pytest.mark.parametrize(
    ("arguments", "canonical"),
    [
        ('{"b": 1, "a": "é"}', '{"a":"é","b":1}'),
        ({"b": 1}, '{"b":1}'),
        ('{"cut off', '"{\\"cut off"'),
        ("", "{}"),
        (None, "{}"),
        ("[" * 5000, json.dumps("[" * 5000)),
    ],
)
def test_tool_arguments_are_canonical_json(arguments: object, canonical: str) -> None:
    call = {"id": "c", "function": {"name": "f", "arguments": arguments}}
    (event,) = events({"role": "assistant", "tool_calls": [call, "broken"]})
    assert [call.arguments for call in event.tool_calls] == [canonical]


def test_the_older_function_call_is_a_tool_call() -> None:
    row = {"role": "assistant", "content": "", "function_call": {"name": "f", "arguments": "{}"}}
    assert [call.name for call in events(row)[0].tool_calls] == ["f"]


@pytest.mark.parametrize(
    ("block", "content", "modality"),
    [
        ({"type": "image", "source": {"type": "base64", "data": "A" * 99}}, "[image]", "image"),
        (
            {"type": "image", "source": {"type": "url", "url": "https://x/a.png"}},
            "[image: https://x/a.png]",
            "image",
        ),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}},
            "[image]",
            "image",
        ),
        (
            {"type": "image_url", "image_url": {"url": "https://x/b"}},
            "[image: https://x/b]",
            "image",
        ),
        ({"type": "input_audio", "input_audio": {"data": "AA"}}, "[audio]", "audio"),
        ({"type": "document", "title": "Lease"}, "[document: Lease]", "structured"),
        (
            {"type": "document", "source": {"type": "text", "data": "whole text"}},
            "whole text",
            "structured",
        ),
        ({"type": "who_knows", "blob": 1}, "", "text"),
        (7, "", "text"),
    ],
)
def test_media_is_named_and_never_copied(block: object, content: str, modality: str) -> None:
    (event,) = events({"role": "user", "content": [block]})
    assert (event.content, event.modality) == (content, modality if content else "text")


def test_text_beside_an_image_is_kept() -> None:
    blocks = [{"type": "text", "text": "look"}, {"type": "image", "source": {}}, "there"]
    (event,) = events({"role": "user", "content": blocks})
    assert (event.content, event.modality) == ("look\n[image]\nthere", "image")


def test_an_object_as_content_is_kept_as_text() -> None:
    (event,) = events({"role": "tool", "tool_call_id": "c", "content": {"b": 1, "a": [2]}})
    assert (event.content, event.modality) == ('{"a":[2],"b":1}', "structured")


@pytest.mark.slow
def test_a_row_of_very_many_blocks_is_read_in_linear_time() -> None:
    blocks = [{"type": "text", "text": "x"}, {"type": "tool_use", "name": "f"}] * 50_000
    (event,) = events({"role": "assistant", "content": blocks})
    assert (len(event.content), len(event.tool_calls)) == (99_999, 50_000)


def test_claude_code_turns_stay_in_order_with_session_id_and_time() -> None:
    parsed = read(
        {"type": "file-history-snapshot", "snapshot": {}},
        turn("user", "do it", uuid="u1", timestamp="2025-06-14T10:00:00Z"),
        {"type": "progress", "sessionId": "s1", "uuid": "p1"},
        turn("assistant", [{"type": "text", "text": "one"}], uuid="u2"),
        turn("assistant", [{"type": "tool_use", "id": "c", "name": "ls"}], uuid="u3"),
        turn("user", [{"type": "tool_result", "tool_use_id": "c", "content": "x"}], uuid="u4"),
    )
    assert [(e.role.value, e.content, e.source_id) for e in parsed.events] == [
        ("user", "do it", "u1"),
        ("assistant", "one", "u2"),
        ("assistant", "", "u3"),
        ("tool", "x", "u4"),
    ]
    assert {(e.session_id, e.parent_session_id) for e in parsed.events} == {("s1", None)}
    assert str(parsed.events[0].event_time) == "2025-06-14 10:00:00+00:00"
    assert parsed.report.metadata_lines == 2


def test_what_nobody_said_is_counted_or_given_to_the_system() -> None:
    parsed = read(
        turn("user", "a summary of before", isCompactSummary=True),
        {"type": "summary", "summary": "title", "leafUuid": "x"},
        {"type": "system", "subtype": "compact_boundary", "content": "compacted"},
        {"type": "system", "subtype": "turn_duration", "durationMs": 7},
        {"type": "system", "content": "hook says no"},
        turn("user", "Caveat: injected", isMeta=True),
        {"type": "user", "message": "error"},
    )
    assert [(e.role.value, e.content) for e in parsed.events] == [
        ("system", "hook says no"),
        ("system", "Caveat: injected"),
    ]
    assert (parsed.report.compaction_summaries, parsed.report.metadata_lines) == (2, 2)
    assert [skipped.line for skipped in parsed.report.skipped] == [7]


@pytest.mark.parametrize(
    ("attachment", "said"),
    [
        ({"type": "queued_command", "commandMode": "prompt", "prompt": "wait"}, ["wait"]),
        (
            {
                "type": "queued_command",
                "commandMode": "prompt",
                "prompt": [{"type": "text", "text": "w"}],
            },
            ["w"],
        ),
        ({"type": "queued_command", "commandMode": "task-notification", "prompt": "done"}, []),
        (
            {
                "type": "queued_command",
                "commandMode": "prompt",
                "prompt": "p",
                "origin": {"kind": "peer"},
            },
            [],
        ),
        ({"type": "hook_success", "content": "ok"}, []),
        (None, []),
    ],
)
def test_a_prompt_typed_while_the_agent_worked_is_a_turn(
    attachment: object, said: list[str]
) -> None:
    row = {"type": "attachment", "attachment": attachment, "sessionId": "s1"}
    assert [(e.role.value, e.content) for e in events(row)] == [("user", text) for text in said]


def queued(operation: str, text: str = "") -> dict[str, object]:
    """A line about the prompts that wait while the agent works."""
    row: dict[str, object] = {"type": "queue-operation", "operation": operation, "sessionId": "s1"}
    return row | ({"content": text} if text else {})


def typed(text: str) -> dict[str, object]:
    """The line by which newer versions tell that the agent was handed a prompt."""
    prompt = {"type": "queued_command", "commandMode": "prompt", "prompt": text}
    return {"type": "attachment", "attachment": prompt, "sessionId": "s1"}


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([queued("enqueue", "tackle them"), queued("remove")], ["tackle them"]),
        ([queued("enqueue", "a"), queued("enqueue", "b"), queued("remove")], ["a"]),
        ([queued("enqueue", "a"), queued("remove"), typed("a")], ["a"]),
        ([queued("enqueue", "a"), typed("a"), queued("remove")], ["a"]),
        ([queued("enqueue", "a"), queued("dequeue"), turn("user", "a")], ["a"]),
        (
            [queued("enqueue", "a"), queued("remove"), turn("user", "a"), turn("user", "a")],
            ["a", "a"],
        ),
        ([queued("enqueue", "a"), queued("popAll"), queued("remove")], []),
        ([queued("enqueue", "a")], []),
        ([queued("enqueue", "<task-notification>done</task-notification>"), queued("remove")], []),
        ([queued("enqueue", "a") | {"sessionId": "s2"}, queued("remove")], []),
        ([queued("enqueue"), queued("remove"), queued("mystery", "a")], []),
    ],
)
def test_a_queued_prompt_is_told_once_when_the_agent_gets_it(
    rows: list[dict[str, object]], said: list[str]
) -> None:
    assert [(event.role.value, event.content) for event in events(*rows)] == [
        ("user", text) for text in said
    ]


def test_who_summarises_a_session_says_nothing_in_it() -> None:
    aside = {"isSidechain": True, "agentId": "acompact-70d8e7"}
    parsed = read(turn("user", "Your task is to create a summary", **aside), turn("user", "go on"))
    assert [event.content for event in parsed.events] == ["go on"]
    assert parsed.report.compaction_summaries == 1


def test_sidechains_are_sessions_of_their_own_linked_to_the_parent() -> None:
    parsed = read(
        turn("user", "main", uuid="m1"),
        turn("user", "sub", uuid="a1", isSidechain=True, agentId="ag7"),
        turn("user", "main", uuid="m2", isSidechain=False),
    )
    assert [(e.session_id, e.parent_session_id) for e in parsed.events] == [
        ("s1", None),
        ("s1.ag7", "s1"),
        ("s1", None),
    ]
    assert (parsed.report.session_id, parsed.report.parent_session_id) == ("s1", None)


def test_a_file_of_one_sidechain_reports_its_parent() -> None:
    report = read(turn("user", "sub", isSidechain=True, agentId="ag7")).report
    assert (report.session_id, report.parent_session_id) == ("s1.ag7", "s1")


def test_interleaved_sidechains_without_agent_ids_are_followed_by_their_parents() -> None:
    lines = [("a1", None), ("b1", None), ("a2", "a1"), ("b2", "b1"), ("a3", "a1"), ("a4", "a2")]
    rows = [
        turn("assistant", "x", uuid=uuid, parentUuid=parent, isSidechain=True)
        for uuid, parent in lines
    ]
    assert [e.session_id for e in events(*rows)] == [f"s1.{uuid[0]}1" for uuid, _ in lines]


def test_sidechain_lines_without_any_id_are_still_kept_apart_from_the_session() -> None:
    (event,) = events({"type": "user", "message": {"content": "x"}, "isSidechain": True})
    assert (event.session_id, event.parent_session_id) == ("sidechain", None)
    assert event.role is Role.SYSTEM, "an agent asks its subagent, not a person"
