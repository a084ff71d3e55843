"""What the English rules share: a clause as read, what it comes to, and words of many uses."""

import re
from dataclasses import dataclass

from services.ingestion.learning.knowledge import FactKind
from services.ingestion.learning.local import english_words as words
from services.ingestion.learning.local.english_grammar import Predication
from services.ingestion.learning.local.predicates import Predicate

SPECIFIC = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hourly|daily"
    r"|nightly|weekly)\b|\b[A-Z]\w+\b|[\w.-]+\.[a-z]{2,4}\b"
)
TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|(?:last|next|this) \w+|\w+ (?:years?|months?"
    r"|weeks?|days?) ago|in (?:19|20)\d\d|on (?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|(?:on|in|since|until|by|next|last) (?:january|february|march|april|may|june|july|august"
    r"|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday"
    r"|sunday)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)|(?:over|at|this|next)"
    r" (?:the )?weekend|this (?:spring"
    r"|summer|autumn|winter|fall)|\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)|noon|midnight|in (?:a|an|two"
    r"|three|\d+) (?:\w+ "
    r")?(?:days?|weeks?|months?|years?)|at \d+|\d{4}-\d\d-\d\d)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|near|to|at) (?P<place>(?:the )?[A-Z][\w'’-]+(?:[ ,]+[A-Z][\w'’-]+)*)")
OCCUPATION = re.compile(
    r"^(?:now |currently |still |also )*(?:an?|the|your|one of the) (?P<o>(?:(?!to |of |and "
    r"|in |for |way |a )[\w'/&-]+ ){0,4}?(?!member|number|matter|reminder|believer|supporter"
    r"|winner|order|whisper|killer|newcomer|outsider|loser)[\w-]*(?:er|or|ist|ian|ant|ent|ive"
    r"|man|woman|nurse|chef|cook|judge|doctor|teacher|pilot|vet|clerk|coach|lead|head|cto|ceo"
    r"|cfo"
    r"|student|architect|mechanic|surgeon|physicist|scientist|analyst|designer|engineer"
    r"|developer|freelancer|dev|sre|pm|intern|apprentice|dba|gp|librarian|barista|farmer"
    r"|fellow|captain|officer|ops))\b",
    re.IGNORECASE,
)
VAGUE = re.compile(
    r"^(?:it|that|this|so|them|what|to|up|out|in|on|there|here|too|well|ok(?:ay)?|fine|good"
    r"|sure|sorry|back|ready|done|done with|happy|glad|sad|tired|busy|late|early|right|wrong"
    r"|stuck|lost|confused|curious|afraid"
    r"|not sure|aware|able|about to|excited|interested|bored|hungry|thirsty|cold|hot"
    r"|thinking|wondering|asking|talking|trying|looking|going|doing|having|using|getting"
    r"|seeing|running|working)[.!]?$",
    re.IGNORECASE,
)
BARE_HABITS = words.words_of(
    "swim smoke drink drive cook sing dance paint knit ski cycle run meditate climb fish "
    "hike garden bake jog surf sail"
)
CHORES = re.compile(
    r"^(?:(?:the|all|some|both|new|latest|that|this|a|an) )*(?:(?:unit|integration|failing"
    r"|broken|wrong|right|same|whole|full|main|feature|shell|config|log|build|ci|error) "
    r")?(?:(?<!a )tests?|builds?|fix(?:es)?|code|scripts?|commands?|branch(?:es)?|prs?|pull "
    r"requests?|commits?|files?|functions?|logs?|servers?|deploys?"
    r"|quer(?:y|ies)|configs?|packages?|pages?|buttons?|errors?|bugs?|lines?|versions?"
    r"|links?|screenshots?|messages?|tickets?|docs?|migrations?|imports?|caches?"
    r"|variables?|tables?|columns?|rows?|endpoints?)\b(?! of)",
    re.IGNORECASE,
)
STANDING_NEED = re.compile(
    r"\b(?:every|each|daily|weekly|monthly|before|after|by|at least|at most|no later|until"
    r"|regularly|always|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|twice|once|times|because"
    r"|under|within|only|never)\b"
    r"|^(?:avoid|wear|take|keep|stay|be|eat|drink|sleep|rest|watch)\b",
    re.IGNORECASE,
)
PRONOUNS = frozenset({"i", "we", "he", "she", "they"})
EAT_BAN = frozenset(["eat", "drink", "smoke"])


@dataclass(frozen=True, slots=True)
class Reading:
    """What a clause says of its subject."""

    predicate: Predicate
    object: str
    kind: FactKind
    confidence: float = 0.75
    location: str = ""
    dated: bool = True


@dataclass(frozen=True, slots=True)
class Said:
    """A clause as its rules see it: `rest` follows the verb, `whole` has what stood before too."""

    clause: Predication
    person: bool
    organisation: bool
    rest: str

    @property
    def verb(self) -> str:
        """The lemma."""
        return self.clause.verb

    @property
    def whole(self) -> str:
        """What stands before the subject and what follows the verb."""
        return f"{self.clause.head} {self.rest}"

    @property
    def doing(self) -> str:
        """The verb as it was said, with the rest."""
        return f"{self.clause.spoken} {self.rest}"


def place_in(text: str) -> str:
    """The capitalised place that a text names after in, near, to or at; else empty."""
    match = _PLACE.search(text)
    return match["place"] if match else ""
