"""Folding of names: spellings that differ in case, accents, width, script or spaces are one.

    "Ｃａｆé  Órbita"  ->  cafe, orbita       "J. K. Marlow"  ->  j, k, marlow
    "陳靜怡"           ->  陈静怡             "C++ 17"        ->  c, ++, 17

A letter, a digit or a sign that counts (`+`, `#`, `*`) is never folded away: C, C++ and C# are
three, and 1.2 is not 12; only the `#` before a number (#5) says nothing. Traditional characters
become simplified ones one by one, so that what a character becomes does not depend on its
neighbours. Accents are dropped over Latin and Greek letters only; elsewhere a mark makes another
letter (й, が, रा).
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from itertools import groupby

import opencc

HAN = "\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
COUNTING = "+#*"

REMEMBERED_MAX = 1 << 14
"""Names that are remembered with what they come to: the same few thousand are met all the time."""

_HAN = re.compile(rf"[{HAN}]")
_HAN_ONLY = re.compile(rf"[{HAN}]+")
_DROPPED = re.compile(r"['’‘`´ʼ′™®©]")
_NUMBER_SIGN = re.compile(r"(?<!\w)#(?=\s*\d)")
_MARK_ON_LETTER = re.compile(r"([a-z\u0370-\u03ff])[\u0300-\u036f]+")
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)


class _Sort(Enum):
    """The sort of a character in a name; a run of one sort is a token."""

    NOTHING = 0
    HAN = 1
    DIGIT = 2
    LETTER = 3
    SIGN = 4


@dataclass(frozen=True, slots=True)
class Folded:
    """A name without what does not count.

    Args:
        text: its tokens in one, to be looked up: an index on it finds every spelling.
        tokens: its words and numbers.
    """

    text: str
    tokens: tuple[str, ...]

    def same(self, other: "Folded") -> bool:
        """True if both spellings are one name.

        Words may be run together (TypeScript, Jean-Luc) but not parted otherwise: Ann Alee is not
        Anna Lee.
        """
        ends, others = _ends(self.tokens), _ends(other.tokens)
        return self.text == other.text and (ends <= others or others <= ends)


@lru_cache(maxsize=REMEMBERED_MAX)
def fold(name: str) -> Folded:
    """The name without what does not count; empty if nothing does."""
    runs = groupby(_plain(name), key=_sort)
    return of_tokens(tuple("".join(run) for sort, run in runs if sort is not _Sort.NOTHING))


def of_tokens(tokens: tuple[str, ...]) -> Folded:
    """A name of folded tokens; two numbers in a row stay two."""
    text = ""
    for token in tokens:
        both = text[-1:].isdigit() and token[:1].isdigit()
        text += f".{token}" if both else token
    return Folded(text, tokens)


def is_han(text: str) -> bool:
    """True if the text is of Chinese characters alone."""
    return _HAN_ONLY.fullmatch(text) is not None


def _sort(sign: str) -> _Sort:
    """The sort of a character; a mark that makes another letter belongs to its word."""
    if _HAN.match(sign):
        return _Sort.HAN
    if sign in COUNTING:
        return _Sort.SIGN
    category = unicodedata.category(sign)
    if category == "Nd":
        return _Sort.DIGIT
    return _Sort.LETTER if category[0] in "LMN" else _Sort.NOTHING


def _plain(name: str) -> str:
    bare = _DROPPED.sub("", unicodedata.normalize("NFKC", _DROPPED.sub("", name)))
    text = unicodedata.normalize("NFD", bare.casefold().translate(_PLAIN))
    text = unicodedata.normalize("NFC", _MARK_ON_LETTER.sub(r"\1", text)).replace("&", " and ")
    text = _NUMBER_SIGN.sub("", text)
    return _HAN.sub(lambda match: _simplified(match.group()), text)


def _ends(tokens: tuple[str, ...]) -> set[int]:
    """The places where words end, in letters from the beginning."""
    ends, at = set(), 0
    for token in tokens:
        at += len(token)
        ends.add(at)
    return ends


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


@cache
def _simplified(sign: str) -> str:
    """The simplified form of one character."""
    return str(_converter().convert(sign))
