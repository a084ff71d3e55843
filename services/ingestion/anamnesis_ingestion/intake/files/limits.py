"""The ledger's limits for one event, checked before the event is sent.

The numbers are those of `protos/anamnesis/memory/v1/event.proto`. One event that breaks a rule
would make the ledger refuse all that are sent with it.
"""

from collections.abc import Iterator

from anamnesis_ingestion.model import Role, SourceEvent, ToolCall

TEXT_BYTES_MAX = 1024 * 1024
NAME_CHARS_MAX = 256
TOOL_CALLS_MAX = 256
INDEX_MAX = 10_000_000

_FRAME_BYTES = 128
"""Roughly what an event or a tool call takes on the wire besides its texts; never less."""


def may_be_stored(role: Role, content: str, *, calls: bool, reasoning: bool) -> bool:
    """True if an event has content, or its role may be silent.

    Tool rows keep their place; an assistant may have said nothing and thought or acted only.
    """
    return bool(content) or role is Role.TOOL or (role is Role.ASSISTANT and (calls or reasoning))


def broken_limit(event: SourceEvent, event_bytes_max: int) -> str:
    """Return which limit the event breaks, in words for its sender; "" if none."""
    found = next(_broken(event), "")
    if not found and size_bytes(event) > event_bytes_max:
        return f"an event longer than {event_bytes_max} bytes in all"
    return found


def size_bytes(event: SourceEvent) -> int:
    """Return an upper bound of the event's size in a message."""
    texts = (event.content, event.reasoning, event.name, event.tool_call_id)
    calls = sum(map(_call_bytes, event.tool_calls))
    return _FRAME_BYTES + sum(map(utf8_bytes, texts)) + calls


def utf8_bytes(text: str) -> int:
    """Return the length of the text in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


def _broken(event: SourceEvent) -> Iterator[str]:
    if utf8_bytes(event.content) > TEXT_BYTES_MAX:
        yield f"content longer than {TEXT_BYTES_MAX} bytes"
    if utf8_bytes(event.reasoning) > TEXT_BYTES_MAX:
        yield f"reasoning longer than {TEXT_BYTES_MAX} bytes"
    if len(event.name) > NAME_CHARS_MAX:
        yield f"a name longer than {NAME_CHARS_MAX} characters"
    if len(event.tool_call_id) > NAME_CHARS_MAX:
        yield f"a tool call id longer than {NAME_CHARS_MAX} characters"
    if len(event.tool_calls) > TOOL_CALLS_MAX:
        yield f"more than {TOOL_CALLS_MAX} tool calls"
    for call in event.tool_calls:
        yield from _broken_by_call(call)


def _broken_by_call(call: ToolCall) -> Iterator[str]:
    if max(len(call.call_id), len(call.name)) > NAME_CHARS_MAX:
        yield f"a tool call with an id or name longer than {NAME_CHARS_MAX} characters"
    if utf8_bytes(call.arguments) > TEXT_BYTES_MAX:
        yield f"tool call arguments longer than {TEXT_BYTES_MAX} bytes"


def _call_bytes(call: ToolCall) -> int:
    return _FRAME_BYTES + sum(map(utf8_bytes, (call.call_id, call.name, call.arguments)))
