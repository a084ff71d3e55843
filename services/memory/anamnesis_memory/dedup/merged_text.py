"""Comparing a text that stands for two lessons with theirs, before it takes their place. Pure.

What was told must not be lost, and nothing may be made up: numbers, names, identifiers and
negations of both are in the text, the text has none of its own, and each of its sentences is borne
by the words of one of them. Precision first, as for the guard: a good text that is refused costs a
try, a bad one that is taken destroys what was told.
"""

import re
from collections.abc import Iterator, Sequence

from anamnesis_memory.dedup.directions import direction_differences
from anamnesis_memory.dedup.environments import environment_differences
from anamnesis_memory.dedup.names import codes, names
from anamnesis_memory.dedup.negation import denials
from anamnesis_memory.dedup.normalised import normal_form
from anamnesis_memory.dedup.order import sequence_differences
from anamnesis_memory.dedup.quantities import Amounts
from anamnesis_memory.dedup.reading import TokenReading, read
from anamnesis_memory.dedup.semantic_diff import CHARS_MAX

BORNE_MIN = 0.6
"""The share of a sentence's words that one of the two lessons must have."""
BORNE_TOGETHER_MIN = 0.8
"""The share that both together must have, where neither has so many."""
KEPT_MIN = 0.75
"""The share of the words of a lesson's sentence that the text must have, some may be names."""
LONGER_MAX = 1.25
"""The text is at most so many times as long as both together."""
_TOLD_CHARS_MAX = 120
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")


def fault_of(text: str, parts: Sequence[str]) -> str:
    """Why a text may not stand for these; empty if it may. Time is linear in their lengths."""
    if max(map(len, (text, *parts))) > CHARS_MAX:
        return f"too long to compare: more than {CHARS_MAX:,} characters"
    if len(text) > LONGER_MAX * sum(map(len, parts)):
        return "it is longer than both together"
    return next(_faults(read(text), [read(part) for part in parts]), "")


def says_all(text: str, part: str) -> bool:
    """True if a text has every sentence of another, word by word."""
    said = {normal_form(sentence) for sentence in sentences(text)}
    return all(normal_form(sentence) in said for sentence in sentences(part))


def sentences(text: str) -> list[str]:
    """The sentences of a text, and its lines."""
    return [found.strip() for found in _SENTENCE.split(text) if found.strip()]


def _faults(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    yield from _numbers(text, parts)
    yield from _names(text, parts)
    yield from _negations(text, parts)
    yield from _turned(text, parts)
    yield from _unborne(text, parts)
    yield from _lost(text, parts)


def _numbers(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    has = Amounts(text.numbers)
    told = Amounts([one for part in parts for one in part.numbers])
    for part in parts:
        yield from (
            _said("it loses the number", one.text)
            for one in part.numbers
            if not one.weak and one not in has
        )
    for one in text.numbers:
        if not one.weak and one not in told:
            yield _said("it has a number that neither has", one.text)


def _names(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    told = frozenset[str]().union(*(part.keys for part in parts))
    for part in parts:
        for one in (*codes(part.tokens), *names(part.tokens, part)):
            if one.key not in text.keys:
                yield _said("it loses the name", one.text)
    for one in (*codes(text.tokens), *names(text.tokens, text)):
        if one.key not in told:
            yield _said("it has a name that neither has", one.text)


def _negations(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    """Each denial is told by the words behind its negator: those of the one are of the other."""
    denied = {head for each in denials(text) for head in each.heads}
    told = {head for part in parts for each in denials(part) for head in each.heads}
    for part in parts:
        for each in denials(part):
            if each.heads and not denied.intersection(each.heads):
                yield _said("it loses the negation", f"{each.text} {' '.join(each.heads)}")
    for each in denials(text):
        if each.heads and not told.intersection(each.heads):
            yield _said("it denies what neither denies", f"{each.text} {' '.join(each.heads)}")


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


def _unborne(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    together = frozenset[str]().union(*(part.keys for part in parts))
    for sentence in sentences(text.text):
        spoken = {token.key for token in read(sentence).spoken}
        if not spoken:
            continue
        best = max(len(spoken & part.keys) for part in parts) / len(spoken)
        if best < BORNE_MIN and len(spoken & together) / len(spoken) < BORNE_TOGETHER_MIN:
            yield _said("it says what neither says", sentence)


def _lost(text: TokenReading, parts: Sequence[TokenReading]) -> Iterator[str]:
    for part in parts:
        for sentence in sentences(part.text):
            spoken = {token.key for token in read(sentence).spoken}
            if len(spoken & text.keys) < KEPT_MIN * len(spoken):
                yield _said("it loses", sentence)


def _said(fault: str, words: str) -> str:
    return f"{fault}: {words[:_TOLD_CHARS_MAX]}"
