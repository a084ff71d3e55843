"""Cutting what somebody said into sentences, and telling their language.

Decimal points, versions, file names, abbreviations and initials ("F.C.") do not end a sentence.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]+")
_SENTENCE_END = re.compile(
    r"(?:(?<!\bMr)(?<!\bMs)(?<!\bDr)(?<!\bMrs)(?<!\bProf)(?<!\bSt)(?<!\bvs)(?<!\be\.g)(?<!\bi\.e)"
    r"(?<!\b[A-Z])(?<!\bapprox)[.!?…]+[\"'”’)]*(?=\s|$|[\u3400-\u9fff])|[。！？!?]+[”’」』）)]*|\n+)"
)
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)、）]|[一二三四五六七八九十]、|[①-⑩])\s*")


class Language(StrEnum):
    """The language of a sentence, which decides the reader."""

    ENGLISH = "en"
    CHINESE = "zh"


def language_of(text: str) -> Language:
    """The language whose rules read the text: Chinese where it has more of it than Latin words."""
    han = len(_HAN.findall(text))
    return Language.CHINESE if han and han >= len(_LATIN_WORD.findall(text)) else Language.ENGLISH


def sentences(text: str) -> Iterator[str]:
    """Each sentence with its closing mark, list marks cut off."""
    at = 0
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    for end in [*ends, len(text)]:
        piece = text[at:end]
        mark = _LIST_MARK.match(piece)
        start = at + (mark.end() if mark else len(piece) - len(piece.lstrip()))
        said = text[start:end].rstrip()
        if any(char.isalnum() for char in said):
            yield said
        at = end


def cut_at_word(line: str, chars_max: int) -> str:
    """A line of so many characters at most, ended before a word that does not fit."""
    return line if len(line) <= chars_max else f"{line[: chars_max - 1].rsplit(' ', 1)[0]}…"
