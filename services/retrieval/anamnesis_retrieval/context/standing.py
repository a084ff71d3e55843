"""Choice of the standing memories that concern a prompt: rules and constraints come unasked.

Standing memories are told where something is to be made, changed, written, planned or bought, or
where the prompt asks if something may be done: those of the same matter, or near the prompt in
words or meaning. Where the prompt asks for rules, all are told. Rules of how to answer concern
whatever is to be made.
"""

from collections.abc import Sequence

from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import STANDING_CATEGORIES, standing_kind
from anamnesis_libs.talk.topics import ANSWERS, topics_of
from anamnesis_retrieval.context.asked import PromptReading
from anamnesis_retrieval.context.evidence import Evidence
from anamnesis_retrieval.model import Remembered

STRENGTH_MIN = 0.25
"""Words and vector this near are of the prompt's matter, whatever the matter is called."""


def is_standing(memory: Remembered) -> bool:
    """True for what was marked as a rule or a constraint when it came in."""
    return memory.category in STANDING_CATEGORIES


def concerns(memory: Remembered, found: Evidence, asked: PromptReading) -> bool:
    """True where a standing memory is to be told with a prompt."""
    if asked.for_rules:
        return True
    if asked.is_talk or not (asked.is_request or asked.asks_leave):
        return False
    if found.strength >= STRENGTH_MIN and not asked.is_cjk:
        return True
    matters = topics_of(" ".join(standing_sentences(memory))).matters
    if asked.is_request and ANSWERS in matters:
        return True
    return bool(matters & asked.topics.matters)


def standing_sentences(memory: Remembered) -> Sequence[str]:
    """The sentences of a standing memory that lay something down; all where none does alone."""
    sentences = [unit.text for unit in units_of(memory.content)]
    laid_down = [one for one in sentences if standing_kind(one, memory.role)]
    return laid_down or sentences
