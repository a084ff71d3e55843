"""Read a text into blocks: headings, code, tables, lists and prose.

The reader knows as much of Markdown as tells which lines belong together; a text without Markdown
is prose. A block is its lines, unchanged. Blank lines and rules between blocks are left out. Each
line is looked at a bounded number of times, so that the work is linear in the text's length.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from anamnesis_ingestion.intake.texts.lines import (
    Fence,
    fence_in_item,
    fence_of,
    heading_level,
    is_blank,
    is_border,
    is_field,
    is_indented,
    is_rule,
    is_separator,
    is_short,
    marker_of,
    underline_level,
)

FRONT_MATTER_LINES_MAX = 200
_FRONT_MATTER = frozenset({"---", "+++"})


class BlockKind(StrEnum):
    """The kind of a block."""

    HEADING = "heading"
    SHORT = "short"
    """A short line that stands alone: a heading, in a text without Markdown headings."""
    CODE = "code"
    TABLE = "table"
    LIST = "list"
    PROSE = "prose"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that belong together."""

    kind: BlockKind
    lines: Sequence[str]
    glued: bool = False
    """True if no blank line separates the block from the one before."""
    level: int = 0
    """The level of a heading, from 1."""
    header: int = 0
    """Number of lines of a table's header."""
    fence: Fence | None = None
    """The line that opens a block of code; a fence also ends the block if `is_closed`."""
    is_closed: bool = False

    @property
    def text(self) -> str:
        """The lines of the block, joined."""
        return "\n".join(self.lines)


def blocks_of(text: str) -> Iterator[Block]:
    """Yield the blocks of a text, in order."""
    return _Reader(text.replace("\r\n", "\n").split("\n")).blocks()


