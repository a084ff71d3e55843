"""The days, months and years that a question names: what was said then, or just after, is meant.

A date without a year ("on 8 May", "in June") is that of any year. Words that lean on the moment of
asking ("yesterday", "last week", 上个月) are read from it where it is known, if they name what is
over: today and tomorrow are not asked for as something that was said. "From May to July" is one
time, and "by 8 May" is that day. Days are those of the clock that the moment of asking is on, as
they were there: by its zone's offset at each of their ends.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, tzinfo
from functools import cached_property, lru_cache

from anamnesis_libs.talk.asking import asks_what_was_said
from anamnesis_libs.timephrases.find import MatchedText, match_times, resolve_times
from anamnesis_libs.timephrases.model import Bound, Precision, TimePhrase

_US = timedelta(microseconds=1)
AFTER_US = timedelta(days=8) // _US
"""So long after a time people tell what happened then,"""
AFTER_WORTH = 0.65
"""and what they say counts so much of what was said at that time."""
_READ_AT = (datetime(2019, 1, 15, tzinfo=UTC), datetime(2022, 8, 20, tzinfo=UTC))
"""Days of asking, unlike in year, month and day: a date is what is read alike on both."""
_AS_OF = re.compile(r"\bas of\s*$", re.IGNORECASE)
_DAY = timedelta(days=1)
_CLOCKS_APART = timedelta(hours=14)
_JUST_BEFORE = timedelta(seconds=1)
_LEADING = re.compile(
    r"[,，]?\s*\b(?:as of|on|in|at|by|of|during|from|since|to|until|till|through|up to|between"
    r"|and|before|prior to|after)\s*$|[从自到至]$",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"(?:[之以][前后]|以来|期间)")
_WORD = re.compile(r"\w")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class NamedTime:
    """A named interval; `any_year` where the question leaves the year open."""

    since: datetime
    until: datetime
    any_year: bool

    def nearness(self, moment_us: int) -> float:
        """1 within the interval, less just after it, 0 elsewhere."""
        spans = self._near_year_of(moment_us) if self.any_year else self._own
        return max((_nearness(moment_us, *span) for span in spans), default=0.0)

    def latest(self, moment: datetime) -> "Window":
        """The interval; of those of any year the last that had begun by a moment."""
        if not self.any_year:
            return Window(self.since, self.until)
        here = moment.astimezone(self.since.tzinfo)
        year = here.year - (_in_year(self.since, here.year) > here)
        since = _in_year(self.since, year)
        return Window(since, since + (self.until - self.since))

    @cached_property
    def _own(self) -> Sequence[tuple[int, int]]:
        """The interval in its own year; hundreds of candidates are compared with it."""
        return self._in_years(self.since.year)

    def _near_year_of(self, moment_us: int) -> Sequence[tuple[int, int]]:
        year = (_EPOCH + moment_us * _US).year
        return self._in_years(year - 1, year, year + 1)

    def _in_years(self, *years: int) -> Sequence[tuple[int, int]]:
        valid = (year for year in years if MINYEAR < year < MAXYEAR)
        return [_span_us(self.since, self.until, year) for year in valid]


@dataclass(frozen=True, slots=True)
class Window:
    """From the first instant to the one after the last; None where it is open."""

    since: datetime | None
    until: datetime | None


def named_times(query: str, asked_at: datetime | None = None) -> Sequence[NamedTime]:
    """The times that a question names; a context asks for them twice."""
    return _named_times(query, asked_at, asked_at.tzinfo if asked_at else UTC)


@lru_cache(maxsize=64)
def _named_times(query: str, asked_at: datetime | None, zone: tzinfo | None) -> Sequence[NamedTime]:
    """See `named_times`: one moment is of many zones, and equal in all of them."""
    from_here = _found(query, asked_at or _READ_AT[0])
    if not from_here:
        return ()
    dates = _dates(query, zone)
    if asked_at is None:
        return tuple(dates.values())
    leaning = (
        NamedTime(one.since, one.until, any_year=False)
        for start, one in from_here.items()
        if start not in dates and one.until <= asked_at
    )
    return (*dates.values(), *leaning)


@lru_cache(maxsize=64)
def without_dates(query: str) -> str:
    """The question without the dates that it names and the words that lead to them: "on 8 May"."""
    return _without(query, _dated(query, _of_any_bound))


def without_times(query: str, asked_at: datetime) -> str:
    """The question without all words of time, those too that lean on the moment of asking."""
    return _without(query, _of_any_bound(query, asked_at))


def _without(query: str, times: Mapping[int, TimePhrase]) -> str:
    left, at = [], 0
    for start, phrase in sorted(times.items()):
        left.append(_LEADING.sub("", query[at:start]))
        following = _FOLLOWING.match(query, phrase.end)
        at = following.end() if following else phrase.end
    said = "".join((*left, query[at:])).lstrip(" ,，")
    return said if _WORD.search(said) else query


def time_asked_of(query: str, asked_at: datetime | None = None) -> Window | None:
    """The one time of which a question asks how things stood; None where it names none or several.

    Of a day its end is meant; of "before 8 May" the moment before it; of "after 8 May" and "since
    8 May" all that follows. A time that leans on the moment of asking, or leaves the year open, is
    one that is over by then. It is one of the calendar, as facts' days are: wall time of who asks,
    as if that were UTC.
    """
    return _time_asked_of(query, asked_at.replace(tzinfo=UTC) if asked_at else None)


@lru_cache(maxsize=64)
def _time_asked_of(query: str, asked_at: datetime | None) -> Window | None:
    first, second = (_joined(query, at) for at in _READ_AT)
    dates = [one for start, one in first.items() if second.get(start) == one]
    here = _joined(query, asked_at).values() if asked_at else ()
    named = dates or [one for one in here if asked_at and one.until <= asked_at]
    with suppress(OverflowError):  # before the year 1
        return _time_of_state(named[0]) if len(named) == 1 else None
    return None


def _time_of_state(phrase: TimePhrase) -> Window:
    """The time at which things are asked to stand, by the words before a phrase."""
    if phrase.bound is Bound.BEFORE:
        return Window(phrase.since - _JUST_BEFORE, phrase.since)
    if phrase.bound is Bound.AFTER:
        return Window(phrase.until - _JUST_BEFORE, None)
    if phrase.bound is Bound.SINCE:
        return Window(phrase.since, None)
    is_day = phrase.until - phrase.since <= _DAY
    since = phrase.until - _JUST_BEFORE if is_day else phrase.since
    return Window(since, phrase.until)


def nearness(times: Sequence[NamedTime], event_time_us: int | None) -> float:
    """The nearness of a moment, in microseconds since 1970, to the nearest of some times."""
    if event_time_us is None or not times:
        return 0.0
    return max(time.nearness(event_time_us) for time in times)


def _nearness(moment_us: int, since_us: int, until_us: int) -> float:
    if since_us <= moment_us < until_us:
        return 1.0
    return AFTER_WORTH if 0 <= moment_us - until_us < AFTER_US else 0.0


def window_of(query: str, asked_at: datetime) -> Window | None:
    """The times within which a query asks for what happened; None where it names none.

    "From May to July" is one window; of several times that are named, all that lies between.
    """
    found = _read(query, asked_at)
    since = [one.since for one in found if one.bound in (Bound.AT, Bound.SINCE)]
    since += [one.until for one in found if one.bound is Bound.AFTER]
    until = [one.until for one in found if one.bound in (Bound.AT, Bound.UNTIL)]
    until += [one.since for one in found if one.bound is Bound.BEFORE]
    if not found:
        return None
    return Window(min(since, default=None), max(until, default=None))


def begun_time(query: str, asked_at: datetime | None) -> NamedTime | None:
    """The time from the first to the last that a query names, if some of it is over."""
    named = named_within(query, asked_at) if asked_at else None
    return named if named and asked_at and named.since <= asked_at else None


def named_within(query: str, asked_at: datetime) -> NamedTime | None:
    """The time from the first to the last that a query names, over or not; None of none."""
    found = list(_found(query, asked_at).values())
    if not found:
        return None
    since, until = min(one.since for one in found), max(one.until for one in found)
    return NamedTime(since, until, any_year=False)


def time_recalled(prompt: str, asked_at: datetime | None) -> NamedTime | None:
    """The time of which a prompt asks for all that was said; None where it asks for none.

    Today is such a time, as far as it has gone.
    """
    time = begun_time(prompt, asked_at)
    if time is None or asked_at is None:
        return None
    return time if asks_what_was_said(without_times(prompt, asked_at)) else None


def happened(query: str, asked_at: datetime | None) -> tuple[datetime, datetime] | None:
    """The time whose memories are candidates whatever they say, wide enough for any clock."""
    time = begun_time(query, asked_at)
    with suppress(OverflowError):
        return (time.since - _CLOCKS_APART, time.until + _CLOCKS_APART) if time else None
    return None


def names_time(query: str) -> bool:
    """True if a query has words of time, which are to be read from somewhere."""
    return bool(_matched(query).proposals)


def _dates(query: str, zone: tzinfo | None) -> Mapping[int, NamedTime]:
    """The dates that are read alike whenever it is asked, by their places."""
    second = _found(query, _READ_AT[1].replace(tzinfo=zone))
    return {
        start: NamedTime(one.since, one.until, one.since != second[start].since)
        for start, one in _dated(query, _found, zone).items()
    }


def _dated(
    query: str,
    found: Callable[[str, datetime], Mapping[int, TimePhrase]],
    zone: tzinfo | None = UTC,
) -> Mapping[int, TimePhrase]:
    """The phrases of dates that are read alike whenever it is asked, by their places."""
    first, second = (found(query, at.replace(tzinfo=zone)) for at in _READ_AT)
    both = ((start, one, second[start]) for start, one in first.items() if start in second)
    return {start: one for start, one, other in both if _same_date(one, other)}


def _read(query: str, at: datetime) -> Sequence[TimePhrase]:
    """The times in a query, read at a moment; a search asks for them several times."""
    return _read_in(query, at, at.tzinfo)


@lru_cache(maxsize=64)
def _read_in(query: str, at: datetime, zone: tzinfo | None) -> Sequence[TimePhrase]:
    """The times in a query, on the clock of a zone; see `_named_times` for why it is named."""
    found = resolve_times(_matched(query), at)
    return found if zone is UTC else list(filter(None, (_on_clock(one, at) for one in found)))


def _on_clock(phrase: TimePhrase, at: datetime) -> TimePhrase | None:
    """A phrase on the clock of who asks: days begin and end by the offset that was then.

    None where the calendar has no such moments.
    """
    offset = at.utcoffset() or timedelta()
    ends = (phrase.since, phrase.until)
    try:
        if phrase.precision is Precision.INSTANT:
            since, until = (one.astimezone(at.tzinfo) for one in ends)
        else:
            since, until = ((one + offset).replace(tzinfo=at.tzinfo) for one in ends)
        _instants(since, until, since.year)
    except OverflowError:
        return None
    return replace(phrase, since=since, until=until)


@lru_cache(maxsize=64)
def _matched(query: str) -> MatchedText:
    """The matches of times in a query, which is read at several moments."""
    return match_times(query)


def _found(query: str, at: datetime) -> Mapping[int, TimePhrase]:
    """The times within which something is asked for, by their places."""
    closed = (Bound.AT, Bound.UNTIL)
    return {start: one for start, one in _joined(query, at).items() if one.bound in closed}


def _joined(query: str, at: datetime) -> Mapping[int, TimePhrase]:
    """All times in a query by their places, the two ends of "from May to July" as one.

    "As of 8 May" asks of that day, whatever holds since then.
    """
    joined: dict[int, TimePhrase] = {}
    opening: TimePhrase | None = None
    for one in _read(query, at):
        if opening is not None and one.bound is Bound.UNTIL:
            joined[opening.start] = replace(one, since=opening.since)
        else:
            joined[one.start] = _at_once(one) if _AS_OF.search(query[: one.start]) else one
        opening = one if one.bound is Bound.SINCE else None
    return joined


def _at_once(phrase: TimePhrase) -> TimePhrase:
    return replace(phrase, bound=Bound.AT)


def _of_any_bound(query: str, at: datetime) -> Mapping[int, TimePhrase]:
    """All times in a query, each end of a range by itself, by their places."""
    return {one.start: one for one in _read(query, at)}


def _same_date(one: TimePhrase, other: TimePhrase) -> bool:
    """True where two readings differ in nothing but the year, and are less than one."""
    alike = _in_year(one.since, other.since.year) == other.since
    return alike and (one.since == other.since or one.until - one.since < timedelta(days=360))


def _instants(since: datetime, until: datetime, year: int) -> tuple[datetime, datetime]:
    """The ends of a time in a year, in UTC: no candidate asks a zone for its offset."""
    first = _in_year(since, year)
    return first.astimezone(UTC), (first + (until - since)).astimezone(UTC)


@lru_cache(maxsize=256)
def _span_us(since: datetime, until: datetime, year: int) -> tuple[int, int]:
    """The ends of a time in a year, in microseconds since 1970."""
    first, end = _instants(since, until, year)
    return (first - _EPOCH) // _US, (end - _EPOCH) // _US


def _in_year(moment: datetime, year: int) -> datetime:
    """The same day of another year; the last of February where there is no 29th."""
    try:
        return moment.replace(year=year)
    except ValueError:
        return moment.replace(year=year, day=28)
