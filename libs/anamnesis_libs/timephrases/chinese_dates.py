"""Chinese rules for dates that name a year, a month, a day or a holiday."""

import re
from datetime import date

from anamnesis_libs.timephrases import spans
from anamnesis_libs.timephrases.numbers import chinese, chinese_year
from anamnesis_libs.timephrases.rules import Rule
from anamnesis_libs.timephrases.spans import TimeSpan
from anamnesis_libs.timephrases.speech import Speech

_DIGIT = "零〇一二三四五六七八九"
_FULL_YEAR = (
    rf"(?<![\d.\-{_DIGIT}])(?P<year>(?:1[5-9]|20)\d\d|[一二][{_DIGIT}]{{3}})\s?年"
    r"(?![级代龄轻]|的?历史|多|(?<=00年)[之以]?前)"
)
_NEAR_YEAR = (
    r"(?<![以之生空提眼目先当])"
    r"(?P<near>大前年|(?<!从)前年|去年|今年|明年|(?<![然随最])后年)(?![级纪龄轻代])"
)
_YEAR = rf"(?:{_FULL_YEAR}|{_NEAR_YEAR})"
_SHORT_YEAR = r"(?<![\d.])(?P<short>\d\d)年"
_NOT_A_DAY = r"(?![楼线院店门房馆机码球])"
_MONTH_NUMBER = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月份?"
_DAY_NUMBER = (
    r"(?P<day>[1-3]\d|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日号]"
    + _NOT_A_DAY
)
_DATE = rf"(?:{_YEAR}|{_SHORT_YEAR})\s?的?\s?{_MONTH_NUMBER}(?:\s?{_DAY_NUMBER})?"
_NOT_WITHIN_A_NUMBER = r"(?<![\d.\-~/:零一二三四五六七八九十百几两第个])"
_BARE_DATE = (
    rf"{_NOT_WITHIN_A_NUMBER}{_MONTH_NUMBER}"
    rf"(?:\s?{_DAY_NUMBER}|(?![亮饼球经光薪入嫂租票卡供子天花兔均度]))"
)
_NEAR_MONTH_DAY = (
    r"(?<![马网早晚以线基根])(?P<step>上上|上|这|本|下下|下)一?个?月(?:份|的)?"
    rf"(?![亮饼球经光薪入嫂租票卡供子])(?:{_DAY_NUMBER})?"
)
_DECADE = (
    r"(?:(?P<century>上个?世纪|20世纪|二十世纪|21世纪|二十一世纪)|(?P<hundreds>1[5-9]|20))?"
    r"(?P<tens>[二三四五六七八九]十|[1-9]0)年代"
)
_HALF = rf"(?:{_YEAR}的?)?(?<![马早晚网])(?P<half>[上下])半年"
_QUARTER = rf"(?:{_YEAR}的?)?第?(?P<quarter>[一二三四1-4])季度"
_NEAR_QUARTER = r"(?<![马早晚网])(?P<step>上|本|这|下)一?个?季度"
_HOLIDAY = (
    rf"(?:{_YEAR}的?)?(?<![李王张刘陈杨赵黄周吴徐孙马])"
    r"(?P<holiday>国庆(?:节(?!目))?(?!节目|大典|阅兵)|元旦|圣诞节?(?![老树礼快卡歌])|平安夜|五一(?:劳动)?节|劳动节"
    r"|五一(?=假期|长假|期间|我|的时候|去|回|放|[,，]|那天)|六一儿童节|儿童节|双十一|双11|情人节"
    r"|愚人节|万圣节)(?P<long>假期|长假|黄金周|期间)?"
)
_NEAR_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_HOLIDAYS = {
    "国庆": (10, 1),
    "元旦": (1, 1),
    "圣诞": (12, 25),
    "平安": (12, 24),
    "五一": (5, 1),
    "劳动": (5, 1),
    "六一": (6, 1),
    "儿童": (6, 1),
    "双十": (11, 11),
    "双1": (11, 11),
    "情人": (2, 14),
    "愚人": (4, 1),
    "万圣": (10, 31),
}
_NATIONAL_HOLIDAY_DAYS = 7


def _year_of(match: re.Match[str], speech: Speech) -> int | None:
    if match["near"]:
        return speech.now.year + _NEAR_YEARS[match["near"]]
    return chinese_year(match["year"]) if match["year"] else None


def _year(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    year = _year_of(match, speech)
    return None if year is None else spans.years(year)


def _date(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    year = _century_added(match["short"], speech) if match["short"] else _year_of(match, speech)
    return None if year is None else _month_or_day(year, match)


def _century_added(digits: str, speech: Speech) -> int:
    """A year in two digits: what lies more than ten years ahead was in the last century."""
    year = 2000 + int(digits)
    return year if year <= speech.now.year + 10 else year - 100


def _month_or_day(year: int, match: re.Match[str]) -> TimeSpan | None:
    month = chinese(match["month"])
    if month is None or not match["day"]:
        return None if month is None else spans.months(year, month)
    day = chinese(match["day"])
    return None if day is None else spans.days(date(year, month, day))


def _bare_date(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    month, day = chinese(match["month"]), chinese(match["day"] or "1")
    if month is None or day is None:
        return None
    if not match["day"]:
        return speech.yearless(match, lambda year: spans.months(year, month))
    return speech.yearless(match, lambda year: spans.days(date(year, month, day)))


def _near_month(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    named = spans.months(speech.now.year, speech.now.month + _STEPS[match["step"]])
    if not match["day"]:
        return named
    day = chinese(match["day"])
    return None if day is None else spans.days(named.since.date().replace(day=day))


def _decade(match: re.Match[str], _: Speech) -> TimeSpan | None:
    """The span of a decade; without its century 二十年代 may be of this one or of the last."""
    tens = chinese(match["tens"])
    if tens is None:
        return None
    if match["hundreds"]:
        return spans.years(100 * int(match["hundreds"]) + tens, 10)
    if match["century"] in {"21世纪", "二十一世纪"}:
        return spans.years(2000 + tens, 10)
    return spans.years(1900 + tens, 10) if match["century"] or tens >= 50 else None


def _half(match: re.Match[str], speech: Speech) -> TimeSpan:
    year = _year_of(match, speech) or speech.now.year
    return spans.half_year(year, 1 if match["half"] == "上" else 2)


def _quarter(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    number = chinese(match["quarter"])
    return (
        None
        if number is None
        else spans.quarter(_year_of(match, speech) or speech.now.year, number)
    )


def _near_quarter(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    return spans.unit_away(speech.now, "quarter", _STEPS[match["step"]])


def _holiday(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    """The holidays around 1 October are seven days; how many others have, changes by the year."""
    name = match["holiday"][:2]
    month, day = _HOLIDAYS[name]
    if match["long"] and name != "国庆":
        return None
    count = _NATIONAL_HOLIDAY_DAYS if match["long"] else 1
    year = _year_of(match, speech)
    if year is not None:
        return spans.days(date(year, month, day), count)
    return speech.yearless(match, lambda each: spans.days(date(each, month, day), count))


RULES: tuple[Rule, ...] = (
    Rule(_DATE, _date),
    Rule(_YEAR, _year),
    Rule(_BARE_DATE, _bare_date),
    Rule(_NEAR_MONTH_DAY, _near_month),
    Rule(_DECADE, _decade),
    Rule(_HALF, _half),
    Rule(_QUARTER, _quarter),
    Rule(_NEAR_QUARTER, _near_quarter),
    Rule(_HOLIDAY, _holiday),
)
"""Dates in Chinese."""
