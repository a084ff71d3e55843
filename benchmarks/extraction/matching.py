"""Matching of extracted items to labels: the rules of `tests/data/extraction/README.md`.

A label is matched once: a second fact that says the same is wrong. `we` and the speaker count as
one subject, since the speaker is part of the group. Where a kind or a category is the only
difference, the answer is wrong and the label is missed.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from anamnesis_ingestion.learning.knowledge import (
    Dated,
    Knowledge,
    LearnedFact,
    LearnedLesson,
    LearnedProcedure,
    Precision,
)
from benchmarks.extraction.dataset import Exchange, FactLabel, SpanLabel

_NEGATION = re.compile(
    r"\b(?:not|never|no|nor|cannot|without|neither|hardly|nobody|nothing|avoid\w*)\b|n['’]t\b"
    r"|不|没|別|别|勿|無|无|莫|從不|未",
    re.IGNORECASE,
)
_LEADING = re.compile(
    r"^(?:the|a|an|my|our|his|her|their|mr|mrs|ms|dr|我的?|他的?|她的?)[ .]+|^我", re.IGNORECASE
)


@dataclass(slots=True)
class Score:
    """Counts of right, wrong and missed, and how the dates of the right ones came out."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def __add__(self, other: "Score") -> "Score":
        """Both together."""
        return Score(self.right + other.right, self.wrong + other.wrong, self.missed + other.missed)

    @property
    def precision(self) -> float:
        """Share of what was extracted that is right; 1 where nothing was."""
        return self.right / found if (found := self.right + self.wrong) else 1.0

    @property
    def recall(self) -> float:
        """Share of the labels that were found; 1 where there are none."""
        return self.right / labels if (labels := self.right + self.missed) else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(slots=True)
class Outcome:
    """The result of one exchange: scores by what was looked for, and items to look at."""

    scores: dict[str, Score] = field(default_factory=dict)
    dates: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def add(self, key: str, score: Score) -> None:
        """Count under a key."""
        self.scores[key] = self.scores.get(key, Score()) + score


def judge(exchange: Exchange, knowledge: Knowledge) -> Outcome:
    """Compare what was learned from an exchange with its labels."""
    outcome = Outcome()
    _judge_facts(exchange, knowledge.facts, outcome)
    _judge_lessons(exchange, knowledge.lessons, outcome)
    _judge_procedures(exchange, knowledge.procedures, outcome)
    return outcome


def _judge_facts(exchange: Exchange, facts: Sequence[LearnedFact], outcome: Outcome) -> None:
    left = list(exchange.facts)
    unmatched = []
    for fact in facts:
        label = next((each for each in left if _same_fact(exchange, fact, each)), None)
        if label is None:
            unmatched.append(fact)
            continue
        left.remove(label)
        outcome.dates[_date_verdict(fact.time, label)] += 1
        if not label.optional:
            outcome.add(f"fact {label.kind}", Score(right=1))
    for fact in unmatched:
        # An optional label takes any number of facts; that somebody has a mother is not counted.
        spare = any(_same_fact(exchange, fact, each) for each in exchange.facts if each.optional)
        if not spare and not _is_bare_relative(fact):
            outcome.add(f"fact {fact.kind}", Score(wrong=1))
            outcome.wrong.append(
                f"{exchange.id} {fact.kind} | {fact.subject} | {fact.predicate} | "
                f"{fact.object} | {fact.statement}"
            )
    for label in left:
        if not label.optional:
            outcome.add(f"fact {label.kind}", Score(missed=1))
            outcome.missed.append(
                f"{exchange.id} {label.kind} | {label.subject} | {label.object_contains}"
            )


def _is_bare_relative(fact: LearnedFact) -> bool:
    """Somebody has a mother: told by that word alone, so without a name."""
    return fact.predicate == "has_relative" and not fact.persons


def _same_fact(exchange: Exchange, fact: LearnedFact, label: FactLabel) -> bool:
    text = f"{fact.statement}\n{fact.object}".casefold()
    return (
        label.event in fact.sources
        and any(each.casefold() in text for each in (label.object_contains, *label.alias))
        and fact.kind in {label.kind, *label.kind_also}
        and _same_subject(exchange, fact, label)
        and (not label.negated or bool(_NEGATION.search(fact.statement)))
    )


