"""Claude.ai's export (`conversations.json`): conversations, each with a list of messages.

    [{"uuid": "4711", "name": "...", "chat_messages":
      [{"sender": "human", "text": "...", "content": [...], "created_at": "...", "files": []}]}]

`content` has the blocks of newer exports; `text` is all there is in older ones. What was attached
is the person's message too: its text where the export has it, else a reference.
"""

from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import Row, head_of, objects_in, text_field
from anamnesis_ingestion.intake.files.shapes_anthropic import read_anthropic
from anamnesis_ingestion.intake.outcomes import METADATA, LineOutcome
from anamnesis_ingestion.model import Role, SourceEvent

_SENDERS = {"human": Role.USER, "user": Role.USER, "assistant": Role.ASSISTANT}


def is_claude_ai(row: Row) -> bool:
    """True if the row is a conversation of Claude.ai's export."""
    return isinstance(row.get("chat_messages"), list)


class ClaudeAiConversations:
    """Reads conversations, each by itself."""

    def read(self, row: Row, line: int) -> LineOutcome:
        """Return the events of the conversation that stands at `line`, from 1."""
        session_id = text_field(row, "uuid") or None
        events = [
            replace(event, session_id=session_id, conversation=line)
            for number, message in enumerate(objects_in(row, "chat_messages"), start=1)
            for event in _events(message, number)
        ]
        return LineOutcome(tuple(events)) if events else METADATA


def _events(message: Row, number: int) -> tuple[SourceEvent, ...]:
    role = _SENDERS.get(text_field(message, "sender"))
    if role is None:
        return ()
    head = head_of(message, role, number)
    files = (*_attachments(message), *_files(message))
    events = read_anthropic({"content": [*_blocks(message), *files]}, head)
    return tuple(replace(event, name="") if event.role is role else event for event in events)


def _blocks(message: Row) -> list[Row]:
    blocks = objects_in(message, "content")
    if any(
        text_field(block, "text", "thinking") or block.get("type") != "text" for block in blocks
    ):
        return blocks
    return [{"type": "text", "text": text_field(message, "text")}]


def _attachments(message: Row) -> list[Row]:
    return [
        {"type": "text", "text": text_field(each, "extracted_content")}
        if text_field(each, "extracted_content")
        else {"type": "document", "title": text_field(each, "file_name")}
        for each in objects_in(message, "attachments")
    ]


def _files(message: Row) -> list[Row]:
    files = objects_in(message, "files")
    return [{"type": "document", "title": text_field(each, "file_name")} for each in files]
