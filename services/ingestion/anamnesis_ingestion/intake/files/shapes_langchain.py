"""LangChain's messages: as `messages_to_dict` writes them, as `dumps` does, and as plain fields.

    {"type": "human", "data": {"content": "Hi"}}
    {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "HumanMessage"],
     "kwargs": {"content": "Hi"}}
    {"type": "ai", "content": "Hello"}

They carry no time.
"""

from collections.abc import Mapping
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import (
    Row,
    head_of,
    object_field,
    objects_in,
    role_of,
    text_field,
)
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.files.shapes_openai import read_openai
from anamnesis_ingestion.intake.outcomes import UNKNOWN_ROLE, LineOutcome
from anamnesis_ingestion.model import Role

_ROLES = {
    "human": Role.USER,
    "ai": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_OF_CLAUDE_CODE = frozenset({"sessionId", "uuid", "subtype"})
_OTHER = frozenset({"chat", "remove"})
_CALL_BLOCKS = frozenset({"tool_use", "tool_call"})


def is_langchain(row: Row) -> bool:
    """True if the row is a message in one of the three forms."""
    if not row.keys().isdisjoint(_OF_CLAUDE_CODE) or _kind(row) not in {*_ROLES, *_OTHER}:
        return False
    if row.get("type") == "constructor" or isinstance(row.get("data"), Mapping):
        return True
    return "content" in row and ("role" not in row or _kind(row) == "chat")


class LangChainMessages:
    """Reads messages, each by itself."""

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of one message; `line` counts from 1."""
        message = object_field(row, "data") or object_field(row, "kwargs") or row
        kind = _kind(row)
        role = role_of(message) if kind == "chat" else _ROLES.get(kind)
        if role is None:
            return UNKNOWN_ROLE
        head = replace(head_of(message, role, line), source_id=text_field(message, "id"))
        content = message.get("content")
        blocks = isinstance(content, list)
        plain = {**message, "tool_calls": [] if blocks and _has_calls(message) else _calls(message)}
        events = (read_anthropic if blocks else read_openai)(plain, head)
        failed = role is Role.TOOL and message.get("status") == "error"
        return LineOutcome(tuple(replace(event, failed=event.failed or failed) for event in events))


def _kind(row: Row) -> str:
    """Return "human" of {"type": "human"}, and of a HumanMessage or HumanMessageChunk."""
    path = row.get("id")
    dumped = row.get("type") == "constructor" and isinstance(path, list) and path
    name = str(path[-1]) if dumped and isinstance(path, list) else text_field(row, "type")
    return name.removesuffix("Chunk").removesuffix("Message").lower()


def _has_calls(message: Row) -> bool:
    return any(block.get("type") in _CALL_BLOCKS for block in objects_in(message, "content"))


def _calls(message: Row) -> list[Row]:
    """Return the calls in OpenAI's words; those of `additional_kwargs` are in them already."""
    calls = objects_in(message, "tool_calls")
    if calls:
        return [
            {
                "id": call.get("id"),
                "function": {"name": call.get("name"), "arguments": call.get("args")},
            }
            for call in calls
        ]
    return objects_in(object_field(message, "additional_kwargs") or {}, "tool_calls")
