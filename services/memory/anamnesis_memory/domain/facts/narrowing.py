"""Objects that say the same more narrowly than another: decaf coffee is coffee.

A narrower object is the other with words before it ("smooth jazz" of "jazz"), or with a preposition
and what belongs to it behind it ("jazz from the fifties"). "Jazz clubs" are no jazz. Objects that
are written without blanks are compared as a whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from anamnesis_memory.domain.facts.key import folded

WORDS_MAX = 12
_RESTRICTING = frozenset(
    ["about", "at", "by", "for", "from", "in", "of", "on", "to", "with", "without"]
)
_ARTICLES = frozenset(["a", "an", "the", "my", "their", "his", "her", "our"])


@dataclass(slots=True)
class Ends:
    """The ends that were told alone on one line, by the words of their objects."""

    _at: dict[tuple[str, ...], list[int]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """True where an end was told."""
        return bool(self._at)

    def add(self, ended: str, at_us: int) -> None:
        """Note the end of an object."""
        self._at.setdefault(_words(ended), []).append(at_us)

    def of(self, told: str) -> Iterator[int]:
        """The ends of an object: its own, and those of all that it narrows."""
        for wider in _wider(_words(told)):
            yield from self._at.get(wider, ())


def _words(text: str) -> tuple[str, ...]:
    words = tuple(folded(text).replace(",", " ").split())
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words


def _wider(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words themselves, and what is left of them without what narrows them."""
    yield words
    stops = (at for at, word in enumerate(words) if at and word in _RESTRICTING)
    core = words[: min(next(stops, len(words)), WORDS_MAX)]
    yield from (core[start:] for start in range(len(core)) if core[start:] != words)
