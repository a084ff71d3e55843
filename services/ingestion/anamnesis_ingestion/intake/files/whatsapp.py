"""Chats that WhatsApp exports as text: a line a message, or several where the message has them.

    [14/03/2024, 09:26:53] Mara: The gate is open        (iOS)
    3/14/24, 9:26 AM - Tomas: Then close it              (Android)
    3/14/24, 9:27 AM - Tomas left                        (nobody says it)

Rules of this file:
- A line that begins with a time begins a message; any other goes on with the one before.
- The order of day and month is the telephone's: it is found out from all times of the file. Where
  they leave it open, it is the order in which time runs on more often, else the day first, or the
  month with a clock of twelve hours.
- All people speak as `user` under their names. What the app tells (who joined, that an image was
  left out) has the system's role; it stands without a speaker, behind a mark, or in brackets.
- Times name no zone: they are those of the telephone's clock, wherever it was.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from anamnesis_ingestion.model import Role, SourceEvent
from anamnesis_libs.errors import invalid_field

_MARKS = re.compile("[\u200e\u200f\u202a-\u202c\ufeff]")
_OF_THE_APP = "\u200e"
_DATE = r"(\d{1,4})([./-])(\d{1,2})[./-](\d{1,4})"
_HALF = r"[ap]\.?[ \u00a0\u202f]?m\.?|上午|下午|午前|午後|오전|오후"
_CLOCK = (
    rf"(?:({_HALF})[ \u00a0\u202f]?)?(\d{{1,2}})[:.](\d{{2}})(?:[:.](\d{{2}}))?"
    rf"(?:[ \u00a0\u202f]?({_HALF}))?"
)
_GAP = r"(?:,|،)?[ \u00a0\u202f](?:\w{1,4} )?"
_HEAD = re.compile(
    rf"[\u200e\u200f\u202a]*(?:\[{_DATE}{_GAP}{_CLOCK}\] |{_DATE}{_GAP}{_CLOCK} [-–] )",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"[\u200e\u200f~ \u202f]*([^:\n]{1,100}): ?")
_BRACKETED = re.compile(r"<[^<>\n]{1,200}>\Z")
_MONTHS, _DAYS = 12, 31
_AFTERNOON = ("p", "下", "午後", "오후")
HEAD_BYTES = 96
"""So much tells a chat from other files."""


class _Order(Enum):
    DAY_FIRST = auto()
    MONTH_FIRST = auto()
    YEAR_FIRST = auto()


@dataclass(frozen=True, slots=True)
class _Stamp:
    """A time as written: the three numbers of its date in their order."""

    date: tuple[int, int, int]
    dotted: bool
    half: str
    clock: tuple[int, int, int]

    def time(self, order: _Order) -> datetime | None:
        """The time, None where there is no such day."""
        first, second, third = self.date
        match order:
            case _Order.YEAR_FIRST:
                year, month, day = first, second, third
            case _Order.MONTH_FIRST:
                month, day, year = first, second, third
            case _Order.DAY_FIRST:
                day, month, year = first, second, third
        hour, minute, second_of = self.clock
        if self.half:
            hour = hour % 12 + (12 if self.half.lower().startswith(_AFTERNOON) else 0)
        year = year + 2000 if year < 100 else year
        try:
            return datetime(year, month, day, hour, minute, second_of)  # noqa: DTZ001 see above
        except ValueError:
            return None


def is_whatsapp(head: str) -> bool:
    """True if a text begins as an exported chat does."""
    return _HEAD.match(head.lstrip()) is not None


def read_whatsapp(held: bytearray) -> Iterator[SourceEvent]:
    """Yield the messages of a chat, each at the line where it begins.

    Raises:
        InvalidArgument: it is not UTF-8 (DOCUMENT_UNREADABLE); before the first message.
    """
    try:
        order = _order(stamp for line in _lines(held) if (stamp := _stamp(line)))
    except UnicodeDecodeError as error:
        raise invalid_field(
            "chunk",
            "the chat is not UTF-8 text: write it in UTF-8; nothing was stored",
            reason="DOCUMENT_UNREADABLE",
        ) from error
    message: list[str] = []
    begun = 0
    for number, line in enumerate(_lines(held), start=1):
        if _stamp(line):
            yield from _event(message, begun, order)
            message, begun = [], number
        message.append(line)
    yield from _event(message, begun, order)


def _lines(held: bytearray) -> Iterator[str]:
    start = 0
    while start < len(held):
        end = held.find(b"\n", start)
        end = len(held) if end < 0 else end
        yield held[start:end].decode().removeprefix("\ufeff").removesuffix("\r")
        start = end + 1


def _event(lines: list[str], number: int, order: _Order) -> Iterator[SourceEvent]:
    head = _HEAD.match(lines[0]) if lines else None
    stamp = _stamp(lines[0]) if lines else None
    if head is None or stamp is None:
        return
    said = lines[0][head.end() :]
    speaker = _SPEAKER.match(said)
    first = said[speaker.end() :] if speaker else said
    content = _MARKS.sub("", "\n".join([first, *lines[1:]])).strip()
    by_app = speaker is None or first.startswith(_OF_THE_APP) or _BRACKETED.match(content)
    yield SourceEvent(
        role=Role.SYSTEM if by_app else Role.USER,
        name=_MARKS.sub("", speaker[1]).strip() if speaker else "",
        content=content,
        source_line=number,
        event_time=stamp.time(order),
    )


def _stamp(line: str) -> _Stamp | None:
    head = _HEAD.match(line)
    if head is None:
        return None
    first, mark, second, third, before, hour, minute, seconds, behind = (
        head.groups()[:9] if head[1] else head.groups()[9:]
    )
    return _Stamp(
        (int(first), int(second), int(third)),
        mark == ".",
        before or behind or "",
        (int(hour), int(minute), int(seconds or 0)),
    )


def _order(stamps: Iterable[_Stamp]) -> _Order:
    """Return the order of day and month in the dates of one file."""
    firsts, seconds, american = 0, 0, False
    backwards, before = Counter[_Order](), dict[_Order, datetime]()
    for stamp in stamps:
        firsts, seconds = max(firsts, stamp.date[0]), max(seconds, stamp.date[1])
        american = american or (bool(stamp.half) and not stamp.dotted)
        for order in (_Order.DAY_FIRST, _Order.MONTH_FIRST):
            time = stamp.time(order)
            if time is not None:
                backwards[order] += time < before.get(order, time)
                before[order] = time
    if firsts > _MONTHS or seconds > _MONTHS:
        return _told_order(firsts)
    if backwards[_Order.DAY_FIRST] != backwards[_Order.MONTH_FIRST]:
        return min((_Order.DAY_FIRST, _Order.MONTH_FIRST), key=backwards.__getitem__)
    return _Order.MONTH_FIRST if american else _Order.DAY_FIRST


def _told_order(firsts: int) -> _Order:
    """Return the order that a number beyond the months gives away."""
    if firsts > _DAYS:
        return _Order.YEAR_FIRST
    return _Order.DAY_FIRST if firsts > _MONTHS else _Order.MONTH_FIRST
