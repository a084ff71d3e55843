"""What an English verb makes of its clause: predicate, kind and object, by verb class and tense."""

import re
from dataclasses import dataclass

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.english_grammar import Predication, Tense
from services.ingestion.learning.local.predicates import Predicate

_K, _P = FactKind, Predicate

_SPECIFIC = re.compile(r"\d|\b[A-Z]\w+\b|[\w.-]+\.[a-z]{2,4}\b")
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this) \w+|\w+ (?:years?|months?|weeks?|days?) ago|in (?:19|20)\d\d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:on|in|since|until|by|next|last) (?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|in (?:a|an|two|three|\d+) (?:\w+ )?(?:days?|weeks?|months?|years?)|at \d+|\d{4}-\d\d-\d\d)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|near|to|at) (?P<place>(?:the )?[A-Z][\w'’-]+(?:[ ,]+[A-Z][\w'’-]+)*)")
_OCCUPATION = re.compile(
    r"^(?:now |currently |still |also )*(?:an?|the|your|one of the) (?P<o>(?:(?!to |of |and |in |for |way |a )[\w'/&-]+ ){0,4}?(?!member|number|matter|reminder|believer|supporter|winner|order|whisper|killer|newcomer|outsider|loser)[\w-]*(?:er|or|ist|ian|ant|ent|ive|man|woman|nurse|chef|cook|judge|doctor|teacher|pilot|vet|clerk|coach|lead|head|cto|ceo|cfo"
    r"|student|architect|mechanic|surgeon|physicist|scientist|analyst|designer|engineer|developer|freelancer|dev|sre|pm|intern|apprentice|dba|gp|librarian|barista|farmer|fellow|captain|officer|ops))\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    r"^(?:it|that|this|so|them|what|to|up|out|in|on|there|here|too|well|ok(?:ay)?|fine|good|sure|sorry|back|ready|done|done with|happy|glad|sad|tired|busy|late|early|right|wrong|stuck|lost|confused|curious|afraid"
    r"|not sure|aware|able|about to|excited|interested|bored|hungry|thirsty|cold|hot|thinking|wondering|asking|talking|trying|looking|going|doing|having|using|getting|seeing|running|working)[.!]?$",
    re.IGNORECASE,
)
_BARE_HABITS = frozenset(
    "swim smoke drink drive cook sing dance paint knit ski cycle run meditate climb fish hike garden bake jog surf sail".split()
)
_CHORES = re.compile(
    r"^(?:(?:the|all|some|both|new|latest|that|this|a|an) )*(?:(?:unit|integration|failing|broken|wrong|right|same|whole|full|main|feature|shell|config|log|build|ci|error) )?(?:(?<!a )tests?|builds?|fix(?:es)?|code|scripts?|commands?|branch(?:es)?|prs?|pull requests?|commits?|files?|functions?|logs?|servers?|deploys?"
    r"|quer(?:y|ies)|configs?|packages?|pages?|buttons?|errors?|bugs?|lines?|versions?|links?|screenshots?|messages?|tickets?|docs?|migrations?|imports?|caches?|variables?|tables?|columns?|rows?|endpoints?)\b(?! of)",
    re.IGNORECASE,
)
_STANDING_NEED = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|before|after|by|at least|at most|no later|until|regularly|always|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|twice|once|times|because|under|within|only|never)\b"
    r"|^(?:avoid|wear|take|keep|stay|be|eat|drink|sleep|rest|watch)\b",
    re.IGNORECASE,
)
_PRONOUNS = frozenset({"i", "we", "he", "she", "they"})
_EAT_BAN = frozenset("eat drink smoke".split())


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause says of its subject."""

    predicate: Predicate
    object: str
    kind: FactKind
    confidence: float = 0.75
    location: str = ""
    dated: bool = True


def read_be(said: Predication, person: bool, organisation: bool, text: str) -> Reading | None:
    """What somebody or something is."""
    rest = said.rest.strip(" .,!")
    if not rest or _VAGUE.match(rest) or (said.modal and said.modal not in {"will", "'ll"}):
        return None
    if not person:
        return _thing_is(said, rest)
    for pattern, predicate, kind in _STATES_OF_PERSONS:
        match = pattern.match(rest)
        if match:
            return _tensed(
                said, Reading(predicate, match["o"], kind, 0.85, _place(rest), dated=False)
            )
    taste = words.TASTES.match(rest)
    if taste:
        liked = bool(taste["like"] or taste["person"]) is not said.negated
        return Reading(
            _P.LIKES if liked else _P.DISLIKES,
            taste["o"] or taste["person"],
            _K.PREFERENCE,
            0.75,
            dated=False,
        )
    if words.STATES.match(rest):
        return _tensed(
            said, Reading(_P.IS, rest, _K.IDENTITY, 0.8, dated=said.tense is not Tense.PRESENT)
        )
    occupation = _OCCUPATION.match(rest)
    if occupation:
        return _tensed(
            said, Reading(_P.WORKS_AS, occupation["o"], _K.IDENTITY, 0.8, _place(rest), dated=False)
        )
    return _named_state(said, rest)


_STATES_OF_PERSONS = tuple(
    (re.compile(pattern, re.IGNORECASE), predicate, kind)
    for pattern, predicate, kind in (
        (
            r"^(?:\w+ly |very |quite |extremely )*allergic to (?P<o>.+)$",
            _P.IS_ALLERGIC_TO,
            _K.CONSTRAINT,
        ),
        (r"^(?P<o>(?:\w+[- ])?intolerant(?: to .+)?)$", _P.IS_ALLERGIC_TO, _K.CONSTRAINT),
        (
            r"^(?:currently |now |mostly )*(?:based|living|located|settled) (?:in|near|at|outside) (?P<o>.+)$",
            _P.LIVES_IN,
            _K.IDENTITY,
        ),
        (r"^(?:originally |actually )*from (?P<o>.+)$", _P.IS_FROM, _K.IDENTITY),
        (r"^(?:in|near|outside|over in|up in|down in) (?P<o>[A-Z]\w+)$", _P.LIVES_IN, _K.IDENTITY),
        (r"^(?:in|near|outside|over in|up in|down in) (?P<o>[A-Z]\w+)$", _P.LIVES_IN, _K.IDENTITY),
        (r"^born (?:and raised )?(?:in|on) (?P<o>.+)$", _P.IS_FROM, _K.IDENTITY),
        (r"^(?:called|named) (?P<o>.+)$", _P.IS_NAMED, _K.IDENTITY),
        (
            r"^(?:almost |nearly |about )?(?P<o>\d{1,3}(?: (?:years?|months?|weeks?)(?: old)?| yo)?(?: and .+)?)$",
            _P.IS_AGED,
            _K.IDENTITY,
        ),
        (
            r"^(?:\w+ly |very |quite |pretty |really |not |so )*(?:good|great|decent|skilled|bad|terrible|hopeless|excellent|awful|useless) (?:at|with) (?P<o>.+)$",
            _P.CAN,
            _K.SKILL,
        ),
        (
            r"^(?:\w+ly |very |pretty |quite |almost |not )*(?:fluent|proficient|experienced|well versed) (?:in|with) (?P<o>.+)$",
            _P.CAN,
            _K.SKILL,
        ),
        (
            r"^(?P<o>on (?:a |an )?(?:[\w-]+ ){0,3}(?:diet|medication|warfarin|insulin|statins|antibiotics|budget|visa|probation|parental leave|maternity leave|sabbatical)\b.*)$",
            _P.MUST,
            _K.CONSTRAINT,
        ),
        (
            r"^(?:not |only |never )*(?:allowed|permitted|supposed|able) to (?P<o>.+)$",
            _P.MUST,
            _K.CONSTRAINT,
        ),
        (r"^(?P<o>(?:not |only )*available .+)$", _P.MUST, _K.CONSTRAINT),
        (r"^(?:a team|a family|a group|a party|a company) of (?P<o>.+)$", _P.HAS, _K.IDENTITY),
        (
            r"^(?:in charge of|responsible for|part of|a member of|head of|on the board of|with) (?P<o>.+)$",
            _P.WORKS_ON,
            _K.IDENTITY,
        ),
        (r"^(?P<o>(?:married|engaged|related) to .+)$", _P.HAS_RELATIVE, _K.RELATIONSHIP),
        (r"^(?P<o>friends with .+)$", _P.KNOWS, _K.RELATIONSHIP),
    )
)


def _tensed(said: Predication, reading: Reading) -> Reading | None:
    """Only what holds now is a state; what was is an experience of old, and left out."""
    if said.negated and reading.predicate in {
        _P.WORKS_AS,
        _P.LIVES_IN,
        _P.IS_FROM,
        _P.IS_AGED,
        _P.IS_NAMED,
    }:
        return None
    if said.tense is Tense.PAST and reading.predicate not in {_P.IS_FROM, _P.IS}:
        return None
    if reading.predicate is _P.CAN and (
        said.negated
        or re.match(r"^(?:\w+ )*(?:bad|terrible|hopeless|awful|useless)\b", said.rest, re.I)
    ):
        return Reading(_P.CANNOT, reading.object, reading.kind, reading.confidence, dated=False)
    return reading


def _named_state(said: Predication, rest: str) -> Reading | None:
    """`is the oldest of three`, `is Portuguese`: a noun or a proper adjective; moods are left out."""
    if (
        said.tense not in {Tense.PRESENT, Tense.PERFECT}
        or said.negated
        or said.subject[:1].isupper() and said.subject.lower() not in _PRONOUNS
        or said.subject.lower() in {"they"}
    ):
        return None
    if re.match(
        r"^(?:an?|the (?:oldest|youngest|eldest|only|first|second|middle)) [a-z]", rest
    ) or re.match(r"^[A-Z][a-z]+(?:ese|ian|ish|an|ch|ic|i|k|ss|sh)\b", rest):
        vague = re.match(
            r"^an? (?:bit|lot|little|few|bad|good|great|mess|wreck|minute|moment|while|idea|pain|nightmare|hurry|mood|rush|genius|idiot|fool|star|legend|hero|angel|sweetheart)\b",
            rest,
            re.I,
        )
        return None if vague else Reading(_P.IS, rest, _K.IDENTITY, 0.65, dated=False)
    return None


def _thing_is(said: Predication, rest: str) -> Reading | None:
    """A thing's property, where it is definite: a number, a name, a version."""
    if said.tense is Tense.PAST or len(rest) > 80 or not _SPECIFIC.search(rest):
        return None
    if re.search(
        r"\b(?:due|deadline|must|at most|max(?:imum)?|minimum|limited|closed|off[- ]limits)\b",
        f"{said.subject} {rest}",
        re.I,
    ):
        return Reading(_P.MUST, rest, _K.CONSTRAINT, 0.7)
    if (
        _TIME.match(rest)
        or re.match(r"^(?:on|at|in|scheduled|booked|planned|set|moved) ", rest)
        and _TIME.search(rest)
    ):
        return Reading(_P.WILL_HAPPEN, rest, _K.EVENT, 0.7)
    return Reading(_P.HAS_PROPERTY, rest, _K.OTHER, 0.6, dated=False)


