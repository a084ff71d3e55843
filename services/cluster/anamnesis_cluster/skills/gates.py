"""The gates that a skill passes before it is kept: long enough, borne out, better than before.

Structure is 0.35 clarity + 0.35 specificity + 0.30 preservation, each from 0 to 1. Clarity is the
mean of: a trigger is stated, three steps (or their share), failures are covered, and the share of
statements of at most 60 words. Specificity is the mean, over the lessons that name something exact
where they say what to do (a path, an option, a name, a figure), of the share of it that the
skill names too. Preservation is the same of all words. Two versions are measured on the same
lessons, so that one which leaves nothing out and adds a lesson never scores less.
"""

import re
from collections.abc import Iterable, Sequence
from statistics import fmean

from anamnesis_cluster.skill_model import Evidence, Skill
from anamnesis_cluster.skills.words import LEFT_OUT, words_of

TOKENS_MIN = 150
STEPS_MIN = 3
PARTS_MIN = 2
"""Of steps, trigger and failures a skill has at least so many."""
GROUNDED_MIN = 0.8
_CLARITY, _SPECIFICITY, _PRESERVATION = 0.35, 0.35, 0.30
_STATEMENT_WORDS_MAX = 60
_EXACT = re.compile(r"[\d`=]|\w[/\\.:@_]\w|^--?\w|[A-Z].*[A-Z]")
"""In a word: what makes it name something exactly."""
_WORD_CHARS_MAX = 80
_CHECKED = re.compile(r"`([^`]+)`|(?<![\w.])(\d[\d.,:]*)")


def thinness(skill: Skill, tokens: int) -> str:
    """Why a skill is too thin to be kept; empty where it is not."""
    if tokens < TOKENS_MIN:
        return f"it has {tokens} tokens, and needs {TOKENS_MIN}"
    parts = (len(skill.steps) >= STEPS_MIN, bool(skill.trigger.strip()), bool(skill.failures))
    if sum(parts) < PARTS_MIN:
        return "it lacks two of: three steps, a trigger, failures with their remedies"
    return ""


def statements_of(skill: Skill) -> list[str]:
    """The statements of a skill that are checked one by one, steps first."""
    steps = (" ".join(filter(None, (one.do, one.done_when, one.on_failure))) for one in skill.steps)
    advice = (f"{one.when} {one.do}".strip() for one in skill.advice)
    return [*steps, *advice]


def unheard(statement: str, evidence: str) -> list[str]:
    """Commands in marks and figures of a statement that stand nowhere in the evidence."""
    found = (code or figure.rstrip(".,:") for code, figure in _CHECKED.findall(statement))
    flat = " ".join(evidence.split())
    return [one for one in found if not all(part in flat for part in _parts(one))]


def structure_of(skill: Skill, text: str, lessons: Sequence[Evidence]) -> float:
    """The structure score of a skill, from 0 to 1; see the head of this module."""
    statements = statements_of(skill)
    if not statements:
        return 0.0
    clarity = fmean(
        (
            bool(skill.trigger.strip()),
            min(1.0, len(skill.steps) / STEPS_MIN),
            bool(skill.failures),
            fmean(len(one.split()) <= _STATEMENT_WORDS_MAX for one in statements),
        )
    )
    specificity = _kept(text, map(_exact, lessons))
    preservation = coverage(text, lessons)
    score = _CLARITY * clarity + _SPECIFICITY * specificity + _PRESERVATION * preservation
    return round(score, 4)


def coverage(text: str, lessons: Iterable[Evidence]) -> float:
    """The mean share of what lessons say to do that a text has too, from 0 to 1; 0 of none."""
    return _kept(text, (words_of(one.resolution or one.text) for one in lessons))


def _kept(text: str, wanted: Iterable[Sequence[str]]) -> float:
    """The mean share of each row of words that a text has; rows without words do not count."""
    said = {*words_of(text)}
    shares = [len({*row} & said) / len({*row}) for row in wanted if row]
    return fmean(shares) if shares else 0.0


def _exact(lesson: Evidence) -> list[str]:
    """The words of a lesson's advice that name something exactly."""
    said = (lesson.resolution or lesson.text).split()
    return [word for one in said if _EXACT.search(one[:_WORD_CHARS_MAX]) for word in words_of(one)]


def _parts(exact: str) -> list[str]:
    """The parts of a command between the marks of what was left out."""
    plain = " ".join(exact.split())
    return [part.strip() for part in plain.split(LEFT_OUT) if part.strip()]
