"""Evidence for a hit: `Search` shows a hit that has any, since its caller sees the scores.

Contexts ask for more before they speak: see `context/evidence.py`.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from anamnesis_libs.index.analysis import tokens
from anamnesis_retrieval.model import Candidate, CandidateSet, Mode, Ranked, ScopeShape
from anamnesis_retrieval.ranking.named_time import without_dates

# A vector this close is evidence for a hit. Any@10 is the same with and without the rule.
EVIDENCE_COSINE_MIN = 0.3
NAMED_TIME = "named_time"
"""The term of a score for what was said within a time that the question names."""


def with_evidence(ranked: Sequence[Ranked], mode: Mode, *, by_itself: bool = False) -> list[Ranked]:
    """The hits that anything speaks for, in the same order; `by_itself` not what is around them."""
    return [
        one
        for one in ranked
        if _has_evidence(one.candidate, mode, by_itself) or _was_said_then(one)
    ]


def coverage(hit: Candidate, scope: ScopeShape) -> float:
    """The share of the question's words that a hit has, each weighed by its rarity; 0 to 1.

    A word that the scope does not have weighs as much as the rarest possible,
    ln(1 + (n + .5) / .5), the inverse document frequency of BM25 at no occurrence.
    """
    return share_of(hit.matched_terms, scope, question_weight(scope))


def question_weight(scope: ScopeShape) -> float:
    """The weight of all the question's words together; see `coverage`."""
    return sum(scope.term_weights) + unseen_weight(scope)


def unseen_weight(scope: ScopeShape) -> float:
    """The weight of the question's words that the scope does not have; see `coverage`."""
    return len(scope.absent) * math.log(1 + (scope.size + 0.5) / 0.5)


def share_of(matched: Iterable[int], scope: ScopeShape, whole: float) -> float:
    """The `coverage` of hits with these terms, where the weight of the whole question is known."""
    known = len(scope.term_weights)
    own = sum(scope.term_weights[term] for term in matched if term < known)
    return own / whole if whole > 0 else 0.0


def undated(found: CandidateSet, query: str) -> CandidateSet:
    """The candidates, where the dates that a question names weigh nothing as words of it.

    Days are read from when things were said: "on Nov 25, 2033" is in no text of that day.
    """
    terms, left = dict.fromkeys(tokens(query)), frozenset(tokens(without_dates(query)))
    if len(terms) == len(left):
        return found
    absent = frozenset(found.scope.absent)
    known = [term for term in terms if term not in absent]
    weights = tuple(
        weight if term in left else 0.0
        for term, weight in zip(known, found.scope.term_weights, strict=False)
    )
    absent_left = tuple(term for term in found.scope.absent if term in left)
    scope = replace(found.scope, term_weights=weights, absent=absent_left)
    return replace(found, scope=scope)


def _was_said_then(hit: Ranked) -> bool:
    """True if a hit was said within a time that the question names."""
    pairs = zip(hit.terms, hit.values, strict=True)
    return any(term.name == NAMED_TIME and value == 1.0 for term, value in pairs)


def _has_evidence(hit: Candidate, mode: Mode, by_itself: bool) -> bool:
    """True if a hit has a matched word, matches around it, or a close vector."""
    if hit.cosine >= EVIDENCE_COSINE_MIN:
        return True
    matched = bool(hit.matched_terms) or (hit.text_window > 0 and not by_itself)
    return mode is not Mode.SEMANTIC and matched
