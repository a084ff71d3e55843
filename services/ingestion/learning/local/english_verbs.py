"""What an English verb makes of its clause: duties, wishes, tastes, abilities; deeds last.

Each reader knows one class of verbs and answers None where the clause is not of it; the first
answer counts.
"""

import re
from collections.abc import Callable

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.english_deeds import coming, habit, past
from services.ingestion.learning.local.english_grammar import Tense
from services.ingestion.learning.local.english_reading import (
    BARE_HABITS,
    EAT_BAN,
    STANDING_NEED,
    VAGUE,
    Reading,
    Said,
)
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate

_YOU = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_DUTY = frozenset(["must", "need", "have", "gotta", "allowed"])
_TASK_DUTY = frozenset(["need", "have", "gotta"])
_SPEECH = frozenset(["say", "admit", "ask", "tell", "think", "know", "mention", "stop"])
_UNABLE = words.words_of(
    "eat drink have take work go attend do travel fly lift meet come use stay be"
)
_ORDERING = frozenset(["insist", "require", "demand", "forbid", "prohibit", "ban"])
_PLAIN_LIMITS = frozenset(["cost", "run", "use", "last"])
_BOUND = re.compile(r"\d|\b(?:only|up to|at most|until|before|after|no)\b")
_TO_TALK = re.compile(
    r"to (?:know|ask|see|say|understand|check|be sure|make sure|clarify|thank|hear|talk)\b"
)
_NOT_LIKED = re.compile(
    r"(?:it|that|this|your|how|the idea|them|him|her|you|to (?:say|admit|ask|bother|be))\b",
    re.IGNORECASE,
)


def read_verb(said: Said) -> Reading | None:
    """What the clause says its subject does; None where that tells nothing."""
    if not said.rest:
        return _bare(said)
    if VAGUE.match(said.rest) or _YOU.search(said.rest):
        return None
    for reader in _READERS:
        reading = reader(said)
        if reading is not None:
            return reading
    if said.clause.modal not in {"", "will", "'ll", "going", "used"}:
        return None
    return _BY_TENSE[said.clause.tense](said)


def _bare(said: Said) -> Reading | None:
    """`I don't smoke`, `I mostly swim`: a habit or an ability needs no object."""
    clause = said.clause
    skill = said.verb in words.SKILL_WHEN_ABLE and clause.modal in {"can", "cannot"}
    if said.person and skill:
        predicate = _P.CANNOT if clause.negated else _P.CAN
        return Reading(predicate, clause.spoken, _K.SKILL, 0.75, dated=False)
    habitual = said.verb in BARE_HABITS and not clause.modal and clause.tense is Tense.PRESENT
    if not said.person or not habitual:
        return None
    unable = clause.negated and said.verb in words.SKILL_WHEN_ABLE
    predicate = _P.MUST_NOT if clause.negated else _P.DOES
    return Reading(
        predicate, clause.spoken, _K.SKILL if unable else _K.PREFERENCE, 0.7, dated=False
    )


def _duty(said: Said) -> Reading | None:
    """Must, may not, has to; of oneself only where it is lasting, not the next task."""
    clause = said.clause
    if clause.modal not in _DUTY or clause.tense is not Tense.PRESENT:
        return None
    task = clause.modal in _TASK_DUTY and not STANDING_NEED.search(f"{said.verb} {said.rest}")
    if clause.first_person and (task or said.verb in _SPEECH):
        return None
    predicate = _P.MUST_NOT if clause.negated else _P.MUST
    return Reading(predicate, said.doing, _K.CONSTRAINT, 0.75, dated=False)


def _inability(said: Said) -> Reading | None:
    clause = said.clause
    unable = clause.modal in {"can", "cannot"} and clause.negated and said.verb in _UNABLE
    if not said.person or not unable or " without " in f" {said.rest}":
        return None
    return Reading(_P.MUST_NOT, said.doing, _K.CONSTRAINT, 0.75, dated=False)


def _rule(said: Said) -> Reading | None:
    """What somebody demands, or what an organisation or a thing allows."""
    if said.clause.tense is not Tense.PRESENT:
        return None
    if said.verb in _ORDERING:
        return Reading(_P.REQUIRES, said.rest, _K.CONSTRAINT, 0.8, dated=False)
    bounded = said.verb in words.LIMIT and _BOUND.search(said.rest)
    if (said.person and not said.organisation) or not bounded:
        return None
    if said.verb in _PLAIN_LIMITS:
        return Reading(_P.HAS_PROPERTY, said.rest, _K.OTHER, 0.7, dated=False)
    return Reading(_P.ALLOWS, said.rest, _K.CONSTRAINT, 0.7, dated=False)


