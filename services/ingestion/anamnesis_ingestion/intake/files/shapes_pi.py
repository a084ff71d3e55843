"""Session files of pi and OpenClaw: a header, then entries around messages.

    {"type": "session", "id": "4711", "cwd": "/src"}
    {"type": "message", "timestamp": "...", "message": {"role": "user", "content": [...]}}

Rules of this file:
- The header names the session of the lines below it.
- The roles are `user`, `assistant`, `toolResult`, and `bashExecution` for a command that the
  person ran, which is the tool's event: its output is nobody's words.
- Summaries of a compaction, or of a branch that was left, retell what is in the file.
- What an extension slipped in (`custom_message`) has the system's role.
- Entries form a tree in newer files. All branches are read, in the order of the file: what was
  said on a branch that was left was said.
"""

from collections.abc import Mapping
from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import Row, head_of, object_field, text_field
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.files.shapes_openai import read_openai
from anamnesis_ingestion.intake.files.times import event_time_of
from anamnesis_ingestion.intake.outcomes import COMPACTION, METADATA, UNKNOWN_ROLE, LineOutcome
from anamnesis_ingestion.model import Role, SourceEvent

_ENTRIES = frozenset({"compaction", "branch_summary", "custom_message"})
_SPEAKERS = {
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "custom": Role.SYSTEM,
    "hookMessage": Role.SYSTEM,
}


def is_pi(row: Row) -> bool:
    """True if the row is a header or an entry of a pi session."""
    kind = row.get("type")
    if kind == "message":
        return isinstance(row.get("message"), Mapping)
    if kind == "session":
        return isinstance(row.get("id"), str) and "sessionId" not in row
    return kind in _ENTRIES and "sessionId" not in row


class PiLines:
    """Reads entries; remembers the session that the header named."""

    def __init__(self) -> None:
        self._session_id: str | None = None

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of one entry; `line` counts from 1."""
        match row["type"]:
            case "session":
                self._session_id = text_field(row, "id") or None
                return METADATA
            case "compaction" | "branch_summary":
                return COMPACTION
        message = object_field(row, "message")
        if message is None:
            message = {"role": "custom", "content": row.get("content")}
        return _read_message(message, self._head(row, message, line))

    def _head(self, row: Row, message: Row, line: int) -> SourceEvent:
        head = head_of(row, Role.USER, line)
        return replace(
            head,
            event_time=head.event_time or event_time_of(message),
            source_id=text_field(row, "id"),
            session_id=self._session_id,
        )


def _read_message(message: Row, head: SourceEvent) -> LineOutcome:
    role = text_field(message, "role")
    if role in ("compactionSummary", "branchSummary"):
        return COMPACTION
    if role == "toolResult":
        return LineOutcome((_tool_result(message, head),))
    if role == "bashExecution":
        return LineOutcome((_command(message, head),))
    if role not in _SPEAKERS:
        return UNKNOWN_ROLE
    head = replace(head, role=_SPEAKERS[role])
    content = message.get("content")
    if not isinstance(content, list):
        return LineOutcome(read_openai({"content": content}, head))
    events = read_anthropic({"content": [_block(block) for block in content]}, head)
    return LineOutcome(
        tuple(replace(e, stop_reason=text_field(message, "stopReason")) for e in events)
    )


def _block(block: object) -> object:
    """Return a block in Anthropic's words; only calls are written differently."""
    if not isinstance(block, Mapping) or block.get("type") != "toolCall":
        return block
    return {**block, "type": "tool_use", "input": block.get("arguments")}


def _tool_result(message: Row, head: SourceEvent) -> SourceEvent:
    block = {
        "type": "tool_result",
        "tool_use_id": message.get("toolCallId"),
        "content": message.get("content"),
        "is_error": message.get("isError"),
    }
    (answer,) = read_anthropic({"content": [block]}, head)
    return replace(answer, name=text_field(message, "toolName"))


def _command(message: Row, head: SourceEvent) -> SourceEvent:
    (ran,) = read_openai({"content": message.get("output")}, replace(head, role=Role.TOOL))
    command = " ".join(text_field(message, "command").split())
    return replace(ran, name=f"bash: {command}"[:160], failed=bool(message.get("exitCode")))
