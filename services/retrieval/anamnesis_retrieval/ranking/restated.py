"""Statements that were told again with another ending: what holds now is the newest of them.

"Ann plays for Ajax", and a year later "Ann plays for PSV": to "Which club does Ann play for?" both
answer equally well by their words. Two texts are one statement told twice where they begin and end
alike, and what they share has every word of the question that either of them has.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations, takewhile

from anamnesis_libs.index.analysis import tokens
from anamnesis_retrieval.model import Ranked, Remembered
from anamnesis_retrieval.ranking.newest import TOP, moment

TERMS_MIN = 2
"""Of the question's terms two statements share so many: one alone makes no statement."""
WORDS_MIN = 3
"""Two statements share so many words at least,"""
REST_MAX = 12
"""and each has at most so many that the other has not."""
CHARS_MAX = 1_000
"""A longer text is more than a statement."""
NEAR_MIN = 0.7
"""The lower of two scores is so much of the higher."""

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_]+(?:['’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Statement:
    """A text as it is compared with others: its words in order, and the terms among them."""

    words: Sequence[str]
    terms: frozenset[str]


def statement_of(text: str) -> Statement:
    """A text's statement; one without words where it is too long to be one."""
    if len(text) > CHARS_MAX:
        return Statement((), frozenset())
    return Statement(_WORD.findall(text.casefold()), frozenset(tokens(text)))


def restates(later: Statement, earlier: Statement, terms: AbstractSet[str]) -> bool:
    """True if two statements answer a question of these terms alike, and differ in the answer."""
    asked = terms & (later.terms | earlier.terms)
    ours, theirs = later.words, earlier.words
    if len(asked) < TERMS_MIN or abs(len(ours) - len(theirs)) >= REST_MAX:
        return False
    begin = _common(ours, theirs)
    end = _common(ours[begin:][::-1], theirs[begin:][::-1])
    shared = [ours[:begin], ours[len(ours) - end :]]
    rests = [len(words) - begin - end for words in (ours, theirs)]
    if begin + end < WORDS_MIN or not all(0 < rest <= REST_MAX for rest in rests):
        return False
    return asked <= {term for words in shared for term in tokens(_joined(words))}


def suspects(ranked: Sequence[Ranked]) -> list[str]:
    """Ids of those of the best that match the same of the question's words as another of them.

    Their scores are near as well: what is one statement but for its ending is found alike.
    """
    alike: defaultdict[object, list[Ranked]] = defaultdict(list)
    for hit in ranked[:TOP]:
        one = hit.candidate
        if len(one.matched_terms) >= TERMS_MIN:
            alike[one.matched_terms, one.role, one.name].append(hit)
    return [
        hit.candidate.memory_id
        for hits in alike.values()
        for place, hit in enumerate(hits)
        if any(_near(hit, other) for other in (*hits[:place], *hits[place + 1 :]))
    ]


def _near(one: Ranked, other: Ranked) -> bool:
    low, high = sorted((one.score, other.score))
    return low >= NEAR_MIN * high


def newest_restated(
    ranked: Sequence[Ranked], texts: Mapping[str, Remembered], terms: AbstractSet[str]
) -> list[Ranked]:
    """The ranking with each statement of the best that was told again behind its newest telling.

    Those whose text is not there stay where they are.
    """
    order = list(ranked)
    for slots in _groups(order[:TOP], texts, terms):
        members = sorted(
            (order[slot] for slot in slots), key=lambda hit: _holds(hit, texts), reverse=True
        )
        for slot, member in zip(slots, members, strict=True):
            order[slot] = member
    return order


def _groups(
    best: Sequence[Ranked], texts: Mapping[str, Remembered], terms: AbstractSet[str]
) -> list[list[int]]:
    """Places of hits that are one statement, each place in one group."""
    of: dict[int, list[int]] = {}
    there = [place for place, hit in enumerate(best) if hit.candidate.memory_id in texts]
    for first, other in combinations(there, 2):
        one, two = (texts[best[place].candidate.memory_id] for place in (first, other))
        if other not in of and is_told_again(one, two, terms):
            group = of.setdefault(first, [first])
            group.append(other)
            of[other] = group
    return [group for place, group in of.items() if group[0] == place]


def is_told_again(one: Remembered, two: Remembered, terms: AbstractSet[str]) -> bool:
    """True if two memories are one statement; of two facts, if exactly one was superseded."""
    if one.fact_line or two.fact_line:
        return one.fact_line == two.fact_line and one.superseded is not two.superseded
    if (one.role, one.speaker) != (two.role, two.speaker):
        return False
    return restates(statement_of(one.content), statement_of(two.content), terms)


def _holds(hit: Ranked, texts: Mapping[str, Remembered]) -> tuple[bool, tuple[object, ...]]:
    return not texts[hit.candidate.memory_id].superseded, moment(hit)


def _common(ours: Sequence[str], theirs: Sequence[str]) -> int:
    """Number of words with which two texts begin alike."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(ours, theirs, strict=False))
    )


def _joined(words: Sequence[str]) -> str:
    """Words as a text, Chinese characters side by side."""
    return re.sub(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])", "", " ".join(words))
