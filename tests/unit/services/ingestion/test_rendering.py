"""What of an event a model reads."""

import pytest

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, ToolCall
from anamnesis_ingestion.rendering import body, line

CALLS = (ToolCall("c1", "ls", '{"path":"."}'), ToolCall("c2", "pwd", "{}"))


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (LedgerEvent(role=Role.USER, content="hi", name="Ann"), "user Ann: hi"),
        (
            LedgerEvent(role=Role.ASSISTANT, content="Looking.", tool_calls=CALLS),
            'assistant: Looking.\n-> ls({"path":"."})\n-> pwd({})',
        ),
        (
            LedgerEvent(role=Role.ASSISTANT, content="", tool_calls=CALLS[1:]),
            "assistant: -> pwd({})",
        ),
        (LedgerEvent(role=Role.ASSISTANT, content="Yes.", reasoning="Secret."), "assistant: Yes."),
        (LedgerEvent(role=Role.ASSISTANT, content="", reasoning="Secret."), ""),
        (LedgerEvent(role=Role.TOOL, content=""), ""),
        (LedgerEvent(role=Role.TOOL, content="", tool_call_id="c1"), "tool:"),
        (LedgerEvent(role=Role.TOOL, content="", name="ls"), "tool ls:"),
    ],
)
def test_a_body_is_what_was_said_and_done(event: LedgerEvent, expected: str) -> None:
    assert body(event) == expected


def test_an_empty_body_keeps_its_number() -> None:
    assert line(7, "") == "[7]"