def read_verb(said: Predication, person: bool, organisation: bool, text: str) -> Reading | None:
    """What somebody or something does."""
    rest = said.rest.strip(" .,!")
    if not rest and person and said.verb in _BARE_HABITS and not said.modal and said.tense is Tense.PRESENT:
        kind = _K.SKILL if said.verb in words.SKILL_WHEN_ABLE and said.negated else _K.PREFERENCE
        return Reading(_P.MUST_NOT if said.negated else _P.DOES, said.spoken, kind, 0.7, dated=False)
    if not rest or _VAGUE.match(rest) or re.search(r"\byou(?:r|rs)?\b", rest, re.IGNORECASE):
        return None
    for reader in (_required, _wanted, _liked, _able):
        reading = reader(said, rest, person, organisation)
        if reading is not None:
            return reading
    if said.modal and said.modal not in {"will", "'ll", "going", "used"}:
        return None
    if said.tense is Tense.PAST or said.tense is Tense.PERFECT:
        return _past(said, rest, person)
    if said.tense in {Tense.FUTURE, Tense.PROGRESSIVE}:
        return _coming(said, rest, person, text)
    return _present(said, rest, person, organisation)


def _required(said: Predication, rest: str, person: bool, organisation: bool) -> Reading | None:
    obliged = said.modal in {"must", "need", "have", "gotta", "allowed"}
    if obliged and said.tense is Tense.PRESENT:
        task = said.modal in {"need", "have", "got", "gotta"} and not _STANDING_NEED.search(f"{said.verb} {rest}")
        first = said.first_person and (task or said.verb in {"say", "admit", "ask", "tell", "think", "know", "mention", "stop"})
        return (
            None
            if first
            else Reading(
                _P.MUST_NOT if said.negated else _P.MUST,
                f"{said.spoken} {rest}",
                _K.CONSTRAINT,
                0.75,
                dated=False,
            )
        )
    if (
        said.modal in {"can", "cannot"}
        and said.negated
        and said.verb
        in {
            "eat",
            "drink",
            "have",
            "take",
            "work",
            "go",
            "attend",
            "do",
            "travel",
            "fly",
            "lift",
            "meet",
            "come",
            "use",
            "stay",
            "be",
        }
        and person
    ):
        return Reading(_P.MUST_NOT, f"{said.spoken} {rest}", _K.CONSTRAINT, 0.75, dated=False)
    if (
        said.verb in {"insist", "require", "demand", "forbid", "prohibit", "ban"}
        and said.tense is Tense.PRESENT
    ):
        return Reading(_P.REQUIRES, rest, _K.CONSTRAINT, 0.8, dated=False)
    if (
        (organisation or not person)
        and said.verb in words.LIMIT
        and said.tense is Tense.PRESENT
        and re.search(r"\d|\b(?:only|up to|at most|until|before|after|no)\b", rest)
    ):
        kind = _K.OTHER if said.verb in {"cost", "run", "use", "last"} else _K.CONSTRAINT
        return Reading(
            _P.ALLOWS if kind is _K.CONSTRAINT else _P.HAS_PROPERTY, rest, kind, 0.7, dated=False
        )
    return None


