"""ChatGPT's export (`conversations.json`): conversations, each a tree of messages.

    [{"conversation_id": "4711", "create_time": 1.7e9, "current_node": "n2", "mapping":
      {"n2": {"message": {"author": {"role": "user"}, ...}, "parent": "n1", "children": []}}}]

Rules of this file:
- Read is the path from the root to `current_node`: what the person sees. Other branches hold
  answers that were generated again, and questions that were written anew.
- An assistant's message to a tool (`recipient`) is a call, and the tool's message below it the
  answer. `thoughts` are reasoning.
- A message without a time has that of the conversation, if none came before it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import (
    Row,
    canonical_arguments,
    head_of,
    object_field,
    objects_in,
    role_of,
    text_field,
)
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.files.times import event_time_of
from anamnesis_ingestion.intake.outcomes import METADATA, LineOutcome
from anamnesis_ingestion.model import Role, SourceEvent, ToolCall

_SILENT = frozenset({"reasoning_recap", "model_editable_context"})
_TEXT_KEYS = ("text", "result", "content", "user_profile", "user_instructions")


def is_chatgpt(row: Row) -> bool:
    """True if the row is a conversation of ChatGPT's export."""
    return isinstance(row.get("mapping"), Mapping)


class ChatGptConversations:
    """Reads conversations, each by itself."""

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of the conversation that stands at `line`, from 1."""
        session_id = text_field(row, "conversation_id", "id") or None
        began = event_time_of(row)
        events: list[SourceEvent] = []
        for number, node in enumerate(_path(row), start=1):
            for event in _events(node, number):
                before = events[-1].event_time if events else began
                events.append(
                    replace(
                        event,
                        session_id=session_id,
                        conversation=line,
                        event_time=event.event_time or before,
                    )
                )
        return LineOutcome(tuple(events)) if events else METADATA


def _path(row: Row) -> list[Row]:
    """Return the nodes from the root to the current one."""
    nodes = object_field(row, "mapping") or {}
    at = text_field(row, "current_node") or _newest_leaf(nodes)
    path: dict[str, Row] = {}
    while at in nodes and at not in path and isinstance(nodes[at], Mapping):
        node = object_field(nodes, at) or {}
        path[at] = node
        at = text_field(node, "parent")
    return list(reversed(path.values()))


def _newest_leaf(nodes: Row) -> str:
    """Return the last node without children; "" where there is none."""
    held = ((key, node) for key, node in nodes.items() if isinstance(node, Mapping))
    return next((key for key, node in reversed(list(held)) if not node.get("children")), "")


def _events(node: Row, number: int) -> Iterator[SourceEvent]:
    message = object_field(node, "message") or {}
    role = role_of(object_field(message, "author") or {})
    content = object_field(message, "content") or {}
    if role is None or text_field(content, "content_type") in _SILENT:
        return
    head = replace(head_of(message, role, number), source_id=text_field(message, "id"))
    text = "\n".join(filter(None, _texts(content))).strip()
    recipient = text_field(message, "recipient") or "all"
    if role is Role.ASSISTANT and recipient != "all":
        call = ToolCall(text_field(message, "id"), recipient, canonical_arguments(text))
        yield replace(head, tool_calls=(call,))
    elif role is Role.TOOL:
        name = text_field(object_field(message, "author") or {}, "name")
        answered = text_field(node, "parent")
        yield replace(head, name=name, content=text, tool_call_id=answered)
    elif thoughts := _thoughts(content):
        yield replace(head, reasoning=thoughts)
    else:
        yield from read_anthropic({"content": [text, *_media(content)]}, head)


def _texts(content: Row) -> Iterator[str]:
    parts = content.get("parts")
    if not isinstance(parts, list):
        yield from (text_field(content, key) for key in _TEXT_KEYS)
        return
    for part in parts:
        if isinstance(part, str | Mapping):
            yield text_field({"text": part} if isinstance(part, str) else part, "text")


def _media(content: Row) -> list[Row]:
    """Return what stands for images and files among the parts."""
    held = [part for part in objects_in(content, "parts") if "asset_pointer" in part]
    return [{"type": _medium(part), "url": text_field(part, "asset_pointer")} for part in held]


def _medium(part: Row) -> str:
    kind = text_field(part, "content_type")
    return next((medium for medium in ("image", "audio") if medium in kind), "file")


def _thoughts(content: Row) -> str:
    thoughts = objects_in(content, "thoughts")
    return "\n".join(text_field(each, "content", "summary") for each in thoughts).strip()
