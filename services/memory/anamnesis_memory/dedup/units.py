"""Units of measure and numerals, English and Chinese, in forms that can be compared."""

import re
from fractions import Fraction

_TABLE = """
time 1/1000000 us|µs|μs|microseconds?|微秒
time 1/1000 ms|msecs?|milliseconds?|毫秒
time 1 s|secs?|seconds|秒钟?
time 60 min|mins|minutes?|分钟
time 3600 h|hrs?|hours?|小时|个小时|钟头|个钟头
time 86400 d|days?|天
time 604800 weeks?|周|星期|个星期|礼拜
month 1 months?|个月
month 12 years?|yrs?|年
mass 1/1000000 mcg|µg|μg|micrograms?|微克
mass 1/1000 mg|milligrams?|毫克
mass 1 g|grams?|克
mass 1000 kg|kilos?|kilograms?|公斤|千克
volume 1/1000 ml|mL|millilit(?:er|re)s?|毫升
volume 1 l|L|lit(?:er|re)s?|升
length 1/1000 mm|millimet(?:er|re)s?|毫米
length 1/100 cm|centimet(?:er|re)s?|厘米
length 1 m|met(?:er|re)s?|米
length 1000 km|kilomet(?:er|re)s?|公里|千米
length-imperial 1 inch(?:es)?|英寸
length-imperial 63360 miles?|英里
bytes 1 B|bytes?|字节
bytes 1024 kb|KB|kB|KiB|kilobytes?|千字节
bytes 1048576 mb|MB|MiB|megabytes?|兆|兆字节
bytes 1073741824 gb|GB|GiB|gigabytes?
bytes 1099511627776 tb|TB|TiB|terabytes?
bits 1000 Kbps|kbps
bits 1000000 Mbps|mbps
bits 1000000000 Gbps|gbps
percent 1 %|percent|per cent
celsius 1 °C|degrees? (?:C|Celsius)|摄氏度
fahrenheit 1 °F|degrees? (?:F|Fahrenheit)|华氏度
degree 1 degrees?|度
euro 1 euros?|EUR|欧元
dollar 1 dollars?|USD|美元
yuan 1 yuan|CNY|RMB|元|块钱?
pixel 1 px|pixels?|像素
hertz 1 Hz|hertz
hertz 1000 kHz
hertz 1000000 MHz
hertz 1000000000 GHz
"""
_ROWS = [line.split(" ", 2) for line in _TABLE.strip().splitlines()]
UNIT = (
    "(?:"
    + "|".join(f"(?P<u{at}>(?:{row[2]})" + r"(?![A-Za-z\d_]))" for at, row in enumerate(_ROWS))
    + ")"
)
"""A unit, in the named group of its row."""
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
_BELOW_TWENTY = """zero one two three four five six seven eight nine ten eleven twelve thirteen
    fourteen fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_FROM_SECOND = "second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_ENGLISH = {word: value for value, word in enumerate(_BELOW_TWENTY.split())} | {
    word: value for value, word in zip(range(20, 100, 10), _TENS.split(), strict=True)
}
_ORDINALS = {word: value for value, word in enumerate(_FROM_SECOND.split(), 2)}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_DIGITS = {char: value for value, char in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_POWERS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}

ENGLISH_NUMERAL = (
    r"\b(?:" + "|".join([*_ENGLISH, *_SCALES]) + r")(?:[\s-]+(?:and[\s-]+)?(?:"
    r"" + "|".join([*_ENGLISH, *_SCALES]) + r"))*\b"
)
ENGLISH_TIMES = r"\b(?:" + "|".join(_TIMES) + r")\b"
ENGLISH_ORDINAL = r"\b(?:" + "|".join(_ORDINALS) + r")\b"
_NUMERALS = "零〇一二两三四五六七八九十百千万亿"
CHINESE_NUMERAL = f"(?<![{_NUMERALS}])[{_NUMERALS}]{{1,20}}"
CLASSIFIER = (
    "(?:次|个|位|条|台|份|遍|行|层|倍|颗|片|种|步|轮|台|封|只|张|名|项|段|点|号|成|粒|滴|勺)"
)


def unit_of(found: re.Match[str]) -> tuple[str, Fraction]:
    """Dimension and factor of the unit in a match of a pattern that holds `UNIT`; "" for none."""
    for at, (dimension, factor, _) in enumerate(_ROWS):
        if found[f"u{at}"]:
            return dimension, Fraction(factor)
    return "", Fraction(1)


def english_value(words: str) -> Fraction:
    """`two hundred and five` as 205; also `twice` and `third`."""
    total = part = 0
    for word in re.split(r"[\s-]+", words.lower()):
        if word in _TIMES or word in _ORDINALS:
            return Fraction(_TIMES.get(word) or _ORDINALS[word])
        if word == "hundred":
            part = (part or 1) * _SCALES[word]
        elif word in _SCALES:
            total, part = total + (part or 1) * _SCALES[word], 0
        else:
            part += _ENGLISH.get(word, 0)
    return Fraction(total + part)


def chinese_value(chars: str) -> Fraction:
    """`二百零五` as 205, `三万` as 30,000, and digits in a row (`二零二六`) as they stand."""
    if not any(char in _POWERS or char in _MYRIADS for char in chars):
        return Fraction(int("".join(str(_DIGITS[char]) for char in chars)))
    total = part = digit = 0
    for char in chars:
        if char in _MYRIADS:
            total, part, digit = total + (part + digit or 1) * _MYRIADS[char], 0, 0
        elif char in _POWERS:
            part, digit = part + (digit or 1) * _POWERS[char], 0
        else:
            digit = _DIGITS[char]
    return Fraction(total + part + digit)


def scale_of(word: str) -> int:
    """Factor of a scale behind figures (`1 million`, `10k`, `3 万`); 1 where it is none."""
    known = _SCALES | _MYRIADS | _POWERS | {"k": 1000}
    return known.get(word.strip().lower(), 1)


SCALE = (
    r"\s*(?:hundred|thousand|million|billion|dozen)\b|[kK](?![A-Za-z\d_])"
    r"|\s*[十百千]?[万亿]|千(?!克|米|字)"
)
"""Scales, which multiply the figures before them."""