def _wanted(said: Predication, rest: str, person: bool, organisation: bool) -> Reading | None:
    if (
        said.tense is Tense.PROGRESSIVE
        and re.match(r"(?:up )?(?:to|for|on|in|towards?) ", rest)
        and _gerund(said) in words.GOAL_GERUNDS
    ):
        return Reading(_P.PLANS, rest, _K.GOAL, 0.75)
    if (
        said.verb in {"want", "plan", "hope", "aim", "intend", "aspire"}
        and said.tense in {Tense.PRESENT, Tense.PROGRESSIVE, Tense.PERFECT}
        and not said.negated
    ):
        if re.match(r"(?:to|on) ", rest) and not re.match(
            r"to (?:know|ask|see|say|understand|check|be sure|make sure|clarify|thank|hear|talk)\b",
            rest,
        ):
            return Reading(
                _P.WANTS if said.verb == "want" else _P.PLANS,
                re.sub(r"^(?:to|on) ", "", rest),
                _K.GOAL,
                0.75,
            )
        if said.verb == "want" and not said.first_person:
            return Reading(_P.PREFERS, rest, _K.PREFERENCE, 0.7, dated=False)
        return None
    if (
        said.modal in {"would", "'d"}
        and said.verb in {"like", "love"}
        and re.match(r"to (?!know|ask|see|say|book|order|understand|hear|thank)\w+", rest)
        and said.first_person
    ):
        return Reading(_P.WANTS, rest[3:], _K.GOAL, 0.65)
    if said.tense is Tense.PROGRESSIVE and said.verb in {"learn", "study"}:
        return Reading(
            _P.STUDIES, rest, _K.GOAL if said.verb == "learn" else _K.IDENTITY, 0.7, dated=False
        )
    return None


