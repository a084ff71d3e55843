"""Standing things: what holds from now on for whatever is done, whether or not it is asked about.

A *rule* says how things are to be done ("never push to main", "以后回答请简短一点"); a *constraint*
says what a person cannot have or do ("allergic to peanuts", "对芒果过敏"), or who may do what.
An *amendment* changes what was laid down before ("an update to the retry policy we settled").
A *liking* is weaker: what a person likes, avoids or does as a habit ("I tend to avoid cruises",
"我一般不吃辣"), which matters where advice is asked for.
Only what a person says stands: an assistant's "I'll always ..." binds nobody.
"""

import re

from anamnesis_libs.talk.phrases import says
from anamnesis_libs.talk.sentences import units_of

RULE = "rule"
CONSTRAINT = "constraint"
AMENDMENT = "amendment"
LIKING = "liking"
PREFERENCE = "preference"
"""The category of a fact that was learned of a liking."""
STANDING_CATEGORIES = (RULE, CONSTRAINT, AMENDMENT)

TEXT_CHARS_MAX = 2_000
"""Of a longer text its beginning is read: who lays something down says so early."""

_QUESTION = re.compile(r"[?？][\"'”’)）*_]{0,3}\s*$")
_COMMA = re.compile(r"[,，][^,，]*$")
_ASKED_OF_AGENT = re.compile(
    r"\b(?:can|could|would|will) you\b|, ?(?:ok(?:ay)?|alright|please|deal|understood|got it)[?？]|"
    r"[请請]|能不能|可不可以|(?:可以|好|行)(?:吗|嗎|不)",
    re.IGNORECASE,
)
"""A question that lays something down: the agent is asked to do so."""


def standing_kind(text: str, role: str) -> str:
    """`rule`, `constraint` or `amendment` where a person lays something down, `liking`, or nothing.

    `role` is that of the event. Of a text that is several, an amendment counts before a constraint,
    this before a rule, and a rule before a liking. Sentences that ask or muse lay nothing down; but
    what one cannot have, or does not like, is often told in passing, before a question.
    """
    if role != "user":
        return ""
    read = text[:TEXT_CHARS_MAX]
    if not any(says(kind, read) for kind in (*STANDING_CATEGORIES, LIKING)):
        return ""
    said = [unit.text for unit in units_of(read)]
    sentences = [one for one in said if not says("muses", one)]
    laid_down = [one for one in sentences if not _asks(one)]
    if any(says(AMENDMENT, one) for one in laid_down):
        return AMENDMENT
    if any(says(CONSTRAINT, _before_question(one)) for one in sentences):
        return CONSTRAINT
    if any(says(RULE, one) for one in laid_down):
        return RULE
    return LIKING if any(says(LIKING, one) for one in map(_stated, said)) else ""


def lays_down(text: str, role: str) -> bool:
    """True where a person lays something down: more than a liking."""
    return standing_kind(text, role) in STANDING_CATEGORIES


def is_of_what_is_asked(rule: str) -> bool:
    """True for a rule of how to answer one kind of question: "... when I ask about libraries"."""
    return says("when_asked", rule)


def _asks(sentence: str) -> bool:
    """True for a question that asks nothing to be done."""
    return bool(_QUESTION.search(sentence)) and not _ASKED_OF_AGENT.search(sentence)


def _before_question(sentence: str) -> str:
    """The sentence, or what it says before its last comma where the rest asks."""
    return _COMMA.split(sentence)[0] if _asks(sentence) else sentence


def _stated(sentence: str) -> str:
    """The sentence, what it says before its last comma where the rest asks, or nothing."""
    stated = _before_question(sentence)
    return "" if stated == sentence and _asks(sentence) else stated
