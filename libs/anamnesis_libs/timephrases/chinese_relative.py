"""Chinese rules for phrases that count from the moment of speech.

Written Chinese has no spaces, so each rule says which characters around it would make it another
word: 上周一 is a Monday, 上周一起 "last week, together"; 前天 is a day, 三天前天 is not.
"""

import re
from datetime import timedelta

from anamnesis_libs.timephrases import spans
from anamnesis_libs.timephrases.numbers import CHINESE as NUMBER
from anamnesis_libs.timephrases.numbers import chinese
from anamnesis_libs.timephrases.rules import Rule
from anamnesis_libs.timephrases.spans import TimeSpan
from anamnesis_libs.timephrases.speech import Direction, Speech

_DAY = (
    r"(?P<day>大前天|大后天|(?<![天年月周日期时点以之几大])前[天日晚](?![气空使堂台性])"
    r"|(?<![以之然大])后天(?![性气使养空下])|(?<![前后年]的)(?<!年)[昨今明][天日晚夜早晨]|[昨今明]儿个?)"
    r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|夜间|一早)?"
)
_STEP = r"(?<![一网早晚路身以之线船楼街桌手际历马日基])(?P<step>上上|上|这|本|下下|下)"
_MEASURE = r"[个次天场位篇份项件名条人家小张本十百年月周名号]"
_WEEK = (
    rf"{_STEP}一?个?(?:周(?![边围转密全到期刊长岁折])|星期|礼拜)的?"
    r"(?P<weekday>末|天(?![气空])|日(?![程报记志常历期])"
    r"|一(?![起直共样次个些下家位天整般边旦定切路场部同片])"
    rf"|[二三四五六](?!{_MEASURE}))?(?:凌晨|早上|上午|中午|下午|傍晚|晚上|晚)?"
)
_BARE_WEEKDAY = (
    r"(?<![上下这本每个几逢隔到至前后周期拜一二三四五六日天两])(?:周|星期|礼拜)"
    r"(?P<weekday>天(?![气空])|日(?![程报记志常历期])"
    r"|一(?![起直共样次个些下家位天整般边旦定切路场部同片到至])"
    rf"|[二三四五六](?!{_MEASURE}|[到至、和]))(?:凌晨|早上|上午|中午|下午|傍晚|晚上|晚)?"
)
_COUNT = rf"(?<![数几多上好到至或第\d.\-~年月])(?P<count>{NUMBER}|半)"
_UNIT = (
    r"(?P<unit>年|个半?月|周|个?星期|个?礼拜|天|日|个?半?小时|个?半?钟头|分钟|秒钟?|个?季度)"
    r"(?P<half>半)?"
)
_AGO = rf"{_COUNT}\s?{_UNIT}(?:之前|以前|前)(?![后天台面提线往夕年])"
_LATER = rf"{_COUNT}\s?{_UNIT}(?:之后|以后|后)(?![来面台天年续期])"
_ROLLING = rf"(?P<way>最近|过去|近|未来|接下来|今后)的?这?(?P<count>{NUMBER})\s?{_UNIT}(?![前后级])"
_COUNT_MAX = 400
"""2018年以前 is before the year 2018."""
_VAGUE_BEFORE = re.compile(r"(?:不到|超过|至少|至多|最多|多于|少于)$")
_MAY_STAND_BEFORE_LATER = re.compile(
    r"(?:^|[^一-鿿]|[我你您他她它们会将要在就约概于打算计划准备预计定且但等再那]|计划|预计|准备)$"
)
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_STEPS = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_WEEKDAYS = "一二三四五六日天"
_UNITS = {
    "年": "year",
    "月": "month",
    "周": "week",
    "星期": "week",
    "礼拜": "week",
    "天": "day",
    "日": "day",
    "小时": "hour",
    "钟头": "hour",
    "分钟": "minute",
    "秒": "second",
    "秒钟": "second",
    "季度": "quarter",
}


def _day(match: re.Match[str], speech: Speech) -> TimeSpan:
    name = match["day"]
    ahead = _DAYS[name[:2]] if name[:2] in _DAYS else _DAYS[name[0]]
    return spans.days(speech.today + timedelta(days=ahead))


def _week(match: re.Match[str], speech: Speech) -> TimeSpan:
    ahead, name = _STEPS[match["step"]], match["weekday"]
    if not name:
        return spans.week(speech.today, ahead)
    if name == "末":
        return spans.weekend(speech.today, ahead)
    day = min(_WEEKDAYS.index(name), 6)
    return spans.days(spans.weekday_of_week(speech.today, day, ahead))


def _bare_weekday(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    """周五见了面 is the last one, 周五会见面 the next; else any may be meant."""
    direction, day = speech.direction(*match.span()), min(_WEEKDAYS.index(match["weekday"]), 6)
    if direction is Direction.PAST:
        return spans.days(spans.weekday_before(speech.today, day))
    if direction is Direction.FUTURE:
        return spans.days(spans.weekday_after(speech.today, day))
    return None


def _count(match: re.Match[str]) -> float | None:
    """两年半 is 2.5; 半年 is 0.5; 两个半小时 is 2.5."""
    halves = (match["half"] is not None) + ("半" in match["unit"])
    whole = 0 if match["count"] == "半" else chinese(match["count"])
    if whole is None or halves + (match["count"] == "半") > 1:
        return None
    return whole + 0.5 * (halves + (match["count"] == "半"))


def _away(match: re.Match[str], speech: Speech, sign: int) -> TimeSpan | None:
    count = _count(match)
    before = speech.text[max(0, match.start() - 4) : match.start()]
    if count is None or count > _COUNT_MAX or _VAGUE_BEFORE.search(before):
        return None
    return spans.unit_away(speech.now, _unit(match), sign * count)


def _unit(match: re.Match[str]) -> str:
    return _UNITS[match["unit"].removeprefix("个").removeprefix("半")]


def _ago(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    return _away(match, speech, -1)


def _later(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    """Told of the past, or after a noun, it counts from within the story."""
    before = speech.text[max(0, match.start() - 4) : match.start()]
    if _MAY_STAND_BEFORE_LATER.search(before) is None:
        return None
    if speech.direction(*match.span()) is Direction.PAST:
        return None
    return _away(match, speech, 1)


def _rolling(match: re.Match[str], speech: Speech) -> TimeSpan | None:
    count = _count(match)
    if count is None or count < 1 or not count.is_integer():
        return None
    sign = 1 if match["way"] in {"最近", "过去", "近"} else -1
    return spans.rolling(speech.now, _unit(match), sign * int(count))


RULES: tuple[Rule, ...] = (
    Rule(_DAY, _day),
    Rule(_WEEK, _week),
    Rule(_BARE_WEEKDAY, _bare_weekday),
    Rule(_AGO, _ago),
    Rule(_LATER, _later),
    Rule(_ROLLING, _rolling),
)
"""Rules for Chinese times that count from now."""
