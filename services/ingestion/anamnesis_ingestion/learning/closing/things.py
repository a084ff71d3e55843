"""Objects of facts compared as things: espressos are espresso, spicy dishes are spicy food."""

from functools import cache
from pathlib import Path

from anamnesis_libs.talk.narrowing import object_words, wider

_WORDINGS = Path(__file__).with_name("wordings.tsv")
_MAKES = Path(__file__).with_name("makes.tsv")
_PLURAL_MIN = 4
_TOLD_ON = frozenset({"that", "which", "who", "where", "when"})


def is_same(one: str, other: str) -> bool:
    """True if both name the same thing."""
    return _thing(object_words(one)) == _thing(object_words(other))


def is_wider(told: str, held: str) -> bool:
    """True if what is told is what is held, or says it less narrowly: a Tesla is a car.

    So is 靠窗 beside 靠窗的座位.
    """
    whole = _thing(object_words(told))
    return (
        held.startswith(f"{told}的")
        or told.casefold() in made_by(held)
        or any(_thing(each) == whole for each in wider(object_words(held)))
    )


def apart(left: str, taken: str) -> str:
    """The words that set a thing apart: "calm nature retreats" by their nature.

    "" where they are not of one kind, or have nothing in common besides it.
    """
    ours, theirs = object_words(left), _without_clause(object_words(taken))
    if len(ours) < 2 or not theirs or _thing(ours)[-1] != _thing(theirs)[-1]:
        return ""
    own = [each for each in ours[:-1] if each not in theirs]
    return " ".join([*own, ours[-1]]) if own and len(own) < len(ours) - 1 else ""


def _without_clause(words: tuple[str, ...]) -> tuple[str, ...]:
    stops = (at for at, word in enumerate(words) if word in _TOLD_ON)
    return words[: next(stops, len(words))]


def _thing(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with the last one in the singular, and in the first of its wordings."""
    last = words[-1] if words else ""
    for form in (last, last.removesuffix("s"), last.removesuffix("es")):
        if form in _wordings():
            return (*words[:-1], _wordings()[form])
    plural = len(last) >= _PLURAL_MIN and last.endswith("s") and not last.endswith("ss")
    return (*words[:-1], last[:-1]) if plural else words


def made_by(thing: str) -> frozenset[str]:
    """The words for what the maker makes that a thing is named by."""
    name = thing.casefold()
    latin = {name.split()[0]} if name.split() else set()
    for words, makers in _makes():
        han = any(each >= "\u3400" and name.startswith(each) for each in makers)
        if han or not latin.isdisjoint(makers):
            return words
    return frozenset()


@cache
def _makes() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """The words for each sort of thing, and who makes it."""
    lines = _MAKES.read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return tuple((frozenset(words.split()), frozenset(makers.split())) for words, makers in rows)


@cache
def _wordings() -> dict[str, str]:
    """The first word of each meaning, by all of its words."""
    lines = _WORDINGS.read_text("utf-8").splitlines()
    groups = (line.split() for line in lines if line and not line.startswith("#"))
    return {word: group[0] for group in groups for word in group}
