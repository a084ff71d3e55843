"""Values of the contracts' enums as words: MEMORY_KIND_SEMANTIC is "semantic"."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from anamnesis_client.errors import FieldViolation, InvalidArgument

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

_Number = TypeVar("_Number", bound=int)


def word_of(enum: _EnumTypeWrapper[_Number], number: _Number) -> str:
    """The word for a value; empty for UNSPECIFIED, and for one that only a newer server knows."""
    if not number or number not in enum.values():
        return ""
    return enum.Name(number)[len(_prefix(enum)) :].lower()


def value_of(enum: _EnumTypeWrapper[_Number], word: str, field: str) -> _Number:
    """The value that a word names; no word is UNSPECIFIED.

    Raises:
        InvalidArgument: it names none; the message lists those that there are.
    """
    name = _prefix(enum) + (word or "UNSPECIFIED").upper()
    if name not in enum.keys():  # noqa: SIM118  # a wrapper is no mapping
        known = ", ".join(filter(None, (word_of(enum, number) for number in enum.values())))
        told = FieldViolation(field, f"{word!r} is none of {known}")
        raise InvalidArgument("", reason="FIELD_INVALID", violations=(told,))
    return enum.Value(name)


def _prefix(enum: _EnumTypeWrapper[_Number]) -> str:
    return enum.DESCRIPTOR.values_by_number[0].name.removesuffix("UNSPECIFIED")
