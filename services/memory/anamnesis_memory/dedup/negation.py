"""Negations: what one text denies and the other says.

A negator is read with the words that follow it in its clause. It counts where the other text has
the next such word without a negator. `never skip` is two negations and so none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.reading import Token, TokenForm, TokenReading
from anamnesis_memory.dedup.words import canonical

_ENGLISH = re.compile(
    r"\b(?:not(?! (?:only|just|merely|simply)\b)|never"
    r"|no(?! (?:more|less|later|earlier|older|newer|matter|longer than)\b)"
    r"|none|nobody|nothing|neither|nor|cannot|without|avoid|refrain from"
    r"|instead of|rather than|forbid(?:den)?|prohibit(?:ed)?|must not)\b|n't\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:绝不|决不|并不|从不|不要|不能|不会|不可以?|不准|不许|不得|不再|不用|不必|而不是|不是"
    r"|禁止|切勿|请勿|严禁|没有|没|(?<![特区级类个分识性告])别(?![的人处墅名])|无需|无须|未(?!来)|勿|避免|以防|防止|莫"
    r"|不(?![然同仅只但过到足少错论管断久妨如]|(?<=差不)多))"
    r"(?:要|能|会|可以)?"
)
_NO_NEGATION = re.compile(
    r"差不多|对不起|是不是|能不能|会不会|要不要|有没有|不到|不超过|不少于|不低于|不高于|不早于|不晚于|不大于"
    r"|不小于|不只|不光|不仅|不但|(?:以下|以上|低于|高于|早于|晚于)[^,.;。]{0,10}不"
    r"|\bno(?:t)? (?:\w+ ){0,2}(?:more|less|fewer|later|earlier|older|newer|lower|higher) than\b",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"(?:un|in|im|ir|il|dis|non-?)(?=[a-z]{3})")
_HEADS_MAX = 2
_REACH_CHARS = 100
_BREAK = re.compile(r"[,;.!?:\n]")


@dataclass(frozen=True, slots=True)
class Denial:
    """A negator and the first words behind it."""

    text: str
    heads: tuple[str, ...]


def negation_differences(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """Differences where one text denies what the other has without a negator."""
    ours, theirs = denials(a), denials(b)
    yield from (
        Difference(Aspect.NEGATION, each.text, each.heads[0])
        for each in _contradicted(ours, b, theirs)
    )
    yield from (
        Difference(Aspect.NEGATION, each.heads[0], each.text)
        for each in _contradicted(theirs, a, ours)
    )
    yield from prefixed(a, b)
    if a.is_chinese is not b.is_chinese and bool(ours) is not bool(theirs):
        yield Difference(Aspect.NEGATION, _texts(ours), _texts(theirs))


def _texts(of: tuple[Denial, ...]) -> str:
    return of[0].text if of else ""


def _contradicted(
    denials: tuple[Denial, ...], other: TokenReading, others: tuple[Denial, ...]
) -> Iterator[Denial]:
    """Denials of which the other text has the head, and denies it nowhere."""
    denied = {head for each in others for head in each.heads}
    heads = _heads_of(other)
    yield from (
        each
        for each in denials
        if each.heads and each.heads[0] in heads and not denied.intersection(each.heads)
    )


def _heads_of(of: TokenReading) -> frozenset[str]:
    pairs = {
        one.key + two.key
        for one, two in pairwise(of.tokens)
        if one.form is two.form is TokenForm.HAN
    }
    return of.keys | pairs


def denials(of: TokenReading) -> tuple[Denial, ...]:
    """The negators of a text that no second one cancels, with what they deny."""
    text = _NO_NEGATION.sub(lambda each: " " * len(each[0]), of.text)
    found = [each for pattern in (_ENGLISH, _CHINESE) for each in pattern.finditer(text)]
    behind = _Behind(of)
    found.sort(key=lambda each: each.start())
    return tuple(_denial(of, each, behind) for each in found)


class _Behind:
    """The tokens behind a place, found by walking forwards once."""

    def __init__(self, of: TokenReading) -> None:
        self._tokens, self._at = of.tokens, 0

    def after(self, place: int, count: int) -> tuple[Token, ...]:
        while self._at < len(self._tokens) and self._tokens[self._at].start < place:
            self._at += 1
        return self._tokens[self._at : self._at + count]


def _denial(of: TokenReading, found: re.Match[str], behind: _Behind) -> Denial:
    tokens = behind.after(found.end(), 8)
    if found[0][-1] > "\u3400":
        return Denial(found[0], _chinese_heads(tokens))
    stop = _BREAK.search(of.text, found.end(), found.end() + _REACH_CHARS)
    end = stop.start() if stop else found.end() + _REACH_CHARS
    heads = tuple(each.key for each in tokens if each.speaks and each.start < end)
    return Denial(found[0], heads[:_HEADS_MAX])


def _chinese_heads(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """The next two characters together; a Latin word alone."""
    if not tokens:
        return ()
    if tokens[0].form is not TokenForm.HAN:
        return (tokens[0].key,)
    if len(tokens) > 1 and tokens[1].form is TokenForm.HAN:
        return (tokens[0].key + tokens[1].key,)
    return ()


def prefixed(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """`unsafe` in one, and only `safe` in the other."""
    for mine, their in ((a, b), (b, a)):
        words = {token.text.lower() for token in their.tokens}
        for token in mine.tokens:
            word = token.text.lower()
            cut = _PREFIX.sub("", word, count=1) if _PREFIX.match(word) else word
            if cut != word and cut in words and word not in words:
                ours, other = token.text, canonical(cut)
                sides = (ours, other) if mine is a else (other, ours)
                yield Difference(Aspect.NEGATION, *sides)
