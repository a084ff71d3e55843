"""Comparing a text that stands for others with theirs, before it takes their place. Pure.

Of a text for two lessons, what was told must not be lost, and nothing may be made up: numbers,
names, identifiers and negations of both are in the text, the text has none of its own, and each of
its sentences is borne by the words of one of them. A summary of one text may leave out, but not
make up. Precision first, as for the guard: a good text that is refused costs a try, a bad one that
is taken destroys what was told.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from anamnesis_memory.dedup.difference import Aspect
from anamnesis_memory.dedup.directions import direction_differences
from anamnesis_memory.dedup.environments import environment_differences
from anamnesis_memory.dedup.names import codes, names
from anamnesis_memory.dedup.negation import Denial, denials, prefixed
from anamnesis_memory.dedup.normalised import is_wide, normal_form
from anamnesis_memory.dedup.order import sequence_differences
from anamnesis_memory.dedup.quantities import Amounts
from anamnesis_memory.dedup.reading import TokenForm, TokenReading, read
from anamnesis_memory.dedup.semantic_diff import CHARS_MAX, differences

BORNE_MIN = 0.6
"""The share of a sentence's words that one of the two lessons must have."""
SUMMARY_BORNE_MIN = 0.7
"""The share of a sentence's words that the text must have of which it is a summary."""
BORNE_TOGETHER_MIN = 0.8
"""The share that both together must have, where neither has so many."""
KEPT_MIN = 0.75
"""The share of the words of a lesson's sentence that the text must have, some may be names."""
LONGER_MAX = 1.25
"""The text is at most so many times as long as both together."""
SIDE_TOKENS_MAX = 2
"""More words in one place are other words for something; two may be a name without a mark."""
_OPPOSED = frozenset({Aspect.DIRECTION, Aspect.ORDER})
_SIDED = frozenset({Aspect.NAME, Aspect.CONDITION, Aspect.ENVIRONMENT})
"""Aspects of which the text has both sides; it has all numbers anyway."""
_TOLD_CHARS_MAX = 120
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")


def fault_of(text: str, one: str, other: str) -> str:
    """The fault for which a text may not stand for two lessons; empty if it may.

    Time is linear in the lengths of the three.
    """
    if max(map(len, (text, one, other))) > CHARS_MAX:
        return f"too long to compare: more than {CHARS_MAX:,} characters"
    if len(text) > LONGER_MAX * (len(one) + len(other)):
        return "it is longer than both together"
    reading = read(text)
    faults = chain(_faults(reading, (read(one), read(other))), _sides(reading, one, other))
    return next(faults, "")


def fault_of_summary(text: str, source: str) -> str:
    """The fault for which a text may not stand as the short form of another; empty if it may.

    It may leave out, but not make up: no number, name or denial that the source does not have,
    nothing said that the source denies, no sentence that its words do not bear. Time is linear in
    the lengths of both.
    """
    if max(len(text), len(source)) > CHARS_MAX:
        return f"too long to compare: more than {CHARS_MAX:,} characters"
    return next(_made_up(read(text), (read(source),)), "")


def fault_of_remark(text: str, source: str) -> str:
    """The fault for which a remark may not stand beside a text; empty if it may.

    It has words of its own, but no number and no name that the text does not have.
    """
    reading, parts = read(text), (read(source),)
    return next(chain(_new_numbers(reading, parts), _new_names(reading, parts)), "")


def says_all(text: str, part: str) -> bool:
    """True if a text has every sentence of another, word by word."""
    said = {normal_form(sentence) for sentence in sentences(text)}
    return all(normal_form(sentence) in said for sentence in sentences(part))


def sentences(text: str) -> list[str]:
    """The sentences of a text, and its lines."""
    return [found.strip() for found in _SENTENCE.split(text) if found.strip()]


