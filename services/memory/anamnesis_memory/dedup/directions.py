"""Words that point: of a pair of opposites one text has one, and the other text the other.

Both languages share the pairs, so that `raise` meets `降低`. Comparisons (`at least`, `不超过`) are
such a pair too, and a negator in front of one turns it: `no older than` is `at least`.
"""

import re
from collections.abc import Iterator

from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.opposites import BOUNDS, OPPOSITES
from anamnesis_memory.dedup.reading import TokenReading

_TURNED = re.compile(r"\b(?:no|not|never|cannot)(?: \w+){0,2} $|n't(?: \w+)? $", re.IGNORECASE)
_DENIED_BEHIND = re.compile(r"^[^,.;]{0,10}(?:都|就|一律)?(?:不|没|禁止)")


def direction_differences(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """Pairs of which each text has the opposite side, and only that."""
    for pattern in OPPOSITES:
        ours, theirs = _sides(pattern, a.text), _sides(pattern, b.text)
        if len(ours) == len(theirs) == 1 and ours.keys() != theirs.keys():
            yield Difference(Aspect.DIRECTION, *ours.values(), *theirs.values())
    yield from _bounds(a.text, b.text)


_PARTICLE_WORDS = "in out on off up down from to into onto over under with by at of for through"
_PARTICLES = frozenset(_PARTICLE_WORDS.split())


def particle_differences(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """Texts of the same words but for a particle: `sign in` and `sign out`."""
    if len(a.tokens) != len(b.tokens):
        return
    pairs = [
        (one.text, other.text)
        for one, other in zip(a.tokens, b.tokens, strict=True)
        if one.key != other.key
    ]
    if all({one.lower(), other.lower()} <= _PARTICLES for one, other in pairs):
        yield from (Difference(Aspect.DIRECTION, one, other) for one, other in pairs)


def _sides(pattern: re.Pattern[str], text: str) -> dict[str, str]:
    return {found.lastgroup or "": found[0] for found in pattern.finditer(text)}


def _bounds(a: str, b: str) -> Iterator[Difference]:
    """`above` here and `below` there, negators reckoned in."""
    ours, theirs = _turned_sides(a), _turned_sides(b)
    if len(ours) == len(theirs) == 1 and ours.keys() != theirs.keys():
        yield Difference(Aspect.DIRECTION, *ours.values(), *theirs.values())


def _turned_sides(text: str) -> dict[bool, str]:
    found = {}
    for each in BOUNDS.finditer(text):
        before, behind = (
            text[max(0, each.start() - 24) : each.start()],
            text[each.end() : each.end() + 16],
        )
        turned = bool(_TURNED.search(before)) or bool(
            not each[0].isascii() and _DENIED_BEHIND.search(behind)
        )
        found[(each.lastgroup == "one") is not turned] = each[0]
    return found
