"""Small numbers as people write them: digits, English words, Chinese characters."""

_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

_ENGLISH = {
    "a": 1,
    "an": 1,
    **{word: number for number, word in enumerate([*_ONES, *_TEENS], 1)},
    **{word: 10 * number for number, word in enumerate(_TENS, 2)},
    "hundred": 100,
    "a hundred": 100,
}

ENGLISH = (
    rf"(?:\d{{1,3}}|a\shundred|hundred|(?:{'|'.join(_TENS)})(?:[-\s](?:{'|'.join(_ONES)}))?"
    rf"|{'|'.join(reversed(_TEENS))}|{'|'.join(reversed(_ONES))}|an?)"
)
"""A pattern for what `english` reads."""

CHINESE = r"(?:\d{1,4}|[零〇一二两三四五六七八九十百]{1,5})"
"""A pattern for what `chinese` reads."""

_DIGITS = {
    **{digit: number for number, digit in enumerate("零一二三四五六七八九")},
    "〇": 0,
    "两": 2,
}


def english(text: str) -> int | None:
    """Read "3", "a", "twelve" or "twenty-one"; nothing else."""
    word = " ".join(text.lower().replace("-", " ").split())
    if word.isdecimal():
        return int(word)
    if word in _ENGLISH:
        return _ENGLISH[word]
    tens, _, ones = word.partition(" ")
    if tens in _TENS and ones in _ONES:
        return _ENGLISH[tens] + _ENGLISH[ones]
    return None


def chinese(text: str) -> int | None:
    """Read "3", "十二" or "一百零五"; "两三" is no number, since it means "two or three"."""
    if text.isdecimal():
        return int(text)
    hundreds, has_hundreds, rest = text.rpartition("百")
    high = (_DIGITS.get(hundreds, 0) or 1) if has_hundreds else 0
    if has_hundreds and hundreds and hundreds not in _DIGITS:
        return None
    low = _below_hundred(rest[1:] if has_hundreds and rest[:1] in {"零", "〇"} else rest)
    return None if low is None else 100 * high + low


def _below_hundred(text: str) -> int | None:
    tens, has_tens, ones = text.rpartition("十")
    if any(part and part not in _DIGITS for part in (tens, ones)):
        return None
    return (_DIGITS.get(tens, 1) * 10 if has_tens else 0) + _DIGITS.get(ones, 0)


def chinese_year(text: str) -> int | None:
    """Read a year in four digits: "2019" or "二〇一九"."""
    if text.isdecimal():
        return int(text)
    digits = [_DIGITS.get(character) for character in text]
    if len(digits) != 4:
        return None
    number = 0
    for digit in digits:
        if digit is None:
            return None
        number = 10 * number + digit
    return number
