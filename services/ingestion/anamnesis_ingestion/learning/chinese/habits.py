"""Deeds of every day or week: 每天六点起床, 每周日早上去爬山; an order for every day is none."""

import re
from functools import cache

from anamnesis_ingestion.learning.chinese.cutting import POINTS
from anamnesis_ingestion.learning.chinese.frames import Claim
from anamnesis_ingestion.learning.chinese.piece import Piece
from anamnesis_ingestion.learning.chinese.vocabulary import alternation

_HABIT = (
    r"(?:我)?(?:现在|平时|一般|基本上|都|从小|坚持|已经)*(?P<held>每(?:天|晚|周|个?月|年|隔|个?星期|逢|到)?[一二三四五六日天末早晚上中下午周两]*"
    r"(?:(?:\d{{1,2}}|[一二两三四五六七八九十]{{1,3}})点半?)?"
    r"(?:[一二两三四五六七八九十\d]{{1,2}}[次回趟])?(?:都|要|会|就|起来|下班后?|下班|先|坚持|固定)*{habits}[^，了过]{{0,10}}(?<![去打踢喝学练骑]))"
)


def habit(whole: Piece) -> Claim | None:
    """The habit that a clause of the speaker's tells, with its days."""
    match = _pattern().fullmatch(whole.text)
    if match is None or POINTS.search(match["held"]) or "提醒" in match["held"]:
        return None
    return Claim("does", whole.part(*match.span("held")))


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(_HABIT.format(habits=alternation("habits")))
