"""Things that are said more narrowly than others: decaf coffee is coffee.

A narrower object is the other with words before it ("smooth jazz" of "jazz"), or with a preposition
and what belongs to it behind it ("jazz from the fifties", "running on Sundays"). "Jazz clubs" are
no jazz. Objects that are written without blanks are compared as a whole.
"""

import unicodedata
from collections.abc import Iterator

WORDS_MAX = 12
_RESTRICTING = frozenset(
    ["about", "at", "by", "for", "from", "in", "of", "on", "to", "with", "without"]
)
_ARTICLES = frozenset(["a", "an", "the", "my", "their", "his", "her", "our"])


def object_words(text: str) -> tuple[str, ...]:
    """The words of an object with their case folded, without an article before them."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = tuple(folded.replace(",", " ").split())
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def wider(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words themselves, and what is left of them without what narrows them."""
    yield words
    stops = [at for at, word in enumerate(words[:WORDS_MAX]) if at and word in _RESTRICTING]
    core = words[: min(stops[0] if stops else len(words), WORDS_MAX)]
    yield from (words[:stop] for stop in stops[1:])
    yield from (core[start:] for start in range(len(core)) if core[start:] != words)
