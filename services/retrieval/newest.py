"""Newest first, but only when a question asks how things are now.

Of several versions of one statement, scores alone put the newest first in no more than half of
the cases. So where the question has a word of the present and none of the past, hits among the
best ten that match the same of its words, from the same speaker, change places until the newest
of them stands first. A hit outside such a group stays where it is.
"""

import re
from collections.abc import Sequence

from services.retrieval.model import Candidate, Ranked

TOP = 10
# A hit of a group covers this share of what the best of the ten covers of the question,
COVERAGE_MIN = 0.6
# matches as many of its words: one alone (a speaker's name, say) makes no statement,
TERMS_MIN = 2
# and matches the same words as the group's first by this Jaccard index, weighed by rarity.
LIKENESS_MIN = 0.6

_NOW = re.compile(
    r"\b(current(ly)?|now(adays)?|right now|at the moment|at present|these days|latest|newest|"
    r"most recent(ly)?|today|still|any ?more|as of)\b|"
    "目前|現在|现在|最新|現時|如今|当前|當前",
    re.IGNORECASE,
)
_THEN = re.compile(
    r"\b(original(ly)?|initial(ly)?|at first|first|previous(ly)?|former(ly)?|used to|before|"
    r"earlier|old)\b|"
    "原本|原來|原来|一開始|一开始|起初|最初|之前|以前|先前|後來|后来|分別|分别|變化|变化",
    re.IGNORECASE,
)


def asks_for_now(query: str) -> bool:
    """Whether a question asks how things are, and not how they were or changed."""
    return bool(_NOW.search(query)) and not _THEN.search(query)


def newest_first(
    query: str, ranked: Sequence[Ranked], term_weights: Sequence[float]
) -> list[Ranked]:
    """The ranking with each group of versions among the best ten turned newest first."""
    if not asks_for_now(query):
        return list(ranked)
    order = list(ranked)
    for slots in _groups(order[:TOP], term_weights):
        members = sorted((order[slot] for slot in slots), key=moment, reverse=True)
        for slot, member in zip(slots, members, strict=True):
            order[slot] = member
    return order


def _groups(best: Sequence[Ranked], term_weights: Sequence[float]) -> list[list[int]]:
    """Positions of hits that say the same of the same matter, each position in one group."""
    covered = [_weight(one.candidate.matched_terms, term_weights) for one in best]
    floor = COVERAGE_MIN * max(covered, default=0.0)
    left = [
        position
        for position, weight in enumerate(covered)
        if weight >= floor and len(best[position].candidate.matched_terms) >= TERMS_MIN
    ]
    groups: list[list[int]] = []
    while left:
        first = best[left[0]].candidate
        group = [at for at in left if _alike(first, best[at].candidate, term_weights)]
        groups.append(group)
        left = [at for at in left if at not in group]
    return groups


def _alike(first: Candidate, other: Candidate, term_weights: Sequence[float]) -> bool:
    if (first.role, first.name) != (other.role, other.name):
        return False
    shared = _weight(first.matched_terms & other.matched_terms, term_weights)
    return shared >= LIKENESS_MIN * _weight(first.matched_terms | other.matched_terms, term_weights)


def _weight(terms: frozenset[int], term_weights: Sequence[float]) -> float:
    return sum(term_weights[term] for term in sorted(terms) if term < len(term_weights))


def moment(ranked: Ranked) -> tuple[int, int, int, str]:
    """When it happened, else when it was stored; within one moment, by its place."""
    one = ranked.candidate
    happened_us = one.create_time_us if one.event_time_us is None else one.event_time_us
    return (happened_us, one.create_time_us, one.event_index, one.memory_id)
