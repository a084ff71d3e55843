"""The port of redaction: text in, text without what must not be kept out."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Span:
    """What was replaced: its kind, and where it lay in the original text (end exclusive)."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """The redacted text, and the replaced spans in order, never overlapping."""

    text: str
    spans: tuple[Span, ...] = ()


class Redactor(Protocol):
    """Replaces what must not be stored, logged or sent to a model by the name of its kind."""

    def redact(self, text: str) -> Redaction:
        """Return `text` redacted; redacting the answer again changes nothing."""
        ...
