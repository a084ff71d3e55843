"""Lines that say nothing by themselves: acknowledgements, announcements, markers of a program.

Prompts that want nothing remembered are known by more: see `is_small_talk`.

An *acknowledgement* ("Got it.", "好的") repeats that something was heard. An *announcement* ("Let
me check the tests") says what is about to be done, and the next line says it better. A *marker*
("[Request interrupted by user]") is a program's, though it stands under a person's name.
"""

import functools
import re
from collections.abc import Sequence
from itertools import takewhile

from anamnesis_libs.talk.phrases import DATA, pattern
from anamnesis_libs.talk.sentences import units_of

LINE_CHARS_MAX = 160
"""A longer text says something."""
REASON_CHARS_MAX = 600
"""Of a longer announcement its beginning is read for a reason."""

MARKER_CHARS_MAX = 500
"""A marker names a file by its path, and says what became of it."""

REPORT_WORDS_MAX = 3
"""A sentence of no more words beside a report that all went well says no more ("Lint clean.")."""

AROUND_WORDS_MAX = 3
"""So many words of acknowledgement may stand before a formula of talk, and after it."""

_PART = re.compile(r"[,.!?;:…，。！？；、~～\n]+")
_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")
_THANKS = re.compile(r"\b(?:thanks|thank you|thx|cheers)\b|谢谢|謝謝|感谢|感謝")
"""In lower case."""
_EMPHASIS = re.compile(r"[*_`]+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_PUNCTUATION = re.compile(r"[\s\W_]+")


def says_nothing(text: str, names: frozenset[str] = frozenset()) -> bool:
    """True for an acknowledgement, a greeting, thanks: it takes no room in a context.

    `names`, in lower case, are of those who are spoken to: "Thanks, Mel!" says nothing either, but
    a name alone may be an answer.
    """
    if len(text) > LINE_CHARS_MAX:
        return False
    if not text.isascii() and _CHINESE.search(text):
        return not _PUNCTUATION.sub("", pattern("acknowledging").sub("", text))
    acknowledges = named = False
    for found in _WORD.finditer(text):
        word = found[0].lower().replace("’", "'")
        if word in _acknowledging():
            acknowledges = True
        elif word in names:
            named = True
        else:
            return False
    return acknowledges or not named


def is_small_talk(prompt: str) -> bool:
    """True for a prompt that wants nothing to be remembered: greetings, turns of talk, a joke.

    It says nothing, or every part of it, by its sentences and commas, does or is a formula of talk.
    """
    if len(prompt) > LINE_CHARS_MAX:
        return False
    parts = [_EDGES.sub("", part) for part in _PART.split(prompt)]
    said = [part for part in parts if part]
    return says_nothing(prompt) or all(says_nothing(part) or _is_formula(part) for part in said)


def is_thanks(text: str) -> bool:
    """True for thanks among acknowledgements and formulas of talk: "Thanks, that did it."."""
    short = len(text) <= LINE_CHARS_MAX and _THANKS.search(text.lower()) is not None
    return short and is_small_talk(text)


def _is_formula(part: str) -> bool:
    """True for a formula of talk, among words of acknowledgement: "ok so", "please"."""
    words = part.split()
    first = _count_of_nothing(words)
    last = _count_of_nothing(words[::-1])
    return any(
        pattern("small_talk").search(" ".join(words[begin : len(words) - end]))
        for begin in range(first + 1)
        for end in range(last + 1)
    )


def _count_of_nothing(words: Sequence[str]) -> int:
    """Number of words, of the first few, that say nothing by themselves."""
    return sum(1 for _ in takewhile(says_nothing, words[:AROUND_WORDS_MAX]))


def is_announcement(sentence: str) -> bool:
    """True if an agent's sentence only announces a step, without a reason for it."""
    read = sentence.strip()
    if not pattern("announcement").search(read[:LINE_CHARS_MAX]):
        return False
    return not pattern("reason").search(read[:REASON_CHARS_MAX])


def only_went_well(text: str) -> bool:
    """True for an agent's report that a step went well, and nothing else (All 43 tests pass)."""
    if len(text) > LINE_CHARS_MAX:
        return False
    sentences = [_EMPHASIS.sub("", unit.text) for unit in units_of(text)]
    telling = [one for one in sentences if not (is_announcement(one) or says_nothing(one))]
    reports = [one for one in telling if pattern("going_well").search(one)]
    others = (one for one in telling if one not in reports)
    return bool(reports) and all(len(_WORD.findall(one)) <= REPORT_WORDS_MAX for one in others)


def is_marker(text: str) -> bool:
    """True if a text is a program's mark under somebody's name."""
    return bool(pattern("marker").search(text.lstrip()[:MARKER_CHARS_MAX]))


@functools.cache
def _acknowledging() -> frozenset[str]:
    """The words of acknowledgements in English."""
    lines = (DATA / "acknowledging.en.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())
