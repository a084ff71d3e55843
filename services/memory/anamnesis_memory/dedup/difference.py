"""A difference that the guard sees: the aspect in which two texts differ, the words of each."""

from dataclasses import dataclass
from enum import StrEnum


class Aspect(StrEnum):
    """The aspect in which two near duplicates differ."""

    NUMBER = "number"
    VERSION = "version"
    UNIT = "unit"
    NEGATION = "negation"
    NAME = "name"
    DIRECTION = "direction"
    CONDITION = "condition"
    ENVIRONMENT = "environment"
    ORDER = "order"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Difference:
    """The words of `a` and those of `b` instead; empty where one has none."""

    aspect: Aspect
    a: str
    b: str

    def turned(self) -> "Difference":
        """The same, seen from the other text."""
        return Difference(self.aspect, self.b, self.a)
