"""A found time phrase: its place in the text, and the interval that it means."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Precision(StrEnum):
    """The unit in which the ends of an interval are known.

    The interval may hold several units: a weekend is two days, a quarter three months, a decade
    ten years. An instant is one minute.
    """

    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    INSTANT = "instant"


class Bound(StrEnum):
    """The relation of a phrase to its interval, by the words around the phrase."""

    AT = "at"
    """Within it."""
    SINCE = "since"
    """From somewhere in it until now, or until the end that the next phrase names."""
    UNTIL = "until"
    """Up to it, itself included."""
    BEFORE = "before"
    """Earlier than it."""
    AFTER = "after"
    """Later than it."""


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A time phrase in a text and the interval that it names."""

    start: int
    """The position of the phrase's first character."""
    end: int
    """The character after its last."""
    since: datetime
    """The start of the interval, in UTC."""
    until: datetime
    """The end of the interval, in UTC, exclusive."""
    precision: Precision
    text: str
    """The words, as they stand in the text."""
    bound: Bound = Bound.AT
