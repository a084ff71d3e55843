"""ShareGPT's conversations: turns of `from` and `value`.

    {"id": "4711", "conversations": [{"from": "human", "value": "Hi"}, ...]}

A conversation a line or a list's element, or one that is a document of its own; without an id it
is named by its place in the file. A list of turns alone is one conversation. No turn has a time.
"""

import json
from collections.abc import Mapping
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import (
    Row,
    canonical_arguments,
    head_of,
    objects_in,
    text_field,
)
from anamnesis_ingestion.intake.files.shapes_openai import read_openai
from anamnesis_ingestion.intake.outcomes import METADATA, UNKNOWN_ROLE, LineOutcome
from anamnesis_ingestion.model import Role, SourceEvent, ToolCall

_LISTS = ("conversations", "conversation")
_ROLES = {
    "human": Role.USER,
    "user": Role.USER,
    "gpt": Role.ASSISTANT,
    "assistant": Role.ASSISTANT,
    "chatgpt": Role.ASSISTANT,
    "bing": Role.ASSISTANT,
    "bard": Role.ASSISTANT,
    "model": Role.ASSISTANT,
    "function_call": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
    "observation": Role.TOOL,
    "function_response": Role.TOOL,
}


def is_sharegpt(row: Row) -> bool:
    """True if the row is a conversation, or one turn."""
    if "role" in row:
        return False
    return _is_turn(row) or any(map(_is_turn, _turns(row)[:1]))


class ShareGptConversations:
    """Reads conversations and turns, each by itself."""

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of what stands at `line`, from 1."""
        if _is_turn(row):
            turn = _event(row, line)
            return LineOutcome((turn,)) if turn else UNKNOWN_ROLE
        session_id = text_field(row, "id") or None
        told = [{"from": "system", "value": row["system"]}] if text_field(row, "system") else []
        turns = [_event(turn, at) for at, turn in enumerate([*told, *_turns(row)], start=1)]
        events = tuple(
            replace(event, session_id=session_id, conversation=line) for event in turns if event
        )
        return LineOutcome(events) if events else METADATA


def _turns(row: Row) -> list[Row]:
    return next((turns for key in _LISTS if (turns := objects_in(row, key))), [])


def _is_turn(row: Row) -> bool:
    return isinstance(row.get("from"), str) and "value" in row


def _event(turn: Row, number: int) -> SourceEvent | None:
    speaker = text_field(turn, "from").lower()
    role = _ROLES.get(speaker)
    if role is None:
        return None
    head = head_of(turn, role, number)
    call = _call(text_field(turn, "value")) if speaker == "function_call" else None
    if call:
        return replace(head, tool_calls=(call,))
    return read_openai({"content": turn.get("value")}, head)[0]


def _call(value: str) -> ToolCall | None:
    try:
        held = json.loads(value)
    except (ValueError, RecursionError):
        return None
    if not isinstance(held, Mapping) or not text_field(held, "name"):
        return None
    return ToolCall("", text_field(held, "name"), canonical_arguments(held.get("arguments")))
