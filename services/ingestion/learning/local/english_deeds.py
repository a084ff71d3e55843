"""What somebody did, is to do, or does as a rule, in English; and what befell them."""

import re

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.english_grammar import Tense
from services.ingestion.learning.local.english_reading import (
    CHORES,
    SPECIFIC,
    TIME,
    Reading,
    Said,
    place_in,
)
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate

_POINTING = re.compile(r"(?:it|that|this|them|your?)\b")
_AT_WORK = re.compile(r"(?:on|at|for|as|in|with|from|towards?) ")
_LIFE_TURNS = frozenset(["marry", "retire", "graduate", "emigrate", "relocate"])
_BECAME = re.compile(
    r"get (?:engaged|married|divorced|promoted|fired|hired|accepted|diagnosed|laid off|pregnant)\b"
)
_FOUND_OUT = re.compile(r"(?:out )?(?:that|why|how|it|the hard way|out)\b")
_CHOSEN = re.compile(r"(?:to|on|against|for|that|upon|not)\b")
_NOT_OWNED = re.compile(
    r"(?:an?|the|this|some|any|no|another|one) (?:\w+ )?(?:question|problem|issue|idea|feeling"
    r"|doubt"
    r"|bug|error|look|task|request|favou?r|plan|point|minute|moment|choice|clue|list|file|function"
    r"|table|script|csv)\b",
    re.IGNORECASE,
)
_NEARBY = re.compile(r"(?:downstairs|upstairs|next door|abroad|alone|nearby|across|above|around)\b")
_ABSTRACT = re.compile(
    r"(?:^(?:it|this|that)$|\b(?:function|page|file|code|script|test|build|table|list|column|user"
    r"|app|image"
    r"|picture|text|paragraph|method|class|query|request|task|question|idea|plan|story|movie|film"
    r"|book|song))$",
    re.IGNORECASE,
)
_NO_DEED = re.compile(r"(?:last|so far|well|a long way|apart|through a lot)\W*$", re.IGNORECASE)
_LITTLE = re.compile(
    r"(?:often|much|too|very|a lot|there|here|any ?more|way|well|enough|far|so|as)\b"
)
_COUNTED = r"(?:an?|two|three|four|five|six|\d+|no)"
_RELATIVE = re.compile(rf"{_COUNTED} (?:\w+ ){{0,2}}?(?:{words.KIN}|{words.PET})\b", re.IGNORECASE)


def past(said: Said) -> Reading | None:
    """What was done, decided, found out, or happened."""
    clause = said.clause
    adjective = clause.spoken.lower() in words.SCARED and clause.tense is Tense.PAST
    if clause.modal == "used" or adjective:
        return None
    return _decision(said) or _finding(said) or _deed(said)


def _decision(said: Said) -> Reading | None:
    if said.verb == "go" and said.rest.startswith("with "):
        return Reading(_P.DECIDED, said.rest[5:], _K.DECISION, 0.75)
    decided = said.verb in words.DECIDE and _CHOSEN.match(said.rest)
    if decided or said.verb in {"choose", "pick"}:
        return Reading(_P.DECIDED, said.rest, _K.DECISION, 0.8)
    return None


def _finding(said: Said) -> Reading | None:
    if said.verb in words.DISCOVER and _FOUND_OUT.match(said.rest):
        found = re.sub(r"^(?:out )?(?:\w+day )?(?:that )?", "", said.rest)
        return Reading(_P.DISCOVERED, found, _K.DISCOVERY, 0.8)
    if said.verb in {"discover", "realise", "realize"}:
        return Reading(_P.DISCOVERED, said.rest, _K.DISCOVERY, 0.75)
    return None


def _deed(said: Said) -> Reading | None:
    timed = bool(TIME.search(said.whole))
    told = said.verb in words.REPORT and not _BECAME.match(f"{said.verb} {said.rest}")
    if told and not (timed and said.verb in {"get", "be", "have", "see", "try"}):
        return _lasting(said)
    if not said.person:
        happened = said.verb in words.HAPPEN and timed
        return Reading(_P.HAPPENED, said.doing, _K.EVENT, 0.65) if happened else None
    undone = said.clause.tense is Tense.PERFECT and said.clause.negated
    if undone or _NO_DEED.match(said.rest) or CHORES.match(said.rest) or _POINTING.match(said.rest):
        return None
    place = place_in(said.rest)
    if said.verb in {"move", "relocate"} and place:
        return Reading(_P.MOVED_TO, said.rest, _K.EXPERIENCE, 0.8, place)
    if not said.clause.first_person and said.verb in words.HAPPEN:
        return Reading(_P.HAPPENED, said.doing, _K.EVENT, 0.7, place)
    return Reading(_P.DID, said.doing, _K.EXPERIENCE, 0.7, place)


def _lasting(said: Said) -> Reading | None:
    """`has had two operations`."""
    clause = said.clause
    had = said.verb == "have" and clause.tense is Tense.PERFECT and not clause.negated
    idle = re.match(r"(?:it|that|this|a look|trouble|problems?|issues?)\b", said.rest)
    if not said.person or not had or idle:
        return None
    return Reading(_P.HAS, said.rest, _K.EXPERIENCE, 0.65)


