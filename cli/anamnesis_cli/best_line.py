"""The line of a long text that has most of the words asked for, the rare ones above all."""

import re
from collections.abc import Sequence

_WORD = re.compile(r"[^\W_]{1,64}")
_HAN = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"))
"""Kana and Han; compared and not compiled, which would take longer than all else here."""
_WORDS_MAX = 32
_WORD_CHARS_MIN = 3
_FORM_CHARS_MIN, _ENDING_CHARS = 4, 3
_LINE_CHARS_MAX = 240
_BEFORE_CHARS = 60
_COMMON = frozenset(
    (
        *("and", "are", "but", "can", "did", "does", "for", "from", "had", "has", "have", "how"),
        *("its", "that", "the", "their", "there", "they", "this", "was", "were", "what", "when"),
        *("where", "which", "who", "why", "will", "with", "you"),
    )
)


def best_line(text: str, asked: str) -> str:
    """The line, cut around the words if it is long; empty where no line has any of them."""
    lines = [line for line in map(str.strip, text.splitlines()) if line]
    found = [[_places(word, line.casefold()) for line in lines] for word in _forms(asked)]
    values = [0.0] * len(lines)
    for places in found:
        holding = [at for at, place in enumerate(places) if place >= 0]
        for at in holding:
            values[at] += 1 / len(holding)
    best = max(range(len(lines)), key=values.__getitem__, default=-1)
    if best < 0 or not values[best]:
        return ""
    return _around(lines[best], [places[best] for places in found])


def _forms(asked: str) -> list[str]:
    """The begins of the words that count; of Chinese and Japanese each two signs."""
    forms: dict[str, None] = {}
    for word in _WORD.findall(asked.casefold())[:_WORDS_MAX]:
        if any(map(_is_han, word)):
            forms.update(dict.fromkeys(word[at : at + 2] for at in range(max(len(word) - 1, 1))))
        elif len(word) >= _WORD_CHARS_MIN and word not in _COMMON:
            forms[word[: max(_FORM_CHARS_MIN, len(word) - _ENDING_CHARS)]] = None
    return list(forms)


def _places(form: str, line: str) -> int:
    """The position at which a word of the line begins with the form; -1 if none does."""
    at = line.find(form)
    while at > 0 and not _is_han(form[0]) and line[at - 1].isalnum():
        at = line.find(form, at + 1)
    return at


def _is_han(sign: str) -> bool:
    return any(first <= sign <= last for first, last in _HAN)


def _around(line: str, places: Sequence[int]) -> str:
    if len(line) <= _LINE_CHARS_MAX:
        return line
    begin = max(0, min(place for place in places if place >= 0) - _BEFORE_CHARS)
    if begin:
        begin = line.find(" ", begin, begin + _BEFORE_CHARS) + 1 or begin
    cut = line[begin : begin + _LINE_CHARS_MAX].rstrip()
    return f"{'…' if begin else ''}{cut}{'…' if begin + _LINE_CHARS_MAX < len(line) else ''}"
