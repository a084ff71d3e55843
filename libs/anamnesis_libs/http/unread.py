"""Where JSON is no message of its rpc: the field, and what may stand there.

`{"user_id": "mara"}`: user_id: SearchRequest has no such field (that is in filter and caller); its
own are namespace, query, ... `{"events": [{"role": "user"}]}`: events[0].role: 'user' is none of
ROLE_USER, ...
"""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

DEPTH_MAX = 20
"""Messages within messages are looked through so far down."""
WRITTEN_CHARS_MAX = 40
_OWN_JSON = "google.protobuf."
"""Messages of this package have a JSON of their own: times, durations, structs."""


class Unread(NamedTuple):
    """A field by its path, and what is wrong with what stands there."""

    field: str
    description: str


def unread(data: bytes, message: str) -> Unread | None:
    """The first name or enum of a JSON object that a message, by its full name, does not have."""
    try:
        held = json.loads(data)
    except ValueError:
        return None
    descriptor = descriptor_pool.Default().FindMessageTypeByName(message)
    return next(_in_message(held, descriptor, "", DEPTH_MAX), None)


def _in_message(held: object, of: Descriptor, path: str, depth: int) -> Iterator[Unread]:
    if not isinstance(held, Mapping) or of.full_name.startswith(_OWN_JSON) or not depth:
        return
    fields = {name: one for one in of.fields for name in (one.name, one.json_name)}
    for name, value in held.items():
        at = f"{path}.{name}".lstrip(".")
        if name not in fields:
            yield Unread(at, _no_field(name, of))
        else:
            yield from _in_field(value, fields[name], at, depth)


def _in_field(value: object, field: FieldDescriptor, at: str, depth: int) -> Iterator[Unread]:
    values = enumerate(value) if field.is_repeated and isinstance(value, list) else None
    places = [(f"{at}[{n}]", one) for n, one in values] if values else [(at, value)]
    for place, one in places:
        if field.enum_type is not None:
            yield from _in_enum(one, field.enum_type, place)
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            yield from _in_message(one, field.message_type, place, depth - 1)


def _in_enum(value: object, of: EnumDescriptor, at: str) -> Iterator[Unread]:
    if isinstance(value, str) and value not in of.values_by_name:
        names = ", ".join(one.name for one in of.values if one.number)
        yield Unread(at, f"'{value[:WRITTEN_CHARS_MAX]}' is none of {names}")


def _no_field(name: str, of: Descriptor) -> str:
    within = (one.json_name for one in of.fields if _has(one.message_type, name))
    holders = " and ".join(within)
    but = f" (that is in {holders})" if holders else ""
    own = ", ".join(one.json_name for one in of.fields)
    return f"{of.name} has no such field{but}; its own are {own}"


def _has(message: Descriptor | None, name: str) -> bool:
    fields = message.fields if message is not None else ()
    return any(name in (one.name, one.json_name) for one in fields)
