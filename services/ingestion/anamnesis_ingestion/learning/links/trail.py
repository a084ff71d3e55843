"""The links of a session: tasks in their order, and failures with what they led to.

Only work with tools is linked: a failure is a call whose answer tells it, a mending the same call
that passed later. What is not quoted, run again or asked for in so many words is left alone.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from anamnesis_ingestion.learning.injected import own_words
from anamnesis_ingestion.learning.knowledge import (
    Knowledge,
    LearnedLesson,
    LearnedProcedure,
)
from anamnesis_ingestion.learning.links.model import LearnedLink, LinkType
from anamnesis_ingestion.learning.local.mending import Mended, mended_in
from anamnesis_ingestion.learning.local.procedures import spec_of, without_private
from anamnesis_ingestion.learning.local.turns import (
    Attempt,
    Turn,
    failing_line,
    tells_failure,
    turns_of,
)
from anamnesis_ingestion.learning.support import shared_words, telling_words
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role

AFTER = 0.5
"""The weight of an order: one task was asked for after another, whatever they have in common."""
RAN_AGAIN = 0.7
"""The weight of a call that was made again after it failed, with something done in between."""
ASKED = 0.8
"""The weight of a request to mend what had just failed."""
APPLIED = 0.8
"""The weight of a way that goes round a failure that it met."""
_ANSWER_WORDS_MIN = 3
_MENDS = re.compile(
    r"\A\W*(?:(?:ok(?:ay)?|please|now|then|so|well|can you|could you|let['’]?s)[\s,]+){0,4}"
    r"(?:fix|repair|resolve|debug|solve)\s+(?:it|this|that|them|these|those|the)\b"
    r"|\A\W*(?:(?:好的?|那|请|帮我|再)[，,\s]*){0,3}(?:修复|修好|修一下|解决)",
    re.IGNORECASE,
)
_STOPPED = re.compile(
    r"\A\W*(?:the user doesn['’]t want|(?:\[?request )?interrupted by (?:the )?user"
    r"|user (?:rejected|denied|declined|cancell?ed))|\bwas (?:rejected|aborted) by the user\b",
    re.IGNORECASE,
)
"""The answer to a call that a person stopped, which did not fail."""
_QUOTED_MIN = 0.8
"""The share of a failing line's words that a lesson of it has."""


Task = tuple[int, int]
"""The first and the last index of a task's events."""
_One = TypeVar("_One")


