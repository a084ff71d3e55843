"""Words of time in a sentence: where they stand, and which interval they tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.vocabulary import DURATION
from anamnesis_ingestion.learning.knowledge import NO_TIME, Dated, Precision
from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import Bound, TimePhrase
from anamnesis_libs.timephrases.spans import months

_UNKNOWN = datetime(2000, 6, 15, tzinfo=UTC)
_BEFORE = re.compile(r"(?:自从|打从|从|自|在|于|到|至)$")
_AFTER = re.compile(
    r"(?:起(?![来飞床身诉])|开始|以来|以后|之后|之前|以前|那年|那天|当天|那个月|年底|年初|年末|[春夏秋冬]天|寒假|暑假|时候|的时候|期间|至今|到现在|初|底|左右)"
)


_LASTING = re.compile(rf"(?P<long>{DURATION})了的?$")
_BARE_MONTH = re.compile(r"[\d一二三四五六七八九十]{1,3}月份?")
_WEEKDAY = re.compile(
    r"(?<![每上下逢这本])(?:周|星期|礼拜)(?P<day>[一二三四五六日天])(?![一二三四五六日天、和跟])"
)
_WEEK = 7
_COMES = re.compile(
    r"(?:就要|马上就|就|要)(?:上|升|去|毕业|退休|生|开学|到期|搬|结婚|中考|高考|满)"
)
_DAYS = timedelta(days=8)


@dataclass(frozen=True, slots=True)
class ToldTime:
    """A phrase of time with the words around it that belong to it."""

    start: int
    end: int
    phrase: TimePhrase


def times_of(sentence: str, said_at: datetime | None) -> tuple[ToldTime, ...]:
    """The phrases of time of a sentence; without a time of telling they mean no interval."""
    found = find_times(sentence, said_at or _UNKNOWN)
    return tuple(
        _told(each, sentence) for each in found if sentence[each.end : each.end + 1] != "级"
    )


def _told(phrase: TimePhrase, sentence: str) -> ToldTime:
    before = _BEFORE.search(sentence[max(0, phrase.start - 2) : phrase.start])
    after = _AFTER.match(sentence, phrase.end)
    start = phrase.start - (len(before.group()) if before else 0)
    return ToldTime(start, after.end() if after else phrase.end, phrase)


def lasting(clause: str, said_at: datetime | None, *, ended: bool) -> tuple[TimePhrase, ...]:
    """The time from which something holds, or since which it is over: 干了八年了."""
    match = _LASTING.search(clause)
    if match is None or said_at is None:
        return ()
    found = find_times(f"{match['long']}前", said_at)[:1]
    return tuple(_to_the_month(each, said_at, ended=ended) for each in found)


def _to_the_month(phrase: TimePhrase, said_at: datetime, *, ended: bool) -> TimePhrase:
    """The phrase of so many years ago, as the month of the telling in that year."""
    bounded = replace(phrase, bound=Bound.AT if ended else Bound.SINCE)
    if phrase.precision.value != Precision.YEAR:
        return bounded
    month = months(phrase.since.year, said_at.month)
    return replace(bounded, since=month.since, until=month.until)


def passed(phrases: tuple[TimePhrase, ...], said_at: datetime | None) -> tuple[TimePhrase, ...]:
    """The times of what has happened: a month without a year lies behind the telling."""
    return tuple(
        _year_before(each) if said_at and each.since > said_at else each for each in phrases
    )


def coming(
    phrases: tuple[TimePhrase, ...], clause: str, said_at: datetime | None
) -> tuple[TimePhrase, ...]:
    """The times of what is still to come: 九月份就上初中了, told in May, is of this year."""
    if said_at is None or _COMES.search(clause) is None:
        return phrases
    return tuple(_year_after(each) if each.until <= said_at else each for each in phrases)


def _year_after(phrase: TimePhrase) -> TimePhrase:
    if _BARE_MONTH.fullmatch(phrase.text) is None or phrase.precision.value != Precision.MONTH:
        return phrase
    month = months(phrase.since.year + 1, phrase.since.month)
    return replace(phrase, since=month.since, until=month.until)


def _year_before(phrase: TimePhrase) -> TimePhrase:
    if _BARE_MONTH.fullmatch(phrase.text) is None or phrase.precision.value != Precision.MONTH:
        return phrase
    month = months(phrase.since.year - 1, phrase.since.month)
    return replace(phrase, since=month.since, until=month.until)


def lies_ahead(phrases: Sequence[TimePhrase], said_at: datetime | None) -> bool:
    """True if a clause speaks of a time to come: it is meant, and not so."""
    return said_at is not None and any(each.since > said_at for each in phrases)


def next_weekday(clause: str, said_at: datetime | None) -> list[TimePhrase]:
    """The next day of the week that a clause names without saying of which week: 周三出差."""
    match = _WEEKDAY.search(clause)
    if match is None or said_at is None:
        return []
    ahead = ("一二三四五六日".find(match["day"].replace("天", "日")) - said_at.weekday()) % _WEEK
    day = (said_at + timedelta(days=ahead)).date().isoformat()
    return [
        replace(each, start=match.start(), end=match.end()) for each in find_times(day, said_at)
    ]


def is_of_days(phrase: TimePhrase) -> bool:
    """True for a phrase that means some days, and no more: 今天, 这周."""
    return phrase.bound is Bound.AT and phrase.until - phrase.since <= _DAYS


def untimed(piece: Piece, times: tuple[ToldTime, ...]) -> tuple[Piece, tuple[TimePhrase, ...]]:
    """The piece without its words of time, and what they were."""
    found = []
    for told in times:
        inside = [place for place, at in enumerate(piece.at) if told.start <= at < told.end]
        if inside and piece.at[inside[0]] <= told.phrase.start:
            piece = piece.without(inside[0], inside[-1] + 1)
            found.append(told.phrase)
    return piece, tuple(found)


def dated(
    phrases: tuple[TimePhrase, ...], said_at: datetime | None, *, ended: bool, begins: bool
) -> tuple[Dated, bool]:
    """The time of a fact, and true if it is over by the words of time alone."""
    if said_at is None or not phrases:
        return NO_TIME, ended
    first = phrases[0]
    if first.bound is Bound.SINCE:
        return _since(phrases, said_at, ended=ended)
    if first.bound is not Bound.AT:
        return NO_TIME, ended
    precision, over = Precision(first.precision.value), first.until <= said_at
    if begins:
        return Dated(first.since, None, precision), False
    if not over:
        return NO_TIME, ended
    return Dated(None if ended else first.since, first.until, precision), True


def _since(
    phrases: tuple[TimePhrase, ...], said_at: datetime, *, ended: bool
) -> tuple[Dated, bool]:
    """The time of `from 2020 on`, and of `from 2020 to 2023`."""
    first = phrases[0]
    precision = Precision(first.precision.value)
    last = phrases[1] if len(phrases) > 1 and phrases[1].bound is Bound.UNTIL else None
    if last is not None:
        return Dated(first.since, last.until, precision), last.until <= said_at
    return (NO_TIME if ended else Dated(first.since, None, precision)), ended
