"""Doubt, learned from questions, that a large scope of people's talk holds what one asks for.

The best line for a question about somebody else's life is often as near as an answer is. What tells
them apart is read from several features together: a logistic regression over `FEATURES`, fitted
(`python -m benchmarks.recall.fit_doubt`) on questions that a conversation answers, and on those of
other conversations with its own names put in. It counts in scopes and for questions of the kind
that it was fitted on, and only ever adds silence to what the floor of evidence leaves.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_libs.index.analysis import tokens
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.context.evidence import SMALL_SCOPE_MAX, floor_of_size, strength_of
from anamnesis_retrieval.model import ConversationKind, Ranked, ScopeShape
from anamnesis_retrieval.ranking.named_time import nearness
from anamnesis_retrieval.ranking.relevance import unseen_weight
from anamnesis_retrieval.ranking.speakers import named_speaker

FIRST = 10
"""So many of the best are asked if they were said when the question says."""
_OPEN = re.compile(
    r"^\s*(?:is|are|was|were|did|does|do|has|have|will|can|could)\b"
    r"|\b(?:might|would|likely|probably|considered|describe|attributes|personality|traits)\b"
    r"|\b(?:both|in common|shared?|shares)\b",
    re.IGNORECASE,
)
"""Asks what is concluded from lines or joined of several: yes or no, what is likely, common."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its usual value, and what each unit above it speaks against doubt, in log-odds."""

    name: str
    usual: float
    weight: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of the regression, as fitted with one kind of embedder.

    `at_usual` is the log-odds, above the least that is told, of a question whose features are all
    as usual.
    """

    features: tuple[Feature, ...]
    at_usual: float


WITH_TOKENS = Figures(
    (
        Feature("strength", 0.179, 9.479),
        Feature("unseen", 0.425, -1.626),
        Feature("score", 19.987, 0.130),
        Feature("first_by_named", 0.906, 1.371),
        Feature("is_open", 0.104, 1.131),
        Feature("said_then", -0.040, 2.129),
    ),
    0.222,
)
"""Where the embedding model tells tokens, which the score then counts (`ranking/rank.py`)."""
WITHOUT_TOKENS = Figures(
    (
        Feature("strength", 0.179, 9.474),
        Feature("unseen", 0.425, -1.549),
        Feature("score", 20.426, 0.118),
        Feature("first_by_named", 0.918, 1.614),
        Feature("is_open", 0.104, 1.072),
        Feature("said_then", -0.040, 2.194),
    ),
    0.136,
)
FEATURES = tuple(feature.name for feature in WITH_TOKENS.features)


def is_doubted(asked: PromptReading, scope: ScopeShape, hits: Sequence[Ranked]) -> bool:
    """True where it is told apart from what the scope answers; False where none of this counts.

    Where no memory has a vector that is near at all, there was none to compare with.
    """
    compared = is_judged(asked, scope) and any(hit.candidate.cosine > 0 for hit in hits)
    if not compared:
        return False
    told = any(hit.candidate.token_match is not None for hit in hits)
    figures = WITH_TOKENS if told else WITHOUT_TOKENS
    return confidence(values(asked, scope, hits), figures) < 0


def is_judged(asked: PromptReading, scope: ScopeShape) -> bool:
    """True for a question about others, in English, to what people said to each other."""
    of_others = not (asked.about_caller or asked.about_agent or asked.is_request or asked.for_rules)
    of_talk = scope.kind is ConversationKind.PEOPLE and scope.size > SMALL_SCOPE_MAX
    return of_talk and of_others and not (asked.is_cjk or asked.recalls_time)


def confidence(found: Sequence[float], figures: Figures) -> float:
    """The log-odds above the least that is told, by values in the order of `FEATURES`."""
    pairs = zip(figures.features, found, strict=True)
    beside = sum(feature.weight * (value - feature.usual) for feature, value in pairs)
    return figures.at_usual + beside


def values(asked: PromptReading, scope: ScopeShape, hits: Sequence[Ranked]) -> tuple[float, ...]:
    """The values of `FEATURES` for a question and all its hits, of which there is one at least.

    `strength` is the best evidence above the floor of a scope of this size. `unseen` is the share
    of the question's words, by their rarity, that the scope does not have. `score` is that of the
    first, and `first_by_named` says that no other than the one whom the question names said it.
    `is_open` is 1 for a question whose answer may share few of its words. `said_then` is 1 where
    one of the best was said on a day that the question names, down to -1 where none was near it,
    and 0 where it names none.
    """
    speaker = named_speaker(asked.query, scope.names)
    strength = max(strength_of(hit.candidate, scope) for hit in hits)
    names = {term for name in scope.names for term in tokens(name)}
    known = sum(weight for term, weight in asked.terms.items() if term not in names)
    unseen = unseen_weight(scope)
    whole = known + unseen
    first = max(hits, key=lambda hit: hit.score)
    return (
        strength - floor_of_size(scope.size) - scope.stricter,
        unseen / whole if whole else 0.0,
        first.score,
        float(speaker is None or first.candidate.name in ("", speaker)),
        float(_OPEN.search(asked.query) is not None),
        _said_then(asked, hits),
    )


def _said_then(asked: PromptReading, hits: Sequence[Ranked]) -> float:
    if not asked.times:
        return 0.0
    best = [hit.candidate.event_time_us for hit in hits[:FIRST]]
    return 2 * max(nearness(asked.times, time_us) for time_us in best) - 1
