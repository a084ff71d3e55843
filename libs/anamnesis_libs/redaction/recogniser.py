"""The port of a recogniser: it finds one kind of secret or personal data."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from anamnesis_libs.redaction.policy import KINDS, PSEUDONYM_HEX

Check = Callable[[str, int, int], bool]
"""Check of a match between two positions of a text: its check digits, its surroundings."""

Starts = Callable[[str], list[int]]
"""Positions of a text at which a match may begin."""

_TAGS = (*(kind.tag for kind in KINDS.values()), f"<PERSON_[0-9a-f]{{{PSEUDONYM_HEX}}}>")
_NO_TAG_BEFORE = "".join(f"(?<!{tag})" for tag in _TAGS)
NOT_AFTER_A_TAG = f"(?:(?<!>)|{_NO_TAG_BEFORE})"
"""No match begins right after a tag: text that was glued to a secret stays as it is."""

START = rf"(?:(?<![A-Za-z0-9])|(?<=\\[nrt])){NOT_AFTER_A_TAG}"
r"""No letter or digit stands before, other than that of a line break written as `\n`."""

END = r"(?![A-Za-z0-9])"

LONG_CHARS = 18
LONG = re.compile(rf"[A-Za-z0-9_.~+/=-]{{{LONG_CHARS}}}")
"""Matches the first characters of what is as long as a token."""


@dataclass(frozen=True, slots=True)
class Recogniser:
    """One way to find a kind.

    It is tried in a text that holds one of the `cues`, lower-case literals: where `starts` says,
    or at each cue. `check` has the last word. One that is `long` finds only what begins with
    `LONG_CHARS` characters of tokens or more, and is not tried in a text without so long a word.
    """

    kind: str
    cues: tuple[str, ...]
    regex: re.Pattern[str]
    starts: Starts | None = None
    check: Check | None = None
    long: bool = False

    @property
    def tag(self) -> str:
        """The tag that replaces a find."""
        return KINDS[self.kind].tag


def recogniser(
    kind: str,
    cues: tuple[str, ...],
    pattern: str,
    *,
    ignore_case: bool = False,
    starts: Starts | None = None,
    check: Check | None = None,
    long: bool = False,
) -> Recogniser:
    """A recogniser with its pattern compiled, ASCII only."""
    flags = re.ASCII | (re.IGNORECASE if ignore_case else re.NOFLAG)
    return Recogniser(kind, cues, re.compile(pattern, flags), starts, check, long)


def starts_of(pattern: str) -> Starts:
    """Wherever `pattern` matches; one that begins with a set of characters is quickly searched."""
    regex = re.compile(pattern, re.ASCII)
    return lambda text: [match.start() for match in regex.finditer(text)]