def _faults(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    yield from _lost_numbers(text, parts)
    yield from _new_numbers(text, parts)
    yield from _lost_names(text, parts)
    yield from _new_names(text, parts)
    yield from _lost_negations(text, parts)
    yield from _new_negations(text, parts)
    yield from _turned(text, parts)
    yield from _unborne(text, parts, BORNE_MIN)
    yield from _lost(text, parts)


def _made_up(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    """Faults of a text that may leave out what its parts say."""
    yield from _new_numbers(text, parts)
    yield from _new_names(text, parts)
    yield from _new_negations(text, parts)
    yield from _undenied(text, parts)
    yield from _turned(text, parts)
    yield from _new_words(text, parts)
    yield from _unborne(text, parts, SUMMARY_BORNE_MIN)


def _lost_numbers(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    has = Amounts(text.numbers)
    for part in parts:
        yield from (
            _said("it loses the number", one.text)
            for one in part.numbers
            if not one.weak and one not in has
        )


def _new_numbers(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    told = Amounts([one for part in parts for one in part.numbers])
    for one in text.numbers:
        if not one.weak and one not in told:
            yield _said("it has a number that neither has", one.text)


def _lost_names(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    for part in parts:
        for one in (*codes(part.tokens), *names(part.tokens, part)):
            if one.key not in text.keys:
                yield _said("it loses the name", one.text)


def _new_names(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    told = frozenset[str]().union(*(part.keys for part in parts))
    for one in (*codes(text.tokens), *names(text.tokens, text)):
        if one.key not in told:
            yield _said("it has a name that neither has", one.text)


def _lost_negations(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    """Each denial is told by the words behind its negator: those of the parts are of the text."""
    denied = {head for each in denials(text) for head in each.heads}
    for part in parts:
        for each in denials(part):
            if each.heads and not denied.intersection(each.heads):
                yield _said("it loses the negation", _words(each))


def _new_negations(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    """Denials of the text that are of no part, and what it denies that a part says."""
    told = {head for part in parts for each in denials(part) for head in each.heads}
    for each in denials(text):
        if each.heads and not told.intersection(each.heads):
            yield _said("it denies what neither denies", _words(each))
    for part in parts:
        yield from _contradicted(text, part)
        for found in prefixed(part, text):
            yield _said("it denies what one of them says", f"{found.a} / {found.b}")


def _undenied(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    """Words that a part has only where it denies them, and the text says."""
    denied = {head for each in denials(text) for head in each.heads}
    for part in parts:
        own = denials(part)
        heads = Counter(each.heads[0] for each in own if each.heads)
        for each in own:
            head = each.heads[0] if each.heads else ""
            says = head and not denied.intersection(each.heads) and _count(text, head)
            if says and _count(part, head) <= heads[head]:
                yield _said("it says what is denied", _words(each))


def _contradicted(text: TokenReading, part: TokenReading) -> Iterator[str]:
    """Words that a lesson says, and the text has only where it denies them."""
    own = {head for each in denials(part) for head in each.heads}
    denied = Counter(each.heads[0] for each in denials(text) if each.heads)
    for each in denials(text):
        head = each.heads[0] if each.heads else ""
        says = head and head not in own and _count(part, head)
        if says and _count(text, head) <= denied[head]:
            yield _said("it denies what one of them says", _words(each))


def _count(of: TokenReading, head: str) -> int:
    """The number of places where a text has the first word behind a negator."""
    if is_wide(head[0]):
        return of.text.count(head)
    return sum(token.key == head for token in of.tokens)


def _words(denial: Denial) -> str:
    return f"{denial.text} {' '.join(denial.heads)}"


def _sides(text: TokenReading, one: str, other: str) -> Iterator[str]:
    """Differences of the lessons that the text does not keep: each side stands in it.

    Lessons that differ in a direction or an order are never one.
    """
    for each in differences(one, other):
        if each.aspect in _OPPOSED:
            yield _said("they go opposite ways", f"{each.a} / {each.b}")
        elif each.aspect in _SIDED:
            for side in filter(None, (each.a, each.b)):
                spoken = read(side).spoken
                if len(spoken) <= SIDE_TOKENS_MAX and any(
                    token.key not in text.keys for token in spoken
                ):
                    yield _said("it loses", side)


def _turned(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    """Orders, directions and environments that a lesson has and the text has otherwise."""
    for part in parts:
        for each in (
            *sequence_differences(part, text),
            *direction_differences(part, text),
            *environment_differences(part, text),
        ):
            if each.a and each.b:
                yield _said("it turns round", f"{each.a} / {each.b}")


def _new_words(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    """Words that are likely names and are of no part, though nothing marks them as names.

    Such is the capital word that opens a sentence, and two Chinese characters together.
    """
    told = frozenset[str]().union(*(part.keys for part in parts))
    for one in text.spoken:
        if one.opens and one.text[0].isupper() and one.key not in told:
            yield _said("it has a word that neither has", one.text)
    for one, two in pairwise(text.spoken):
        han = one.form is two.form is TokenForm.HAN and two.start == one.start + 1
        if han and one.key not in told and two.key not in told:
            yield _said("it has a word that neither has", one.text + two.text)


def _unborne(text: TokenReading, parts: Sequence[TokenReading], borne_min: float) -> Iterator[str]:
    together = frozenset[str]().union(*(part.keys for part in parts))
    for sentence in sentences(text.text):
        spoken = {token.key for token in read(sentence).spoken}
        if not spoken:
            continue
        best = max(len(spoken & part.keys) for part in parts) / len(spoken)
        if best < borne_min and len(spoken & together) / len(spoken) < BORNE_TOGETHER_MIN:
            yield _said("it says what neither says", sentence)


def _lost(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    for part in parts:
        for sentence in sentences(part.text):
            spoken = {token.key for token in read(sentence).spoken}
            if len(spoken & text.keys) < KEPT_MIN * len(spoken):
                yield _said("it loses", sentence)


def _said(fault: str, words: str) -> str:
    return f"{fault}: {words[:_TOLD_CHARS_MAX]}"
