"""The numbers of a text: figures, numerals, clocks, dates, rates, versions. Linear in time."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from anamnesis_memory.dedup import units

_TAKEN = "\x1f"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text; `dimension` is empty where it counts things, `start` its place.

    A weak one (`one`, `一个`) is hardly said as a number.
    """

    text: str
    value: Fraction
    dimension: str
    start: int
    version: str = ""
    weak: bool = False

    @property
    def key(self) -> str:
        """The key that equal quantities share, where they are compared as words."""
        return f"{self.version or self.value} {self.dimension}".rstrip()


class Amounts:
    """The amounts of a text, to be asked whether a number of another text is among them.

    Two versions are compared as they are written; bytes count 1000 or 1024 to the kilobyte.
    """

    def __init__(self, numbers: Sequence[Quantity]) -> None:
        self._versions = {each.version for each in numbers if each.version}
        self._all = {(each.dimension, each.value) for each in numbers}
        self._plain = {(each.dimension, each.value) for each in numbers if not each.version}
        self._bytes = {_decimal(each.value) for each in numbers if each.dimension == "bytes"}

    def __contains__(self, one: Quantity) -> bool:
        """True if the text has the same amount."""
        amount = (one.dimension, one.value)
        if one.version:
            return one.version in self._versions or amount in self._plain
        return amount in self._all or (
            one.dimension == "bytes" and _decimal(one.value) in self._bytes
        )


