"""Measures of a ranking of turns for a question, and the confidence of their means.

any@k: an evidence turn is among the first k. all@k: every one is. recall@k: the share that is.
session@k: an evidence session is among the sessions of the first k turns. Newer first: of a
statement and the one it replaced, the newer stands before the older.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.recall.conversations import Question, Update

RANKING_MAX = 50
METRICS = (
    *("any@1", "any@5", "any@10", "any@50"),
    *("all@10", "recall@10"),
    *("session@1", "session@5", "session@10"),
)
NEWER_FIRST = "newer first"

_RESAMPLES = 10_000
_SEED = 0

Ranking = Sequence[str]
"""Turn ids, best first; `LEARNED` where something stands that was learned from turns."""

LEARNED = ""
"""Takes a place in a ranking, and is no evidence itself."""

Scores = Mapping[str, float]
"""A value from 0 to 1 by the name of its metric."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One question with the scores of its ranking, and the conversation that it is asked of."""

    category: str
    scores: Scores
    conversation: str = ""


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean in per cent with its 95 % interval."""

    mean: float
    low: float
    high: float


def judge(
    question: Question, ranking: Ranking, session_of: Mapping[str, str], conversation: str = ""
) -> Judged:
    """Score the ranking of one question; `session_of` names the session of each turn."""
    evidence = set(question.evidence)
    sessions = {session_of[turn] for turn in evidence}
    first = {k: set(ranking[:k]) for k in (1, 5, 10, RANKING_MAX)}
    scores = {f"any@{k}": float(bool(evidence & first[k])) for k in first}
    scores["all@10"] = float(evidence <= first[10])
    scores["recall@10"] = len(evidence & first[10]) / len(evidence)
    for k in (1, 5, 10):
        seen = {session_of[turn] for turn in first[k] if turn != LEARNED}
        scores[f"session@{k}"] = float(bool(sessions & seen))
    if question.update is not None:
        scores[NEWER_FIRST] = float(is_newer_first(question.update, ranking))
    return Judged(question.category, scores, conversation)


def is_newer_first(update: Update, ranking: Ranking) -> bool:
    """True if the newer statement is found, and the older one after it or not at all."""
    if update.newer not in ranking:
        return False
    found = list(ranking)
    return update.older not in found or found.index(update.newer) < found.index(update.older)


def percentages(judged: Sequence[Judged]) -> Scores:
    """The mean of each metric in per cent, over the questions that have it."""
    names = dict.fromkeys(name for one in judged for name in one.scores)
    return {name: 100 * float(np.mean(values(judged, name))) for name in names}


def values(judged: Sequence[Judged], metric: str) -> list[float]:
    """The scores by one metric, in the order of the questions that have it."""
    return [one.scores[metric] for one in judged if metric in one.scores]


def interval(judged: Sequence[Judged], metric: str) -> Interval:
    """Bootstrap the mean over conversations: percentiles of resampled means, always the same ones.

    Questions to one conversation are found or missed together: whole conversations are drawn.
    """
    held = [one for one in judged if metric in one.scores]
    names = sorted({one.conversation for one in held})
    scores = [[one.scores[metric] for one in held if one.conversation == name] for name in names]
    sums, counts = np.array([(sum(own), len(own)) for own in scores], np.float64).T
    drawn = np.random.default_rng(_SEED).integers(len(names), size=(_RESAMPLES, len(names)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.percentile(means, [2.5, 97.5])
    return Interval(100 * float(sums.sum() / counts.sum()), 100 * float(low), 100 * float(high))


def gains(ours: Sequence[Judged], beside: Sequence[Judged], metric: str) -> list[Judged]:
    """By how much each question scores better than beside, where both have the metric."""
    return [
        Judged(one.category, {metric: one.scores[metric] - other.scores[metric]}, one.conversation)
        for one, other in zip(ours, beside, strict=True)
        if metric in one.scores
    ]


def by_category(judged: Sequence[Judged]) -> Mapping[str, list[Judged]]:
    """The questions of each category, categories in alphabetical order."""
    names = sorted({one.category for one in judged})
    return {name: [one for one in judged if one.category == name] for name in names}
