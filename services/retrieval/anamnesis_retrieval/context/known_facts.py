"""Facts about whom a question is about, where it asks for a relation of their life.

"What is my job title?" shares no word with "I work at Halden as a consultant": ranking finds the
turn late, or not at all, among thousands. The fact that was learned of it has the predicate that
such a question asks for, so it is read by that, and stands first: what holds, in a few words; what
held before, where the past is asked about or nothing holds any more.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from anamnesis_libs.talk.changes import tells_change
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.topics import topics_of
from anamnesis_retrieval.model import KnownFact, Remembered
from anamnesis_retrieval.ranking.facts_asked import answering
from anamnesis_retrieval.ranking.named_time import day_asked_of
from anamnesis_retrieval.ranking.newest import is_about_past

FACTS_MAX = 4
"""More facts of one relation tell a history, which the turns tell better."""
REPLACED_MAX = 1
"""Facts that were replaced by what holds, to be folded under it."""
READ_CHARS_MAX = 1_000
"""So much of a line is read for a change."""

_US_PER_S = 1_000_000
_JUST_BEFORE = timedelta(seconds=1)


def told_first(
    facts: Sequence[KnownFact], query: str, asked_at: datetime | None
) -> Sequence[Remembered]:
    """The facts to tell before all else, each with since or until when it held.

    What holds goes by its beginning, the newest first, and what it replaced last goes behind it;
    where the past is asked about, what is over goes before it, by its end. Of a day that the
    question names, what held at its end is told.
    """
    answers = answering(facts, query)
    day = day_asked_of(query)
    moment = day - _JUST_BEFORE if day else asked_at
    moment_us = int(moment.timestamp() * _US_PER_S) if moment else None
    holding = [one for one in answers if one.holds_at(moment_us)]
    over = [one for one in answers if one.is_over_at(moment_us)]
    over_last_first = sorted(over, key=lambda one: -(one.until_us or 0))
    newest_first = sorted(holding, key=lambda one: -(one.from_us or _us(one.memory)))
    if is_about_past(query) and not day:
        return list(map(_dated, [*over_last_first, *newest_first][:FACTS_MAX]))
    told = newest_first[:FACTS_MAX] or over_last_first[:1]
    lines = {one.memory.fact_line for one in told if not one.memory.superseded}
    before = [one for one in over_last_first if one.memory.superseded]
    replaced = [one for one in before if one.memory.fact_line in lines][:REPLACED_MAX]
    return list(map(_dated, [*told, *replaced]))


def without_outdated(
    told: Sequence[Remembered], lines: Iterable[Remembered], relations: Collection[str]
) -> Sequence[Remembered]:
    """The facts of which no person's line tells a change since they were told.

    What was said a moment ago is learned from later: until then the line says more than the fact.
    What was replaced stays with what replaced it.
    """
    if not told:
        return told
    first_us = min(_us(one) for one in told)
    later = [line for line in lines if line.role == "user" and _us(line) > first_us]
    changed = [_us(line) for line in later if _tells_change(line.content, relations)]
    last_us = max(changed, default=0)
    kept = [one for one in told if _us(one) >= last_us]
    holding = {one.fact_line for one in kept if not one.superseded}
    return [one for one in told if one in kept or (one.superseded and one.fact_line in holding)]


def _us(memory: Remembered) -> int:
    """When a memory was said, in microseconds; 0 where that is not known."""
    return memory.event_time_us or 0


def _tells_change(text: str, relations: Collection[str]) -> bool:
    units = (unit.text for unit in units_of(text[:READ_CHARS_MAX]))
    return any(
        tells_change(unit) and not topics_of(unit).relations.isdisjoint(relations) for unit in units
    )


def _dated(fact: KnownFact) -> Remembered:
    """The fact as a line that nobody said, with the day from which, or until which, it held."""
    memory = fact.memory
    until = [f"until {_day(fact.until_us)}"] if fact.until_us is not None else []
    others = [one for one in memory.caveats if not one.startswith("until ")]
    since = [f"since {_day(fact.from_us)}"] if fact.from_us is not None and not until else []
    return replace(memory, speaker="", caveats=(*others, *since, *until))


def _day(moment_us: int) -> str:
    return datetime.fromtimestamp(moment_us // _US_PER_S, UTC).date().isoformat()
