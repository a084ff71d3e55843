"""A rule: a pattern, and what its match means.

A rule that answers None has found nothing, and others may match inside its words. A rule without
a resolver shields its words: they look like a time and are none.

Patterns bound every repetition, so that no text makes the search slower than linear. They are
compiled when they are first needed: all of them take a tenth of a second.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from anamnesis_libs.timephrases.spans import TimeSpan
from anamnesis_libs.timephrases.speech import Speech

Resolver = Callable[[re.Match[str], Speech], TimeSpan | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern; its group `t` is the phrase, where it has one, else the whole match."""

    pattern: str
    """The pattern, whose letters, digits and word boundaries are ASCII's, in either case."""
    resolve: Resolver | None

    @property
    def regex(self) -> re.Pattern[str]:
        """The pattern, compiled."""
        return _compiled(self.pattern)

    def phrase(self, match: re.Match[str]) -> tuple[int, int]:
        """The span of the phrase in a match."""
        return match.span("t") if "t" in match.re.groupindex else match.span()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.ASCII)
