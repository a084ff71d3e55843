"""Skills without a chat model: what lessons have in common, in their own words.

Nothing is written that no lesson says. The trigger is the commands that most of them are about, or
else the words that most of them have; errors with their mending that are the same but for names
become one, with a mark for the name; steps are those that the ways of the same tasks share, in
their order.
"""

from collections import Counter
from collections.abc import Sequence

from anamnesis_cluster.skill_model import Advice, Evidence, Path, Skill, Step
from anamnesis_cluster.skills.wording import slug
from anamnesis_cluster.skills.words import (
    ALIKE_MIN,
    LEFT_OUT,
    alike,
    command_of,
    common_form,
    head_of,
    remedy_of,
    sentences_of,
    shared_terms,
    step_of,
    words_of,
)

SHARED_MIN = 0.5
"""The share of the lessons that must have a command or a word for the skill to be about it."""
TERMS_MAX = 6
TERM_CHARS_MAX = 24
HEADS_MAX = 3
STEPS_MAX = 12
_ERRORS = {"error", "failure_analysis", "self_correction", "correction"}
_INSTEAD_OF = "not "
"""So begins what a learned way tells of the call that failed before a step."""
_WHEN_CHARS_MAX = 240
_DO_CHARS_MAX = 1_000
"""So much of a way to mend something is told; two that are compared take time by its square."""


def propose(label: str, lessons: Sequence[Evidence], paths: Sequence[Path]) -> Skill | None:
    """The skill of a topic; None where its lessons have too little in common.

    Args:
        label: the topic's.
        lessons: its members, in the order in which they were told.
        paths: procedures that whoever sees the topic sees too.
    """
    heads = _shared_heads(lessons)
    shared = shared_terms([one.said for one in lessons], SHARED_MIN)
    terms = [one for one in shared if len(one) <= TERM_CHARS_MAX and "/" not in one][:TERMS_MAX]
    advice = _advice(lessons)
    if not advice or not (heads or len(terms) > 1):
        return None
    near = [one for one in paths if _belongs(one, lessons, terms)]
    return Skill(
        name=slug("-".join(heads or terms[:3]), label),
        title=", ".join(f"`{head}`" for head in heads) if heads else ", ".join(terms[:3]),
        trigger=_trigger(heads, terms, lessons),
        steps=_steps(near),
        advice=advice,
        terms=tuple(terms),
        read_ids=tuple(one.memory_id for one in lessons),
    )


def _shared_heads(lessons: Sequence[Evidence]) -> list[str]:
    """The fewest commands that most lessons are about, the commonest first; none where too many."""
    heads = Counter(filter(None, (head_of(command_of(one.context)) for one in lessons)))
    found: list[str] = []
    covered = 0
    for head, count in heads.most_common(HEADS_MAX):
        found.append(head)
        covered += count
        if covered > SHARED_MIN * len(lessons):
            return found
    return []


def _trigger(heads: Sequence[str], terms: Sequence[str], lessons: Sequence[Evidence]) -> str:
    """The moment at which the skill is of use, as the end of a sentence."""
    if heads:
        failing = any(one.category in _ERRORS for one in lessons)
        told = "is run, and when it fails" if failing else "is run"
        return f"{' or '.join(f'`{head}`' for head in heads)} {told}."
    central = max(lessons, key=lambda one: len({*words_of(one.said)} & {*terms}))
    first = next(iter(sentences_of(central.context or central.text)), "")
    told = f"the work is about {', '.join(terms)}."
    return f"{told} For example: {first[:_WHEN_CHARS_MAX]}" if first else told


def _advice(lessons: Sequence[Evidence]) -> tuple[Advice, ...]:
    """The advice of all lessons, that of lessons that are alike as one."""
    found: list[Advice] = []
    for lesson in lessons:
        one = _of_lesson(lesson)
        if one is None:
            continue
        place = next((at for at, other in enumerate(found) if _is_one(one, other)), None)
        if place is None:
            found.append(one)
        else:
            found[place] = _together(found[place], one)
    return tuple(sorted(found, key=lambda one: (-len(one.sources), not one.is_failure)))


def _of_lesson(lesson: Evidence) -> Advice | None:
    """The advice of one lesson; None where it says nothing to do."""
    sentences = sentences_of(lesson.text)
    when = _first_line(lesson.title) or next(iter(sentences_of(lesson.context)), "")
    failed = command_of(lesson.context)
    do = remedy_of(lesson.resolution, failed) if lesson.resolution else " ".join(sentences[:2])
    if not do:
        return None
    if when.rstrip(".…").lower() in do.lower():
        when = ""
    is_failure = lesson.category in _ERRORS and bool(when)
    told = do if len(do) <= _DO_CHARS_MAX else f"{do[:_DO_CHARS_MAX].rstrip()}{LEFT_OUT}"
    return Advice(when[:_WHEN_CHARS_MAX], told, is_failure, (lesson.memory_id,))


def _first_line(title: str) -> str:
    """The first line of a title, where an answer told its lines as JSON does."""
    return title.partition("\\n")[0].strip()


def _is_one(one: Advice, other: Advice) -> bool:
    same_when = one.when == other.when or alike(one.when, other.when) >= ALIKE_MIN
    return same_when and alike(one.do, other.do) >= ALIKE_MIN


def _together(one: Advice, other: Advice) -> Advice:
    return Advice(
        common_form(one.when, other.when),
        common_form(one.do, other.do),
        one.is_failure,
        (*one.sources, *other.sources),
    )


def _belongs(path: Path, lessons: Sequence[Evidence], terms: Sequence[str]) -> bool:
    """True if a way is of the same task as a lesson, or about what the lessons are about."""
    if path.segment_id and any(one.segment_id == path.segment_id for one in lessons):
        return True
    return len({*words_of(f"{path.name} {path.goal}")} & {*terms}) > 1


def _steps(paths: Sequence[Path]) -> tuple[Step, ...]:
    """The steps that all ways share, in order; of one way alone all of its steps."""
    if not paths:
        return ()
    shared = list(paths[0].steps)
    for path in paths[1:]:
        common = _in_both(shared, path.steps)
        shared = common or shared
    return tuple(map(_readable, shared[:STEPS_MAX]))


def _readable(step: Step) -> Step:
    """A step as one reads it; a call that failed before it is told among the failures."""
    on_failure = "" if step.on_failure.startswith(_INSTEAD_OF) else step.on_failure
    return Step(step_of(step.do), step.done_when, on_failure, step.sources)


def _in_both(one: Sequence[Step], other: Sequence[Step]) -> list[Step]:
    """The longest row of steps that both have in order; a step of both rests on both."""
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for at in range(len(one) - 1, -1, -1):
        for there in range(len(other) - 1, -1, -1):
            lengths[at][there] = (
                lengths[at + 1][there + 1] + 1
                if _same_step(one[at], other[there])
                else max(lengths[at + 1][there], lengths[at][there + 1])
            )
    row: list[Step] = []
    at = there = 0
    while at < len(one) and there < len(other):
        if _same_step(one[at], other[there]):
            sources = tuple(dict.fromkeys((*one[at].sources, *other[there].sources)))
            step = one[at]
            row.append(Step(step.do, step.done_when, step.on_failure, sources))
            at, there = at + 1, there + 1
        elif lengths[at + 1][there] >= lengths[at][there + 1]:
            at += 1
        else:
            there += 1
    return row


def _same_step(one: Step, other: Step) -> bool:
    return one.do == other.do or alike(one.do, other.do) >= ALIKE_MIN
