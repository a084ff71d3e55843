"""What somebody or something is, in English: names, ages, jobs, places, states, tastes."""

import re

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.english_grammar import Tense
from services.ingestion.learning.local.english_reading import (
    OCCUPATION,
    PRONOUNS,
    SPECIFIC,
    TIME,
    VAGUE,
    Reading,
    Said,
    place_in,
)
from services.ingestion.learning.local.predicates import Predicate

_STATES = tuple(
    (re.compile(pattern, re.IGNORECASE), predicate, kind)
    for pattern, predicate, kind in (
        (
            r"^(?:\w+ly |very |quite |extremely )*allergic to (?!no\b|nothing\b|none\b)(?P<o>.+)$",
            Predicate.IS_ALLERGIC_TO,
            FactKind.CONSTRAINT,
        ),
        (
            r"^(?P<o>(?:\w+[- ])?intolerant(?: to .+)?)$",
            Predicate.IS_ALLERGIC_TO,
            FactKind.CONSTRAINT,
        ),
        (
            (
                r"^(?:currently |now |mostly )*(?:based|living|located|settled) (?:in|near|at"
                r"|outside) (?P<o>.+)$"
            ),
            Predicate.LIVES_IN,
            FactKind.IDENTITY,
        ),
        (r"^(?:originally |actually )*from (?P<o>.+)$", Predicate.IS_FROM, FactKind.IDENTITY),
        (
            r"^(?:in|near|outside|over in|up in|down in) (?P<o>[A-Z]\w+)$",
            Predicate.LIVES_IN,
            FactKind.IDENTITY,
        ),
        (r"^born (?:and raised )?(?:in|on) (?P<o>.+)$", Predicate.IS_FROM, FactKind.IDENTITY),
        (r"^(?:called|named) (?P<o>.+)$", Predicate.IS_NAMED, FactKind.IDENTITY),
        (
            (
                r"^(?:almost |nearly |about |only |just )?(?P<o>(?:\d{1,3}|(?:two|three|four|five"
                r"|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven"
                r"|eigh|nine)ty(?:-\w+)?)(?= (?:years?|months?|weeks?|now)\b|$))(?: now)?(?:"
                r" (?:years?|months?|weeks?)(?: "
                r"old)?| yo)?(?: and .+)?)$"
            ),
            Predicate.IS_AGED,
            FactKind.IDENTITY,
        ),
        (
            (
                r"^(?:\w+ly |very |quite |pretty |really |not |so )*(?:good|great|decent"
                r"|skilled|bad|terrible|hopeless|excellent|awful|useless) (?:at|with) "
                r"(?P<o>.+)$"
            ),
            Predicate.CAN,
            FactKind.SKILL,
        ),
        (
            (
                r"^(?:\w+ly |very |pretty |quite |almost |not )*(?:fluent|proficient"
                r"|experienced|well versed) (?:in|with) (?P<o>.+)$"
            ),
            Predicate.CAN,
            FactKind.SKILL,
        ),
        (
            (
                r"^(?P<o>on (?:a |an )?(?:[\w-]+ ){0,3}(?:diet|medication|warfarin|insulin"
                r"|statins|antibiotics|budget|visa|probation|parental leave|maternity leave"
                r"|sabbatical)\b.*)$"
            ),
            Predicate.MUST,
            FactKind.CONSTRAINT,
        ),
        (
            r"^(?:not |only |never )*(?:allowed|permitted|supposed|able) to (?P<o>.+)$",
            Predicate.MUST,
            FactKind.CONSTRAINT,
        ),
        (r"^(?P<o>(?:not |only )*available .+)$", Predicate.MUST, FactKind.CONSTRAINT),
        (
            r"^(?:a team|a family|a group|a party|a company) of (?P<o>.+)$",
            Predicate.HAS,
            FactKind.IDENTITY,
        ),
        (
            (
                r"^(?:in charge of|responsible for|part of|a member of|head of|on the board of"
                r"|with) (?P<o>.+)$"
            ),
            Predicate.WORKS_ON,
            FactKind.IDENTITY,
        ),
        (
            r"^(?P<o>(?:married|engaged|related) to .+)$",
            Predicate.HAS_RELATIVE,
            FactKind.RELATIONSHIP,
        ),
        (r"^(?P<o>friends with .+)$", Predicate.KNOWS, FactKind.RELATIONSHIP),
    )
)

