"""L0 and L1 of a text: one line, and an overview. Extractive; no model is asked.

Levels that say no more than the text itself are left empty and read as the text.
"""

import re

from anamnesis_libs.tokens import TokenCounter

SUMMARY_TOKENS_MAX = 64
OVERVIEW_TOKENS_MAX = 256

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_PLACE_SEPARATOR = " › "
_HEADINGS_MAX = 20
_MARKED = re.compile(r"#{1,6}\s|\s*(?:```|~~~)")
_SPACE = re.compile(r"\s+")


def summarise(content: str, tokens: TokenCounter, place: str = "") -> tuple[str, str]:
    """L0 and L1 of a text, each empty where it would equal the text.

    `place` names the document and headings that a text of a file is from. L0 is shown beside it, so
    L0 begins behind the headings.
    """
    line = _first_sentence(_behind_headings(content, place) if place else content)
    summary = tokens.truncate(line, SUMMARY_TOKENS_MAX)
    overview = tokens.truncate(content, OVERVIEW_TOKENS_MAX)
    return _unless_same(summary, content), _unless_same(overview, content)


def _behind_headings(content: str, place: str) -> str:
    """Return a text from its first line that says more than its place; all of it if none does."""
    parts = {_letters(part) for part in place.split(_PLACE_SEPARATOR)} | {""}
    lines = content.splitlines()
    for at, line in enumerate(lines[:_HEADINGS_MAX]):
        if not (_MARKED.match(line) or _letters(line) in parts):
            return "\n".join(lines[at:])
    return content


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _first_sentence(content: str) -> str:
    """The first line with text in it, up to the end of its first sentence of some length."""
    line = next((line for line in content.splitlines() if line.strip()), "")
    line = _SPACE.sub(" ", line).strip()
    if len(line) <= 4 * SUMMARY_TOKENS_MAX // 2:
        return line
    kept = ""
    for sentence in _SENTENCE_END.split(line):
        kept = f"{kept} {sentence}".strip()
        if len(kept) >= SUMMARY_TOKENS_MAX:
            break
    return kept


def _unless_same(level: str, content: str) -> str:
    return "" if level == content else level
