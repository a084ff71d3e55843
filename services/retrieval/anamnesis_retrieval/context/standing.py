"""Choice of the standing memories that concern a prompt: rules and constraints come unasked.

Standing memories are told where something is to be made, changed, written, planned or bought, or
where the prompt asks for advice, or if something may be done: those of the same matter, or near the
prompt in words or meaning. Where the prompt asks for rules, all are told. Rules of how to answer
concern whatever is to be made; those of one kind of question ("... when I ask about libraries")
the prompts that are near to them.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

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
from anamnesis_retrieval.model import Remembered

OF_WHAT_IS_ASKED = 0.42
"""The strength from which a rule of what is asked is told: "... when I ask about libraries"."""
_LEANING = re.compile(r"^instead\b(?! of\b)|\binstead[.!]{0,3}$", re.IGNORECASE)
"""A sentence of what is to be instead of what was said before it."""
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
        return True
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
    shared = held.matters & asked.topics.matters
    if judge.is_small or (memory.category == CONSTRAINT and shared - {SOFTWARE}):
        return bool(shared)
    is_short = asked.is_cjk or len(asked.topics.relations) <= RELATIONS_MAX
    return is_short and bool(held.relations & asked.topics.relations)


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
