"""Rollouts of Codex: the items of a conversation, in newer files with an envelope around each.

    {"timestamp": "...", "type": "session_meta", "payload": {"id": "4711", ...}}
    {"timestamp": "...", "type": "response_item", "payload": {"type": "message", ...}}

Older files have a header without a type, `{"id": ..., "timestamp": ..., "instructions": ...}`, and
the items bare, without a time of their own.

Rules of this file:
- The first header names the session: a resumed one repeats the headers of those before.
- `event_msg` lines tell the same turns once more, for the screen; `compacted` retells them.
- What the tool put under the user's name (instructions of the project, the environment) has the
  system's role. It stands between tags, or is the text of an AGENTS.md.
- A call failed if its result has an exit code other than 0, or says that it had no success.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import (
    Row,
    canonical_arguments,
    canonical_json,
    head_of,
    object_field,
    objects_in,
    role_of,
    text_field,
)
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.files.shapes_openai import read_openai
from anamnesis_ingestion.intake.files.times import event_time_of
from anamnesis_ingestion.intake.outcomes import COMPACTION, METADATA, UNKNOWN_ROLE, LineOutcome
from anamnesis_ingestion.model import Role, SourceEvent, ToolCall

_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_TEXT_BLOCKS = frozenset({"input_text", "output_text"})
_INJECTED = re.compile(
    r"\s*(?:<([A-Za-z_][\w-]*)>.*</\1>\s*\Z|# AGENTS\.md instructions\b)", re.DOTALL
)
_EXIT_CODE = re.compile(r"(?:\A|\n)(?:Exit code:|Process exited with code) (-?\d+)")
_HEAD_CHARS = 400


def is_codex(row: Row) -> bool:
    """True if the row is an envelope, an item, or a header of a rollout."""
    kind = row.get("type")
    if kind in _ENVELOPES:
        return isinstance(row.get("payload"), Mapping)
    if kind == "message":
        return "role" in row and _has_text_blocks(row)
    if kind is None:
        return "record_type" in row or _is_old_header(row)
    return kind in _ITEMS and "role" not in row and "sessionId" not in row


class CodexLines:
    """Reads rollout lines; remembers the session, and the time of an old header."""

    def __init__(self) -> None:
        self._session_id: str | None = None
        self._began: SourceEvent | None = None

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of one line; `line` counts from 1."""
        head = head_of(row, Role.ASSISTANT, line)
        match row.get("type"):
            case "session_meta":
                return self._begin(object_field(row, "payload") or {}, head)
            case "event_msg" | "turn_context":
                return METADATA
            case "compacted":
                return COMPACTION
            case "response_item":
                return self._item(object_field(row, "payload") or {}, head)
            case None:
                return self._begin(row, head)
        return self._item(row, head)

    def _begin(self, header: Row, head: SourceEvent) -> LineOutcome:
        if self._session_id is None and text_field(header, "id"):
            self._session_id = text_field(header, "id")
            self._began = replace(head, event_time=head.event_time or event_time_of(header))
        return METADATA

    def _item(self, item: Row, head: SourceEvent) -> LineOutcome:
        began = self._began.event_time if self._began else None
        head = replace(
            head, session_id=self._session_id, event_time=head.event_time or began, name=""
        )
        read = _ITEMS.get(text_field(item, "type"))
        return read(item, head) if read else METADATA


def _message(item: Row, head: SourceEvent) -> LineOutcome:
    role = role_of(item)
    if role is None:
        return UNKNOWN_ROLE
    content = item.get("content")
    blocks = content if isinstance(content, list) else [content]
    injected = [each for each in blocks if role is Role.USER and _is_injected(each)]
    spoken = [each for each in blocks if each not in injected]
    told = read_anthropic({"content": injected}, replace(head, role=Role.SYSTEM))
    said = read_anthropic({"content": spoken}, replace(head, role=role))
    return LineOutcome((*(told if injected else ()), *(said if spoken or not injected else ())))


def _reasoning(item: Row, head: SourceEvent) -> LineOutcome:
    texts = [text_field(each, "text") for each in objects_in(item, "summary")]
    thoughts = "\n".join(filter(None, texts)).strip()
    return LineOutcome((replace(head, reasoning=thoughts),)) if thoughts else METADATA


def _call(item: Row, head: SourceEvent) -> LineOutcome:
    asked = item.get("arguments", item.get("input", item.get("action")))
    call = ToolCall(
        call_id=text_field(item, "call_id", "id"),
        name=text_field(item, "name") or text_field(item, "type").removesuffix("_call"),
        arguments=canonical_arguments(asked),
    )
    return LineOutcome((replace(head, tool_calls=(call,)),))


def _answer(item: Row, head: SourceEvent) -> LineOutcome:
    text, failed = _output(item.get("output"))
    (answer,) = read_openai({"content": text}, replace(head, role=Role.TOOL))
    return LineOutcome((replace(answer, tool_call_id=text_field(item, "call_id"), failed=failed),))


def _output(output: object) -> tuple[str, bool]:
    """Return the text of a call's answer, and true if the call failed."""
    held: object = output
    if isinstance(output, str) and output.startswith("{"):
        try:
            held = json.loads(output)
        except (ValueError, RecursionError):
            held = output
    if isinstance(held, Mapping) and ("output" in held or "content" in held):
        metadata = object_field(held, "metadata") or {}
        text = text_field(held, "output", "content")
        return text, bool(metadata.get("exit_code")) or held.get("success") is False
    if isinstance(output, list):
        texts = [text_field(each, "text") for each in output if isinstance(each, Mapping)]
        output = "\n".join(filter(None, texts))
    text = output if isinstance(output, str) else canonical_json(output)
    code = _EXIT_CODE.search(text[:_HEAD_CHARS])
    return text, code is not None and code[1] != "0"


_ITEMS: Mapping[str, Callable[[Row, SourceEvent], LineOutcome]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": _call,
    "custom_tool_call": _call,
    "local_shell_call": _call,
    "web_search_call": _call,
    "function_call_output": _answer,
    "custom_tool_call_output": _answer,
    "local_shell_call_output": _answer,
}


def _has_text_blocks(row: Row) -> bool:
    content = row.get("content")
    blocks = content if isinstance(content, list) else ()
    return any(isinstance(each, Mapping) and each.get("type") in _TEXT_BLOCKS for each in blocks)


def _is_old_header(row: Row) -> bool:
    return (
        "role" not in row
        and {"id", "timestamp"} <= row.keys()
        and ("instructions" in row or "git" in row)
    )


def _is_injected(block: object) -> bool:
    text = text_field(block, "text") if isinstance(block, Mapping) else block
    return isinstance(text, str) and _INJECTED.match(text) is not None
