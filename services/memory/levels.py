"""L0 and L1 of a text: one line, and an overview. Extractive; no model is asked.

Levels that say no more than the text itself are left empty and read as the text.
"""

import re

from libs.tokens import TokenCounter

SUMMARY_TOKENS_MAX = 64
OVERVIEW_TOKENS_MAX = 256

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_SPACE = re.compile(r"\s+")


def summarise(content: str, tokens: TokenCounter) -> tuple[str, str]:
    """L0 and L1 of a text, each empty where it would equal the text."""
    line = _first_sentence(content)
    summary = tokens.truncate(line, SUMMARY_TOKENS_MAX)
    overview = tokens.truncate(content, OVERVIEW_TOKENS_MAX)
    return _unless_same(summary, content), _unless_same(overview, content)


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
