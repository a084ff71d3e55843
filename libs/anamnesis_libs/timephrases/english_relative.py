"""English rules for phrases that count from the moment of speech."""

import re
from datetime import timedelta

from anamnesis_libs.timephrases import spans
from anamnesis_libs.timephrases.english_words import PART, UNIT, WEEKDAY, S, step, unit, weekday
from anamnesis_libs.timephrases.numbers import ENGLISH as NUMBER
from anamnesis_libs.timephrases.numbers import english
from anamnesis_libs.timephrases.rules import Rule
from anamnesis_libs.timephrases.spans import TimeSpan
from anamnesis_libs.timephrases.speech import Direction, Speech

_NEAR = r"(?P<near>(?:this{S})?(?:past|coming)|last|this|current|next)".replace("{S}", S)
_NOT_OF = rf"(?!{S}of\b)"
_COUNT = rf"(?<![\w.$€£-])(?P<count>{NUMBER})"

_VAGUE_AGO = (
    rf"\b(?:(?:more|less|fewer|longer){S}than|over|under|at{S}(?:least|most)|up{S}to"
    rf"|{NUMBER}\s{{0,3}}(?:or|to|-|–))\s{{0,3}}{NUMBER}{S}{UNIT}{S}(?:ago|from{S}now)\b"
)
_PART_OF_LONGER = (
    rf"\b(?:last|first|second|third){S}(?:day|week|weekend|month|quarter|year|{WEEKDAY}){S}of\b"
)
_DAY = (
    rf"\b(?:(?P<today>today|tonight)|(?P<yesterday>yesterday)|(?P<tomorrow>tomorrow))"
    rf"(?:{S}{PART})?\b"
)
_PART = rf"\b(?P<near>last|this){S}(?P<part>{PART})\b{_NOT_OF}"
_NIGHT_BEFORE_LAST = rf"\bthe{S}night{S}before{S}last\b"
_UNIT = rf"\b{_NEAR}{S}(?P<unit>week|month|year|quarter|weekend)\b{_NOT_OF}"
_UNIT_BUT_ONE = (
    rf"\bthe{S}(?P<unit>week|month|year|quarter|weekend){S}"
    rf"(?:before{S}(?P<last>last)|after{S}next)\b"
)
_WEEKDAY = rf"\b{_NEAR}{S}(?P<weekday>{WEEKDAY})\b{_NOT_OF}(?:{S}{PART}\b)?"
_WEEKDAY_OF_WEEK = (
    rf"\b(?P<weekday>{WEEKDAY}){S}(?:of{S})?(?P<near>last|this|next){S}week\b"
    rf"|\b(?P<near2>last|this|next){S}week{S}(?:on{S})?(?P<weekday2>{WEEKDAY})\b"
)
_BARE_WEEKDAY = (
    rf"\bon{S}(?P<t>(?P<weekday>{WEEKDAY})\b(?:{S}{PART}\b)?)(?!{S}(?:of|after|before)\b)"
)
_WEEKDAYS_AGO = rf"{_COUNT}{S}(?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)days?){S}ago\b"
_WEEKENDS_AGO = rf"{_COUNT}{S}weekends?{S}ago\b"
_AWAY = (
    rf"{_COUNT}\s{{0,3}}(?P<unit>{UNIT}|(?<=\d)(?:mon|mo|d|h|w|y)){S}"
    rf"(?P<way>ago|from{S}(?:now|today))\b(?P<day>{S}(?:today|yesterday|tomorrow)\b)?"
)
_AND_A_HALF_AGO = (
    rf"{_COUNT}{S}(?:(?P<unit>year|hour)s?{S}and{S}a{S}half|and{S}a{S}half{S}(?P<units>year|hour)s)"
    rf"{S}(?P<way>ago|from{S}now)\b"
)
_HALF_AGO = rf"\bhalf{S}an?{S}(?P<unit>hour|year){S}(?P<way>ago|from{S}now)\b"
_IN_TIME = rf"\bin{S}{_COUNT}{S}(?P<unit>{UNIT})'?{S}time\b"
_IN = rf"\bin{S}{_COUNT}{S}(?P<unit>{UNIT})\b(?!')"
_ROLLING = (
    rf"\b(?:(?P<over>in|over|during|within|for){S})?(?P<t>the{S}(?P<near>last|past|next|coming){S}"
    rf"(?:(?P<count>{NUMBER}){S})?(?P<unit>{UNIT})\b){_NOT_OF}"
)
_ABBREVIATED = {"mon": "month", "mo": "month", "d": "day", "h": "hour", "w": "week", "y": "year"}
_TOO_LOOSE = {"second", "minute"}


def _day(match: re.Match[str], speech: Speech) -> TimeSpan:
    ahead = -1 if match["yesterday"] else 1 if match["tomorrow"] else 0
    return spans.days(speech.today + timedelta(days=ahead))


