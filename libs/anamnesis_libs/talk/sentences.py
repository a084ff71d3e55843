"""A text as the units that are shown whole: sentences of prose, lines of lists, tables and code.

What a unit cannot be understood without is its *lead*: the line before it that ends in a colon or
is a label in bold, the header of its table, the fence that names the language of its code. Linear
in the text's length.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import zip_longest

SENTENCE_CHARS_MAX = 600
"""A longer one is parted at its commas or words."""

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[.!?…][\"'”’)\]])\s+|(?<=[。！？；])")
_ASCII_SENTENCE_END = re.compile(r"\s(?:(?<=[.!?]\s)|(?<=[.!?][\"')\]]\s))\s*")
"""The same in plain ASCII, where it looks at white space alone: three times as fast."""
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|No|e\.g|i\.e|etc|approx|p\.m|a\.m)\.$"
)
_OPENING = re.compile(
    r"\s{0,12}(?:(?:[-*+•]|\d{1,3}[.)、])\s*)?(?:\*\*[^*\n]{1,200}\*\*[.!?。]?|\*\*[^*\n]{1,200}[.!?。]\*\*)?$"
)
"""The number of an item, a label in bold: what opens a line, and says nothing by itself."""
_ITEM = re.compile(
    r"\s{0,12}(?:[-*+•]|\d{1,3}[.)、])\s+\S|\s{0,12}[（(]?[一二三四五六七八九十\d]{1,3}[)）、]\S"
)
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_STRUCTURED = re.compile(r"\s{0,3}(?:#{1,6}\s|\||```|~~~)")
_BEGINS = re.compile(
    r"\s{0,3}(?:#{1,6}\s|\||```|~~~)|\s{0,12}(?:[-*+•]|\d{1,3}[.)、])\s|\s{0,12}[（(]?[一二三四五六七八九十]"
)
_PLAIN = re.compile(r"\s{0,12}[A-Za-z]")
"""Opens a line that is prose, unless it stands in code or above a rule."""
_LABEL = re.compile(r"\*\*[^*]+\*\*$|__[^_]+__$")
"""A label in bold, which leads what follows."""
_ENDS = (".", "!", "?", ":", ";", "。", "！", "？", "：", "；", "…")
WRAPPED_CHARS_MIN = 60
"""A shorter line was ended by who wrote it, not by an editor."""
_RULER = re.compile(r"[\s:|-]{3,}$")
_UNDERLINE = re.compile(r"\s{0,3}(=|-|~|\^)\1{2,}\s*$")
"""A line that makes a heading of the line above it."""


class UnitKind(StrEnum):
    """The form of a unit in its text."""

    PROSE = "prose"
    LINE = "line"
    """A list item, a row of a table, a line of code: shown on a line of its own."""
    HEADING = "heading"
    MARK = "mark"
    """A fence or the ruler of a table: shown only with what it belongs to."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence or a line; `leads` are the numbers of the units it is shown with."""

    text: str
    kind: UnitKind
    leads: tuple[int, ...] = ()


def units_of(text: str, item_chars_max: int = SENTENCE_CHARS_MAX) -> list[Unit]:
    """The units of a text, in order; none where it is blank.

    A list item longer than `item_chars_max` is parted into its sentences.
    """
    return list(_Reader(item_chars_max).read(text))


def lines_of(text: str) -> list[Unit]:
    """Each line of a text as a unit: what a program printed has no sentences.

    A line is shown with the heading above it, with the line that ends in a colon under which it is
    a list item or stands further in, and an item of a list with the item that it stands under.
    """
    return list(_LineReader().read(text))


class _LineReader:
    """Reads what a program printed; remembers the lines that lead the next one."""

    def __init__(self) -> None:
        self._count = 0
        self._heading: int | None = None
        self._colon: tuple[int, int] | None = None
        """Its number and its indentation."""
        self._item: tuple[int, int] | None = None

    def read(self, text: str) -> Iterator[Unit]:
        for line in text.splitlines():
            parts = _bounded(line.rstrip()) if len(line) > SENTENCE_CHARS_MAX else (line.rstrip(),)
            leads = self._leads(line)
            for part in parts:
                yield Unit(part, UnitKind.LINE, leads)
                self._count += 1

    def _leads(self, line: str) -> tuple[int, ...]:
        """The leads of a line, which may itself lead those below it."""
        if not line.strip():
            return ()
        indentation = len(line) - len(line.lstrip())
        if _HEADING.match(line):
            self._heading, self._colon, self._item = self._count, None, None
            return ()
        item = self._item_above(line, indentation)
        if self._colon is not None and not (indentation > self._colon[1] or _ITEM.match(line)):
            self._colon = None
        held = (self._heading, self._colon[0] if self._colon else None, item)
        if line.rstrip().endswith((":", "：")):
            self._colon = (self._count, indentation)
        return tuple(dict.fromkeys(number for number in held if number is not None))

    def _item_above(self, line: str, indentation: int) -> int | None:
        """The item of a list under which a line is an item; another may itself have some below."""
        is_item = _ITEM.match(line) is not None
        if self._item is not None and indentation > self._item[1]:
            return self._item[0] if is_item else None
        self._item = (self._count, indentation) if is_item else None
        return None


