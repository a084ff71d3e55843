"""Conditions on fields of a document's value."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeGuard


class Operator(StrEnum):
    """The ways in which a field is compared."""

    EQUAL = "equal"
    NOT_EQUAL = "not_equal"
    GREATER = "greater"
    GREATER_OR_EQUAL = "greater_or_equal"
    LESS = "less"
    LESS_OR_EQUAL = "less_or_equal"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on the field that these names lead to from the outside in.

    A field that is not there counts as null; one inside of what is no object fits no condition.
    """

    field: tuple[str, ...]
    operator: Operator
    operand: object

    def holds(self, value: object) -> bool:
        """True if the field of a value fits."""
        for name in self.field:
            if not isinstance(value, dict):
                return False
            value = value.get(name)
        match self.operator:
            case Operator.EQUAL:
                return same(value, self.operand)
            case Operator.NOT_EQUAL:
                return not same(value, self.operand)
            case _:
                return _in_order(value, self.operand, self.operator)


def all_hold(conditions: Sequence[Condition], value: object) -> bool:
    """True if a value fits all conditions."""
    return all(one.holds(value) for one in conditions)


def same(one: object, other: object) -> bool:
    """True if two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def _in_order(one: object, other: object, operator: Operator) -> bool:
    """True if numbers or texts stand in this order; nothing else does."""
    if _is_number(one) and _is_number(other):
        return _stands(_compared(one, other), operator)
    if isinstance(one, str) and isinstance(other, str):
        return _stands((one > other) - (one < other), operator)
    return False


def _compared(one: float, other: float) -> int:
    return (one > other) - (one < other)


def _stands(compared: int, operator: Operator) -> bool:
    """True if a comparison (below 0: less, above: greater) is as the operator wants it."""
    match operator:
        case Operator.GREATER:
            return compared > 0
        case Operator.GREATER_OR_EQUAL:
            return compared >= 0
        case Operator.LESS:
            return compared < 0
        case _:
            return compared <= 0


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