def _gerund(said: Predication) -> str:
    return next((form for form in words.GOAL_GERUNDS if form.startswith(said.verb[:3])), "")


def _liked(said: Predication, rest: str, person: bool, organisation: bool) -> Reading | None:
    if not person or said.tense not in {Tense.PRESENT, Tense.PERFECT} or said.modal:
        return None
    if said.verb in words.LIKE and not re.match(
        r"(?:it|that|this|your|how|the idea|them|him|her|you)\b", rest, re.I
    ):
        disliked = said.negated
        predicate = (
            _P.DISLIKES
            if disliked
            else _P.PREFERS
            if said.verb in {"prefer", "favour", "favor"}
            else _P.LIKES
        )
        return Reading(predicate, rest, _K.PREFERENCE, 0.85, dated=False)
    if said.verb in words.DISLIKE - {"mind"} and not re.match(
        r"(?:it|that|this|you|to (?:say|admit|ask|bother|be))\b", rest, re.I
    ):
        return Reading(
            _P.LIKES if said.negated else _P.DISLIKES, rest, _K.PREFERENCE, 0.85, dated=False
        )
    if said.verb in words.CONSUME and said.tense is Tense.PRESENT:
        banned = said.negated and said.verb in _EAT_BAN
        return Reading(
            _P.DOES_NOT_EAT if banned else _P.EATS if said.verb in {"eat", "drink"} else _P.USES,
            rest,
            _K.PREFERENCE,
            0.75,
            dated=False,
        )
    return None


