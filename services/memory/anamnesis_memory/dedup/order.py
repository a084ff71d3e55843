"""The order of things: the same words swapped around a pivot, and what comes before what.

`from the shelf to the box` and `from the box to the shelf` have the same words. A clause moved as
a whole (`when it rains, close the roof`) is no difference, nor are the two sides of an `and`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from anamnesis_memory.dedup.alignment import Tokens, common_prefix, said
from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.reading import TokenForm, TokenReading

SWAP_TOKENS_MAX = 200
_COMMUTES = frozenset({"and", "or", "as", "well", "a", "an", "the", *"和与或及跟以"})
_POINTS = frozenset({"from", "to", "into", "onto", "over", *"从到往向至"})


def swapped(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """The same words, two groups of which have changed places around others."""
    ours, theirs = _middle(a.tokens, b.tokens)
    if (
        not ours
        or len(ours) > SWAP_TOKENS_MAX
        or _keys(ours, sort=True) != _keys(theirs, sort=True)
    ):
        return
    swap = _swap(ours, theirs)
    if swap is not None and set(_keys(swap.pivot)) - _COMMUTES:
        pointing = _POINTS.intersection(_keys(swap.pivot))
        aspect = Aspect.DIRECTION if pointing else Aspect.ORDER
        yield Difference(aspect, said(ours), said(theirs))


@dataclass(frozen=True, slots=True)
class _Swap:
    pivot: Tokens


def _middle(a: Tokens, b: Tokens) -> tuple[Tokens, Tokens]:
    head = common_prefix(a, b)
    a, b = a[head:], b[head:]
    tail = common_prefix(a[::-1], b[::-1])
    return a[: len(a) - tail], b[: len(b) - tail]


def _keys(tokens: Tokens, *, sort: bool = False) -> list[str]:
    keys = [token.key for token in tokens]
    return sorted(keys) if sort else keys


def _swap(a: Tokens, b: Tokens) -> _Swap | None:
    """The pivot of `a = X pivot Y` and `b = Y pivot X`; empty where a clause moved whole."""
    ours, theirs, size = _keys(a), _keys(b), len(a)
    best: _Swap | None = None
    for first in range(1, size):
        if ours[:first] != theirs[size - first :]:
            continue
        for last in range(1, size - first + 1):
            same = ours[size - last :] == theirs[:last]
            if same and ours[first : size - last] == theirs[last : size - first]:
                pivot = a[first : size - last]
                if best is None or len(pivot) < len(best.pivot):
                    best = _Swap(pivot)
    return best


@dataclass(frozen=True, slots=True)
class Sequence:
    """Words of what is said to come first, and of what comes second."""

    text: str
    first: frozenset[str]
    second: frozenset[str]
    main_is_first: bool


_SENTENCE = re.compile(r"[^.!?。;\n]+")
_ENGLISH = (
    (re.compile(r"^(?P<f>.+?)\b(?:before|prior to|until)\b(?P<s>[^,]+)", re.IGNORECASE), True),
    (re.compile(r"^\W*before\b(?P<s>[^,]+),(?P<f>.+)$", re.IGNORECASE), True),
    (re.compile(r"^(?P<s>.+?)\b(?:only )?(?:after|once)\b(?P<f>.+)$", re.IGNORECASE), False),
    (re.compile(r"^\W*(?:only )?(?:after|once)\b(?P<f>[^,]+),(?P<s>.+)$", re.IGNORECASE), False),
    (re.compile(r"^\W*first\b(?P<f>.+?)\b(?:then|afterwards)\b(?P<s>.+)$", re.IGNORECASE), True),
    (re.compile(r"^(?P<f>.+?)(?:,| and)\s*then\b(?P<s>.+)$", re.IGNORECASE), True),
    (re.compile(r"^(?P<f>.+?)\bfirst\b(?P<s>.+)$", re.IGNORECASE), True),
)
_CHINESE = (
    (re.compile(r"^(?P<s>[^,]+?)(?:之前|以前|前)[,，]?(?P<f>[^,]+)"), True),
    (re.compile(r"^.*?先(?P<f>.+?)[,，]?(?:再|然后|之后|最后)(?P<s>[^,]+)"), True),
    (re.compile(r"^(?P<f>[^,]+?)(?:之后|以后|后)[,，]?(?P<s>[^,]+)"), False),
)


def sequence_differences(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """Two things that one text puts in one order, and the other in the other."""
    ours, theirs = _sequence(a), _sequence(b)
    if ours is None or theirs is None:
        return
    straight = len(ours.first & theirs.first) + len(ours.second & theirs.second)
    crossed = len(ours.first & theirs.second) + len(ours.second & theirs.first)
    across = a.is_chinese is not b.is_chinese and not straight and not crossed
    if crossed > straight or (across and ours.main_is_first is not theirs.main_is_first):
        yield Difference(Aspect.ORDER, ours.text, theirs.text)


def _sequence(of: TokenReading) -> Sequence | None:
    """The first sequence that a text tells."""
    for sentence in _SENTENCE.finditer(of.text):
        for pattern, main_is_first in _CHINESE if of.is_chinese else _ENGLISH:
            found = pattern.match(sentence[0][:_SENTENCE_CHARS_MAX])
            if found:
                at = sentence.start()
                first = _words(of, at + found.start("f"), at + found.end("f"))
                second = _words(of, at + found.start("s"), at + found.end("s"))
                return Sequence(found[0].strip(), first - second, second - first, main_is_first)
    return None


_SENTENCE_CHARS_MAX = 300


def _words(of: TokenReading, start: int, end: int) -> frozenset[str]:
    """Words of a stretch; Chinese ones as pairs of characters."""
    inside = [token for token in of.tokens if start <= token.start < end]
    plain = {token.key for token in inside if token.speaks and token.form is not TokenForm.HAN}
    pairs = {
        one.key + two.key
        for one, two in pairwise(inside)
        if one.form is two.form is TokenForm.HAN and one.start + 1 == two.start
    }
    return frozenset(plain | pairs)