def coming(said: Said) -> Reading | None:
    """What is to happen: only where it is told when; going with something is a decision."""
    clause, timed = said.clause, TIME.search(said.whole)
    if said.verb == "go" and said.rest.startswith("with "):
        return Reading(_P.DECIDED, said.rest[5:], _K.DECISION, 0.75)
    at_work = said.verb in words.WORK and (said.verb != "work" or _AT_WORK.match(said.rest))
    if clause.tense is Tense.PROGRESSIVE and said.person and at_work and not timed:
        return Reading(_P.WORKS_ON, said.rest, _K.IDENTITY, 0.65, dated=False)
    if said.verb in words.RECALL or clause.negated:
        return None
    if not timed and said.verb not in _LIFE_TURNS:
        return None
    place = place_in(said.rest)
    if clause.first_person and clause.tense is Tense.FUTURE:
        kind = _K.GOAL if clause.modal == "going" else _K.EVENT
        return Reading(_P.PLANS, said.doing, kind, 0.65, place)
    return Reading(_P.WILL_HAPPEN, said.doing, _K.EVENT, 0.75, place)


def habit(said: Said) -> Reading | None:
    """What somebody does, has and where they live; what a thing is like."""
    if said.verb in words.MENTAL or _POINTING.match(said.rest):
        return None
    if not said.person:
        return _property(said)
    return _had(said) if said.verb == "have" else _way_of_life(said) or _custom(said)


def _property(said: Said) -> Reading | None:
    if TIME.search(said.rest) and said.verb in words.HAPPEN and not said.clause.negated:
        return Reading(_P.WILL_HAPPEN, said.doing, _K.EVENT, 0.65)
    if said.verb == "have" and re.match(rf"{_COUNTED} \w+", said.rest):
        if _NOT_OWNED.match(said.rest) or _ABSTRACT.search(said.clause.subject):
            return None
        return Reading(_P.HAS, said.rest, _K.OTHER, 0.6, dated=False)
    if said.verb not in words.VERBS or not SPECIFIC.search(said.rest):
        return None
    return Reading(_P.HAS_PROPERTY, said.rest, _K.OTHER, 0.55, dated=False)


def _way_of_life(said: Said) -> Reading | None:
    rest, place = said.rest, place_in(said.rest)
    if (
        said.verb in words.LIVE and re.match(r"(?:in|near|at|on|with|outside|above|next to) ", rest)
    ) or (said.verb == "live" and _NEARBY.match(rest)):
        where = re.sub(r"^(?:in|near|at|on) ", "", rest)
        return Reading(_P.LIVES_IN, where, _K.IDENTITY, 0.85, place, dated=False)
    if said.verb in words.WORK:
        return _work(said)
    if said.verb in words.STUDY:
        return Reading(_P.STUDIES, rest, _K.IDENTITY, 0.75, place, dated=False)
    if said.verb in {"own", "breed", "keep"}:
        return Reading(_P.OWNS, rest, _K.IDENTITY, 0.75, dated=False)
    return None


def _custom(said: Said) -> Reading | None:
    if _LITTLE.match(said.rest):
        return None
    if said.clause.negated or re.search(r"\b(?:never|only)\b", said.clause.head):
        kind = _K.PREFERENCE if said.clause.first_person else _K.CONSTRAINT
        return Reading(_P.MUST_NOT, said.doing, kind, 0.65, dated=False)
    if said.verb in words.HAPPEN and TIME.search(said.rest):
        return Reading(_P.WILL_HAPPEN, said.doing, _K.EVENT, 0.65)
    if said.verb in words.PRESENT:
        return Reading(_P.DOES, said.doing, _K.IDENTITY, 0.65, place_in(said.rest), dated=False)
    return None


def _had(said: Said) -> Reading | None:
    clause, rest = said.clause, said.rest
    if words.CONDITION.search(rest):
        return Reading(_P.HAS_CONDITION, rest, _K.IDENTITY, 0.8, dated=False)
    lacked = clause.negated and not re.match(r"(?:an?|any) ", rest)
    if clause.tense is Tense.PAST or lacked or _NOT_OWNED.match(rest):
        return None
    if TIME.search(rest):
        return Reading(_P.WILL_HAPPEN, rest, _K.EVENT, 0.7)
    if _RELATIVE.match(rest):
        return Reading(_P.HAS_RELATIVE, rest, _K.RELATIONSHIP, 0.75, dated=False)
    if re.match(rf"{_COUNTED} \w+", rest):
        return Reading(_P.OWNS, rest, _K.IDENTITY, 0.65, dated=False)
    return None


def _work(said: Said) -> Reading | None:
    rest, place = said.rest, place_in(said.rest)
    if said.clause.negated:
        return Reading(_P.MUST_NOT, said.doing, _K.CONSTRAINT, 0.7, dated=False)
    if job := re.match(r"as (?:an? )?(?P<o>.+)$", rest):
        return Reading(_P.WORKS_AS, job["o"], _K.IDENTITY, 0.85, place, dated=False)
    if firm := re.match(r"(?:at|for|with) (?P<o>.+)$", rest):
        return Reading(_P.WORKS_AT, firm["o"], _K.IDENTITY, 0.85, place, dated=False)
    if re.match(
        r"(?:well|hard|together|fine|great|so|too|here|there|out|late|perfectly|it|this)\b", rest
    ):
        return None
    what = re.sub(r"^(?:on|in) ", "", rest)
    return Reading(_P.WORKS_ON, what, _K.IDENTITY, 0.75, place, dated=False)