def _able(said: Predication, rest: str, person: bool, organisation: bool) -> Reading | None:
    if not person:
        return None
    if (
        said.modal in {"can", "cannot"}
        and (said.verb in words.SKILL_WHEN_ABLE)
        and not re.search(r"\byou\b", rest)
    ):
        return Reading(
            _P.CANNOT if said.negated else _P.CAN,
            f"{said.spoken} {rest}",
            _K.SKILL,
            0.75,
            dated=False,
        )
    if said.verb in words.SKILL and said.tense in {Tense.PRESENT, Tense.PERFECT} and not said.modal:
        predicate = _P.SPEAKS if said.verb == "speak" else _P.CAN
        return Reading(_P.CANNOT if said.negated else predicate, rest, _K.SKILL, 0.75, dated=False)
    if said.verb == "learn" and said.negated and re.match(r"(?:how )?to ", rest):
        return Reading(_P.CANNOT, re.sub(r"^(?:how )?to ", "", rest), _K.SKILL, 0.8, dated=False)
    if said.verb == "know" and re.match(r"how to ", rest) and said.tense is Tense.PRESENT:
        return Reading(_P.CANNOT if said.negated else _P.CAN, rest[7:], _K.SKILL, 0.75, dated=False)
    return None


def _past(said: Predication, rest: str, person: bool) -> Reading | None:
    if said.modal == "used" or (said.spoken.lower() in words.SCARED and said.tense is Tense.PAST):
        return None
    if (
        said.verb in words.DECIDE
        and re.match(r"(?:to|on|against|for|that|upon|not)\b", rest)
        or said.verb in {"choose", "pick"}
    ):
        return Reading(_P.DECIDED, rest, _K.DECISION, 0.8)
    if said.verb == "go" and re.match(r"with ", rest):
        return Reading(_P.DECIDED, rest[5:], _K.DECISION, 0.75)
    if said.verb in words.DISCOVER and re.match(
        r"(?:out )?(?:that|why|how|it|the hard way|out)\b", rest
    ):
        return Reading(
            _P.DISCOVERED, re.sub(r"^(?:out )?(?:\w+day )?(?:that )?", "", rest), _K.DISCOVERY, 0.8
        )
    if said.verb in {"discover", "realise", "realize"}:
        return Reading(_P.DISCOVERED, rest, _K.DISCOVERY, 0.75)
    if said.verb in words.REPORT and not (
        said.verb in {"get", "be", "have", "see", "try"} and _TIME.search(f"{said.head} {rest}")
    ):
        return _perfect_state(said, rest, person)
    if not person:
        return (
            Reading(_P.HAPPENED, f"{said.spoken} {rest}", _K.EVENT, 0.65)
            if said.verb in words.HAPPEN and _TIME.search(f"{said.head} {rest}")
            else None
        )
    if (
        _CHORES.match(rest)
        or re.match(r"(?:it|that|this|them|your?)\b", rest)
        or said.tense is Tense.PERFECT
        and said.negated
    ):
        return None
    if said.verb in {"move", "relocate"} and (place := _place(rest)):
        return Reading(_P.MOVED_TO, rest, _K.EXPERIENCE, 0.8, place)
    kind = _K.EXPERIENCE
    if not said.first_person and said.verb in words.HAPPEN:
        return Reading(_P.HAPPENED, f"{said.spoken} {rest}", _K.EVENT, 0.7, _place(rest))
    return Reading(_P.DID, f"{said.spoken} {rest}", kind, 0.7, _place(rest))