def _decimal(value: Fraction) -> Fraction:
    """Bytes as if a kilobyte had 1000 of them."""
    power = next((each for each in (4, 3, 2, 1) if value >= 1024**each), 0)
    return value * Fraction(1000, 1024) ** power if power else value


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every number of a folded text, the most telling forms first; a place is read once."""
    found: list[Quantity] = []
    for pattern, make in _FORMS:
        text = pattern.sub(partial(_take, make, found), text)
    return tuple(found)


def _take(
    make: Callable[[re.Match[str]], Quantity | None], found: list[Quantity], match: re.Match[str]
) -> str:
    """Keep the number of a match, and blank its place."""
    quantity = make(match)
    if quantity is None:
        return match[0]
    found.append(quantity)
    return _TAKEN * len(match[0])


_DATE = re.compile(r"(?<!\d)\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d)")
_CLOCK = re.compile(
    r"(?P<late>下午|晚上|傍晚)?(?<![\d.])(?P<hour>\d{1,2}|[一二两三四五六七八九十]{1,3})"
    r"(?::(?P<minute>[0-5]\d)(?!\d)|点钟?(?P<said>半|一刻|三刻|(?:[一二三四五六七八九十]{1,3}|\d{1,2})分)?)"
    r"(?:\s*(?P<half>[ap]\.?m)\b)?",
    re.IGNORECASE,
)
_HALF_DAY = re.compile(r"(?<![\w.])(?P<hour>\d{1,2})\s*(?P<half>[ap]\.?m)\b", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?P<part>half|quarter) (?P<to>past|to) (?P<hour>[a-z]+|\d{1,2})\b", re.IGNORECASE
)
_NOON = re.compile(r"\b(?P<noon>noon|midday)\b|中午|正午", re.IGNORECASE)
_RATE = re.compile(
    r"\b(?:per|each|every|an?)\s(?P<en>second|minute|hour|day|week|month|year)\b"
    r"|(?<=[\w)])/\s?(?P<slash>s|sec|min|h|hour|day)\b"
    r"|\b(?P<ly>hourly|daily|weekly|monthly|yearly)\b"
    r"|每一?个?(?P<zh>秒|分钟|小时|天|日|周|星期|月|年)",
    re.IGNORECASE,
)
_FIGURES = re.compile(
    r"(?<![\w.])(?P<sign>(?<!\S)-(?=\d))?(?P<v>[vV]\.?)?(?P<digits>\d{1,3}(?:,\d{3}){1,12}(?!\d)|\d{1,40}(?!\d))"
    rf"(?P<rest>(?:\.\d{{1,40}}){{0,12}})(?P<scale>{units.SCALE})?(?P<x>\s?[xX×倍](?![A-Za-z\d]))?"
    rf"(?:\s?-?{units.UNIT})?(?![A-Za-z_])",
    re.ASCII,
)
_CHINESE = re.compile(
    rf"(?P<ordinal>第)?(?P<digits>{units.CHINESE_NUMERAL})(?P<half>半)?"
    rf"(?:{units.UNIT}|(?P<count>{units.CLASSIFIER}))"
)
_ENGLISH = re.compile(rf"(?P<digits>{units.ENGLISH_NUMERAL})(?:[\s-]{units.UNIT})?", re.IGNORECASE)
_SINGLE = re.compile(
    f"(?P<times>{units.ENGLISH_TIMES})|(?P<ordinal>{units.ENGLISH_ORDINAL})", re.IGNORECASE
)
_ORDINAL_FIGURES = re.compile(r"(?<!\w)(?P<digits>\d{1,12})(?:st|nd|rd|th)\b", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:(?P<word>[A-Za-z][\w.+#]*)|(?:[\u4e00-\u9fff](?=版)|版本?|安卓|鸿蒙))[ /]?$", re.IGNORECASE
)
_PERIODS = (
    "second s sec 秒", "minute min 分钟", "hour h hourly 小时", "day daily 天 日",
    "week weekly 周 星期", "month monthly 月", "year yearly 年",
)  # fmt: skip
_PERIOD_OF = {word: at for at, words in enumerate(_PERIODS) for word in words.split()}
_MINUTES = {"半": 30, "一刻": 15, "三刻": 45}
_QUARTERS = {"half": 30, "quarter": 15}
_BEFORE_CHARS = 40


def _date(found: re.Match[str]) -> Quantity:
    year, month, day = (int(part) for part in re.split(r"[-/.]", found[0]))
    return Quantity(found[0], Fraction(year * 10_000 + month * 100 + day), "date", found.start())


def _clock(found: re.Match[str]) -> Quantity | None:
    """`9:30`, `下午三点半`, `9:30 pm`; a bare `三点` may count points and is none."""
    said = found["said"] or ""
    if found["minute"] is None and not said and not found["late"]:
        return None
    if found["minute"] is not None:
        minute = int(found["minute"])
    else:
        minute = (
            _MINUTES[said] if said in _MINUTES else int(_amount(said.removesuffix("分") or "0"))
        )
    late = bool(found["late"]) or (found["half"] or "").lower().startswith("p")
    return _time(found, int(_amount(found["hour"])), minute, late=late)


def _half_day(found: re.Match[str]) -> Quantity:
    return _time(found, int(found["hour"]), 0, late=found["half"].lower().startswith("p"))


def _past(found: re.Match[str]) -> Quantity | None:
    hour = found["hour"]
    value = int(hour) if hour.isdigit() else int(units.english_value(hour))
    if not value:
        return None
    minutes = _QUARTERS[found["part"].lower()]
    if found["to"].lower() == "to":
        return _time(found, value - 1, 60 - minutes, late=False)
    return _time(found, value, minutes, late=False)


def _noon(found: re.Match[str]) -> Quantity:
    return _time(found, 12, 0, late=False)


def _time(found: re.Match[str], hour: int, minute: int, *, late: bool) -> Quantity:
    hour += 12 if late and hour < 12 else 0
    return Quantity(found[0], Fraction(hour * 60 + minute), "clock", found.start())


def _rate(found: re.Match[str]) -> Quantity:
    word = found["en"] or found["slash"] or found["ly"] or found["zh"]
    return Quantity(found[0], Fraction(_PERIOD_OF[word.lower()]), "rate", found.start())


def _figures(found: re.Match[str]) -> Quantity:
    """Figures with what stands around them; after a name or a `v`, they are a version."""
    digits = found["digits"].replace(",", "") + found["rest"]
    dimension, factor = units.unit_of(found)
    plain = digits if digits.count(".") < 2 else digits.split(".", maxsplit=1)[0]
    value = Fraction(plain) * units.scale_of(found["scale"] or "") * factor
    dotted = digits.count(".") > 1
    named = bool(found["rest"]) and not dimension and _is_named(found)
    version = digits if found["v"] or dotted or (named and not found["scale"]) else ""
    signed = -value if found["sign"] else value
    quantity = Quantity(found[0].strip(), signed, dimension, found.start(), version)
    if not version and not dimension and not found["scale"] and _is_product(found):
        return replace(quantity, version=digits)
    return quantity


def _is_named(found: re.Match[str]) -> bool:
    return bool(_NAMED.search(found.string[max(0, found.start() - _BEFORE_CHARS) : found.start()]))


def _is_product(found: re.Match[str]) -> bool:
    """True if a whole number follows a name with a capital letter, as in `Node 20`."""
    before = found.string[max(0, found.start() - _BEFORE_CHARS) : found.start()]
    named = _NAMED.search(before)
    if not named:
        return False
    word = named["word"] or ""
    return not word or (
        word[0].isupper()
        and named.start() > 0
        and not before[: named.start()].rstrip().endswith((".", "!", "?", ":"))
    )


def _chinese(found: re.Match[str]) -> Quantity | None:
    """Numerals count only before a unit or a measure word; `一` alone is weak."""
    dimension, factor = units.unit_of(found)
    value = units.chinese_value(found["digits"]) + (Fraction(1, 2) if found["half"] else 0)
    weak = found["digits"] == "一" and not dimension
    kind = "ordinal" if found["ordinal"] else dimension
    return Quantity(found[0], value * factor, kind, found.start(), weak=weak)


def _english(found: re.Match[str]) -> Quantity:
    dimension, factor = units.unit_of(found)
    weak = found["digits"].lower() == "one" and not dimension
    value = units.english_value(found["digits"]) * factor
    return Quantity(found[0], value, dimension, found.start(), weak=weak)


def _single(found: re.Match[str]) -> Quantity:
    dimension = "ordinal" if found["ordinal"] else ""
    weak = found[0].lower() == "once"
    return Quantity(found[0], units.english_value(found[0]), dimension, found.start(), weak=weak)


def _ordinal(found: re.Match[str]) -> Quantity:
    return Quantity(found[0], Fraction(int(found["digits"])), "ordinal", found.start())


def _amount(text: str) -> Fraction:
    return Fraction(int(text)) if text.isdigit() else units.chinese_value(text)


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Quantity | None]], ...] = (
    (_DATE, _date),
    (_CLOCK, _clock),
    (_HALF_DAY, _half_day),
    (_PAST, _past),
    (_NOON, _noon),
    (_RATE, _rate),
    (_ORDINAL_FIGURES, _ordinal),
    (_FIGURES, _figures),
    (_CHINESE, _chinese),
    (_ENGLISH, _english),
    (_SINGLE, _single),
)
"""The forms of numbers in the order of reading; a later form sees nothing an earlier one took."""
