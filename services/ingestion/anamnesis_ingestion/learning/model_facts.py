"""From a chat model's facts to learned ones: what began, holds, ended, happened once or is denied.

The model copies words of time; which times they mean is resolved here, against the event that has
them. What replaces something ends it, and what is denied ends it where it was held: a denial of
what nobody said teaches nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from anamnesis_ingestion.learning.injected import learnable_text
from anamnesis_ingestion.learning.knowledge import NO_TIME, Dated, Held, LearnedFact, Precision
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_libs.models.chat import Json
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import Bound, TimePhrase

_NOW = frozenset({"", "now", "just now", "right now", "from now on", "现在", "刚刚", "从现在起"})
Cited = Sequence[tuple[int, LedgerEvent]]


class Course(StrEnum):
    """The course of a fact, as the events tell it."""

    BEGAN = "began"
    HOLDS = "holds"
    ENDED = "ended"
    ONCE = "once"
    DENIED = "denied"


def in_time(
    fact: LearnedFact, entry: Mapping[str, Json], cited: Cited, held: Sequence[Held]
) -> Iterator[LearnedFact]:
    """The fact with the times of its course, and the end of the fact that it replaces."""
    course = Course(str(entry.get("course")))
    begins, ends = (_resolved(str(entry.get(key, "")).strip(), cited) for key in ("begins", "ends"))
    said_at = cited[-1][1].event_time
    fact = replace(fact, said_at=said_at)
    if course is Course.DENIED:
        if Held(fact.subject, fact.predicate, fact.object).folded() in _folded(held):
            yield replace(fact, time=_end(ends or begins), ended=True)
        return
    if course is Course.ENDED:
        yield replace(fact, time=_ended(begins, ends), ended=True)
        return
    told = course is Course.BEGAN and _is_told_now(str(entry.get("begins", "")))
    time = _begin(begins, said_at if told else None)
    over = ends is not None and course is not Course.ONCE and _is_over(ends, said_at)
    until = ends.until if ends is not None and over else None
    yield replace(fact, time=replace(time, until=until), ended=over)
    before = str(entry.get("replaces", "")).strip()
    if before and before.casefold() != fact.object.casefold():
        yield replace(fact, object=before, time=Dated(None, time.since, time.precision), ended=True)


def _folded(held: Sequence[Held]) -> set[Held]:
    return {one.folded() for one in held}


def _begin(begins: TimePhrase | None, told_at: datetime | None) -> Dated:
    """From when it is: by its words, else from when it was told where it is said to begin."""
    if begins is not None and begins.bound in {Bound.AT, Bound.SINCE}:
        return Dated(begins.since, None, Precision(begins.precision.value))
    return NO_TIME if told_at is None else Dated(told_at, None, Precision.INSTANT)


def _is_told_now(words: str) -> bool:
    """True where a beginning has no words of time, or such as "now"; others are of another time."""
    return words.strip().casefold() in _NOW


def _ended(begins: TimePhrase | None, ends: TimePhrase | None) -> Dated:
    """A time that is over; only its end where no beginning was told."""
    end = _end(ends)
    if begins is None or begins.bound not in {Bound.AT, Bound.SINCE}:
        return end
    return Dated(begins.since, end.until, Precision(begins.precision.value))


def _end(ends: TimePhrase | None) -> Dated:
    if ends is None or ends.bound not in {Bound.AT, Bound.SINCE, Bound.UNTIL}:
        return NO_TIME
    return Dated(None, ends.until, Precision(ends.precision.value))


def _is_over(ends: TimePhrase, said_at: datetime | None) -> bool:
    return ends.bound in {Bound.AT, Bound.UNTIL} and said_at is not None and ends.until <= said_at


def _resolved(words: str, cited: Cited) -> TimePhrase | None:
    """The time that the words mean in the first cited event that holds them and has a time."""
    for _, event in cited:
        text = learnable_text(event)
        at = text.casefold().find(words.casefold()) if words else -1
        if at < 0 or event.event_time is None:
            continue
        for phrase in find_times(text, event.event_time):
            if phrase.start < at + len(words) and at < phrase.end:
                return phrase
    return None
