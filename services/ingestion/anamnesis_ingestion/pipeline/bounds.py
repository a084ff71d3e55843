"""The ledger's bounds for one segment: at most 500 memories, none with a field too long.

And at most 5000 names of its drawers.

One item that is too long must not cost a segment all the others, and a segment that teaches too
much must not cost its session: what does not fit is refused and counted.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeVar

from anamnesis_ingestion.learning.knowledge import (
    Knowledge,
    LearnedFact,
    LearnedLesson,
    LearnedMention,
    LearnedProcedure,
    Refused,
    Step,
)
from anamnesis_ingestion.segmentation.tasks import TaskCut

LEARNED_MAX = 500
MENTIONS_MAX = 5000
"""Names of a segment, one for each drawer that spells it."""
TOPIC_CHARS_MAX = 512
SUMMARY_CHARS_MAX = 4096
_FACT_TOPIC_CHARS_MAX = 256
_NAME_CHARS_MAX = 256
_OBJECT_CHARS_MAX = 2048
_TEXT_CHARS_MAX = 8192
_STEPS_MAX = 100
_TAGS_MAX = 32
_TAG_CHARS_MAX = 128
_ALIASES_MAX = 20

_Item = TypeVar("_Item", LearnedFact, LearnedLesson, LearnedProcedure)


def fitting(knowledge: Knowledge) -> Knowledge:
    """Return the items that can be stored whole, the most important if there are too many."""
    kept = Knowledge(
        facts=tuple(_with_topic(fact) for fact in knowledge.facts if _fact_fits(fact)),
        lessons=tuple(filter(_lesson_fits, knowledge.lessons)),
        procedures=tuple(filter(_procedure_fits, knowledge.procedures)),
        refusals=knowledge.refusals,
        mentions=tuple(filter(_mention_fits, knowledge.mentions)),
    )
    best = replace(_most_important(kept), mentions=_first(kept.mentions))
    refusals = Counter(
        {
            Refused.MALFORMED: _size(knowledge) - _size(kept),
            Refused.TOO_MANY: _size(kept) - _size(best),
        }
    )
    return best.with_refusals(refusals)


def short_words(cut: TaskCut) -> TaskCut:
    """The cut with topic and summary no longer than the ledger takes."""
    return replace(cut, topic=cut.topic[:TOPIC_CHARS_MAX], summary=cut.summary[:SUMMARY_CHARS_MAX])


def _size(knowledge: Knowledge) -> int:
    learned = len(knowledge.facts) + len(knowledge.lessons) + len(knowledge.procedures)
    return learned + len(knowledge.mentions)


def _most_important(knowledge: Knowledge) -> Knowledge:
    """Keep at most 500 items, each in its place; of equals the earlier ones."""
    importances = [item.importance for item in knowledge.facts]
    importances += [item.importance for item in knowledge.lessons]
    importances += [item.importance for item in knowledge.procedures]
    ranked = sorted(range(len(importances)), key=lambda at: -importances[at])
    chosen = set(ranked[:LEARNED_MAX])
    facts, lessons = len(knowledge.facts), len(knowledge.lessons)
    return replace(
        knowledge,
        facts=_at(knowledge.facts, 0, chosen),
        lessons=_at(knowledge.lessons, facts, chosen),
        procedures=_at(knowledge.procedures, facts + lessons, chosen),
    )


def _first(mentions: Sequence[LearnedMention]) -> tuple[LearnedMention, ...]:
    """The mentions that fit, each with all the drawers that spell it."""
    ends = accumulate(len(mention.sources) for mention in mentions)
    return tuple(
        mention for mention, end in zip(mentions, ends, strict=True) if end <= MENTIONS_MAX
    )


def _at(items: Sequence[_Item], start: int, chosen: set[int]) -> tuple[_Item, ...]:
    return tuple(item for at, item in enumerate(items, start) if at in chosen)


def _with_topic(fact: LearnedFact) -> LearnedFact:
    return replace(fact, topic=fact.topic[:_FACT_TOPIC_CHARS_MAX])


def _fact_fits(fact: LearnedFact) -> bool:
    named = (fact.subject, fact.predicate, *fact.persons)
    return (
        _filled(named, _NAME_CHARS_MAX)
        and _filled((fact.object,), _OBJECT_CHARS_MAX)
        and _filled((fact.statement,), _TEXT_CHARS_MAX)
        and len(fact.location) <= _NAME_CHARS_MAX
    )


def _mention_fits(mention: LearnedMention) -> bool:
    names = (mention.name, *mention.aliases)
    return _filled(names, _NAME_CHARS_MAX) and len(mention.aliases) <= _ALIASES_MAX


def _lesson_fits(lesson: LearnedLesson) -> bool:
    return (
        _filled((lesson.title,), TOPIC_CHARS_MAX)
        and max(len(lesson.context), len(lesson.resolution)) <= _TEXT_CHARS_MAX
        and _tags_fit(lesson.tags)
    )


def _procedure_fits(procedure: LearnedProcedure) -> bool:
    return (
        _filled((procedure.name,), _NAME_CHARS_MAX)
        and len(procedure.goal) <= _OBJECT_CHARS_MAX
        and len(procedure.steps) <= _STEPS_MAX
        and all(map(_step_fits, procedure.steps))
        and all(len(each) <= _OBJECT_CHARS_MAX for each in procedure.avoid)
        and len(procedure.avoid) <= _STEPS_MAX
        and _tags_fit(procedure.trigger_tags)
    )


def _step_fits(step: Step) -> bool:
    return (
        len(step.action) <= _NAME_CHARS_MAX
        and len(step.spec) <= _TEXT_CHARS_MAX
        and max(len(step.success_criteria), len(step.on_failure)) <= _OBJECT_CHARS_MAX
    )


def _tags_fit(tags: Sequence[str]) -> bool:
    return len(tags) <= _TAGS_MAX and _filled(tags, _TAG_CHARS_MAX)


def _filled(texts: Sequence[str], chars_max: int) -> bool:
    return all(0 < len(text) <= chars_max for text in texts)
