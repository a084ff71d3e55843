"""Words around a phrase that add a shift, a time of day or a bound.

Only the text between a phrase and its neighbours is looked at, so that phrases never overlap.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from anamnesis_libs.timephrases import spans
from anamnesis_libs.timephrases.english_words import WEEKDAY, S, unit, weekday
from anamnesis_libs.timephrases.model import Bound
from anamnesis_libs.timephrases.numbers import CHINESE, ENGLISH, chinese, english
from anamnesis_libs.timephrases.spans import TimeSpan
from anamnesis_libs.timephrases.speech import Speech

_REACH_CHARS_MAX = 48
_FLAGS = re.IGNORECASE | re.ASCII


@dataclass(frozen=True, slots=True)
class PhraseMatch:
    """A resolved phrase, and how far its words may still grow."""

    start: int
    end: int
    span: TimeSpan
    floor: int
    """The end of the phrase before it."""
    ceiling: int
    """The start of the phrase after it."""

    def before(self, pattern: re.Pattern[str], speech: Speech) -> re.Match[str] | None:
        """A match that ends where the phrase starts."""
        first = max(self.floor, self.start - _REACH_CHARS_MAX)
        return pattern.search(speech.text, first, self.start)

    def after(self, pattern: re.Pattern[str], speech: Speech) -> re.Match[str] | None:
        """A match that starts where the phrase ends."""
        return pattern.match(speech.text, self.end, self.ceiling)


_SHIFT = re.compile(
    rf"\b(?:the{S})?(?:(?P<count>{ENGLISH}){S})?"
    rf"(?:(?P<unit>day|night|week|weekend|month|year)s?|(?P<weekday>{WEEKDAY}))"
    rf"{S}(?P<way>before|after){S}(?:the{S})?\Z",
    _FLAGS,
)


def shifted(found: PhraseMatch, speech: Speech) -> PhraseMatch:
    """Take in "the week before ", "two days after " and their like."""
    match = found.before(_SHIFT, speech)
    if match is None:
        return found
    span = _shift(match, found.span)
    return found if span is None else replace(found, start=match.start(), span=span)


def _shift(match: re.Match[str], anchor: TimeSpan) -> TimeSpan | None:
    count = english(match["count"] or "one")
    back = match["way"].lower() == "before"
    edge = anchor.since.date() if back else (anchor.until - timedelta(microseconds=1)).date()
    if count is None:
        return None
    if match["weekday"]:
        return _weekday_beside(weekday(match["weekday"]), edge, count, back=back)
    sign = -count if back else count
    name = unit(match["unit"])
    if name == "weekend":
        saturday = _weekday_beside(5, edge, count, back=back).since.date()
        return spans.days(saturday, 2)
    return spans.unit_away(spans.midnight(edge), "day" if name == "night" else name, sign)


def _weekday_beside(day: int, edge: date, count: int, *, back: bool) -> TimeSpan:
    if back:
        return spans.days(spans.weekday_before(edge, day) - timedelta(weeks=count - 1))
    return spans.days(spans.weekday_after(edge, day) + timedelta(weeks=count - 1))


_CLOCK = (
    r"(?:(?P<hour>1[0-2]|0?[1-9])(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap])\.?m\b\.?"
    r"|(?P<hour24>0\d|1[3-9]|2[0-3]):(?P<minute24>[0-5]\d)(?![\d:])"
    r"|(?:(?<=\bat\s)|(?<=\baround\s))(?P<bare>1[0-2]|[1-9])(?::(?P<minute_bare>[0-5]\d))?(?![\w:/%]|[.,]\d)|(?P<noon>noon)\b)"
)
_CLOCK_AFTER = re.compile(
    rf"(?:,?{S})(?:(?:at|around|about|@){S})?{_CLOCK}(?!\s?(?:utc|gmt|[ecmp][sd]?t|z)\b)", _FLAGS
)
_CLOCK_BEFORE = re.compile(rf"(?<![\w:.])(?:at{S})?{_CLOCK}{S}(?:on{S})?\Z", _FLAGS)
_HAN_CLOCK = re.compile(
    r"\s?的?(?P<part>凌晨|清晨|早上|早晨|早|上午|中午|下午|傍晚|晚上|晚|夜里)?\s?"
    rf"(?:(?P<hour>{CHINESE})(?:点钟?|时)(?![意建原要内赞钱候])(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<minute>{CHINESE})分?)?"
    r"|(?P<hour2>[01]?\d|2[0-3]):(?P<minute2>[0-5]\d)(?!\d))"
)
_AFTERNOON = re.compile(r"afternoon|evening|night|下午|傍晚|晚|夜", re.IGNORECASE)
_MORNING = re.compile(r"morning|凌晨|清晨|早|上午|晨", re.IGNORECASE)
_NOON = 12


def timed(found: PhraseMatch, speech: Speech) -> PhraseMatch:
    """Take in a time of day that is beyond doubt: "at 3 pm", "下午三点半", "at 15:30"."""
    if not found.span.is_one_day:
        return found
    for pattern in (_CLOCK_AFTER, _HAN_CLOCK):
        match = found.after(pattern, speech)
        if match is not None:
            return _with_clock(found, match, speech)
    match = found.before(_CLOCK_BEFORE, speech)
    return found if match is None else _with_clock(found, match, speech)


def _with_clock(found: PhraseMatch, match: re.Match[str], speech: Speech) -> PhraseMatch:
    start, end = min(found.start, match.start()), max(found.end, match.end())
    words = speech.text[start:end]
    clock = _han_clock(match) if match.re is _HAN_CLOCK else _clock(match)
    hour = None if clock is None else _hour_of_day(*clock, words)
    if clock is None or hour is None:
        return found
    moment = found.span.since + timedelta(hours=hour, minutes=clock[1])
    return replace(found, start=start, end=end, span=spans.instant(moment))


def _clock(match: re.Match[str]) -> tuple[int, int, bool] | None:
    """Hour, minute, and whether the hour counts to 24."""
    if match["noon"]:
        return _NOON, 0, True
    if match["hour24"]:
        return int(match["hour24"]), int(match["minute24"]), True
    if match["half"]:
        hour = int(match["hour"]) % 12 + (12 if match["half"].lower() == "p" else 0)
        return hour, int(match["minute"] or 0), True
    return int(match["bare"]), int(match["minute_bare"] or 0), False


def _han_clock(match: re.Match[str]) -> tuple[int, int, bool] | None:
    if match["hour2"]:
        hour, minute = int(match["hour2"]), int(match["minute2"])
        return hour, minute, hour > _NOON or match["hour2"].startswith("0")
    read = chinese(match["hour"])
    minutes = 30 if match["half"] else chinese(match["minute"] or "0")
    if match["quarter"]:
        minutes = 15 if match["quarter"] == "一" else 45
    if read is None or minutes is None or read > 24 or minutes > 59:
        return None
    return read, minutes, read > _NOON or read == 0


def _hour_of_day(hour: int, _: int, is_of_24: bool, words: str) -> int | None:
    """The hour of 24; None where morning and afternoon are both possible."""
    if is_of_24:
        return hour
    if _AFTERNOON.search(words):
        return _in_the_afternoon(hour, words)
    if "中午" in words:
        return hour if hour >= 11 else hour + _NOON
    return hour % _NOON if _MORNING.search(words) else None


def _in_the_afternoon(hour: int, words: str) -> int | None:
    """Twelve at night, and the small hours of a night, belong to a day that is not certain."""
    at_night = re.search(r"night|晚|夜", words, re.IGNORECASE)
    if at_night and (hour == _NOON or hour < 5):
        return None
    return hour % _NOON + _NOON


_FROM = r"(?:from|between)"
_BEFORE_WORDS: tuple[tuple[Bound, str], ...] = (
    (
        Bound.SINCE,
        r"(?:ever\s)?since|starting(?:\s(?:in|on|from))?|as\sof|自从|(?<![来各亲独私])自|从",
    ),
    (
        Bound.UNTIL,
        r"until|till?|up\sto|through|thru|by|no\slater\sthan|直到|截至|截止到?|(?<![甚乃])至",
    ),
    (Bound.BEFORE, r"before|prior\sto"),
    (Bound.AFTER, r"after"),
)
_LEAD = (
    rf"(?:{S}(?:the{S})?(?:(?:early|mid|late)[\s-]{{1,2}})?"
    rf"(?:(?:the{S})?(?:end|beginning|start|middle){S}of{S})?(?:the{S})?(?:year{S})?(?:in{S}|on{S}|at{S})?)?"
)
_BOUNDS_BEFORE = tuple(
    (bound, re.compile(rf"(?:\b|(?=[一-鿿]))(?:{words}){_LEAD}\s?\Z", _FLAGS))
    for bound, words in _BEFORE_WORDS
)
_BOUNDS_AFTER: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (
        Bound.SINCE,
        re.compile(
            r"\s?(?:底|初|中旬)?(?:以来|起(?=$|[^一-鿿]|[就到至我他她你])|开始)|\s(?:onwards?)\b",
            _FLAGS,
        ),
    ),
    (Bound.UNTIL, re.compile(r"\s?(?:底|初)?为止", _FLAGS)),
    (
        Bound.BEFORE,
        re.compile(
            r"\s?(?:底|初)?(?:之前|以前|前(?![台面后天提往一二三两四五六七八九十几半\d]))", _FLAGS
        ),
    ),
    (
        Bound.AFTER,
        re.compile(
            r"\s?(?:底|初)?(?:之后|以后|后(?![来面台天年续期一二三两四五六七八九十几半\d]))", _FLAGS
        ),
    ),
)
_FROM_BEFORE = re.compile(rf"\b{_FROM}{_LEAD}\Z|[从自]\Z", _FLAGS)
_TO_BETWEEN = re.compile(
    rf"{S}(?:to|until|till|through|and){_LEAD}{S}|\s?(?:到了?|至|[-–—~])\s?", _FLAGS
)


def bound_of(found: PhraseMatch, speech: Speech) -> Bound:
    """The bound of a phrase, by the words before it, or else by those after it."""
    for bound, pattern in _BOUNDS_BEFORE:
        if found.before(pattern, speech):
            return bound
    for bound, pattern in _BOUNDS_AFTER:
        if found.after(pattern, speech):
            return bound
    return Bound.AT


def opens_range(found: PhraseMatch, following: PhraseMatch | None, speech: Speech) -> bool:
    """True if a phrase and the next one are the two ends of "from ... to ..."."""
    if following is None or _TO_BETWEEN.fullmatch(speech.text, found.end, following.start) is None:
        return False
    gap = speech.text[found.end : following.start].strip()
    return not gap.isascii() or found.before(_FROM_BEFORE, speech) is not None