def _perfect_state(said: Predication, rest: str, person: bool) -> Reading | None:
    if (
        said.verb == "have"
        and person
        and said.tense is Tense.PERFECT
        and not said.negated
        and not re.match(r"(?:it|that|this|a look|trouble|problems?|issues?)\b", rest)
    ):
        return Reading(_P.HAS, rest, _K.EXPERIENCE, 0.65)
    return None


def _coming(said: Predication, rest: str, person: bool, text: str) -> Reading | None:
    whole = f"{said.head} {rest}"
    if said.verb == "go" and re.match(r"with ", rest):
        return Reading(_P.DECIDED, rest[5:], _K.DECISION, 0.75)
    if (
        said.tense is Tense.PROGRESSIVE
        and said.verb in words.WORK
        and (said.verb != "work" or re.match(r"(?:on|at|for|as|in|with|from|towards?) ", rest))
        and person
        and not _TIME.search(whole)
    ):
        return Reading(_P.WORKS_ON, rest, _K.IDENTITY, 0.65, dated=False)
    if not _TIME.search(whole) and said.verb not in {
        "marry",
        "retire",
        "graduate",
        "emigrate",
        "relocate",
    }:
        return None
    if said.negated:
        return None
    if said.first_person and said.tense is Tense.FUTURE:
        return Reading(
            _P.PLANS,
            f"{said.spoken} {rest}",
            _K.GOAL if said.modal == "going" else _K.EVENT,
            0.65,
            _place(rest),
        )
    return Reading(_P.WILL_HAPPEN, f"{said.spoken} {rest}", _K.EVENT, 0.75, _place(rest))


