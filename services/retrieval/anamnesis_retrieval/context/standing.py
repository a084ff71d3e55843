"""Choice of the standing memories that concern a prompt: rules and constraints come unasked.

Standing memories are told where something is to be made, changed, written, planned or bought, or
where the prompt asks for advice, or if something may be done: those of the same matter, or near the
prompt in words or meaning. Where the prompt asks for rules, all are told; where it asks how to
answer, without what a person cannot do. Rules of how to answer concern whatever is to be made;
those of one kind of question ("... when I ask about libraries") the prompts that are near to them.
A broken wrist heals: what was told of one some time ago stands no longer.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import RELATIVES, is_about_caller
from anamnesis_libs.talk.phrases import pattern, says
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import (
    AMENDMENT,
    CONSTRAINT,
    LIKING,
    RULE,
    STANDING_CATEGORIES,
    announced_rules,
    is_of_what_is_asked,
    lays_down,
    standing_kind,
)
from anamnesis_libs.talk.topics import ANSWERS, SOFTWARE, Topics, topics_of
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.context.evidence import Evidence, EvidenceJudge
from anamnesis_retrieval.context.versions import is_of_another
from anamnesis_retrieval.model import Remembered

OF_WHAT_IS_ASKED = 0.42
"""The strength from which a rule of what is asked is told: "... when I ask about libraries"."""
_LEANING = re.compile(r"^instead\b(?! of\b)|\binstead[.!]{0,3}$", re.IGNORECASE)
"""A sentence of what is to be instead of what was said before it."""
PASSING = {"acute_injury": timedelta(weeks=12), "pregnancy": timedelta(weeks=40)}
"""How long after its telling what keeps somebody from something does so, at most."""
FAMILY, HEALTH, DIET = "family", "health", "food.diet"
_THIRD_PERSON = re.compile(
    r"\b(?:he|she|his|her|him)\b|\w['’]s (?:been|got|had|not)\b", re.IGNORECASE
)
RELATIONS_MAX = 2
"""A prompt of more relations is long, and its words tell more than they do."""


def is_standing(memory: Remembered) -> bool:
    """True for what was marked as a rule or a constraint when it came in."""
    return memory.category in STANDING_CATEGORIES


def concerns(
    memory: Remembered, found: Evidence, asked: PromptReading, judge: EvidenceJudge
) -> bool:
    """True where a standing memory is to be told with a prompt.

    Among many memories most rules are of the corner of life that most prompts are of: there a rule
    wants more, the very relation of a short prompt, or to be as near as what answers it.
    """
    if asked.for_rules:
        return not (ANSWERS in asked.topics.matters and memory.category == CONSTRAINT)
    if asked.is_talk:
        return False
    if is_of_what_is_asked(memory.content):
        near = found.strength >= OF_WHAT_IS_ASKED
        if near or memory.category == RULE:
            return near
    to_do = asked.is_request or asked.asks_leave or asked.asks_advice
    return to_do and _is_of_matter(memory, found, asked, judge)


def _is_of_matter(
    memory: Remembered, found: Evidence, asked: PromptReading, judge: EvidenceJudge
) -> bool:
    if found.strength >= judge.standing_floor and not asked.is_cjk:
        return True
    laid_down = " ".join(standing_sentences(memory))
    if judge.is_small and any(pair in laid_down for pair in asked.pairs):
        return True
    held = topics_of(laid_down)
    if (asked.is_request or asked.asks_advice) and _is_of_answers(held, judge):
        return True
    return _shares_matter(memory, held, asked, judge)


def _is_of_answers(held: Topics, judge: EvidenceJudge) -> bool:
    """True for a rule of how to answer; among many memories if it speaks of nothing else."""
    return ANSWERS in held.matters and (judge.is_small or held.matters == {ANSWERS})


def _shares_matter(
    memory: Remembered, held: Topics, asked: PromptReading, judge: EvidenceJudge
) -> bool:
    """True for a memory of the prompt's matter; among many of a short prompt's relation.

    There a constraint of a person's life still needs its matter only.
    """
    shared: AbstractSet[str] = held.matters & asked.topics.matters
    if memory.category == CONSTRAINT:
        shared = _bearing_on(memory, shared, held, asked)
    if judge.is_small or (memory.category == CONSTRAINT and shared - {SOFTWARE}):
        return bool(shared)
    is_short = asked.is_cjk or len(asked.topics.relations) <= RELATIONS_MAX
    return is_short and bool(held.relations & asked.topics.relations)


def _bearing_on(
    memory: Remembered, shared: AbstractSet[str], held: Topics, asked: PromptReading
) -> AbstractSet[str]:
    """The matters by which a constraint bears on a prompt.

    That both speak of relatives says little, unless of the same ones, or of what one may not eat;
    and somebody else's health has nothing to do with one's own.
    """
    bears = held.relations & (asked.topics.relations | {DIET})
    other = set[str]() if bears else {FAMILY}
    named = not asked.terms.keys().isdisjoint(tokens(memory.content))
    if asked.about_caller and not named and _is_of_another(memory.content, asked):
        other |= {HEALTH}
    return shared - other


def _is_of_another(text: str, asked: PromptReading) -> bool:
    """True for what is told of somebody else, or of another relative than is asked about.

    "He's allergic to penicillin" may be of the relative who is asked about.
    """
    ties = asked.topics.relations & RELATIVES
    third = not ties and _THIRD_PERSON.search(text) is not None and not is_about_caller(text)
    return third or is_of_another(text, ties)


def is_healed(memory: Remembered, now: datetime | None) -> bool:
    """True for what keeps somebody from something for a time, once that is over.

    A sentence that tells of more than that stands: "I'm pregnant and allergic to nuts".
    """
    if now is None or memory.event_time_us is None or memory.category != CONSTRAINT:
        return False
    age = now - datetime.fromtimestamp(memory.event_time_us / 1e6, UTC)
    if age < min(PASSING.values()):
        return False
    over = [pattern(kind) for kind, lasts in PASSING.items() if age > lasts]
    return all(
        any(kind.search(one) and not says(CONSTRAINT, kind.sub(" ", one)) for kind in over)
        for one in standing_sentences(memory)
    )


def standing_sentences(memory: Remembered) -> Sequence[str]:
    """The sentences of a standing memory that lay something down; all where none does alone.

    An amendment is told whole: what it amends is said in one sentence, and how in the next. What is
    to be "instead" is told with the sentence that says instead of what.
    """
    sentences = [unit.text for unit in units_of(memory.content)]
    if memory.category == AMENDMENT:
        return sentences
    of_kind = standing_kind if memory.category == LIKING else lays_down
    announced = announced_rules(memory.content)
    laid_down = [one for one in sentences if one in announced or of_kind(one, memory.role)]
    leaning = {one for one in laid_down if _LEANING.search(one)}
    leads = {before for before, one in pairwise(sentences) if one in leaning}
    return [one for one in sentences if one in laid_down or one in leads] or sentences
