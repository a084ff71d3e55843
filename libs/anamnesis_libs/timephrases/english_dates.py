"""English rules for dates that name a day, a month, a year or a holiday."""

import re
from datetime import UTC, date, datetime

from anamnesis_libs.timephrases import spans
from anamnesis_libs.timephrases.english_words import (
    MONTH,
    OF_YEAR,
    SENTENCE_GOES_ON,
    SURE_MONTH,
    YEAR,
    S,
    step,
    year_of,
)
from anamnesis_libs.timephrases.months import month
from anamnesis_libs.timephrases.rules import Rule
from anamnesis_libs.timephrases.spans import TimeSpan
from anamnesis_libs.timephrases.speech import Speech

_NUMERIC_START = r"(?<![\w./\-$€£¥])"
_NUMERIC_END = r"(?![\w/]|[-.]\d)"
_CLOCK_OF_LOG = (
    r"(?:(?:T|\s)(?P<hour>[01]\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:[.,]\d{1,9})?)?"
    r"\s?(?P<zone>Z|UTC|[+-]\d\d:?\d\d)?)?"
)
_ISO = (
    rf"{_NUMERIC_START}(?P<year>[12]\d{{3}})(?P<mark>[-/])(?P<month>\d{{1,2}})(?P=mark)"
    rf"(?P<day>\d{{1,2}}){_CLOCK_OF_LOG}{_NUMERIC_END}"
)
_SLASHES = (
    rf"{_NUMERIC_START}(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/(?P<year>{YEAR}|\d\d)"
    rf"{_NUMERIC_END}"
)
_DAY = r"(?P<day>[0-3]?\d)"
_MONTH_DAY = (
    rf"\b(?P<month>{MONTH})\b\.?\s{{0,2}}{_DAY}(?P<th>st|nd|rd|th)?"
    rf"(?:\s?[-–]\s?(?P<last>[0-3]?\d)(?:st|nd|rd|th)?\b)?(?![\w%/]|[.,:-]\d){OF_YEAR}?"
)
_DAY_MONTH = (
    rf"(?<![\d.:/-])\b{_DAY}(?P<last>)(?P<th>st|nd|rd|th)?\s{{0,3}}(?:of{S})?"
    rf"(?P<month>{MONTH})\b\.?{OF_YEAR}?"
)
_MONTH_OF_YEAR = rf"\b(?P<month>{MONTH})\b\.?{OF_YEAR}"
_ROUGHLY = r"(?:(?:early|mid|late)[\s-]{1,2})?"
_BEFORE_A_BARE_NAME = (
    rf"\b(?:in|since|until|till?|by|before|after|during|around|from|between|through|early|mid"
    rf"|late|(?:end|beginning|start|middle|rest|half){S}of)[\s-]{{1,3}}{_ROUGHLY}(?:the{S})?"
)
_TO_A_BARE_MONTH = (
    rf"\b(?:from|between){S}{MONTH}{S}(?:to|until|till|through|and){S}"
    rf"(?P<t>(?P<month>{SURE_MONTH})\b)(?!\.?\s{{1,3}}\d)"
)
_BARE_MONTH = (
    rf"{_BEFORE_A_BARE_NAME}(?P<t>(?P<month>{SURE_MONTH}|(?<=in\s)(?:may|march)(?=\s?[.,;?!]))\b)"
    rf"(?!\.?\s{{1,3}}\d){SENTENCE_GOES_ON}"
)
_NEAR_MONTH = rf"\b(?P<near>last|this|next){S}(?P<month>{SURE_MONTH})\b(?!\s{{1,3}}\d)"
_BARE_YEAR = (
    rf"\b(?:in|since|until|till?|before|after|during|around|circa|from|year|early|mid|late|to(?!\s1[0-7]\d\d)"
    rf"|(?:end|beginning|start|middle|rest|half|part|spring|summer|fall|autumn){S}of"
    rf"|between|spring|summer|autumn)[\s-]{{1,3}}{_ROUGHLY}(?P<t>(?P<year>{YEAR})){SENTENCE_GOES_ON}"
)
_SECOND_YEAR = (
    rf"\b(?:between{S}{YEAR}{S}and|by(?!\s\d\d00)){S}(?P<t>(?P<year>{YEAR})){SENTENCE_GOES_ON}"
)
_YEARS = (
    rf"\b(?:in|from|during|between){S}(?P<t>(?P<year>{YEAR})\s?[-–—]\s?(?P<last>{YEAR}))(?![\w-])"
)
_DECADE = rf"\b(?:the{S})?(?:(?:early|mid|late)[\s-])?(?P<year>(?:1[5-9]|20)\d0)'?s\b"
_SHORT_DECADE = (
    rf"\b(?:in|of|during|since|from|until|by|before|after|early|mid|late)[\s-](?:the{S})?"
    rf"(?:(?:early|mid|late)[\s-])?(?P<t>(?:the{S})?(?:'?(?P<digit>[5-9])0'?s|(?P<word>fif|six|seven|eigh|nine)t?ies))\b"
    rf"(?!\s?(?:°|deg|%|f\b|fahr))"
)
_QUARTER = rf"\bQ(?P<number>[1-4]){OF_YEAR}|\b(?P<year2>{YEAR})\s?Q(?P<number2>[1-4])\b"
_NTH_PART = (
    rf"\bthe{S}(?P<nth>first|second|third|fourth|last){S}(?P<part>quarter|half)(?:{S}of)?{OF_YEAR}"
)
_HOLIDAY = (
    r"(?:christmas{S}eve|christmas(?:{S}day)?|xmas|halloween|new{S}year's{S}(?:day|eve)"
    r"|valentine's{S}day|boxing{S}day|independence{S}day)"
).replace("{S}", S)
_HOLIDAY_OF_YEAR = rf"\b(?P<name>{_HOLIDAY})\b{OF_YEAR}"
_NEAR_HOLIDAY = rf"\b(?P<near>last|this|next){S}(?P<name>{_HOLIDAY})\b{SENTENCE_GOES_ON}"
_BARE_HOLIDAY = (
    rf"\b(?:on|at|over|around|before|after|until|since|by){S}(?P<t>(?P<name>{_HOLIDAY}))\b"
    rf"{SENTENCE_GOES_ON}"
)
_HOLIDAYS = {
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "halloween": (10, 31),
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "valentine's day": (2, 14),
    "boxing day": (12, 26),
    "independence day": (7, 4),
}
_WORDS = {"may", "march", "mar", "sep", "dec", "jan"}
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_DECADE_WORDS = {"fif": 50, "six": 60, "seven": 70, "eigh": 80, "nine": 90}


