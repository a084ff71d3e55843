"""Ranking candidates: a score is a sum of named terms, and nothing else.

Which terms count, and how much, depends on what kind of records the scope holds, by its own
statistics: people who talk to each other, a user and an assistant, or nothing in particular.
The figures were measured on LoCoMo, BEAM and a Chinese set, one recipe for all three; the four
features are standardised over the scope by the memory service, so that their sum means something.

The weights among people who talk to each other were learned (`python -m benchmarks.recall.fit`) and
count in such scopes alone; those of other kinds were chosen by hand. Where a model tells no tokens,
they were learned without them.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import mul

from anamnesis_retrieval.model import (
    Candidate,
    CandidateSet,
    ConversationKind,
    Mode,
    Ranked,
    ScopeShape,
    Term,
    Weights,
)
from anamnesis_retrieval.ranking.language import is_cjk
from anamnesis_retrieval.ranking.named_time import NamedTime, named_times, nearness
from anamnesis_retrieval.ranking.relevance import NAMED_TIME, question_weight, share_of
from anamnesis_retrieval.ranking.speakers import named_speaker

# What the dense features count in a Chinese, Japanese or Korean question where the embedder is not
# known to read these languages: those that know English only find all such texts alike.
CJK_DENSE_SHARE = 0.25

SPREAD_MIN = 1e-6
"""A smaller deviation is rounding."""
LUCK = 0.1
"""What a text a deviation longer than others has more of a question's words met by; on BEAM."""

