"""Requests as somebody would send them, built from descriptors and what answers told before.

A field takes a value that answers gave under its name: `evidence_memory_ids` takes a
`memory_id`. What no answer told takes a few everyday values, within the field's own rules.
"""

import random
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import cast

from google.protobuf.descriptor import FieldDescriptor, OneofDescriptor
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp
from protovalidate import Validator

from anamnesis.buf.validate import validate_pb2
from benchmarks.hostile.contracts import fields_of, is_map

KEPT_MAX = 60
DEPTH_MAX = 6
TRIES_MAX = 12
_FILLED = 0.35
_NOW_S = 1_770_000_000
_TOLD = ("_id", "etag", "revision", "pointer", "incarnation", "name", "tag", "label", "token")
_WORDS = ("copper", "Ada", "harbour", "violin", "Ada likes copper", "a lantern by the orbit")
_IDENTIFIERS = ("ada", "agent-1", "s-1", "project-1")
_TEXT_TYPE, _BYTES_TYPE = FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES
_RULES = Validator()
_FLOATS = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)


class Known:
    """Values by the names of the fields that they came in."""

    def __init__(self) -> None:
        self._values: dict[str, deque[str]] = defaultdict(lambda: deque(maxlen=KEPT_MAX))

    def learn(self, message: Message) -> None:
        """Keep the values of an answer that later requests may name."""
        for field, value in message.ListFields():
            items = value if field.is_repeated else (value,)
            if field.message_type is not None and not is_map(field):
                for item in items:
                    self.learn(item)
            elif field.type == _TEXT_TYPE and field.name.endswith(_TOLD):
                for item in items:
                    self.keep(field.name, item)

    def keep(self, name: str, value: str) -> None:
        """Keep one value."""
        if value and value not in self._values[name]:
            self._values[name].append(value)

    def forget(self) -> None:
        """Forget everything: another namespace follows."""
        self._values.clear()

    def values_for(self, name: str) -> Iterable[str]:
        """Values that a field of this name may hold, by the longest known name it ends with."""
        single = name.removesuffix("s")
        fitting = [known for known in self._values if single.endswith(known)]
        if fitting:
            return self._values[max(fitting, key=len)]
        if single.endswith("_id"):
            return [value for name, held in self._values.items() if "_id" in name for value in held]
        return ()


@dataclass(frozen=True, slots=True)
class Composer:
    """Makes requests that pass the rules of their protos, most of the time."""

    chance: random.Random
    known: Known
    namespace: str

    def valid(self, request: type[Message]) -> Message:
        """A request; the first of some that breaks no rule, or the last of them."""
        message = request()
        for attempt in range(TRIES_MAX):
            message = request()
            self._fill(message, 0, _FILLED / (1 + attempt / 3))
            if not _RULES.collect_violations(message):
                break
        return message

    def _fill(self, message: Message, depth: int, share: float) -> None:
        chosen = {
            one.name: self.chance.choice([field.name for field in one.fields])
            for one in cast(Sequence[OneofDescriptor], message.DESCRIPTOR.oneofs)
        }
        for field in fields_of(message):
            within = field.containing_oneof
            if within is not None and chosen[within.name] != field.name:
                continue
            if depth < DEPTH_MAX and (_needed(field) or self.chance.random() < share):
                self._set(message, field, depth)

    def _set(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if is_map(field):
            return
        if field.is_repeated:
            for _ in range(self.chance.randint(1, 3)):
                self._add(message, field, depth)
        elif field.message_type is not None:
            part = getattr(message, field.name)
            part.SetInParent()
            self._part(part, depth)
        else:
            setattr(message, field.name, self._scalar(field))

    def _add(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        held = getattr(message, field.name)
        if field.message_type is not None:
            self._part(held.add(), depth)
        else:
            held.append(self._scalar(field))

    def _part(self, part: Message, depth: int) -> None:
        match part:
            case Timestamp():
                part.seconds = _NOW_S + self.chance.randint(-(10**7), 10**7)
            case FieldMask():
                part.paths.append(self.chance.choice(("content", "tags", "pinned")))
            case _:
                self._fill(part, depth + 1, _FILLED)

    def _scalar(self, field: FieldDescriptor) -> object:
        if field.enum_type is not None:
            return self.chance.choice(field.enum_type.values[1:] or field.enum_type.values).number
        if field.cpp_type in _FLOATS:
            return self.chance.choice((0.0, 0.5, 1.0))
        if field.type == FieldDescriptor.TYPE_BOOL:
            return self.chance.random() < 0.3
        if field.type == _BYTES_TYPE:
            return b'{"role": "user", "content": "Ada likes copper"}\n'
        if field.type == _TEXT_TYPE:
            return self._text(field.name)
        return self.chance.randint(0, 3)

    def _text(self, name: str) -> str:
        if name == "namespace":
            return self.namespace
        if name == "page_token":
            return ""
        if name == "at_least_revision" and self.chance.random() < 0.7:
            return ""
        told = [*self.known.values_for(name)]
        if told and self.chance.random() < 0.9:
            return self.chance.choice(told)
        identifier = name.endswith(("_id", "_ids", "etag", "revision", "project"))
        return self.chance.choice(_IDENTIFIERS if identifier else _WORDS)


def _needed(field: FieldDescriptor) -> bool:
    """True if a rule asks for the field, as far as one rule says so by itself."""
    if field.name in ("namespace", "header", "lease", "key") or field.containing_oneof is not None:
        return True
    rules = field.GetOptions().Extensions[validate_pb2.field]
    return bool(
        rules.required
        or rules.string.min_len
        or rules.repeated.min_items
        or rules.string.pattern
        or 0 in rules.enum.not_in
    )