def _part(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    """Last night and last evening were yesterday."""
    ahead = step(match["near"])
    if ahead and match["part"].lower() not in {"night", "evening"}:
        return None
    return spans.days(speech.today + timedelta(days=ahead))


def _night_before_last(_: re.Match[str], speech: Speech) -> TimeSpan:
    return spans.days(speech.today - timedelta(days=2))


def _unit(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    return _unit_away(match["unit"].lower(), step(match["near"]), speech)


def _unit_but_one(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    return _unit_away(match["unit"].lower(), -2 if match["last"] else 2, speech)


def _unit_away(name: str, ahead: int, speech: Speech) -> TimeSpan | None:
    if name == "weekend":
        return spans.weekend(speech.today, ahead)
    return spans.unit_away(speech.now, name, ahead)


def _weekday(match: re.Match[str], speech: Speech) -> TimeSpan:
    """The last Friday is the most recent one before today, the next the first after it."""
    day, near = weekday(match["weekday"]), step(match["near"])
    if near < 0:
        return spans.days(spans.weekday_before(speech.today, day))
    if near > 0:
        return spans.days(spans.weekday_after(speech.today, day))
    return spans.days(spans.weekday_of_week(speech.today, day))


def _bare_weekday(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    """The last one of "we met on Friday", the next of "we will meet on Friday"; else any may be."""
    direction, day = speech.direction(*match.span()), weekday(match["weekday"])
    if direction is Direction.PAST:
        return spans.days(spans.weekday_before(speech.today, day))
    if direction is Direction.FUTURE:
        return spans.days(spans.weekday_after(speech.today, day))
    return None


def _weekday_of_week(match: re.Match[str], speech: Speech) -> TimeSpan:
    day = weekday(match["weekday"] or match["weekday2"])
    ahead = step(match["near"] or match["near2"])
    return spans.days(spans.weekday_of_week(speech.today, day, ahead))


def _weekdays_ago(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    count = english(match["count"])
    if count is None:
        return None
    last = spans.weekday_before(speech.today, weekday(match["weekday"]))
    return spans.days(last - timedelta(weeks=count - 1))


def _weekends_ago(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    count = english(match["count"])
    return None if count is None else spans.weekend(speech.today, -count)


def _away(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    count, name = english(match["count"]), _unit_name(match["unit"])
    if count is None or (name in _TOO_LOOSE and match["count"].lower() == "a"):
        return None
    ahead = -count if match["way"].lower() == "ago" else count
    if match["day"] is None and not match["way"].lower().endswith("today"):
        return spans.unit_away(speech.now, name, ahead)
    return _same_day(name, ahead, (match["day"] or "").strip().lower(), speech)


def _unit_name(text: str) -> str:
    return _ABBREVIATED.get(text.lower(), unit(text))


def _same_day(name: str, ahead: int, day: str, speech: Speech) -> TimeSpan | None:
    """A week ago today: a day, where a week ago is a week."""
    if name not in {"day", "week"}:
        return None
    shift = {"yesterday": -1, "tomorrow": 1}.get(day, 0)
    return spans.days(speech.today + timedelta(days=ahead * (7 if name == "week" else 1) + shift))


def _and_a_half(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    count = english(match["count"])
    if count is None:
        return None
    length = -(count + 0.5) if match["way"].lower() == "ago" else count + 0.5
    return spans.unit_away(speech.now, (match["unit"] or match["units"]).lower(), length)


def _half(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    length = -0.5 if match["way"].lower() == "ago" else 0.5
    return spans.unit_away(speech.now, match["unit"].lower(), length)


def _in_time(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    count = english(match["count"])
    return None if count is None else spans.unit_away(speech.now, unit(match["unit"]), count)


def _in(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    """The span of "in three days", counted from now; None unless the sentence is of the future."""
    if speech.direction(*match.span()) is not Direction.FUTURE:
        return None
    return _in_time(match, speech)


def _rolling(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    """The rolling span; without a number only "the past week" and "in the last week" roll."""
    count, ahead = english(match["count"] or "one"), step(match["near"])
    rolls = match["count"] or match["near"].lower() == "past" or (match["over"] and ahead < 0)
    if not count or not rolls:
        return None
    if ahead > 0 and speech.direction(*match.span()) is Direction.PAST:
        return None
    return spans.rolling(speech.now, unit(match["unit"]), -count * ahead)


RULES: tuple[Rule, ...] = (
    Rule(_VAGUE_AGO, None),
    Rule(_PART_OF_LONGER, None),
    Rule(_DAY, _day),
    Rule(_PART, _part),
    Rule(_NIGHT_BEFORE_LAST, _night_before_last),
    Rule(_UNIT, _unit),
    Rule(_UNIT_BUT_ONE, _unit_but_one),
    Rule(_WEEKDAY, _weekday),
    Rule(_WEEKDAY_OF_WEEK, _weekday_of_week),
    Rule(_BARE_WEEKDAY, _bare_weekday),
    Rule(_WEEKDAYS_AGO, _weekdays_ago),
    Rule(_WEEKENDS_AGO, _weekends_ago),
    Rule(_AWAY, _away),
    Rule(_AND_A_HALF_AGO, _and_a_half),
    Rule(_HALF_AGO, _half),
    Rule(_IN_TIME, _in_time),
    Rule(_IN, _in),
    Rule(_ROLLING, _rolling),
)
"""Rules for English times that count from now."""