def within(ordered: Sequence[_One], span: Task, index_of: Callable[[_One], int]) -> Sequence[_One]:
    """The part of what is ordered by index that lies in a span, both ends included."""
    first, last = span
    start = bisect_left(ordered, first, key=index_of)
    return ordered[start : bisect_right(ordered, last, lo=start, key=index_of)]


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that failed, with the line that says so and the events that show it, by index."""

    line: str
    asked: int
    answered: int


@dataclass(frozen=True, slots=True)
class Retry:
    """A call that failed, the same that passed later, and what it was then; answers by index."""

    failed: int
    again: int
    spec: str


class Trail:
    """A whole session, from which the links of each of its tasks are read."""

    def __init__(self, events: Sequence[LedgerEvent], tasks: Sequence[Task]) -> None:
        """`events` are those of the session in order; `tasks` the first and last index of each."""
        self._events = events
        attempts = [each for turn in turns_of(events) for each in turn.attempts]
        self._acted = sorted(self._index(each.answered_at) for each in attempts)
        failures = [one for each in attempts if (one := self._failure(each)) is not None]
        self._failures = sorted(failures, key=_answered)
        whole = Turn(0, attempts=attempts)
        mended = [self._retry(one) for one in mended_in(events, whole) if _passed(one)]
        self._retried = sorted(mended, key=_again)
        self._places = {task: place for place, task in enumerate(tasks)}
        self._requests = [self._request(task) for task in tasks]

    def links(self, task: Task, knowledge: Knowledge) -> tuple[LearnedLink, ...]:
        """The links of one task, with what it has taught."""
        return (
            *self._order(task),
            *self._taught_in_order(knowledge.lessons),
            *self._retries(task),
            *self._asked_to_mend(task),
            *self._lessons(knowledge.lessons),
            *self._ways(knowledge.procedures, knowledge.lessons),
        )

    def _order(self, task: Task) -> Iterator[LearnedLink]:
        """From the request before to this one, and from this one to the next."""
        place = self._places[task]
        for asked, then in pairwise(self._requests[max(place - 1, 0) : place + 2]):
            if asked is not None and then is not None:
                yield LearnedLink(
                    source=asked,
                    target=then,
                    type=LinkType.FOLLOWED_BY,
                    weight=AFTER,
                    shown_by=(asked, then),
                )

    def _request(self, task: Task) -> int | None:
        """The message that asks for a task; None where no tool was used for it."""
        if not within(self._acted, task, _itself):
            return None
        for event in within(self._events, task, _index_of):
            if event.role is Role.USER and event.memory_id and own_words(event).strip():
                return event.index
        return None

    def _taught_in_order(self, lessons: Sequence[LearnedLesson]) -> Iterator[LearnedLink]:
        """From a lesson to the one whose failure came next in the task."""
        quoted = [(one, failure) for one in lessons if (failure := self._quoted(one)) is not None]
        quoted.sort(key=lambda told: told[1].answered)
        for (before, failed), (after, then) in pairwise(quoted):
            if failed.answered < then.asked:
                yield LearnedLink(
                    source=before,
                    target=after,
                    type=LinkType.FOLLOWED_BY,
                    weight=AFTER,
                    shown_by=(failed.answered, then.answered),
                )

    def _retries(self, task: Task) -> Iterator[LearnedLink]:
        """From calls of the task to the same calls that had failed before."""
        for one in within(self._retried, task, _again):
            yield LearnedLink(
                source=one.again,
                target=one.failed,
                type=LinkType.CAUSED_BY,
                weight=RAN_AGAIN,
                shown_by=(one.failed, one.again),
            )

    def _asked_to_mend(self, task: Task) -> Iterator[LearnedLink]:
        """From messages that ask to mend something to the failure that was the last thing seen."""
        for event in within(self._events, task, _index_of):
            if event.role is not Role.USER or event.index is None:
                continue
            failure = self._last_before(event.index)
            if failure is not None and _MENDS.search(own_words(event)):
                yield LearnedLink(
                    source=event.index,
                    target=failure.answered,
                    type=LinkType.CAUSED_BY,
                    weight=ASKED,
                    shown_by=(failure.answered, event.index),
                )

    def _last_before(self, index: int) -> Failure | None:
        """The failure of the last call before a message; None where that call did not fail."""
        acted = bisect_left(self._acted, index)
        if not acted:
            return None
        last = self._acted[acted - 1]
        return next(iter(within(self._failures, (last, last), _answered)), None)

    def _lessons(self, lessons: Sequence[LearnedLesson]) -> Iterator[LearnedLink]:
        """From lessons to the failures that they quote."""
        for lesson in lessons:
            failure = self._quoted(lesson)
            if failure is not None:
                yield LearnedLink(
                    source=lesson,
                    target=failure.answered,
                    type=LinkType.CAUSED_BY,
                    weight=lesson.confidence,
                    shown_by=(failure.answered,),
                )

    def _ways(
        self, procedures: Sequence[LearnedProcedure], lessons: Sequence[LearnedLesson]
    ) -> Iterator[LearnedLink]:
        """From procedures to the lessons whose mending they hold, and to failures before them."""
        taught = [(one, self._quoted(one)) for one in lessons]
        for way in procedures:
            specs = {step.spec for step in way.steps}
            for one in within(self._retried, _span(way.sources), _again):
                if one.spec not in specs:
                    continue
                before = one.failed < min(way.sources)
                held = [lesson for lesson, of in taught if of and of.answered == one.failed]
                for cause in [one.failed] if before else held:
                    yield LearnedLink(
                        source=way,
                        target=cause,
                        type=LinkType.CAUSED_BY,
                        weight=APPLIED,
                        shown_by=(one.failed, one.again),
                    )

    def _quoted(self, lesson: LearnedLesson) -> Failure | None:
        """The first failure among a lesson's sources that its title or context repeats."""
        told = f"{lesson.title}\n{lesson.context}"
        return next(
            (
                one
                for one in within(self._failures, _span(lesson.sources), _answered)
                if one.answered in lesson.sources and shared_words(one.line, told) >= _QUOTED_MIN
            ),
            None,
        )

    def _failure(self, attempt: Attempt) -> Failure | None:
        """The failure that a call's answer tells; None where it did not, or does not say what."""
        line = without_private(failing_line(attempt.answer)) if attempt.failed else ""
        if not line or not tells_failure(line):
            return None
        return Failure(line, self._index(attempt.asked_at), self._index(attempt.answered_at))

    def _retry(self, one: Mended) -> Retry:
        failed, again = self._index(one.failed.answered_at), self._index(one.again.answered_at)
        return Retry(failed, again, spec_of(one.again))

    def _index(self, at: int) -> int:
        index = self._events[at].index
        return at if index is None else index


def _passed(one: Mended) -> bool:
    """True if the call failed by itself, and its later answer says how it went."""
    answer = one.again.answer
    told = telling_words(answer) >= _ANSWER_WORDS_MIN and not one.again.failed
    return told and not _STOPPED.search(one.failed.answer)


def _span(sources: Sequence[int]) -> Task:
    return min(sources), max(sources)


def _answered(one: Failure) -> int:
    return one.answered


def _again(one: Retry) -> int:
    return one.again


def _index_of(event: LedgerEvent) -> int:
    return event.index or 0


def _itself(index: int) -> int:
    return index
