"""Recognise one line of Markdown: heading, fence, rule, list item, table row.

Each check reads a line once, so that its cost grows with the line's length and no faster.
"""

import re
from dataclasses import dataclass

SHORT_CHARS_MAX = 80
FENCE_CHARS_MAX = 200
"""A longer line opens no code block: each part of a code block repeats the line."""

HEADING_CHARS_MAX = 500
"""A longer line is prose."""

_INDENTATION_MIN = 2
_LEVEL_MAX = 6
_FENCE_MIN = 3
_RULE_MIN = 3
_MARKER_CHARS_MAX = 40
_SENTENCE_ENDS = ".!?。！？…"
_GOING_ON = ",;，；、–—-"
_NO_TITLE = (">", "<", "![", "|")
_MARKER = re.compile(r"[ \t]*(?:[-*+•‣◦]|(?P<number>[0-9]{1,9})[.)])(?:[ \t]|$)")
_FIELD = re.compile(r"[\w\"'][\w\"' .-]{0,80}[:=]|[ \t#\]})-]")
_UNDERLINES = {"=": 1, "-": 2, "~": 3}
_UNDERLINE_MIN = 2
_TILDES_MIN = 4


@dataclass(frozen=True, slots=True)
class Fence:
    """The line that opens a code block."""

    line: str
    mark: str
    indentation: str

    def is_closed_by(self, line: str) -> bool:
        """True if a line closes this code block: only the same marks, at least as many."""
        marks = line.strip()
        return len(marks) >= len(self.mark) and not marks.strip(self.mark[0])


def is_blank(line: str) -> bool:
    """True if a line is empty or white space."""
    return not line or line.isspace()


def is_indented(line: str) -> bool:
    """True if a line is indented by a tab or two spaces."""
    return line.startswith((" " * _INDENTATION_MIN, "\t"))


def is_field(line: str) -> bool:
    """True if a line may be part of front matter: `key: value`, or more of a value."""
    return is_blank(line) or _FIELD.match(line) is not None


def is_short(line: str) -> bool:
    """True if a line is short and no sentence, so that it may head what follows."""
    ends = line[-1] in _SENTENCE_ENDS or leads_on(line)
    return len(line) <= SHORT_CHARS_MAX and not ends


def is_titled(line: str) -> bool:
    """True if a line can serve as a title: it has words, and is no quote, image, tag or row.

    A line that ends in a comma is a salutation or a part of a sentence.
    """
    begins = any(map(str.isalnum, line)) and not line.startswith(_NO_TITLE)
    return begins and line[-1] not in _GOING_ON


def leads_on(text: str) -> bool:
    """True if a text ends in a colon, so that what follows belongs to it."""
    return text.rstrip(" \t\n*_").endswith((":", "："))


def breaks_off(text: str) -> bool:
    """True if the last sentence of a text has no end: a list or table may complete it."""
    return text[-1:].isalnum() or text[-1:] in _GOING_ON


def heading_level(line: str) -> int:
    """Return the level of a heading marked by `#`; 0 for any other line."""
    level = len(line) - len(line.lstrip("#"))
    marked = 0 < level <= _LEVEL_MAX and len(line) <= HEADING_CHARS_MAX
    return level if marked and line[level : level + 1] in {"", " ", "\t"} else 0


def underline_level(title: str, line: str) -> int:
    """Return the level of a title that the next line underlines; 0 if it does not.

    Dashes under a full sentence are a rule. Tildes open a code block, unless they are as long as
    the title.
    """
    marks = line.strip()
    level = _UNDERLINES.get(marks[:1], 0)
    if not level or len(marks) < _UNDERLINE_MIN or marks.strip(marks[0]):
        return 0
    title = title.strip()
    if len(title) > HEADING_CHARS_MAX:
        return 0
    if marks[0] == "~":
        return level if len(marks) >= _TILDES_MIN and abs(len(marks) - len(title)) <= 1 else 0
    return (
        level if is_titled(title) and not (marks[0] == "-" and title[-1] in _SENTENCE_ENDS) else 0
    )


def fence_of(line: str) -> Fence | None:
    """Return the fence that a line opens a code block with; None for any other line."""
    marks = line.lstrip(" \t")
    if marks[:1] not in {"`", "~"} or len(line) > FENCE_CHARS_MAX:
        return None
    rest = marks.lstrip(marks[0])
    count = len(marks) - len(rest)
    if count < _FENCE_MIN or (marks[0] == "`" and "`" in rest):
        return None
    return Fence(line, marks[:count], line[: len(line) - len(marks)])


def is_rule(line: str) -> bool:
    """True if a line is a rule across the text: dashes, stars or the like."""
    marks = set(line) - {" ", "\t"}
    if len(marks) != 1 or not marks <= set("-*_=#"):
        return False
    return line.count(marks.pop()) >= _RULE_MIN


def is_separator(line: str) -> bool:
    """True if a line separates a table's header from its rows, such as `|---|:-:|`."""
    marks = set(line.strip())
    return bool(marks) and marks <= set("|:-+= \t") and "-" in marks and bool(marks & {"|", "+"})


def is_border(line: str) -> bool:
    """True if a line is a table's border, such as `+----+----+`."""
    marks = line.strip()
    return marks.startswith("+-") and is_separator(marks) and marks.endswith("+")


def marker_of(line: str) -> str | None:
    """Return the number of a list item, "" for a bullet; None if a line begins no item."""
    found = _MARKER.match(line[:_MARKER_CHARS_MAX])
    return None if found is None else found["number"] or ""


def fence_in_item(line: str) -> Fence | None:
    """Return the fence that opens a code block in a list: in a line, or right behind a marker."""
    found = _MARKER.match(line[:_MARKER_CHARS_MAX])
    if found is not None:
        return fence_of(line[found.end() :])
    return fence_of(line) if is_indented(line) else None
