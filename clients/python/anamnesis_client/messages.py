"""Messages as chat APIs have them, read into events.

A message is a mapping with `role` and `content`, and where it has them `name`, `time`,
`tool_calls`, `tool_call_id` and `reasoning`. Its time may stand under any of `TIME_KEYS`, as in
files that are ingested. Content in parts keeps its texts; other parts are named in their place,
e.g. "[image_url]". Keys that are not known are passed over.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime

from anamnesis.memory.v1.event_pb2 import Event, Role, ToolCall
from anamnesis_client.errors import FieldViolation, InvalidArgument
from anamnesis_client.times import offset_minutes, timestamp
from anamnesis_client.words import value_of

Message = Mapping[str, object]

_OTHER_ROLES = {"developer": "system", "function": "tool", "human": "user", "ai": "assistant"}
TIME_KEYS = ("time", "timestamp", "created_at", "create_time", "event_time", "date")
"""The names of a message's time; the first that is there counts."""
_TIMES = (datetime, date, str, float, int)


def events_of(messages: Iterable[Message], time_zone: str = "") -> list[Event]:
    """The events of messages, in order; their times are of a zone where they name no offset.

    Raises:
        InvalidArgument: a message is no message; the violation names it by its place.
    """
    if isinstance(messages, str | Mapping):
        raise _invalid("messages", "give a list of messages, [{'role': ..., 'content': ...}]")
    return [
        _event_of(message, f"messages[{place}]", time_zone)
        for place, message in enumerate(messages)
    ]


def _event_of(message: Message, place: str, time_zone: str) -> Event:
    if not isinstance(message, Mapping):
        raise _invalid(place, "is no message: give a mapping with role and content")
    role = _text(message, "role")
    if not role:
        raise _invalid(f"{place}.role", "value is required")
    key, time = _time_of(message)
    if time is not None and not isinstance(time, _TIMES):
        raise _invalid(f"{place}.{key}", f"{time!r} is not a time")
    stamp = timestamp(time, f"{place}.{key}")
    return Event(
        role=value_of(Role, _OTHER_ROLES.get(role, role), f"{place}.role"),
        name=_text(message, "name"),
        content=_content(message.get("content")),
        event_time=stamp,
        utc_offset_minutes=offset_minutes(time, time_zone),
        tool_calls=_tool_calls(message),
        tool_call_id=_text(message, "tool_call_id"),
        reasoning=_text(message, "reasoning_content") or _text(message, "reasoning"),
    )


def _time_of(message: Message) -> tuple[str, object]:
    """The time of a message, under the first of the names that files have for it."""
    key = next((one for one in TIME_KEYS if message.get(one) is not None), TIME_KEYS[0])
    return key, message.get(key)


def _content(content: object) -> str:
    """The text of a content: a text, parts of one, or anything else as JSON."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list | tuple):
        return "\n".join(filter(None, map(_part, content)))
    return json.dumps(content, ensure_ascii=False, default=str)


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return str(part)
    return _text(part, "text") or _text(part, "refusal") or f"[{_text(part, 'type') or 'part'}]"


def _tool_calls(message: Message) -> Iterator[ToolCall]:
    listed = message.get("tool_calls")
    for call in listed if isinstance(listed, list | tuple) else ():
        if isinstance(call, Mapping):
            function = call.get("function")
            named = function if isinstance(function, Mapping) else call
            yield ToolCall(
                call_id=_text(call, "id"),
                name=_text(named, "name"),
                arguments=_arguments(named.get("arguments")),
            )


def _arguments(arguments: object) -> str:
    if isinstance(arguments, str):
        return arguments
    return json.dumps(arguments or {}, ensure_ascii=False, default=str)


def _text(message: Message, key: str) -> str:
    value = message.get(key)
    return value if isinstance(value, str) else ""


def _invalid(field: str, description: str) -> InvalidArgument:
    told = FieldViolation(field, description)
    return InvalidArgument("", reason="FIELD_INVALID", violations=(told,))
