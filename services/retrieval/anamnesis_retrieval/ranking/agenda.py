"""The time ahead of its asker, where a prompt asks for that: "What's coming up next week?".

The lines that answer name the time and share no word with the prompt: "The dentist moved it to the
28th". So memory is searched by words of dates and of plans, what was said of late is looked at
whatever it says, and a line answers if a time that it names lies in the time that is asked for,
unless a later one says that it was called off or set for another day.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import cache, lru_cache

from anamnesis_libs.index.analysis import tokens
from anamnesis_libs.talk.asking import asks_for_agenda, asks_what_is_on
from anamnesis_libs.talk.changes import calls_off
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import Bound, TimePhrase
from anamnesis_libs.timephrases.months import MONTHS, month
from anamnesis_retrieval.model import Remembered
from anamnesis_retrieval.ranking.days_ahead import (
    WEEKDAYS,
    WEEKDAYS_CJK,
    days_ahead,
    until_weekday,
)
from anamnesis_retrieval.ranking.language import is_cjk
from anamnesis_retrieval.ranking.named_time import NamedTime, named_within, without_times
from anamnesis_retrieval.ranking.wording import all_words, worded

AHEAD = timedelta(days=31)
"""So far is looked ahead where a prompt names no time."""
LOOKED_BACK = timedelta(days=45)
"""Of what was said so long ago, any line may have told a plan."""
EXACT = timedelta(days=32)
"""A time that is named less exactly than by its month is no appointment."""
DAYS_MAX = 14
"""The days of a longer time are not searched one by one."""
_DAY = timedelta(days=1)
_ON_WEEKDAY = re.compile(
    r"\b(?:on|by|for|this|this coming) ((?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
_IN_MONTH = re.compile(rf"\b(?:for|in) ({'|'.join(MONTHS)})\b(?! \d)", re.IGNORECASE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time_ahead(prompt: str, asked_at: datetime | None) -> NamedTime | None:
    """The time of which a prompt asks what lies in it, from now on; None where it asks for none."""
    return _time_ahead(prompt, asked_at, asked_at.tzinfo) if asked_at else None


@lru_cache(maxsize=64)
def _time_ahead(prompt: str, asked_at: datetime, zone: tzinfo | None) -> NamedTime | None:
    """See `time_ahead`: a context asks for it several times; equal moments are of many zones."""
    with suppress(OverflowError):  # at the ends of the calendar
        return _read_ahead(prompt, asked_at.astimezone(zone))
    return None


def _read_ahead(prompt: str, asked_at: datetime) -> NamedTime | None:
    dated = _with_dates(prompt, asked_at)
    question, named = without_times(dated, asked_at), named_within(dated, asked_at)
    if named is None:
        ahead = NamedTime(asked_at, asked_at + AHEAD, any_year=False)
        return ahead if asks_for_agenda(question) else None
    if not (asks_for_agenda(question) or asks_what_is_on(question)):
        return None
    since, until = max(named.since, asked_at), named.until
    return NamedTime(since, until, any_year=False) if since < until else None


def _with_dates(prompt: str, asked_at: datetime) -> str:
    """The prompt with the date of the next Friday for "on Friday", and the year of "in October"."""
    prompt = _IN_MONTH.sub(lambda found: f"in {_month(found[1], asked_at)}", prompt)
    return _ON_WEEKDAY.sub(lambda found: f"on {_next(found[1], asked_at):%Y-%m-%d}", prompt)


def _month(name: str, asked_at: datetime) -> str:
    """The month of this name that is now or comes next, with its year."""
    over = month(name) < asked_at.month
    return f"{name} {asked_at.year + over}"


def _next(weekday: str, asked_at: datetime) -> datetime:
    """The day of this name that comes next; today is not asked for by its name."""
    return asked_at + until_weekday(WEEKDAYS.index(weekday.capitalize()), asked_at) * _DAY


def words_of(prompt: str, time: NamedTime) -> str:
    """The words in which people tell what lies in a time, in the language of the prompt."""
    name = _in_chinese if is_cjk(prompt) else _in_english
    return " ".join((*map(name, _days(time)), worded("plans", prompt)))


def said_lately(asked_at: datetime) -> tuple[datetime, datetime]:
    """The time in which most of what lies ahead of a moment was told."""
    return asked_at - LOOKED_BACK, asked_at + _DAY


def due(memory: Remembered, time: NamedTime) -> datetime | None:
    """The first moment in a time that a line names; None where it names none in it."""
    if memory.event_time_us is None:
        return None
    clock = timezone(timedelta(minutes=memory.utc_offset_minutes or 0))
    with suppress(OverflowError):  # at the ends of the calendar
        said_at = (_EPOCH + timedelta(microseconds=memory.event_time_us)).astimezone(clock)
        phrases = find_times(memory.content, said_at)
        places = [one.start for one in phrases]
        ahead = days_ahead(memory.content, said_at, places)
        named = [*filter(None, map(_due, phrases)), *ahead]
        within = (since for since, until in named if since < time.until and until > time.since)
        return min(within, default=None)
    return None


def still_due(dated: Sequence[Remembered], lines: Iterable[Remembered]) -> Sequence[Remembered]:
    """Those of the dated that no later line of their speaker calls off or sets for another day."""
    moving = [line for line in lines if line.role == "user" and calls_off(line.content)]
    return [one for one in dated if not any(_moves(line, one) for line in moving)]


def _moves(later: Remembered, earlier: Remembered) -> bool:
    is_later = (later.event_time_us or 0) > (earlier.event_time_us or 0)
    if not is_later or later.speaker != earlier.speaker:
        return False
    shared = set(tokens(later.content)) & set(tokens(earlier.content))
    return bool(shared - _of_any_plan())


@cache
def _of_any_plan() -> frozenset[str]:
    """Terms that plans of different things share: an appointment, a month."""
    return frozenset(tokens(" ".join((all_words("any_plan"), *MONTHS))))


def _due(phrase: TimePhrase) -> tuple[datetime, datetime] | None:
    """When what a phrase says is due, from and until; of "by May" the last day before it ends."""
    if phrase.bound in (Bound.SINCE, Bound.AFTER) or phrase.until - phrase.since > EXACT:
        return None
    due_by = phrase.bound in (Bound.UNTIL, Bound.BEFORE)
    until = phrase.since if phrase.bound is Bound.BEFORE else phrase.until
    return (until - _DAY if due_by else phrase.since), until


def _days(time: NamedTime) -> Iterator[datetime]:
    """The days of a time, and no more than can be searched."""
    day = time.since
    for _ in range(DAYS_MAX):
        if day >= time.until:
            return
        yield day
        day += _DAY


def _in_english(day: datetime) -> str:
    return f"{WEEKDAYS[day.weekday()]} {MONTHS[day.month - 1]} {day.day}"


def _in_chinese(day: datetime) -> str:
    return f"{day.month}月{day.day}号 {day.day}日 周{WEEKDAYS_CJK[day.weekday()]}"
