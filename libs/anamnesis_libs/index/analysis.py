"""Analysis of a text for the index: its terms, if it is a question, and the words of its date.

The same rules for documents and queries, in English and in CJK scripts, told apart by
the characters and not by a setting. Measured on LoCoMo, BEAM and Chinese dialogues.
"""

import re
import threading
from datetime import date

import Stemmer

from anamnesis_libs.cjk import RANGES
from anamnesis_libs.timephrases.months import MONTHS

_STOP_TEXT = (
    "a an and are as at be but by for if in into is it no not of on or such that the their then "
    "there these they this to was will with about also am any been being can could did do does "
    "doing done from had has have having he her hers him his how i its just may me might mine "
    "must my other our out own same shall she should so some than them too up us very we were "
    "what when where which who whom whose why would you your yours don didn doesn isn wasn won "
    "couldn wouldn shouldn hasn haven aren weren"
)
STOP_WORDS = frozenset(_STOP_TEXT.split())

_CJK_RUN = re.compile(f"([{RANGES}]+)")
_WORD = re.compile(r"([^\W_]+)(?:['\u2019][^\W_]+)*")
"""A word; its group is what stands before an apostrophe."""
_ASCII_WORD = re.compile(r"([a-z0-9]+)(?:'[a-z0-9]+)*")
"""The same in plain ASCII of lower case."""
_JOINED = re.compile(r"\b(?=[A-Za-z]{0,60}[a-z][A-Z])[A-Za-z]{4,60}\b")
"""A name joined of words, each with a capital: `setTheme`, `GenServer`."""
_CAPITAL_INSIDE = re.compile(r"[a-z][A-Z]")
"""Without one there is no such name, which takes half the time to say."""
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_IMAGE = "[image:"
_CLOSING = frozenset("\"')]\u201d\u2019\u300d")
_local = threading.local()


def tokens(text: str) -> list[str]:
    """The terms of a text, in order.

    A run of CJK characters gives its pairs of neighbours (one alone stays as it is). Of
    the rest: words in lower case, cut at an apostrophe, without stop words, stemmed by
    Snowball's English rules.
    """
    if text.isascii():
        return _words(text)
    found: list[str] = []
    for number, part in enumerate(_CJK_RUN.split(text)):
        if number % 2:
            found += [part[i : i + 2] for i in range(len(part) - 1)] or [part]
        elif part:
            found += _words(part)
    return found


def found_by(text: str) -> list[str]:
    """The terms by which a text is found: its own, and the parts of names such as `setTheme`.

    Who asks about themes finds `setTheme`; who asks for `setTheme` does not find every theme.
    """
    if not _CAPITAL_INSIDE.search(text):
        return tokens(text)
    parts = [part for name in _JOINED.findall(text) for part in _HUMP.findall(name)]
    return tokens(text) + _words(" ".join(parts)) if parts else tokens(text)


def has_cjk(text: str) -> bool:
    """True if a Chinese, Japanese or Korean character occurs."""
    return _CJK_RUN.search(text) is not None


def is_question(text: str) -> bool:
    """True if the text ends with a question; captions of images and closing quotes do not count."""
    body = text.rstrip()
    while body.endswith("]") and (start := body.rfind(_IMAGE)) >= 0:
        body = body[:start].rstrip()
    end = len(body)
    while end and (body[end - 1] in _CLOSING or body[end - 1].isspace()):
        end -= 1
    return body[:end].endswith(("?", "\uff1f"))


def date_tokens(day: date, *, cjk: bool) -> list[str]:
    """The terms of a day, as one would write it: `8 May 2023`, or `2023年5月8日`."""
    if cjk:
        return tokens(f"{day.year}年{day.month}月{day.day}日")
    return tokens(f"{day.day} {MONTHS[day.month - 1]} {day.year}")


def _words(text: str) -> list[str]:
    word = _ASCII_WORD if text.isascii() else _WORD
    kept = [head for head in word.findall(text.lower()) if head not in STOP_WORDS]
    stemmed: list[str] = _stemmer().stemWords(kept)
    return stemmed


def _stemmer() -> Stemmer.Stemmer:
    """One a thread: a stemmer keeps state while it works."""
    if not hasattr(_local, "stemmer"):
        _local.stemmer = Stemmer.Stemmer("english")
    return _local.stemmer
