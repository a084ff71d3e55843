"""Newest first, but only when a question asks how things are now.

Of several versions of one statement, scores alone put the newest first in no more than half of
the cases. So where the question has a word of the present and none of the past, hits among the
best ten that match the same of its words, from the same speaker, change places until the newest
of them stands first. A hit outside such a group stays where it is.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import asks_for_the_past
from anamnesis_retrieval.model import Candidate, Ranked, ScopeShape
from anamnesis_retrieval.ranking.language import names_in
from anamnesis_retrieval.ranking.named_time import without_dates

TOP = 10
# A hit of a group covers this share of what the best of the ten covers of the question,
COVERAGE_MIN = 0.6
# matches as many of its words: one alone (a speaker's name, say) makes no statement,
TERMS_MIN = 2
# matches the same words as the group's first by this Jaccard index, weighed by rarity,
LIKENESS_MIN = 0.6
# and has at least this share of the best score in the group: what only has the words of a
# statement that is made of many things is about another one.
SCORE_MIN = 0.6

_NOW = re.compile(
    r"\b(current(ly)?|now(adays)?|right now|at the moment|at present|these days|latest|newest|"
    r"most recent(ly)?|today|still|any ?more|as of)\b|"
    "目前|現在|现在|最新|現時|如今|当前|當前",
    re.IGNORECASE,
)
_NOW_TERMS = frozenset(
    tokens(
        "current currently now nowadays right moment present these days latest newest most recent "
        "recently today still anymore"
    )
)
_PARTICLES = frozenset("的了吗嗎呢吧")
"""A pair of characters with one of these is the end of a word and the start of another."""
_THEN = re.compile(
    r"\b(original(ly)?|initial(ly)?|at first|first|previous(ly)?|former(ly)?|used to|before|"
    r"earlier|old)\b|"
    "原本|原來|原来|一開始|一开始|起初|最初|之前|以前|先前|後來|后来|分別|分别|變化|变化",
    re.IGNORECASE,
)


def asks_for_now(query: str) -> bool:
    """True if a question asks how things are, and not how they were or changed."""
    return bool(_NOW.search(query)) and not _THEN.search(query)


@lru_cache(maxsize=64)
def is_about_past(query: str) -> bool:
    """True where a question asks how things were, and not how they are."""
    return asks_for_the_past(query) and not asks_for_now(query)


def newest_first(query: str, ranked: Sequence[Ranked], scope: ScopeShape) -> list[Ranked]:
    """The ranking with each group of versions among the best ten turned newest first."""
    if not asks_for_now(query) or names_stranger(query, scope):
        return list(ranked)
    order = list(ranked)
    for slots in _groups(order[:TOP], _weights(query, scope)):
        members = sorted((order[slot] for slot in slots), key=moment, reverse=True)
        for slot, member in zip(slots, members, strict=True):
            order[slot] = member
    return order


def names_stranger(query: str, scope: ScopeShape) -> bool:
    """True where a name in the question is a word that the scope does not have.

    What hits have of such a question are the words of a template ("the head of the ...
    government"), and no subject: they are of many subjects.
    """
    absent = frozenset(scope.absent)
    return any(absent.intersection(tokens(name)) for name in names_in(without_dates(query)))


def _weights(query: str, scope: ScopeShape) -> list[float]:
    """The weights of the question's terms that the scope has.

    Words of the present, and pairs of characters with a particle, say nothing.
    """
    absent = frozenset(scope.absent)
    known = [term for term in dict.fromkeys(tokens(query)) if term not in absent]
    return [
        0.0 if term in _NOW_TERMS or not _PARTICLES.isdisjoint(term) else weight
        for term, weight in zip(known, scope.term_weights, strict=False)
    ]


def _groups(best: Sequence[Ranked], term_weights: Sequence[float]) -> list[list[int]]:
    """Positions of hits that say the same of the same matter, each position in one group."""
    covered = [_weight(one.candidate.matched_terms, term_weights) for one in best]
    floor = COVERAGE_MIN * max(covered, default=0.0)
    left = [
        position
        for position, weight in enumerate(covered)
        if weight >= floor and _telling(best[position].candidate, term_weights) >= TERMS_MIN
    ]
    groups: list[list[int]] = []
    while left:
        first = best[left[0]].candidate
        alike = [at for at in left if _alike(first, best[at].candidate, term_weights)]
        floor = SCORE_MIN * max(best[at].score for at in alike)
        group = [at for at in alike if best[at].score >= floor] or left[:1]
        groups.append(group)
        left = [at for at in left if at not in group]
    return groups


def _alike(first: Candidate, other: Candidate, term_weights: Sequence[float]) -> bool:
    if (first.role, first.name) != (other.role, other.name):
        return False
    if _rarest(first, term_weights) != _rarest(other, term_weights):
        return False
    shared = _weight(first.matched_terms & other.matched_terms, term_weights)
    return shared >= LIKENESS_MIN * _weight(first.matched_terms | other.matched_terms, term_weights)


def _telling(one: Candidate, term_weights: Sequence[float]) -> int:
    """Number of matched terms of a hit that count; words of the present have no weight."""
    return sum(term >= len(term_weights) or term_weights[term] > 0 for term in one.matched_terms)


def _rarest(one: Candidate, term_weights: Sequence[float]) -> int:
    """The rarest term that a hit matches: as a rule what it is about."""
    known = sorted(term for term in one.matched_terms if term < len(term_weights))
    return max(known, key=lambda term: term_weights[term], default=-1)


def _weight(terms: frozenset[int], term_weights: Sequence[float]) -> float:
    return sum(term_weights[term] for term in sorted(terms) if term < len(term_weights))


def moment(ranked: Ranked) -> tuple[int, int, int, str]:
    """The sort key of a hit by time: when it happened, else when it was stored; then by place."""
    one = ranked.candidate
    happened_us = one.create_time_us if one.event_time_us is None else one.event_time_us
    return (happened_us, one.create_time_us, one.event_index, one.memory_id)
