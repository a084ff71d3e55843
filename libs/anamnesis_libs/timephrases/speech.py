"""The input of a rule: the text, the moment of speech, and the direction of a sentence.

A month or a day without its year is taken for the last one where the sentence speaks of the past,
for the next one where it speaks of the future; otherwise for the nearest, where that is less than
a third of a year away. Where it speaks of a habit it is taken for none.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import Enum, auto

from anamnesis_libs.timephrases.spans import TimeSpan

_AROUND_CHARS_MAX = 120
_CLEARLY_NEAREST = timedelta(days=122)
_END_OF_SENTENCE = re.compile(r"[.!?](?=\s)|[。！？；;\n]")
_ENGAGEMENT = (
    r"(?:appointment|interview|exam|test|flight|meeting|surgery|operation|check-?up|tickets?"
    r"|reservation|wedding|presentation|trip|gig|concert|audition|hearing|viewing|scan)"
)
"""What somebody has before them as long as they "have" it."""
_OWN_WORDS = r"(?:[\w-]{1,20} ){0,3}"
_ENGLISH_FUTURE = (
    r"\b(?:will|won't|shall|gonna|going to|plan(?:s|ning)? (?:to|on)|hop(?:e|es|ing) to"
    r"|(?:want|wants|like) to|looking forward|expect(?:s|ed)? to|is due|are due|deadline|upcoming"
    r"|scheduled|leaves|leaving|starts|begins|opens|expecting|expires?|ends|runs out|renews?"
    r"|(?:is|are) up for)\b|'ll\b"
    rf"|(?<!to )\b(?:have|has|'ve got) (?:an?|my|our|the|two|three) {_OWN_WORDS}{_ENGAGEMENT}\b"
    rf"|\b(?:my|our|the) {_OWN_WORDS}{_ENGAGEMENT} (?:is|are)\b"
    r"|\b(?:i|we) (?:start|fly|leave|arrive|return)\b"
)
_ENGLISH_PAST = (
    r"\b(?:was|were|wasn't|weren't|did|didn't|had|been|went|came|got|met|made|took|saw|said|told"
    r"|began|bought|gave|left|lost|found|felt|held|kept|won|ran|read|wrote|sent|sold|spent|grew"
    r"|became|broke|brought|built|caught|chose|drove|fell|flew|heard|knew|learnt|paid|rode|slept"
    r"|spoke|stood|swam|taught|thought|threw|woke|wore|ate|drank|moved|[a-z]+[^\We]ed)\b"
)
_CHINESE_FUTURE = (
    r"[将即]|(?<![开机协社聚约])会(?![议员计场长])|(?<![重主需])要(?![求点])|打算|准备|计划|预计"
)
_CHINESE_PAST = r"了(?!解)|过(?![年程节])|曾|当时|那天|已经|刚"
_FUTURE = re.compile(f"{_ENGLISH_FUTURE}|{_CHINESE_FUTURE}", re.IGNORECASE | re.ASCII)
_PAST = re.compile(f"{_ENGLISH_PAST}|{_CHINESE_PAST}", re.IGNORECASE | re.ASCII)
_OPENS = re.compile(
    r"\b(?:starting|beginning|commencing|effective|with effect)"
    r"(?: (?:on|from|as of|in))?(?: the)? ?\Z",
    re.IGNORECASE,
)
"""What was decided in the past may begin later: "we decided on the larger plan, starting 1 May"."""
_OPENING_CHARS_MAX = 40
_HABIT = re.compile(
    r"\b(?:every|each) (?:year|single)|\b(?:annual|year)ly\b|每[年逢]|历年", re.IGNORECASE
)


class Direction(Enum):
    """The direction in time in which a sentence points."""

    PAST = auto()
    FUTURE = auto()
    UNKNOWN = auto()
    HABIT = auto()


@dataclass(frozen=True, slots=True)
class Speech:
    """A text said at a moment."""

    text: str
    """Simplified characters and plain digits, each where it stood."""
    now: datetime
    """The moment of speech in wall time (see `spans`)."""
    offset: timedelta
    """The offset of wall time from UTC."""

    @property
    def today(self) -> date:
        """The speaker's day."""
        return self.now.date()

    def wall(self, moment: datetime) -> datetime:
        """Wall time of a moment that names its own zone."""
        return moment.astimezone(UTC) + self.offset

    def direction(self, start: int, end: int) -> Direction:
        """The direction in which the sentence around a phrase points."""
        sentence = self._sentence(start, end)
        if _HABIT.search(sentence):
            return Direction.HABIT
        if _FUTURE.search(sentence):
            return Direction.FUTURE
        return Direction.PAST if _PAST.search(sentence) else Direction.UNKNOWN

    def yearless(self, match: re.Match[str], in_year: Callable[[int], TimeSpan]) -> TimeSpan | None:
        """The one of the years around that a phrase without a year means."""
        direction = self.direction(*match.span())
        if direction is Direction.HABIT:
            return None
        spans = list(self._candidates(in_year))
        near = _choose(spans, self.now, Direction.UNKNOWN) if self._opens(match.start()) else None
        return near or _choose(spans, self.now, direction)

    def _opens(self, start: int) -> bool:
        """True for a phrase of when something begins, which may lie on either side of now."""
        before = self.text[max(0, start - _OPENING_CHARS_MAX) : start]
        return _OPENS.search(before) is not None

    def _candidates(self, in_year: Callable[[int], TimeSpan]) -> Iterable[TimeSpan]:
        """Eight years each way find a 29 February; others need one."""
        for year in range(self.now.year - 8, self.now.year + 9):
            try:
                yield in_year(year)
            except ValueError:
                continue

    def _sentence(self, start: int, end: int) -> str:
        before = self.text[max(0, start - _AROUND_CHARS_MAX) : start]
        after = self.text[end : end + _AROUND_CHARS_MAX]
        return (
            _END_OF_SENTENCE.split(before)[-1]
            + self.text[start:end]
            + _END_OF_SENTENCE.split(after, 1)[0]
        )


def _choose(spans: list[TimeSpan], now: datetime, direction: Direction) -> TimeSpan | None:
    if direction is Direction.PAST:
        spans = [span for span in spans if span.since <= now]
    if direction is Direction.FUTURE:
        spans = [span for span in spans if span.until > now]
    nearest = min(spans, key=lambda span: abs(span.since - now), default=None)
    if nearest is None or direction is not Direction.UNKNOWN:
        return nearest
    return nearest if abs(nearest.since - now) < _CLEARLY_NEAREST else None
