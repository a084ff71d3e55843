"""The speaker of a scope whom a question names."""

import re
from collections.abc import Sequence

from anamnesis_retrieval.ranking.language import is_cjk

_WORD = re.compile(r"[^\W_]+")


def named_speaker(question: str, names: Sequence[str]) -> str | None:
    """The one speaker whose name the question has; None where it names none or several.

    A name counts by its first word, lower-cased, which must be a whole word of the question. A
    Chinese name, whose neighbours no space sets apart, need only stand in it. Of several with one
    first word that one is named whose other words stand there, too.
    """
    named = speakers_in(question, names)
    if len({_first_word(name) for name in named}) == 1:
        words = set(_WORD.findall(question.lower()))
        named = [name for name in named if words.issuperset(_WORD.findall(name.lower()))] or named
    return named[0] if len(named) == 1 else None


def speakers_in(question: str, names: Sequence[str]) -> list[str]:
    """All speakers whose name a question may have."""
    asked = question.lower()
    words = set(_WORD.findall(asked))
    return [name for name in names if _stands(_first_word(name), asked, words)]


def _first_word(name: str) -> str:
    return next(iter(name.lower().split()), "")


def _stands(word: str, question: str, words: set[str]) -> bool:
    if not word:
        return False
    return word in question if is_cjk(word) else word in words