_EVERY_KIND = Weights(text=1.0, text_window=1.0, dense=2.0, dense_window=2.0)
_PEOPLE = Weights(text=0.0, text_window=1.58, dense=1.52, dense_window=1.28)
_PEOPLE_UNREAD = Weights(text=0.3, text_window=1.75, dense=1.85, dense_window=1.55)
_SEMANTIC = Weights(text=0.0, text_window=0.0, dense=2.0, dense_window=2.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question beside the answer of memory: the speaker it names, and what was found for it.

    `weight` is that of its words together.
    `sessions` has the score of the best candidate of each session, less that of the best of all;
    what stands in none is by itself. `times` are the dates that the question names.
    """

    speaker: str | None
    scope: ScopeShape
    weight: float
    sessions: Mapping[str, float]
    dense_share: float
    times: Sequence[NamedTime]


@dataclass(frozen=True, slots=True)
class Measure:
    """A term of a score, and how it is read off candidates: a value each, in their order."""

    name: str
    weight: float
    of: Callable[[Sequence[Candidate], Asked], list[float]]


@dataclass(frozen=True, slots=True)
class Profile:
    """The weights and priors by which the records of one kind of scope are ranked."""

    name: str
    weights: Weights
    priors: tuple[Measure, ...] = ()


def _speaker_named(candidates: Sequence[Candidate], asked: Asked) -> list[float]:
    if asked.speaker is None:
        return [0.0] * len(candidates)
    return [float(one.name == asked.speaker) for one in candidates]


def _length(candidates: Sequence[Candidate], _: Asked) -> list[float]:
    return [one.length for one in candidates]


def _asks(candidates: Sequence[Candidate], _: Asked) -> list[float]:
    return [float(one.is_question) for one in candidates]


def _answers(candidates: Sequence[Candidate], _: Asked) -> list[float]:
    return [one.answered_score for one in candidates]


def _from_user(candidates: Sequence[Candidate], _: Asked) -> list[float]:
    return [float(one.role == "user") for one in candidates]


def _text_and_dense(candidates: Sequence[Candidate], asked: Asked) -> list[float]:
    """The lower of words and vector: a word that matches makes the vector match, too."""
    return [asked.dense_share * min(one.text, one.dense) for one in candidates]


def _covered(candidates: Sequence[Candidate], asked: Asked) -> list[float]:
    """The share of the question's words, in tenths."""
    shares = {
        matched: 10 * share_of(matched, asked.scope, asked.weight)
        for matched in {one.matched_terms for one in candidates}
    }
    return [shares[one.matched_terms] for one in candidates]


def _session(candidates: Sequence[Candidate], asked: Asked) -> list[float]:
    return [asked.sessions[_sitting(one)] for one in candidates]


def _tokens_met(candidates: Sequence[Candidate], _: Asked) -> list[float]:
    """The share of the question's words that is met, standardised; 0 where it is not told."""
    return _standardised([one.token_match for one in candidates])


def _tokens_met_at_length(candidates: Sequence[Candidate], _: Asked) -> list[float]:
    """The same, less what a text of that length meets by luck; answers of agents are long."""
    matches = ((one.token_match, one.length) for one in candidates)
    return _standardised(
        [None if match is None else match - LUCK * length for match, length in matches]
    )


def _standardised(values: Sequence[float | None]) -> list[float]:
    told = [value for value in values if value is not None]
    usual = math.fsum(told) / max(len(told), 1)
    spread = math.sqrt(math.fsum((one - usual) ** 2 for one in told) / max(len(told), 1))
    if spread < SPREAD_MIN:
        return [0.0] * len(values)
    return [0.0 if value is None else (value - usual) / spread for value in values]


def _said_then(candidates: Sequence[Candidate], asked: Asked) -> list[float]:
    if not asked.times:
        return [0.0] * len(candidates)
    return [nearness(asked.times, one.event_time_us) for one in candidates]


SPEAKERS = Profile(
    "speakers",
    _PEOPLE,
    (
        Measure("speaker_named", 3.7, _speaker_named),
        Measure("length", 1.3, _length),
        Measure("is_question", -1.8, _asks),
        Measure("answers_a_match", 0.42, _answers),
        Measure("text_and_dense", -1.0, _text_and_dense),
        Measure("coverage", 0.30, _covered),
        Measure("session", 0.17, _session),
        Measure("token_match", 1.8, _tokens_met),
        Measure(NAMED_TIME, 3.4, _said_then),
    ),
)
SPEAKERS_UNREAD = Profile(
    "speakers",
    _PEOPLE_UNREAD,
    (
        Measure("speaker_named", 3.4, _speaker_named),
        Measure("length", 1.7, _length),
        Measure("is_question", -1.9, _asks),
        Measure("answers_a_match", 0.4, _answers),
        Measure("text_and_dense", -0.55, _text_and_dense),
        Measure("coverage", 0.52, _covered),
        Measure("session", 0.17, _session),
        Measure(NAMED_TIME, 3.0, _said_then),
    ),
)
# Of a user and an assistant mostly one has a name, and others speak of that one in better words
# than "I": of LoCoMo's questions about the one 42 % have their answer first, without this 38 %.
ROLES = Profile(
    "roles",
    _EVERY_KIND,
    (
        Measure("from_user", 1.0, _from_user),
        Measure("speaker_named", 5.0, _speaker_named),
        Measure("token_match", 1.5, _tokens_met_at_length),
        Measure(NAMED_TIME, 15.0, _said_then),
    ),
)
PLAIN = Profile("plain", _EVERY_KIND, (Measure(NAMED_TIME, 15.0, _said_then),))
_BY_VECTORS = Profile("plain", _SEMANTIC)

_PROFILES = {
    ConversationKind.PEOPLE: SPEAKERS,
    ConversationKind.ROLES: ROLES,
    ConversationKind.PLAIN: PLAIN,
}


def candidate_weights(query: str, mode: Mode) -> Weights:
    """The weights by which memory chooses candidates, before the scope's kind is known."""
    if mode is Mode.SEMANTIC:
        return _SEMANTIC
    return _with_dense(_EVERY_KIND, CJK_DENSE_SHARE if is_cjk(query) else 1.0)


def profile_of(scope: ScopeShape, mode: Mode) -> Profile:
    """The profile by which the records of a scope are ranked."""
    return _BY_VECTORS if mode is Mode.SEMANTIC else _PROFILES[scope.kind]


def rank(
    query: str, found: CandidateSet, mode: Mode, asked_at: datetime | None = None
) -> list[Ranked]:
    """All candidates, best first; equal scores by age and then by id.

    "Yesterday" is read from `asked_at`, where that is known.
    """
    profile = profile_of(found.scope, mode)
    if profile is SPEAKERS and all(one.token_match is None for one in found.candidates):
        profile = SPEAKERS_UNREAD
    weights = profile.weights
    if mode is not Mode.SEMANTIC:
        weights = _with_dense(weights, _dense_share(query, found.scope))
    measures = _measures(profile, weights)
    terms = tuple(Term(measure.name, measure.weight) for measure in measures)
    asked = _asked(query, found, asked_at)
    columns = [measure.of(found.candidates, asked) for measure in measures]
    weights_of_terms = [term.weight for term in terms]
    ranked = [
        Ranked(candidate, terms, values, sum(map(mul, values, weights_of_terms)))
        for candidate, values in zip(found.candidates, zip(*columns, strict=True), strict=True)
    ]
    return sorted(ranked, key=_place)


def _asked(query: str, found: CandidateSet, asked_at: datetime | None) -> Asked:
    best: dict[str, float] = {}
    for one in found.candidates:
        sitting = _sitting(one)
        best[sitting] = max(one.score, best.get(sitting, one.score))
    highest = max(best.values(), default=0.0)
    return Asked(
        speaker=named_speaker(query, found.scope.names) or found.asker or None,
        scope=found.scope,
        weight=question_weight(found.scope),
        sessions={session: score - highest for session, score in best.items()},
        dense_share=_dense_share(query, found.scope),
        times=named_times(query, asked_at),
    )


def _sitting(candidate: Candidate) -> str:
    """The session of a candidate; one that stands alone is its own."""
    return candidate.session_id or candidate.memory_id


def _measures(profile: Profile, weights: Weights) -> tuple[Measure, ...]:
    """The terms of a mode: a feature that counts nothing is no term."""
    features = (
        Measure("text", weights.text, lambda each, _: [one.text for one in each]),
        Measure(
            "text_window", weights.text_window, lambda each, _: [one.text_window for one in each]
        ),
        Measure("dense", weights.dense, lambda each, _: [one.dense for one in each]),
        Measure(
            "dense_window", weights.dense_window, lambda each, _: [one.dense_window for one in each]
        ),
    )
    return (*(feature for feature in features if feature.weight), *profile.priors)


def _place(ranked: Ranked) -> tuple[float, int, str]:
    return (-ranked.score, ranked.candidate.create_time_us, ranked.candidate.memory_id)


def _with_dense(weights: Weights, share: float) -> Weights:
    return replace(weights, dense=weights.dense * share, dense_window=weights.dense_window * share)


def _dense_share(query: str, scope: ScopeShape) -> float:
    return CJK_DENSE_SHARE if is_cjk(query) and not scope.reads_cjk else 1.0
