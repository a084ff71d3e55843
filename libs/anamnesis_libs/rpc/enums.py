"""Enums of protos and our own enums: one codec for all of them.

A value of a proto is the name of our member behind the prefix of its enum: MEMORY_KIND_EPISODE is
Kind.EPISODE. The prefix is read off the value for zero, which is always PREFIX_UNSPECIFIED.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import _EnumTypeWrapper

_UNSPECIFIED = "UNSPECIFIED"
_Number = TypeVar("_Number", bound=int)
_Member = TypeVar("_Member", bound=Enum)


class EnumCodec(Generic[_Number, _Member]):
    """Values of a proto's enum as members of ours, and back.

    Every value and every member has its counterpart, but for those that are named as having none:
    this is checked where a codec is made, which is at import.
    """

    def __init__(
        self,
        wire: _EnumTypeWrapper[_Number],
        ours: type[_Member],
        *,
        default: _Member | None = None,
        wire_only: Collection[str] = (),
        ours_only: Collection[_Member] = (),
    ) -> None:
        """Pairs them by name.

        Args:
            wire: the proto's enum.
            ours: our enum.
            default: what UNSPECIFIED is read as; it is written so where it has no value of its own.
            wire_only: values, without their prefix, that no member stands for.
            ours_only: members that the proto does not know.

        Raises:
            TypeError: a value or a member is left over.
        """
        self._name = wire.DESCRIPTOR.full_name
        values = {name: wire.Value(_prefix(wire) + name) for name in enum_words(wire, upper=True)}
        members = {member.name: member for member in ours}
        self._to_pb = {member: values[name] for name, member in members.items() if name in values}
        self._from_pb = {number: member for member, number in self._to_pb.items()}
        if default is not None:
            zero = wire.Value(_prefix(wire) + _UNSPECIFIED)
            self._from_pb[zero] = default
            self._to_pb.setdefault(default, zero)
        over = values.keys() - members.keys() ^ set(wire_only)
        over |= {member.name for member in set(ours) - self._to_pb.keys() ^ set(ours_only)}
        if over:
            raise TypeError(f"{self._name} and {ours.__qualname__}: {', '.join(sorted(over))}")

    def to_pb(self, member: _Member) -> _Number:
        """The value of a member.

        Raises:
            ValueError: the proto has none.
        """
        if member not in self._to_pb:
            raise ValueError(f"{self._name} has no value for {member}")
        return self._to_pb[member]

    def from_pb(self, number: _Number) -> _Member:
        """The member of a value.

        Raises:
            ValueError: there is none, as for an UNSPECIFIED that nothing stands for.
        """
        if number not in self._from_pb:
            raise ValueError(f"{number} of {self._name} stands for nothing")
        return self._from_pb[number]

    def members(self) -> frozenset[_Member]:
        """The members that the proto knows."""
        return frozenset(self._to_pb)

    def knows(self, number: _Number) -> bool:
        """True if a member stands for the value."""
        return number in self._from_pb


def enum_words(wire: _EnumTypeWrapper[_Number], *, upper: bool = False) -> list[str]:
    """The words for an enum's values, in their order and without UNSPECIFIED."""
    prefix = _prefix(wire)
    names = [name[len(prefix) :] for name in wire.keys() if wire.Value(name)]  # noqa: SIM118
    return names if upper else [name.lower() for name in names]


@lru_cache(maxsize=1024)
def enum_word(wire: _EnumTypeWrapper[_Number], number: _Number) -> str:
    """The word for a value: its name without the prefix, in lower case."""
    return wire.Name(number)[len(_prefix(wire)) :].lower()


def enum_value(wire: _EnumTypeWrapper[_Number], word: str | None) -> _Number:
    """The value that a word names, in any case; no word is UNSPECIFIED.

    Raises:
        ValueError: it names none.
    """
    return wire.Value(_prefix(wire) + (word or _UNSPECIFIED).upper())


def _prefix(wire: _EnumTypeWrapper[_Number]) -> str:
    return wire.DESCRIPTOR.values_by_number[0].name.removesuffix(_UNSPECIFIED)
