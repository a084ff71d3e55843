"""Rows for training: messages as given, or with tools as text; answers stay with their calls."""

import json
from dataclasses import replace

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall
from anamnesis_ingestion.trajectory.sft import SftOptions, sft_row

ASK = LedgerEvent(role=Role.USER, content="List both folders.", index=0)
CALLS = LedgerEvent(
    role=Role.ASSISTANT,
    content="Looking.",
    index=1,
    reasoning="Two calls.",
    tool_calls=(ToolCall("c1", "ls", '{"path":"a"}'), ToolCall("c2", "ls", '{"path":"b"}')),
)
FIRST = LedgerEvent(role=Role.TOOL, content="x.txt", index=2, tool_call_id="c1", name="ls")
EMPTY = LedgerEvent(role=Role.TOOL, content="", index=3)
ANSWER = LedgerEvent(role=Role.ASSISTANT, content="a has x.txt, b is empty.", index=4)
SEGMENT = (ASK, CALLS, FIRST, EMPTY, ANSWER)


def test_messages_have_the_shape_of_openai_with_tool_calls_as_given() -> None:
    row = sft_row(SEGMENT, "folders")
    assert json.loads(row.as_json()) == {
        "messages": [
            {"role": "user", "content": "List both folders."},
            {
                "role": "assistant",
                "content": "Looking.",
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "ls", "arguments": '{"path":"a"}'},
                    },
                    {
                        "id": "c2",
                        "type": "function",
                        "function": {"name": "ls", "arguments": '{"path":"b"}'},
                    },
                ],
            },
            {"role": "tool", "content": "x.txt", "name": "ls", "tool_call_id": "c1"},
            {"role": "tool", "content": "", "tool_call_id": "c2"},
            {"role": "assistant", "content": "a has x.txt, b is empty."},
        ],
        "topic": "folders",
    }


def test_tools_can_become_text() -> None:
    row = sft_row(SEGMENT, "folders", SftOptions(tools_as_text=True))
    assert [message["role"] for message in row.messages] == [
        "user",
        "assistant",
        "user",
        "assistant",
    ]
    calls, answers = row.messages[1:3]
    assert calls["content"] == (
        'Looking.\n<tool_call>\n{"name": "ls", "arguments": {"path":"a"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "ls", "arguments": {"path":"b"}}\n</tool_call>'
    )
    assert answers["content"] == (
        "<tool_response>\nx.txt\n</tool_response>\n<tool_response>\n\n</tool_response>"
    )
    assert all(message.keys() == {"role", "content"} for message in row.messages)


def test_reasoning_is_a_field_of_its_own_and_only_where_it_is_wanted() -> None:
    with_it = sft_row(SEGMENT, "", SftOptions(reasoning=True)).messages
    assert [message.get("reasoning_content") for message in with_it] == [
        *(None, "Two calls.", None, None, None)
    ]
    assert "Two calls." not in sft_row(SEGMENT, "").as_json()
    as_text = sft_row(SEGMENT, "", SftOptions(tools_as_text=True, reasoning=True)).messages
    assert as_text[1]["reasoning_content"] == "Two calls."


def test_what_carries_nothing_is_left_out() -> None:
    silent = LedgerEvent(role=Role.ASSISTANT, content="", index=5)
    row = sft_row((ASK, silent, replace(EMPTY, index=6), ANSWER), "")
    assert [message["role"] for message in row.messages] == ["user", "assistant"]


def test_an_answer_that_belongs_to_no_call_keeps_what_it_has() -> None:
    stray = replace(FIRST, tool_call_id="c9")
    (message,) = sft_row((stray,), "").messages
    assert (message["content"], message["tool_call_id"]) == ("x.txt", "c9")


def test_a_file_that_was_handed_over_is_of_the_user() -> None:
    (message,) = sft_row((LedgerEvent(role=Role.FILE, content="text", name="a.md"),), "").messages
    assert message == {"role": "user", "content": "text"}, "a place in a file is no user's name"


def test_other_scripts_are_written_as_they_are() -> None:
    row = sft_row((replace(ASK, content="你好"),), "问候")
    assert row.as_json() == '{"messages": [{"role": "user", "content": "你好"}], "topic": "问候"}'
