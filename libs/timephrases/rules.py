"""A rule: a pattern, and what its match means.

A rule that answers None has found nothing, and others may match inside its words. A rule without
a resolver shields its words: they look like a time and are none.

Patterns bound every repetition, so that no text makes the search slower than linear.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from libs.timephrases.spans import Span
from libs.timephrases.speech import Speech

Resolver = Callable[[re.Match[str], Speech], Span | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern; its group `t` is the phrase, where it has one, else the whole match."""

    regex: re.Pattern[str]
    resolve: Resolver | None

    def phrase(self, match: re.Match[str]) -> tuple[int, int]:
        """Where the phrase stands."""
        return match.span("t") if "t" in self.regex.groupindex else match.span()


def rule(pattern: str, resolve: Resolver | None) -> Rule:
    """A rule whose letters, digits and word boundaries are ASCII's, in either case."""
    return Rule(re.compile(pattern, re.IGNORECASE | re.ASCII), resolve)
