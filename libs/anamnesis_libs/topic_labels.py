"""The label of a topic, after one of its lessons, without a model."""

import re
from collections import Counter

from anamnesis_libs.index.analysis import STOP_WORDS, has_cjk

LABEL_CHARS_MAX = 80
WORDS_MAX = 4

_CJK_CHARS_MAX = 16
_WORD_CHARS_MIN = 3
_WORD = re.compile(r"[^\W\d_][^\W_]*(?:[-.][^\W_]+)*")
_CLAUSE_END = re.compile(r"[\n。！？；，、：.!?;,:]")
_TALK = re.compile(r"[.!?] +[A-Z]")
"""The end of a sentence and another behind it."""
_SPACE = re.compile(r"\s+")


def topic_label(title: str, text: str) -> str:
    """The label of a lesson: its title, else words that set its text apart, else its beginning.

    A title that talks, "It crashes. Yesterday two people ...", names nothing.
    """
    named = _SPACE.sub(" ", title).strip()
    if named and not _TALK.search(named):
        return _cut(named)
    text = f"{named} {text}" if named else text
    if has_cjk(text):
        return _first_clause(text)
    return _cut(" ".join(_distinctive(text)) or _SPACE.sub(" ", text).strip())


def _distinctive(text: str) -> list[str]:
    """The words said most often, longer ones first among equals, in the order of the text."""
    words = [
        word
        for word in _WORD.findall(text.lower())
        if len(word) >= _WORD_CHARS_MIN and word not in STOP_WORDS
    ]
    counts = Counter(words)
    first = {word: words.index(word) for word in counts}
    best = sorted(counts, key=lambda word: (-counts[word], -len(word), first[word]))
    return sorted(best[:WORDS_MAX], key=first.__getitem__)


def _first_clause(text: str) -> str:
    clauses = (clause.strip() for clause in _CLAUSE_END.split(text))
    return next((clause for clause in clauses if clause), text.strip())[:_CJK_CHARS_MAX]


def _cut(label: str) -> str:
    return label if len(label) <= LABEL_CHARS_MAX else label[: LABEL_CHARS_MAX - 1].rstrip() + "…"
