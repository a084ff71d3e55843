"""Anthropic rows: content is a list of blocks, and one row may be several events.

Text, reasoning and tool calls of neighbouring blocks are one event of the row's speaker. A tool
result is an event of its own, at its place: what came before it is closed first. The part types
that OpenAI uses for images and audio are read too. Media is never copied into the text: a
reference stands for it where there is one.
"""

from dataclasses import replace

from anamnesis_ingestion.intake.files.rows import (
    Row,
    canonical_arguments,
    canonical_json,
    object_field,
    text_field,
    valid_text,
)
from anamnesis_ingestion.intake.files.shapes_openai import beside_content
from anamnesis_ingestion.model import Role, SourceEvent, ToolCall

_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_MEDIA = {
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "audio": "audio",
    "input_audio": "audio",
    "document": "structured",
    "file": "structured",
    "input_file": "structured",
}


def read_anthropic(row: Row, head: SourceEvent) -> tuple[SourceEvent, ...]:
    """Return the events of a row whose content is a list of blocks, in the order of the blocks.

    A row without any content gives one empty event.
    """
    content = row.get("content")
    turns = _Turns(beside_content(row, head), head)
    for block in content if isinstance(content, list) else ():
        turns.take(block)
    return turns.finish()


class _Turns:
    """Folds blocks into events; the speaker's event stays open until a tool result ends it."""

    def __init__(self, first: SourceEvent, head: SourceEvent) -> None:
        self._first, self._head = first, head
        self._done: list[SourceEvent] = []
        self._open(first)

    def take(self, block: object) -> None:
        """Add one block, of whatever type."""
        kind = text_field(block, "type") if isinstance(block, dict) else ""
        if isinstance(block, dict) and kind == "thinking":
            self._thoughts.append(text_field(block, "thinking").strip())
        elif isinstance(block, dict) and kind in _CALLS:
            self._calls.append(_call(block))
        elif isinstance(block, dict) and kind.endswith("tool_result"):
            self._close()
            self._done.append(_answer(block, self._head))
        else:
            self._pieces.append(_piece(block))

    def finish(self) -> tuple[SourceEvent, ...]:
        """Return the events; at least one, if only an empty one."""
        self._close()
        return tuple(self._done) or (self._first,)

    def _open(self, event: SourceEvent) -> None:
        self._event = event
        self._pieces: list[tuple[str, str]] = []
        self._thoughts: list[str] = [event.reasoning]
        self._calls: list[ToolCall] = list(event.tool_calls)

    def _close(self) -> None:
        content, modality = _joined(self._pieces)
        said = replace(
            self._event,
            content=content,
            modality=modality,
            reasoning="\n".join(filter(None, self._thoughts)),
            tool_calls=tuple(self._calls),
        )
        if said.content or said.reasoning or said.tool_calls:
            self._done.append(said)
            self._open(self._head)


def _call(block: Row) -> ToolCall:
    return ToolCall(
        call_id=text_field(block, "id"),
        name=text_field(block, "name"),
        arguments=canonical_arguments(block.get("input")),
    )


def _answer(block: Row, head: SourceEvent) -> SourceEvent:
    content, modality = _flat(block.get("content"))
    return replace(
        head,
        role=Role.TOOL,
        name="",
        content=content,
        modality=modality,
        tool_call_id=text_field(block, "tool_use_id"),
        failed=block.get("is_error") is True,
    )


def _flat(content: object) -> tuple[str, str]:
    """Return the text and modality of a tool result, which may hold blocks of its own."""
    if content is None or isinstance(content, str):
        return valid_text(content or "").strip(), "text"
    if not isinstance(content, list):
        return canonical_json(content), "structured"
    return _joined([_piece(block) for block in content])


def _joined(pieces: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the pieces as one text, a line apart; the last medium among them is its modality."""
    text = "\n".join(piece for piece, _ in pieces if piece)
    media = [modality for _, modality in pieces if modality != "text"]
    return text, media[-1] if media else "text"


def _piece(block: object) -> tuple[str, str]:
    """Return what one block says, and its modality; ("", "text") if it says nothing."""
    if isinstance(block, str):
        return valid_text(block).strip(), "text"
    if not isinstance(block, dict):
        return "", "text"
    kind = text_field(block, "type")
    if kind in _MEDIA:
        return _media(block, _MEDIA[kind]), _MEDIA[kind]
    return text_field(block, "text", "refusal").strip(), "text"


def _media(block: Row, modality: str) -> str:
    source = object_field(block, "source") or object_field(block, "image_url") or block
    if text_field(source, "type") == "text":
        return text_field(source, "data").strip()
    label = "document" if modality == "structured" else modality
    reference = text_field(source, "url", "file_id", "image_url") or text_field(block, "title")
    # A data: URL is the media itself, in base64.
    return f"[{label}]" if reference[:5] in ("", "data:") else f"[{label}: {reference}]"