def _same_subject(exchange: Exchange, fact: LearnedFact, label: FactLabel) -> bool:
    speaker = (exchange.events[label.event].name or "user").casefold()
    return any(
        _is_called(fact.subject, name, speaker) for name in (label.subject, *label.subject_also)
    )


def _is_called(subject: str, name: str, speaker: str) -> bool:
    ours, theirs = (_bare(each) for each in (subject, name))
    if {subject.casefold(), name.casefold()} <= {speaker, "we", "我们", "我們"}:
        return True
    return ours == theirs or (theirs in ours if len(theirs) > 1 else ours.endswith(theirs))


def _bare(subject: str) -> str:
    text = subject.strip().casefold()
    while (shorter := _LEADING.sub("", text)) != text:
        text = shorter
    return text


def _date_verdict(time: Dated, label: FactLabel) -> str:
    """right, wrong, missing (there is a date and none is given) or guessed (the reverse)."""
    given = written_date(time)
    if not label.date:
        return "guessed" if given else "none"
    if not given:
        return "missing"
    return "right" if given == label.date else "wrong"


def written_date(time: Dated) -> str:
    """A time as the labels write it."""
    if time.since is None or time.precision is Precision.NONE:
        return ""
    since = time.since
    match time.precision:
        case Precision.YEAR:
            return f"{since:%Y}"
        case Precision.MONTH:
            return f"{since:%Y-%m}"
        case Precision.WEEK if time.until is not None:
            last = time.until.date().toordinal() - 1
            return f"{since:%Y-%m-%d}/{since.date().fromordinal(last)}"
        case Precision.INSTANT:
            return since.isoformat()
        case _:
            return f"{since:%Y-%m-%d}"


def _judge_lessons(exchange: Exchange, lessons: Sequence[LearnedLesson], outcome: Outcome) -> None:
    left = list(exchange.lessons)
    for lesson in lessons:
        words = f"{lesson.title}\n{lesson.context}\n{lesson.resolution}"
        label = _matched(left, lesson.sources, words, lesson.category)
        key = f"lesson {label.category if label else lesson.category}"
        if label is None:
            outcome.wrong.append(f"{exchange.id} lesson {lesson}")
            outcome.add(key, Score(wrong=1))
            continue
        left.remove(label)
        outcome.add(key, Score(right=1))
    for label in left:
        outcome.add(f"lesson {label.category}", Score(missed=1))
        outcome.missed.append(f"{exchange.id} lesson {label}")


def _judge_procedures(
    exchange: Exchange, procedures: Sequence[LearnedProcedure], outcome: Outcome
) -> None:
    left = list(exchange.procedures)
    for procedure in procedures:
        steps = "\n".join(
            f"{step.action} {step.spec} {step.success_criteria}" for step in procedure.steps
        )
        words = f"{procedure.name}\n{procedure.goal}\n{steps}\n{procedure.avoid}"
        label = _matched(left, procedure.sources, words, "")
        if label is not None and len(procedure.steps) >= label.steps_min:
            left.remove(label)
            outcome.add("procedure", Score(right=1))
        elif not _inside_an_error(exchange, procedure):
            outcome.wrong.append(f"{exchange.id} procedure {procedure}")
            outcome.add("procedure", Score(wrong=1))
    for label in left:
        outcome.add("procedure", Score(missed=1))
        outcome.missed.append(f"{exchange.id} procedure {label}")


def _inside_an_error(exchange: Exchange, procedure: LearnedProcedure) -> bool:
    span = (min(procedure.sources), max(procedure.sources))
    errors = (each for each in exchange.lessons if each.category == "error")
    return any(_overlap(span, (each.first, each.last)) for each in errors)


def _matched(
    labels: Sequence[SpanLabel], sources: Sequence[int], words: str, category: str
) -> SpanLabel | None:
    span = (min(sources), max(sources))
    for label in labels:
        fits = label.category == category and label.contains.casefold() in words.casefold()
        if fits and _overlap(span, (label.first, label.last)):
            return label
    return None


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """True if two spans share half of the longer one or more."""
    shared = min(one[1], other[1]) - max(one[0], other[0]) + 1
    return 2 * shared >= max(one[1] - one[0], other[1] - other[0]) + 1
