"""Rankings that weigh, beside relevance, how new and how important a memory is.

A score is still a sum of terms: those of relevance count for their share, divided by the best
score, so that the best has all of it. Relevance, recency and importance are the three that
"Generative Agents" (Park et al., 2023) weighs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from anamnesis_retrieval.model import Candidate, Ranked, Ranking, Term
from anamnesis_retrieval.ranking.newest import moment

SCALE = 10.0
"""The score of what is best in every respect: about that of a good answer by relevance."""

_US = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Shares:
    """The shares of a score, of 1 together or less, and the time in which recency halves."""

    relevance: float
    importance: float
    recency: float
    half_life: timedelta


SHARES = {
    Ranking.BALANCED: Shares(0.40, 0.25, 0.20, timedelta(days=7)),
    Ranking.RECENT: Shares(0.20, 0.0, 0.80, timedelta(days=30)),
}


def reweighed(ranked: Sequence[Ranked], ranking: Ranking, asked_at: datetime) -> list[Ranked]:
    """The hits by another ranking, best first; those of `RELEVANCE` as they are."""
    shares = SHARES.get(ranking)
    best = max((hit.score for hit in ranked), default=0.0)
    if shares is None or best <= 0:
        return list(ranked)
    now_us = int(asked_at.timestamp() * 1_000_000)
    hits = [_reweighed(hit, shares, SCALE * shares.relevance / best, now_us) for hit in ranked]
    return sorted(hits, key=lambda hit: -hit.score)


def weightiest_first(candidates: Sequence[Candidate], asked_at: datetime) -> list[Candidate]:
    """The candidates by importance and recency, which count as in `BALANCED`."""
    shares = SHARES[Ranking.BALANCED]
    now_us = int(asked_at.timestamp() * 1_000_000)

    def weight(one: Candidate) -> float:
        newness = recency(Ranked(one), shares.half_life, now_us)
        return shares.importance * one.importance + shares.recency * newness

    return sorted(candidates, key=weight, reverse=True)


def recency(hit: Ranked, half_life: timedelta, now_us: int) -> float:
    """2^(-age / half-life): 1 for what is new or to come, half of it after each half-life."""
    age_us = max(0, now_us - moment(hit)[0])
    return float(2.0 ** -(age_us / (half_life / _US)))


def _reweighed(hit: Ranked, shares: Shares, scale: float, now_us: int) -> Ranked:
    """A hit whose terms of relevance are scaled, and that has terms for the rest."""
    terms = tuple(Term(term.name, term.weight * scale) for term in hit.terms)
    added = [("recency", shares.recency, recency(hit, shares.half_life, now_us))]
    if shares.importance:
        added.append(("importance", shares.importance, hit.candidate.importance))
    more = tuple(Term(name, SCALE * share) for name, share, _ in added)
    score = hit.score * scale + sum(SCALE * share * value for _, share, value in added)
    values = (*hit.values, *(value for _, _, value in added))
    return hit._replace(terms=(*terms, *more), values=values, score=score)
