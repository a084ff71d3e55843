"""OpenAI rows: one row, one event.

Content is a string; tool calls and reasoning lie beside it. Content of another type is kept as
serialised text rather than refused, so that a tool row that holds an object loses nothing.
Surrounding white space is no part of a message: the same words give the same event, and the same
fingerprint, whichever shape carried them.
"""

from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import (
    Row,
    canonical_json,
    text_field,
    tool_calls_of,
    valid_text,
)
from anamnesis_ingestion.model import SourceEvent


def read_openai(row: Row, head: SourceEvent) -> tuple[SourceEvent, ...]:
    """Return the row's one event, `head` completed; a block list is serialised, not expanded."""
    content = row.get("content")
    spoken = beside_content(row, head)
    if content is None or isinstance(content, str):
        return (replace(spoken, content=valid_text(content or "").strip()),)
    return (replace(spoken, content=canonical_json(content), modality="structured"),)


def beside_content(row: Row, head: SourceEvent) -> SourceEvent:
    """Return `head` with what a row says outside its content: calls, call id, reasoning."""
    return replace(
        head,
        tool_calls=tool_calls_of(row),
        tool_call_id=text_field(row, "tool_call_id"),
        reasoning=text_field(row, "reasoning_content", "reasoning").strip(),
        stop_reason=text_field(row, "finish_reason", "stop_reason"),
    )
