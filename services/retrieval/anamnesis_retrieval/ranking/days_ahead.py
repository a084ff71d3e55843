"""The days ahead that a line names by less than a date: "on Friday", "the 28th", "in two weeks".

Such words mean the next such day after they were said, unless the line tells of what is over.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime, timedelta

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEKDAYS_CJK = "一二三四五六日"
MONTH_DAYS_MAX = 32
_DAY = timedelta(days=1)
_BARE_DAY = re.compile(
    r"\b(?:on|to|until|till|by|for|from|before|of) the (?P<day>\d{1,2})(?:st|nd|rd|th)\b"
    r"(?=\s*(?:[.,;:!?)]|$|at\b|in the\b|and\b|instead\b|because\b|so\b|then\b|now\b))",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    r"\b(?:(?P<lead>every|each|last|past|previous|next)\s+)?"
    r"(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b(?!s|'s)",
    re.IGNORECASE,
)
_WEEKDAY_CJK = re.compile(
    r"(?P<lead>[上每下这這本]个?)?(?:周|星期|礼拜|禮拜)(?P<day>[一二三四五六日天])(?![^，。！？]{0,12}[了过過])"
)
_BARE_DAY_CJK = re.compile(
    r"(?<![月\d.:：年/-])(?P<day>[12]?\d|3[01])[号號](?![线線楼樓店门門院桌机機库庫台仓位床房厅廳厂廠路馆館])"
    r"(?![^，。！？]{0,12}[了过過])"
)
"""A day of this month or the next by its number, and no line or house of this number."""
_IN = re.compile(
    r"\bin (?P<count>a|an|one|two|three|four|five|six|\d{1,2}) (?P<unit>day|week|month)s?\b"
    r"(?! (?:of|long|ago)\b)",
    re.IGNORECASE,
)
_IN_CJK = re.compile(
    r"(?P<count>[一二两兩三四五六七八九十]|\d{1,2})(?P<unit>天|周|个星期|個星期|个月|個月)(?:之|以)?[后後]"
)
_COUNTS: Mapping[str, int] = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "一": 1,
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
_UNIT_DAYS: Mapping[str, int] = {"day": 1, "天": 1, "week": 7, "周": 7, "月": 30, "month": 30}


def days_ahead(
    line: str, said_at: datetime, dated: Collection[int]
) -> Iterator[tuple[datetime, datetime]]:
    """The days after a moment that a line names so, each from its beginning to its end.

    `dated` are the places of words of time that were read as a date: those say which day it is.
    """
    today = said_at.replace(hour=0, minute=0, second=0, microsecond=0)
    for pattern, days in _READ.items():
        for found in pattern.finditer(line):
            ahead = None if _is_dated(found, dated) else days(found, today)
            if ahead is not None:
                day = today + ahead * _DAY
                yield day, day + _DAY


def _is_dated(found: re.Match[str], dated: Collection[int]) -> bool:
    """True where the words were read as a date already."""
    return any(found.start() <= place < found.end() for place in dated)


def until_weekday(number: int, moment: datetime) -> int:
    """The days from a moment to the weekday of this number, 0 for Monday, that comes next."""
    return (number - moment.weekday() - 1) % len(WEEKDAYS) + 1


def _to_day_of_month(found: re.Match[str], today: datetime) -> int | None:
    numbers = (ahead for ahead in range(MONTH_DAYS_MAX + 1))
    day = int(found["day"])
    return next((ahead for ahead in numbers if (today + ahead * _DAY).day == day), None)


def _to_weekday(found: re.Match[str], today: datetime) -> int | None:
    if found["lead"]:
        return None
    return until_weekday(WEEKDAYS.index(found["day"].capitalize()), today)


def _to_weekday_cjk(found: re.Match[str], today: datetime) -> int | None:
    if found["lead"]:
        return None
    return until_weekday(WEEKDAYS_CJK.index(found["day"].replace("天", "日")), today)


def _after(found: re.Match[str], _: datetime) -> int | None:
    count = found["count"].lower()
    unit = found["unit"].lower().removeprefix("个").removeprefix("個").replace("星期", "周")
    return (_COUNTS.get(count) or int(count)) * _UNIT_DAYS[unit]


_READ: Mapping[re.Pattern[str], Callable[[re.Match[str], datetime], int | None]] = {
    _BARE_DAY: _to_day_of_month,
    _BARE_DAY_CJK: _to_day_of_month,
    _WEEKDAY: _to_weekday,
    _WEEKDAY_CJK: _to_weekday_cjk,
    _IN: _after,
    _IN_CJK: _after,
}