def _iso(match: re.Match[str], speech: Speech) -> TimeSpan:
    year, month_number, day = (int(match[name]) for name in ("year", "month", "day"))
    if match["hour"] is None:
        return spans.days(date(year, month_number, day))
    hour, minute = int(match["hour"]), int(match["minute"])
    wall = datetime(year, month_number, day, hour, minute, tzinfo=UTC)
    zone = (match["zone"] or "").upper()
    if not zone:
        return spans.instant(wall)
    sign = "+0000" if zone in {"Z", "UTC"} else zone
    return spans.instant(
        speech.wall(datetime.strptime(f"{wall:%Y-%m-%d %H:%M} {sign}", "%Y-%m-%d %H:%M %z"))
    )


def _slashes(match: re.Match[str], speech: Speech) -> TimeSpan:
    first, second, year = (int(match[name]) for name in ("first", "second", "year"))
    if year < 100:
        year += 2000 if 2000 + year <= speech.now.year + 20 else 1900
    if first > 12:
        return spans.days(date(year, second, first))
    return spans.days(date(year, first, second))


def _day_of_month(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    number, day = month(match["month"]), int(match["day"])
    length = int(match["last"]) - day + 1 if match["last"] else 1
    year = year_of(match, speech.now.year) or _year_of_range(match, speech)
    if length < 1:
        return None
    if year is not None:
        return spans.days(date(year, number, day), length)
    if match["month"] in _WORDS or (not match["th"] and _counts_things(match, speech)):
        return None
    return speech.yearless(match, lambda each: spans.days(date(each, number, day), length))


def _year_of_range(match: re.Match[str], speech: Speech) -> int | None:
    """The year that stands at the other end: "April 1 to May 5, 2024"."""
    other = _END_OF_RANGE.match(speech.text, match.end())
    if other is None:
        return None
    end = month(other["month"] or other["month2"])
    return int(other["year"]) - (end < month(match["month"]))


_END_OF_RANGE = re.compile(
    rf"\s{{0,3}}(?:-|–|to|and|until|till|through){S}(?:(?P<month>{MONTH}){S}[0-3]?\d"
    rf"|[0-3]?\d{S}(?P<month2>{MONTH}))(?:st|nd|rd|th)?,?{S}(?P<year>{YEAR})\b",
    re.IGNORECASE | re.ASCII,
)
_COUNTED = re.compile(SENTENCE_GOES_ON, re.IGNORECASE | re.ASCII)


def _counts_things(match: re.Match[str], speech: Speech) -> bool:
    """True if the number counts things, as in "May 7 people come" or "March 5 miles"."""
    is_word = match["month"].lower() in _WORDS
    return is_word and _COUNTED.match(speech.text, match.end()) is None


def _month_of_year(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    year = year_of(match, speech.now.year)
    return None if year is None else spans.months(year, month(match["month"]))


def _bare_month(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    number = month(match["month"])
    return speech.yearless(match, lambda year: spans.months(year, number))


def _near_month(match: re.Match[str], speech: Speech) -> TimeSpan:
    """The last May lies before this month, the next after it."""
    number, now, direction = month(match["month"]), speech.now, step(match["near"])
    carry = direction if direction * (now.month - number) >= 0 else 0
    return spans.months(now.year + carry, number)


def _year(match: re.Match[str], _: Speech) -> TimeSpan:
    return spans.years(int(match["year"]))


def _years(match: re.Match[str], _: Speech) -> TimeSpan | None:
    first, last = int(match["year"]), int(match["last"])
    return spans.years(first, last - first + 1) if first < last else None


def _decade(match: re.Match[str], _: Speech) -> TimeSpan | None:
    """The 2000s may be a decade or a century."""
    year = int(match["year"])
    return None if year % 100 == 0 else spans.years(year, 10)


def _short_decade(match: re.Match[str], _: Speech) -> TimeSpan:
    tens = 10 * int(match["digit"]) if match["digit"] else _DECADE_WORDS[match["word"].lower()]
    return spans.years(1900 + tens, 10)


def _quarter(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    if match["year2"]:
        return spans.quarter(int(match["year2"]), int(match["number2"]))
    year = year_of(match, speech.now.year)
    return None if year is None else spans.quarter(year, int(match["number"]))


def _nth_part(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    year = year_of(match, speech.now.year)
    parts = 4 if match["part"].lower() == "quarter" else 2
    number = _NTH.get(match["nth"].lower(), parts)
    if year is None or number > parts:
        return None
    return spans.quarter(year, number) if parts == 4 else spans.half_year(year, number)


def _holiday(match: re.Match[str]) -> tuple[int, int]:
    return _HOLIDAYS[" ".join(match["name"].lower().split())]


def _holiday_of_year(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    year = year_of(match, speech.now.year)
    return None if year is None else spans.days(date(year, *_holiday(match)))


def _near_holiday(match: re.Match[str], speech: Speech) -> TimeSpan:
    """The last Christmas lies before today, the next one after it."""
    this = date(speech.now.year, *_holiday(match))
    direction = step(match["near"])
    passed = (speech.today - this).days * direction >= 0
    return spans.days(this.replace(year=this.year + (direction if passed else 0)))


def _bare_holiday(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    month_number, day = _holiday(match)
    return speech.yearless(match, lambda year: spans.days(date(year, month_number, day)))


RULES: tuple[Rule, ...] = (
    Rule(_ISO, _iso),
    Rule(_SLASHES, _slashes),
    Rule(_MONTH_DAY, _day_of_month),
    Rule(_DAY_MONTH, _day_of_month),
    Rule(_MONTH_OF_YEAR, _month_of_year),
    Rule(_BARE_MONTH, _bare_month),
    Rule(_TO_A_BARE_MONTH, _bare_month),
    Rule(_NEAR_MONTH, _near_month),
    Rule(_BARE_YEAR, _year),
    Rule(_SECOND_YEAR, _year),
    Rule(_YEARS, _years),
    Rule(_DECADE, _decade),
    Rule(_SHORT_DECADE, _short_decade),
    Rule(_QUARTER, _quarter),
    Rule(_NTH_PART, _nth_part),
    Rule(_HOLIDAY_OF_YEAR, _holiday_of_year),
    Rule(_NEAR_HOLIDAY, _near_holiday),
    Rule(_BARE_HOLIDAY, _bare_holiday),
)
"""Dates in English and in figures."""
