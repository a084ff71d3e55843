"""The links of a session: tasks in their order, and failures with what they led to.

Only work with tools is linked: a failure is a call whose answer tells it, a mending the same call
that passed later. What is not quoted, run again or asked for in so many words is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

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
    r"|\A\W*(?:好的?|那|请|帮我|再)?\s*(?:修复|修好|修一下|解决)",
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


@dataclass(frozen=True, slots=True)
class Failure:
    """A call that failed, with the line that says so and the events that show it, by index."""

    line: str
    asked: int
    answered: int


class Trail:
    """A whole session, from which the links of each of its tasks are read."""

    def __init__(self, events: Sequence[LedgerEvent], tasks: Sequence[tuple[int, int]]) -> None:
        """`events` are those of the session in order; `tasks` the first and last index of each."""
        self._events = events
        self._tasks = tasks
        attempts = [each for turn in turns_of(events) for each in turn.attempts]
        self._failures = [one for each in attempts if (one := self._failure(each)) is not None]
        self._acted = [self._index(each.answered_at) for each in attempts]
        whole = Turn(0, attempts=attempts)
        self._mended = [one for one in mended_in(events, whole) if _passed(one)]

    def links(self, task: tuple[int, int], knowledge: Knowledge) -> tuple[LearnedLink, ...]:
        """The links of one task, with what it has taught."""
        return (
            *self._order(task),
            *self._taught_in_order(knowledge.lessons),
            *self._retries(task),
            *self._asked_to_mend(task),
            *self._lessons(knowledge.lessons),
            *self._ways(knowledge.procedures, knowledge.lessons),
        )

    def _order(self, task: tuple[int, int]) -> Iterator[LearnedLink]:
        """From the request before to this one, and from this one to the next."""
        for before, after in pairwise(self._tasks):
            if task in (before, after):
                asked, then = self._request(before), self._request(after)
                if asked is not None and then is not None:
                    yield LearnedLink(
                        source=asked,
                        target=then,
                        type=LinkType.FOLLOWED_BY,
                        weight=AFTER,
                        shown_by=(asked, then),
                    )

    def _request(self, task: tuple[int, int]) -> int | None:
        """The message that asks for a task; None where no tool was used for it."""
        first, last = task
        if not any(first <= at <= last for at in self._acted):
            return None
        for event in self._events:
            if event.index is None or not first <= event.index <= last:
                continue
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

    def _retries(self, task: tuple[int, int]) -> Iterator[LearnedLink]:
        """From calls of the task to the same calls that had failed before."""
        for one in self._mended:
            failed, again = self._index(one.failed.answered_at), self._index(one.again.answered_at)
            if task[0] <= again <= task[1]:
                yield LearnedLink(
                    source=again,
                    target=failed,
                    type=LinkType.CAUSED_BY,
                    weight=RAN_AGAIN,
                    shown_by=(failed, again),
                )

    def _asked_to_mend(self, task: tuple[int, int]) -> Iterator[LearnedLink]:
        """From messages that ask to mend something to the failure that was the last thing seen."""
        for event in self._events:
            if event.role is not Role.USER or event.index is None:
                continue
            if not task[0] <= event.index <= task[1] or not _MENDS.search(own_words(event)):
                continue
            failure = self._last_before(event.index)
            if failure is not None:
                yield LearnedLink(
                    source=event.index,
                    target=failure.answered,
                    type=LinkType.CAUSED_BY,
                    weight=ASKED,
                    shown_by=(failure.answered, event.index),
                )

    def _last_before(self, index: int) -> Failure | None:
        """The failure of the last call before a message; None where that call did not fail."""
        acted = max((at for at in self._acted if at < index), default=None)
        return next((one for one in self._failures if one.answered == acted), None)

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
        for way in procedures:
            specs = {step.spec for step in way.steps}
            for one in self._mended:
                failed = self._index(one.failed.answered_at)
                again = self._index(one.again.answered_at)
                if again not in way.sources or spec_of(one.again) not in specs:
                    continue
                taught = [each for each in lessons if self._teaches(each, one)]
                for cause in taught if failed in way.sources else [failed]:
                    yield LearnedLink(
                        source=way,
                        target=cause,
                        type=LinkType.CAUSED_BY,
                        weight=APPLIED,
                        shown_by=(failed, again),
                    )

    def _teaches(self, lesson: LearnedLesson, mended: Mended) -> bool:
        failure = self._quoted(lesson)
        return failure is not None and failure.answered == self._index(mended.failed.answered_at)

    def _quoted(self, lesson: LearnedLesson) -> Failure | None:
        """The first failure among a lesson's sources that its title or context repeats."""
        told = f"{lesson.title}\n{lesson.context}"
        return next(
            (
                one
                for one in self._failures
                if one.answered in lesson.sources and shared_words(one.line, told) >= _QUOTED_MIN
            ),
            None,
        )

    def _failure(self, attempt: Attempt) -> Failure | None:
        """What a call's answer says that failed; None where it did not, or does not say what."""
        line = without_private(failing_line(attempt.answer)) if attempt.failed else ""
        if not line or not tells_failure(line):
            return None
        return Failure(line, self._index(attempt.asked_at), self._index(attempt.answered_at))

    def _index(self, at: int) -> int:
        index = self._events[at].index
        return at if index is None else index


def _passed(one: Mended) -> bool:
    """True if the call failed by itself, and its later answer says how it went."""
    answer = one.again.answer
    told = telling_words(answer) >= _ANSWER_WORDS_MIN and not one.again.failed
    return told and not _STOPPED.search(one.failed.answer)