def _present(said: Predication, rest: str, person: bool, organisation: bool) -> Reading | None:
    if said.verb in words.MENTAL or re.match(r"(?:it|that|this|them|your?)\b", rest):
        return None
    if not person:
        specific = _SPECIFIC.search(rest) and said.verb in words.VERBS
        if specific and _TIME.search(rest) and said.verb in words.HAPPEN:
            return Reading(_P.WILL_HAPPEN, f"{said.spoken} {rest}", _K.EVENT, 0.65)
        return Reading(_P.HAS_PROPERTY, rest, _K.OTHER, 0.55, dated=False) if specific else None
    if said.verb == "have":
        return _had(said, rest)
    if said.verb in words.LIVE and re.match(r"(?:in|near|at|on|with|outside|above|next to) ", rest):
        return Reading(
            _P.LIVES_IN,
            re.sub(r"^(?:in|near|at|on) ", "", rest),
            _K.IDENTITY,
            0.85,
            _place(rest),
            dated=False,
        )
    if said.verb in words.WORK:
        return _works(said, rest)
    if said.verb in words.STUDY:
        return Reading(_P.STUDIES, rest, _K.IDENTITY, 0.75, _place(rest), dated=False)
    if said.verb in {"own", "breed", "keep"}:
        return Reading(_P.OWNS, rest, _K.IDENTITY, 0.75, dated=False)
    if said.negated or re.search(r"\b(?:never|only)\b", said.head):
        return Reading(
            _P.MUST_NOT,
            f"{said.spoken} {rest}",
            _K.CONSTRAINT if not said.first_person else _K.PREFERENCE,
            0.65,
            dated=False,
        )
    if said.verb in words.HAPPEN and _TIME.search(rest):
        return Reading(_P.WILL_HAPPEN, f"{said.spoken} {rest}", _K.EVENT, 0.65)
    if said.verb in words.PRESENT:
        return Reading(
            _P.DOES, f"{said.spoken} {rest}", _K.IDENTITY, 0.65, _place(rest), dated=False
        )
    return None


def _had(said: Predication, rest: str) -> Reading | None:
    if words.CONDITION.search(rest):
        return Reading(_P.HAS_CONDITION, rest, _K.IDENTITY, 0.8, dated=False)
    if re.match(
        r"(?:an?|the|this|some|any|no|another|one) (?:\w+ )?(?:question|problem|issue|idea|feeling|doubt|bug|error|look|task|request|favou?r|plan|point|minute|moment|choice|clue|list|file|function|table|script|csv)\b",
        rest,
        re.I,
    ):
        return None
    if said.tense is Tense.PAST or said.negated and not re.match(r"(?:an?|any) ", rest):
        return None
    if _TIME.search(rest):
        return Reading(_P.WILL_HAPPEN, rest, _K.EVENT, 0.7)
    if re.match(
        rf"(?:an?|two|three|four|five|six|\d|no) (?:\w+ ){{0,2}}?(?:{words.KIN}|{words.PET})\b",
        rest,
        re.I,
    ):
        return Reading(_P.HAS_RELATIVE, rest, _K.RELATIONSHIP, 0.75, dated=False)
    if re.match(r"(?:an?|two|three|four|five|six|\d+|no) \w+", rest):
        return Reading(_P.OWNS, rest, _K.IDENTITY, 0.65, dated=False)
    return None


def _works(said: Predication, rest: str) -> Reading | None:
    if said.negated:
        return Reading(_P.MUST_NOT, f"{said.spoken} {rest}", _K.CONSTRAINT, 0.7, dated=False)
    if match := re.match(r"as (?:an? )?(?P<o>.+)$", rest):
        return Reading(_P.WORKS_AS, match["o"], _K.IDENTITY, 0.85, _place(rest), dated=False)
    if match := re.match(r"(?:at|for|with) (?P<o>.+)$", rest):
        return Reading(_P.WORKS_AT, match["o"], _K.IDENTITY, 0.85, _place(rest), dated=False)
    if said.verb == "direct" and not said.first_person:
        return None
    return Reading(
        _P.WORKS_ON, re.sub(r"^(?:on|in) ", "", rest), _K.IDENTITY, 0.75, _place(rest), dated=False
    )


def _place(text: str) -> str:
    match = _PLACE.search(text)
    return match["place"] if match else ""