class _Reader:
    """Reads line by line; remembers what leads the next one."""

    def __init__(self, item_chars_max: int) -> None:
        self._item_chars_max = item_chars_max
        self._count = 0
        self._colon: int | None = None
        self._header: int | None = None
        self._fence: int | None = None
        self._underlined = False

    def read(self, text: str) -> Iterator[Unit]:
        before = ""
        lines = list(_unwrapped(text.splitlines()))
        for line, following in zip_longest(lines, lines[1:], fillvalue=""):
            titled = not before.strip() and self._fence is None and _is_title(line, following)
            for unit in self._titled(line) if titled else self._line(line):
                yield unit
                self._count += 1
            self._underlined, before = titled, line

    def _titled(self, line: str) -> Iterator[Unit]:
        """A heading that the next line underlines."""
        self._colon = self._header = None
        yield Unit(line.strip(), UnitKind.HEADING)

    def _line(self, line: str) -> Iterator[Unit]:
        if self._underlined:
            yield Unit(line.strip(), UnitKind.MARK)
        elif self._fence is None and _PLAIN.match(line):
            yield from self._at_prose(line)
        else:
            yield from self._marked(line)

    def _marked(self, line: str) -> Iterator[Unit]:
        """A line that may open with a mark."""
        if _FENCE.match(line):
            yield from self._at_fence(line)
        elif self._fence is not None:
            yield Unit(line.rstrip(), UnitKind.LINE, self._leads(self._fence))
        elif not line.strip():
            self._header = None
        elif _HEADING.match(line):
            self._colon = self._header = None
            yield Unit(line.strip(), UnitKind.HEADING)
        elif line.lstrip().startswith("|"):
            yield from self._at_row(line)
        elif _ITEM.match(line):
            self._header = None
            yield from self._parted(line.rstrip(), UnitKind.LINE)
        else:
            yield from self._at_prose(line)

    def _at_fence(self, line: str) -> Iterator[Unit]:
        if self._fence is None:
            opening = Unit(line.rstrip(), UnitKind.MARK, self._leads())
            self._fence = self._count
            yield opening
        else:
            self._fence = None
            yield Unit(line.rstrip(), UnitKind.MARK)

    def _at_row(self, line: str) -> Iterator[Unit]:
        if _RULER.match(line):
            yield Unit(line.strip(), UnitKind.MARK)
        elif self._header is None:
            header = Unit(line.strip(), UnitKind.LINE, self._leads())
            self._header = self._count
            yield header
        else:
            yield Unit(line.strip(), UnitKind.LINE, self._leads(self._header))

    def _at_prose(self, line: str) -> Iterator[Unit]:
        self._header = None
        for sentence in _sentences(line.strip()):
            introduced = self._colon is not None and self._colon == self._count - 1
            unit = Unit(sentence, UnitKind.PROSE, self._leads() if introduced else ())
            self._colon = self._count if _leads(sentence) else None
            yield unit

    def _parted(self, line: str, kind: UnitKind) -> Iterator[Unit]:
        if len(line) <= self._item_chars_max:
            yield Unit(line, kind, self._leads())
            return
        for number, part in enumerate(_sentences(line)):
            yield Unit(part, kind if not number else UnitKind.PROSE, self._leads())

    def _leads(self, *nearer: int) -> tuple[int, ...]:
        held = (self._colon, *nearer)
        return tuple(number for number in held if number is not None)


def _unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Lines, those joined that an editor had broken: a long one that ends no sentence goes on."""
    held: list[str] = []
    fenced = False
    for line in lines:
        if held and (fenced or not _goes_on(held[-1], line)):
            yield " ".join(held)
            held = []
        if _FENCE.match(line):
            fenced = not fenced
        held.append(line if not held else line.strip())
    if held:
        yield " ".join(held)


def _is_title(line: str, following: str) -> bool:
    """True for a line of text that the next line underlines."""
    if _UNDERLINE.match(following) is None or not line.strip():
        return False
    return not (_BEGINS.match(line) or _UNDERLINE.match(line))


def _goes_on(line: str, following: str) -> bool:
    """True where the next line is a part of this one's sentence, or of its list item."""
    if len(line) < WRAPPED_CHARS_MIN or not following.strip() or line.endswith(_ENDS):
        return False
    if _UNDERLINE.match(following):
        return False
    return _STRUCTURED.match(line) is None and _BEGINS.match(following) is None


def _sentences(line: str) -> Iterator[str]:
    """The sentences of a line; a dot that shortens a word, opens it, or is of code, ends none."""
    held = ""
    ends = _ASCII_SENTENCE_END if line.isascii() else _SENTENCE_END
    for part in ends.split(line):
        held = f"{held} {part}" if held else part
        if held and not (len(held) < SENTENCE_CHARS_MAX and _is_open(held)):
            yield from _bounded(held)
            held = ""
    yield from _bounded(held)


def _leads(sentence: str) -> bool:
    """True for a sentence that leads what follows: it ends in a colon, or is a label in bold."""
    return sentence.endswith((":", "：")) or _LABEL.match(sentence) is not None


def _is_open(held: str) -> bool:
    """True where the dot at the end shortens a word, opens the line, or is inside quoted code."""
    if _ABBREVIATION.search(held[-12:]) or held.count("`") % 2 == 1:
        return True
    return _OPENING.match(held) is not None


def _bounded(sentence: str) -> Iterator[str]:
    """A sentence in parts of at most so many characters."""
    for start in range(0, len(sentence), SENTENCE_CHARS_MAX):
        yield sentence[start : start + SENTENCE_CHARS_MAX].strip()
