"""One JSON object of a session file, read without trust.

A row's fields may be missing or of any type; each function here answers with the empty value of
its own type instead of failing. All text that leaves this file is valid UTF-8.
"""

import json
import re
from collections.abc import Mapping

from anamnesis_ingestion.intake.files.times import event_time_of
from anamnesis_ingestion.model import Role, SourceEvent, ToolCall

Row = Mapping[str, object]

_ROLES = {role.value: role for role in Role} | {"developer": Role.SYSTEM}
_SESSION_KEYS = ("session_id", "sessionId", "conversation_id")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def valid_text(text: str) -> str:
    """Return `text` with each lone surrogate replaced by U+FFFD."""
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def canonical_json(value: object) -> str:
    """Return `value` as compact JSON with sorted keys: equal values give equal text."""
    dumped = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return valid_text(dumped)


def canonical_arguments(arguments: object) -> str:
    """Return tool arguments as canonical JSON; text that holds JSON is parsed first.

    Text that is not JSON (a call cut off half-way) becomes a JSON string, so that nothing is lost.
    """
    if not isinstance(arguments, str):
        return canonical_json({} if arguments is None else arguments)
    try:
        return canonical_json(json.loads(arguments or "{}"))
    except (ValueError, RecursionError):
        return canonical_json(arguments)


def text_field(row: Row, *keys: str) -> str:
    """Return the first of `keys` that holds non-empty text, or ""."""
    for key in keys:
        value = row.get(key)
        if isinstance(value, str) and value:
            return valid_text(value)
    return ""


def object_field(row: Row, key: str) -> Row | None:
    """Return the object under `key`, or None where there is no object."""
    value = row.get(key)
    return value if isinstance(value, Mapping) else None


def objects_in(row: Row, key: str) -> list[Row]:
    """Return the objects of the list under `key`; none where there is no list."""
    held = row.get(key)
    return [each for each in held if isinstance(each, Mapping)] if isinstance(held, list) else []


def role_of(row: Row) -> Role | None:
    """Return the row's role, None if it is not one we know; `developer` counts as system."""
    role = row.get("role")
    return _ROLES.get(role) if isinstance(role, str) else None


def session_id_of(row: Row) -> str | None:
    """Return the session that a row names, None where it names none."""
    return text_field(row, *_SESSION_KEYS) or None


def head_of(row: Row, role: Role, line: int) -> SourceEvent:
    """Return the event of the row without its content."""
    return SourceEvent(
        role=role,
        content="",
        source_line=line,
        name=text_field(row, "name"),
        event_time=event_time_of(row),
        source_id=text_field(row, "uuid"),
        session_id=session_id_of(row),
    )


def tool_calls_of(row: Row) -> tuple[ToolCall, ...]:
    """Return the calls under `tool_calls` (or the older `function_call`), in order."""
    listed = row.get("tool_calls")
    entries = listed if isinstance(listed, list) else [row.get("function_call")]
    return tuple(_tool_call(entry) for entry in entries if isinstance(entry, Mapping))


def _tool_call(entry: Row) -> ToolCall:
    function = object_field(entry, "function") or entry
    return ToolCall(
        call_id=text_field(entry, "id"),
        name=text_field(function, "name"),
        arguments=canonical_arguments(function.get("arguments")),
    )
