"""The port of redaction: text in, text without what must not be kept out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from anamnesis_libs.redaction.policy import DEFAULT_POLICY, RedactionPolicy


@dataclass(frozen=True, slots=True)
class RedactedSpan:
    """A replaced span: its kind, and its place in the original text (end exclusive)."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Redaction:
    """The redacted text, and the replaced spans in order, never overlapping."""

    text: str
    spans: tuple[RedactedSpan, ...] = ()


class Redactor(Protocol):
    """Replaces what must not be stored, logged or sent to a model by the name of its kind."""

    def redact(
        self, text: str, policy: RedactionPolicy = DEFAULT_POLICY, known_names: Sequence[str] = ()
    ) -> Redaction:
        """Return `text` redacted by a policy; redacting the answer again changes nothing.

        `known_names` are people that the caller knows of, such as who speaks.

        Raises:
            RedactionBlocked: the policy refuses a text with what was found.
        """
        ...