class _Reader:
    """Reads blocks off lines; `_at` is the next line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._readers = (self._heading, self._code, self._table, self._list, self._prose)

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks."""
        yield from self._front_matter()
        while True:
            before = self._at
            self._skip_empty()
            if self._at == len(self._lines):
                return
            glued = 0 < before == self._at
            yield next(filter(None, (read(glued) for read in self._readers)))

    def _skip_empty(self) -> None:
        while self._at < len(self._lines) and self._is_empty(self._at):
            self._at += 1

    def _is_empty(self, at: int) -> bool:
        """True if a line only separates blocks: it is blank, or a rule that stands alone."""
        if is_blank(self._lines[at]):
            return True
        alone = self._is_blank(at - 1) and self._is_blank(at + 1)
        return alone and is_rule(self._lines[at])

    def _is_blank(self, at: int) -> bool:
        """True for a blank line, and beyond both ends of the text."""
        return not 0 <= at < len(self._lines) or is_blank(self._lines[at])

    def _front_matter(self) -> Iterator[Block]:
        """Yield the metadata at the head of a file, between two lines of `---` or `+++`."""
        self._skip_blank_head()
        opening = self._line(self._at).rstrip()
        if opening not in _FRONT_MATTER or self._is_blank(self._at + 1):
            return
        for end in range(self._at + 1, min(self._at + FRONT_MATTER_LINES_MAX, len(self._lines))):
            if self._lines[end].rstrip() == opening:
                yield self._taken(BlockKind.PROSE, end + 1, glued=False)
                return
            if not is_field(self._lines[end]):
                return

    def _skip_blank_head(self) -> None:
        while self._at < len(self._lines) and is_blank(self._lines[self._at]):
            self._at += 1

    def _heading(self, glued: bool) -> Block | None:
        line = self._lines[self._at]
        if level := heading_level(line):
            return self._taken(BlockKind.HEADING, self._at + 1, glued, level=level)
        if is_blank(line) or self._starts_other(self._at):
            return None
        if level := underline_level(line, self._line(self._at + 1)):
            return self._taken(BlockKind.HEADING, self._at + 2, glued, level=level)
        return None

    def _code(self, glued: bool) -> Block | None:
        fence = fence_of(self._lines[self._at])
        if fence is None:
            return None
        end, is_closed = self._end_of_code(self._at, fence)
        return self._taken(BlockKind.CODE, end, glued, fence=fence, is_closed=is_closed)

    def _end_of_code(self, at: int, fence: Fence) -> tuple[int, bool]:
        """Return the end of a code block, and whether a fence closes it; if not, it is the rest."""
        for end in range(at + 1, len(self._lines)):
            if fence.is_closed_by(self._lines[end]):
                return end + 1, True
        return len(self._lines), False

    def _table(self, glued: bool) -> Block | None:
        header = self._table_header(self._at)
        if header is None:
            return None
        end = self._at + max(header, 1)
        while self._is_row(end, loosely=header > 0):
            end += 1
        return self._taken(BlockKind.TABLE, end, glued, header=header)

    def _table_header(self, at: int) -> int | None:
        """Return how many header lines the table that begins here has; None if none begins."""
        line, second = self._line(at), self._line(at + 1)
        if "|" in line and not is_blank(line) and is_separator(second):
            return 2
        if is_border(line) and self._is_row(at + 1, loosely=False):
            return 3 if is_border(self._line(at + 2)) else 0
        return 0 if _is_row(line) and _is_row(second) else None

    def _is_row(self, at: int, *, loosely: bool) -> bool:
        line = self._line(at)
        if _is_row(line):
            return True
        return loosely and "|" in line and not (heading_level(line) or fence_of(line))

    def _list(self, glued: bool) -> Block | None:
        first = self._lines[self._at]
        marker = None if is_rule(first) else marker_of(first)
        if marker is None:
            return None
        end = self._end_of_item_line(self._at)
        while (following := self._next_of_list(end)) is not None:
            end = following
        is_title = marker and self._is_short_line(end, glued)
        return self._taken(BlockKind.SHORT if is_title else BlockKind.LIST, end, glued)

    def _next_of_list(self, at: int) -> int | None:
        """Return the line after the next one of a list; None if the list ends here."""
        start = at
        while at < len(self._lines) and is_blank(self._lines[at]):
            at += 1
        if at == len(self._lines):
            return None
        line = self._lines[at]
        within = is_indented(line)
        if at > start and not within and (marker_of(line) is None or is_rule(line)):
            return None
        ends = fence_of(line) or heading_level(line) or is_rule(line)
        if not within and (ends or self._table_header(at) is not None):
            return None
        return self._end_of_item_line(at)

    def _end_of_item_line(self, at: int) -> int:
        """Return the end of a line of a list, or of the code block that begins in it."""
        fence = fence_in_item(self._lines[at])
        return at + 1 if fence is None else self._end_of_code(at, fence)[0]

    def _prose(self, glued: bool) -> Block:
        end = self._at + 1
        while not self._is_blank(end) and not self._interrupts(end):
            end += 1
        kind = BlockKind.SHORT if self._is_short_line(end, glued) else BlockKind.PROSE
        return self._taken(kind, end, glued)

    def _is_short_line(self, end: int, glued: bool) -> bool:
        """True if the block up to `end` is one short line that stands alone."""
        alone = not glued and end == self._at + 1 and self._is_blank(end)
        return alone and is_short(self._lines[self._at].strip())

    def _interrupts(self, at: int) -> bool:
        """True if another block begins here, in the middle of prose."""
        line = self._lines[at]
        return heading_level(line) > 0 or self._starts_other(at, within_prose=True)

    def _starts_other(self, at: int, *, within_prose: bool = False) -> bool:
        """True if code, a table or a list begins here; within prose a numbered list begins at 1."""
        line = self._lines[at]
        if fence_of(line) is not None or self._table_header(at) is not None:
            return True
        marker = None if is_rule(line) else marker_of(line)
        if marker is None:
            return False
        return not within_prose or not marker.isdigit() or int(marker) == 1

    def _line(self, at: int) -> str:
        return self._lines[at] if at < len(self._lines) else ""

    def _taken(
        self,
        kind: BlockKind,
        end: int,
        glued: bool,
        *,
        level: int = 0,
        header: int = 0,
        fence: Fence | None = None,
        is_closed: bool = False,
    ) -> Block:
        lines = self._lines[self._at : end]
        self._at = end
        return Block(
            kind=kind,
            lines=lines,
            glued=glued,
            level=level,
            header=header,
            fence=fence,
            is_closed=is_closed,
        )


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|") or is_border(line)
