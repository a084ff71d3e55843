"""Texts that are cut to the room there is, with a mark where something is missing."""

from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from anamnesis_libs.controls import visible

_MARK = "…"
_CELLS_MIN = 16


@dataclass(frozen=True, slots=True)
class MiddleCut:
    """A cell of a table that gives up its middle: of a path, begin and end tell the most."""

    text: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """From little to all of it."""
        cells = cell_len(visible(self.text))
        return Measurement(min(cells, _CELLS_MIN), cells)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The text in one line, as wide as there is room."""
        yield Text(cut_middle(visible(self.text), options.max_width), no_wrap=True)


def cut_end(text: str, chars: int) -> str:
    """The text in so many characters at most, without its end."""
    return text if len(text) <= chars else f"{text[: chars - 1].rstrip()}{_MARK}"


def cut_middle(text: str, cells: int) -> str:
    """The text in so many cells at most; its end is kept rather than its begin."""
    if cell_len(text) <= cells:
        return text
    head = (cells - 1) // 3
    begin = set_cell_size(text, head).rstrip()
    end = set_cell_size(text[::-1], cells - 1 - head)[::-1].lstrip()
    return f"{begin}{_MARK}{end}"
