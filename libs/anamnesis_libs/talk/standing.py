"""Standing things: what holds from now on for whatever is done, whether or not it is asked about.

A *rule* says how things are to be done ("never push to main", "以后回答请简短一点"); a *constraint*
says what a person cannot have or do ("allergic to peanuts", "对芒果过敏"), or who may do what.
An *amendment* changes what was laid down before ("an update to the retry policy we settled").
A *liking* is weaker: what a person likes, avoids or does as a habit ("I tend to avoid cruises",
"我一般不吃辣"), which matters where advice is asked for.
What is laid down for today or this once ("keep it brief today") stands for nothing later.
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
ANNOUNCES = "announces_rules"
"""The phrases that say that rules follow."""

TEXT_CHARS_MAX = 2_000
"""Of a longer text its beginning is read: who lays something down says so early."""

_QUESTION = re.compile(r"[?？][\"'”’)）*_]{0,3}\s*$")
_SEVERAL = re.compile(
    r"\brules\b|[两二三四五几][条個个點点]|(?:规矩|規矩|规则|規則|约定|約定)如下", re.IGNORECASE
)
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
    if not any(says(kind, read) for kind in (*STANDING_CATEGORIES, ANNOUNCES, LIKING)):
        return ""
    said = [unit.text for unit in units_of(read)]
    sentences = [one for one in said if not says("muses", one)]
    laid_down = [one for one in sentences if not _asks(one)]
    announced = announced_rules(read)
    if any(says(AMENDMENT, one) for one in laid_down if one not in announced):
        return AMENDMENT
    if any(says(CONSTRAINT, _before_question(one)) for one in sentences):
        return CONSTRAINT
    if announced or any(says(RULE, one) and not _is_for_now(one) for one in laid_down):
        return RULE
    stated = (one for one in map(_stated, said) if not _is_for_now(one))
    return LIKING if any(says(LIKING, one) for one in stated) else ""


def announced_rules(text: str) -> frozenset[str]:
    """The sentences of a text that are rules because it says so: "New rule: one PR per feature".

    They are the sentence that announces rules and those behind it, up to one that moves on, but for
    what asks or muses. Behind one rule alone a sentence counts where it is to last by its words.
    """
    read = text[:TEXT_CHARS_MAX]
    if not says(ANNOUNCES, read):
        return frozenset()
    said = [unit.text for unit in units_of(read)]
    first = next((at for at, one in enumerate(said) if says(ANNOUNCES, one)), len(said))
    end = next((at for at in range(first + 1, len(said)) if says("moves_on", said[at])), len(said))
    several = first < len(said) and _SEVERAL.search(said[first]) is not None
    behind = [one for one in said[first + 1 : end] if several or says("lasting", one)]
    stated = (one for one in (*said[first : first + 1], *behind) if not _asks(one))
    return frozenset(one for one in stated if not says("muses", one))


def lays_down(text: str, role: str) -> bool:
    """True where a person lays something down: more than a liking."""
    return standing_kind(text, role) in STANDING_CATEGORIES


def is_of_what_is_asked(rule: str) -> bool:
    """True for a rule of how to answer one kind of question: "... when I ask about libraries"."""
    return says("when_asked", rule)


def _is_for_now(sentence: str) -> bool:
    """True for what holds today, or this once; "we decided today never to ..." lasts."""
    return says("for_now", sentence) and not says("lasting", sentence)


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