_BAD_AT = re.compile(r"^(?:\w+ )*(?:bad|terrible|hopeless|awful|useless)\b", re.IGNORECASE)
_RANKED = re.compile(r"^(?:an?|the (?:oldest|youngest|eldest|only|first|second|middle)) [a-z]")
_PROPER = re.compile(r"^[A-Z][a-z]+(?:ese|ian|ish|an|ch|ic|i|k|ss|sh)\b")
_VAGUE_NOUN = re.compile(
    r"^an? (?:bit|lot|little|few|bad|good|great|mess|wreck|minute|moment|while|idea|pain|nightmare"
    r"|hurry|mood|rush|genius|idiot|fool|star|legend|hero|angel|sweetheart|huge|big|fun|must)\b",
    re.IGNORECASE,
)
_BINDING = re.compile(
    r"\b(?:due|deadline|must|at most|max(?:imum)?|minimum|limited|closed|off[- ]limits)\b",
    re.IGNORECASE,
)
_SCHEDULED = re.compile(r"^(?:on|at|in|scheduled|booked|planned|set|moved) ")
_PROPERTY_CHARS_MAX = 80
# What somebody was or is not says nothing that holds.
_HOLDS_NOW = frozenset(
    {
        Predicate.WORKS_AS,
        Predicate.LIVES_IN,
        Predicate.IS_FROM,
        Predicate.IS_AGED,
        Predicate.IS_NAMED,
    }
)


def read_be(said: Said) -> Reading | None:
    """What the clause says its subject is; None where that is a mood, or over."""
    if not said.rest or VAGUE.match(said.rest) or said.clause.modal not in {"", "will", "'ll"}:
        return None
    if not said.person:
        return _thing(said)
    for reader in (_state, _taste, _condition, _occupation, _kind_of_person):
        reading = reader(said)
        if reading is not None:
            return _if_it_holds(said, reading)
    return None


def _state(said: Said) -> Reading | None:
    for pattern, predicate, kind in _STATES:
        match = pattern.match(said.rest)
        if match:
            return Reading(predicate, match["o"], kind, 0.85, place_in(said.rest), dated=False)
    return None


def _taste(said: Said) -> Reading | None:
    taste = words.TASTES.match(said.rest)
    if taste is None:
        return None
    liked = bool(taste["like"] or taste["person"]) is not said.clause.negated
    predicate = Predicate.LIKES if liked else Predicate.DISLIKES
    thing = taste["o"] or taste["person"]
    return Reading(predicate, thing, FactKind.PREFERENCE, 0.75, dated=False)


def _condition(said: Said) -> Reading | None:
    if not words.STATES.match(said.rest):
        return None
    dated = said.clause.tense is not Tense.PRESENT
    return Reading(Predicate.IS, said.rest, FactKind.IDENTITY, 0.8, dated=dated)


def _occupation(said: Said) -> Reading | None:
    match = OCCUPATION.match(said.rest)
    if match is None:
        return None
    place = place_in(said.rest)
    return Reading(Predicate.WORKS_AS, match["o"], FactKind.IDENTITY, 0.8, place, dated=False)


def _kind_of_person(said: Said) -> Reading | None:
    """`the oldest of three`, `Portuguese`: a noun or a proper adjective; moods are left out."""
    now = said.clause.tense in {Tense.PRESENT, Tense.PERFECT} and not said.clause.negated
    subject = said.clause.subject
    named = subject[:1].isupper() and subject.lower() not in PRONOUNS
    fits = _RANKED.match(said.rest) or _PROPER.match(said.rest)
    if not now or named or subject.lower() == "they" or not fits or _VAGUE_NOUN.match(said.rest):
        return None
    return Reading(Predicate.IS, said.rest, FactKind.IDENTITY, 0.65, dated=False)


def _if_it_holds(said: Said, reading: Reading) -> Reading | None:
    """Only what holds now is a state; what was is left out."""
    if said.clause.negated and reading.predicate in _HOLDS_NOW:
        return None
    if said.clause.tense is Tense.PAST and reading.predicate not in {
        Predicate.IS_FROM,
        Predicate.IS,
    }:
        return None
    if reading.predicate is Predicate.CAN and (said.clause.negated or _BAD_AT.match(said.rest)):
        confidence = reading.confidence
        return Reading(Predicate.CANNOT, reading.object, reading.kind, confidence, dated=False)
    return reading


def _thing(said: Said) -> Reading | None:
    """A thing's property, where it is definite: a number, a name, a version."""
    rest = said.rest
    definite = len(rest) <= _PROPERTY_CHARS_MAX and SPECIFIC.search(rest)
    if said.clause.tense is Tense.PAST or not definite:
        return None
    if _BINDING.search(f"{said.clause.subject} {rest}"):
        return Reading(Predicate.MUST, rest, FactKind.CONSTRAINT, 0.7)
    if TIME.match(rest) or (_SCHEDULED.match(rest) and TIME.search(rest)):
        return Reading(Predicate.WILL_HAPPEN, rest, FactKind.EVENT, 0.7)
    return Reading(Predicate.HAS_PROPERTY, rest, FactKind.OTHER, 0.6, dated=False)
