"""Every request against the rules that stand in its proto, before a servicer sees it.

protovalidate runs the rules of `buf.validate`; enum numbers the proto does not define are
refused for every enum field, rule or not, since proto3 itself lets them pass.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from protovalidate import Validator, Violation

from anamnesis_libs.errors import FieldViolation, InvalidArgument

_MESSAGE_RULE_FIELD = "(request)"


def check_request(request: Message) -> None:
    """Refuses a request that breaks rules, with one violation for each broken one."""
    broken = [_violation(each) for each in _validator().collect_violations(request)]
    known = {violation.field for violation in broken}
    broken += [each for each in unknown_enums(request) if each.field not in known]
    if broken:
        raise InvalidArgument(_message(broken), tuple(broken))


@cache
def _validator() -> Validator:
    """The validator of the process: it keeps the compiled rules of each type of message."""
    return Validator()


def unknown_enums(message: Message, path: str = "") -> Iterator[FieldViolation]:
    """A violation for each enum number, at any depth, that the proto does not define."""
    if not _may_hold_enums(message.DESCRIPTOR):
        return
    for field, value in message.ListFields():
        if field.enum_type is None and field.message_type is None:
            continue
        for name, item in _items(field, value, f"{path}{field.name}"):
            if field.enum_type is not None:
                yield from _unknown_number(field.enum_type, name, item)
            elif isinstance(item, Message):
                yield from unknown_enums(item, f"{name}.")


def _items(field: FieldDescriptor, value: object, path: str) -> Iterator[tuple[str, object]]:
    if not field.is_repeated:
        yield path, value
    elif _is_map(field):
        entries = cast(Mapping[object, object], value)
        yield from ((f"{path}[{key!r}]", item) for key, item in entries.items())
    else:
        items = cast(Sequence[object], value)
        yield from ((f"{path}[{index}]", item) for index, item in enumerate(items))


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _unknown_number(enum: EnumDescriptor, path: str, number: object) -> Iterator[FieldViolation]:
    if number not in enum.values_by_number:
        yield FieldViolation(path, f"{number} is not a value of {enum.full_name}")


@lru_cache(maxsize=4096)
def _may_hold_enums(descriptor: Descriptor) -> bool:
    """True if an enum field can occur at any depth: types without one are not walked at all."""
    seen: set[str] = set()
    rest = [descriptor]
    while rest:
        each = rest.pop()
        if each.full_name in seen:
            continue
        seen.add(each.full_name)
        if any(field.enum_type is not None for field in each.fields):
            return True
        rest += [field.message_type for field in each.fields if field.message_type is not None]
    return False


def _violation(broken: Violation) -> FieldViolation:
    found = broken.proto
    description = found.message or found.rule_id
    return FieldViolation(
        field=_path(broken) or _MESSAGE_RULE_FIELD,
        description=f"{description} (key)" if found.for_key else description,
    )


def _path(broken: Violation) -> str:
    field = broken.proto.field
    parts = []
    for element in field.elements if field else ():
        subscript = element.subscript
        parts.append(
            element.field_name
            if subscript is None
            else f"{element.field_name}[{subscript.value!r}]"
        )
    return ".".join(parts)


def _message(broken: list[FieldViolation]) -> str:
    first = f"{broken[0].field}: {broken[0].description}"
    return first if len(broken) == 1 else f"{first} (and {len(broken) - 1} more violations)"