def _aim(said: Said) -> Reading | None:
    """`saving for`, `trying to`, `hopes to`, `would like to`."""
    clause, rest = said.clause, said.rest
    if clause.tense is Tense.PROGRESSIVE and said.verb in words.AIM:
        towards = re.match(r"(?:up )?(?:to|for|on|in|towards?) ", rest)
        if towards:
            return Reading(_P.PLANS, rest, _K.GOAL, 0.75)
    if clause.modal in {"would", "'d"} and said.verb in {"like", "love"} and clause.first_person:
        wished = re.match(r"to (?!know|ask|see|say|book|order|understand|hear|thank)\w+", rest)
        return Reading(_P.WANTS, rest[3:], _K.GOAL, 0.65) if wished else None
    if clause.tense is Tense.PROGRESSIVE and said.verb in {"learn", "study"}:
        kind = _K.GOAL if said.verb == "learn" else _K.IDENTITY
        return Reading(_P.STUDIES, rest, kind, 0.7, dated=False)
    return None


def _want(said: Said) -> Reading | None:
    clause, rest = said.clause, said.rest
    wants = said.verb in {"want", "plan", "hope", "aim", "intend", "aspire"} and not clause.negated
    if not wants or clause.tense not in {Tense.PRESENT, Tense.PROGRESSIVE, Tense.PERFECT}:
        return None
    if re.match(r"(?:to|on) ", rest) and not _TO_TALK.match(rest):
        predicate = _P.WANTS if said.verb == "want" else _P.PLANS
        return Reading(predicate, re.sub(r"^(?:to|on) ", "", rest), _K.GOAL, 0.75)
    if said.verb == "want" and not clause.first_person:
        return Reading(_P.PREFERS, rest, _K.PREFERENCE, 0.7, dated=False)
    return None


def _taste(said: Said) -> Reading | None:
    clause = said.clause
    now = clause.tense in {Tense.PRESENT, Tense.PERFECT} and not clause.modal
    if not said.person or not now:
        return None
    liking, disliking = said.verb in words.LIKE, said.verb in words.DISLIKE - {"mind"}
    if (not liking and not disliking) or _NOT_LIKED.match(said.rest):
        return None
    predicate = _P.LIKES if liking is not clause.negated else _P.DISLIKES
    if said.verb in {"prefer", "favour", "favor"} and not clause.negated:
        predicate = _P.PREFERS
    return Reading(predicate, said.rest, _K.PREFERENCE, 0.85, dated=False)


def _consumption(said: Said) -> Reading | None:
    clause = said.clause
    habitual = said.verb in words.CONSUME and clause.tense is Tense.PRESENT and not clause.modal
    if not said.person or not habitual or re.match(r"(?:it|them|that|this)\b", said.rest):
        return None
    if clause.negated and said.verb in EAT_BAN:
        return Reading(_P.DOES_NOT_EAT, said.rest, _K.PREFERENCE, 0.75, dated=False)
    predicate = _P.EATS if said.verb in {"eat", "drink"} else _P.USES
    return Reading(predicate, said.rest, _K.PREFERENCE, 0.75, dated=False)


def _ability(said: Said) -> Reading | None:
    clause, rest = said.clause, said.rest
    if not said.person or (clause.negated and re.search(r"\bwithout\b", rest)):
        return None
    if clause.modal in {"can", "cannot", "able"} and said.verb in words.SKILL_WHEN_ABLE:
        predicate = _P.CANNOT if clause.negated else _P.CAN
        return Reading(predicate, f"{said.verb} {rest}", _K.SKILL, 0.75, dated=False)
    if said.verb in words.SKILL and clause.tense in {Tense.PRESENT, Tense.PERFECT}:
        able = _P.SPEAKS if said.verb == "speak" else _P.CAN
        predicate = _P.CANNOT if clause.negated else able
        return None if clause.modal else Reading(predicate, rest, _K.SKILL, 0.75, dated=False)
    return _learnt(said)


def _learnt(said: Said) -> Reading | None:
    clause, how = said.clause, re.match(r"(?:how )?to (?P<o>.+)$", said.rest)
    if how and said.verb == "learn" and clause.negated:
        return Reading(_P.CANNOT, how["o"], _K.SKILL, 0.8, dated=False)
    if how and said.verb == "know" and clause.tense is Tense.PRESENT:
        predicate = _P.CANNOT if clause.negated else _P.CAN
        return Reading(predicate, how["o"], _K.SKILL, 0.75, dated=False)
    return None


_READERS: tuple[Callable[[Said], Reading | None], ...] = (
    _duty,
    _inability,
    _rule,
    _aim,
    _want,
    _taste,
    _consumption,
    _ability,
)
_BY_TENSE: dict[Tense, Callable[[Said], Reading | None]] = {
    Tense.PAST: past,
    Tense.PERFECT: past,
    Tense.FUTURE: coming,
    Tense.PROGRESSIVE: coming,
    Tense.PRESENT: habit,
}
