"""Conditions: a condition of a statement that only one of two texts has."""

import re
from collections.abc import Iterator

from anamnesis_memory.dedup.alignment import Alignment, Tokens, said
from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.reading import TokenReading, is_extra

SHARED_MIN = 0.4
"""Share of common words from which what was put in tells two texts apart."""

_EXCEPTION = re.compile(
    r"\b(?:unless|except(?: for| when| if)?|other than|apart from|as long as|provided that"
    r"|only (?:if|when|on|for|in|during))\b"
    r"|除非|除了|例外|只有|仅限?|只要",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|while|during|until|outside|inside|within|before|after|between|on|in|at"
    r"|for|with|without|and|only)\b"
    r"|如果|要是|假如|若|时|的话|期间|以外|之外|以内|之前|之后|直到|凡是|一旦|并且|而且|且",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|since|as|so|so that|otherwise|or|for example|e\.g|to)\b"
    r"|因为|由于|所以|因此|否则|不然|以免|免得|这样|例如|比如",
    re.IGNORECASE,
)


def condition_differences(
    a: TokenReading, b: TokenReading, alignment: Alignment | None
) -> Iterator[Difference]:
    """Exceptions of one text only, and conditions put into a text that is otherwise the same."""
    ours, theirs = _exception(a, b), _exception(b, a)
    if bool(ours) is not bool(theirs):
        yield Difference(Aspect.CONDITION, ours, theirs)
    if alignment is None or alignment.shared < SHARED_MIN:
        return
    if any(block.a and block.b for block in alignment.blocks):
        return
    for block in alignment.blocks:
        if _is_condition(block.a, a, b) or _is_condition(block.b, b, a):
            yield Difference(Aspect.CONDITION, said(block.a), said(block.b))


def _exception(of: TokenReading, other: TokenReading) -> str:
    for found in _EXCEPTION.finditer(of.text):
        if not is_extra(of, of.clause_at(found.start()), other) or found[0] in _ALWAYS:
            return found[0]
    return ""


_ALWAYS = frozenset({"unless", "except", "除非"})


def _is_condition(tokens: Tokens, of: TokenReading, other: TokenReading) -> bool:
    """True if inserted tokens are a condition; a reason, a sentence or a moved clause is none."""
    new = [token for token in tokens if token.key not in other.keys]
    if 2 * len(new) <= len(tokens):
        return False
    end = tokens[-1].start + len(tokens[-1].text)
    lead = of.text[of.end_before(tokens[0].start) : tokens[0].start]
    words = lead + of.text[tokens[0].start : end]
    told = _SENTENCE_END.search(lead) or _REASON.search(words)
    return not told and any(_is_more(each[0], of, other) for each in _CONDITION.finditer(words))


def _is_more(marker: str, of: TokenReading, other: TokenReading) -> bool:
    """True if a word stands in one text more often than in the other."""
    return of.text.lower().count(marker.lower()) > other.text.lower().count(marker.lower())


_SENTENCE_END = re.compile(r"[.!?。;:]\s*(?:\w+\s)*$")
