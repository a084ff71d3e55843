"""The parts of a context, as plain values."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from anamnesis_retrieval.model import Remembered


class Format(StrEnum):
    """The formats of a context."""

    MARKDOWN = "markdown"
    JSON = "json"


class CitationReason(StrEnum):
    """The reasons why an entry is in a context."""

    ANSWERS = "answers"
    STANDING = "standing"
    ASKED = "asked"
    """It is the question that the next entry answers."""
    BEFORE = "before"
    """It held before what the entry above it says."""
    NEWEST = "newest"
    """It is among the newest of its kind."""


class Empty(StrEnum):
    """The reasons why a context is empty."""

    NOT = "not"
    NOTHING_VISIBLE = "nothing_visible"
    NOTHING_RELEVANT = "nothing_relevant"
    BUDGET_TOO_SMALL = "budget_too_small"
    ALREADY_SHOWN = "already_shown"


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory as far as it is shown; `text` may have several lines.

    Without a `heading` it stands under its day.
    """

    memory: Remembered
    text: str
    reason: CitationReason
    score: float = 0.0
    routes: tuple[str, ...] = ()
    before: "Sequence[Entry]" = ()
    """The entries that this one replaced, newest first: folded under it."""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """Ties lines of a context to a memory; lines count from 1."""

    memory_id: str
    pointer: str
    line: int
    token_count: int
    reason: CitationReason
    score: float = 0.0
    routes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """A block; without text where nothing fits or nothing is relevant.

    `left_out` counts the relevant memories that did not fit; `whole` are those told whole.
    """

    text: str = ""
    token_count: int = 0
    citations: tuple[Citation, ...] = ()
    left_out: int = 0
    empty: Empty = Empty.NOT
    whole: tuple[Remembered, ...] = ()
