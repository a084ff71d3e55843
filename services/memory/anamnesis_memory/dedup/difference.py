"""What the guard says: the aspect in which two texts differ, and the words of each."""

from dataclasses import dataclass
from enum import StrEnum


class Aspect(StrEnum):
    """What kind of token makes two near duplicates two lessons."""

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
    """What stands in `a` and what in `b` instead; empty where one has nothing."""

    aspect: Aspect
    a: str
    b: str

    def turned(self) -> "Difference":
        """The same, seen from the other text."""
        return Difference(self.aspect, self.b, self.a)
