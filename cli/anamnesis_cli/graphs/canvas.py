"""A page to draw on: lengths are inches, x grows to the right and y downwards."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells

from anamnesis_cli.graphs.fonts import Fonts
from anamnesis_cli.graphs.layout import Size

if TYPE_CHECKING:
    from matplotlib.font_manager import FontProperties
    from matplotlib.patheffects import AbstractPathEffect

INK = "#222222"
_DPI = 160
_ANY_SIZE_IN = (8.0, 4.0)


class Canvas:
    """One figure of whatever size it turns out to need; texts in fonts that have their signs."""

    def __init__(self, fonts: Fonts) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._fonts = fonts
        self._figure = Figure(figsize=_ANY_SIZE_IN, dpi=_DPI)
        self._renderer = FigureCanvasAgg(self._figure).get_renderer()  # type: ignore[no-untyped-call]
        self.axes = self._figure.add_axes((0, 0, 1, 1))
        self.axes.axis("off")

    def show(self, left: float, right: float, top: float, bottom: float) -> None:
        """Say what part of the plane the page is."""
        self._figure.set_size_inches(right - left, bottom - top)
        self.axes.set_xlim(left, right)
        self.axes.set_ylim(bottom, top)

    def measure(self, text: str, points: float) -> Size:
        """The size of a text."""
        made = self._figure.text(0, 0, text, fontproperties=self._font(points), parse_math=False)
        box = made.get_window_extent(self._renderer)
        made.remove()
        return Size(box.width / _DPI, box.height / _DPI)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        points: float,
        colour: str = INK,
        ha: str = "center",
        va: str = "center",
        zorder: int = 3,
    ) -> None:
        """Write a text."""
        self.axes.text(
            x,
            y,
            text,
            ha=ha,
            va=va,
            color=colour,
            zorder=zorder,
            linespacing=1.15,
            fontproperties=self._font(points),
            path_effects=self._effects(text, colour),
            parse_math=False,
        )

    def save(self, file: Path) -> None:
        """Write the page as a PNG."""
        self._figure.savefig(file, dpi=_DPI, facecolor="white", format="png")

    def _font(self, points: float) -> "FontProperties":
        from matplotlib.font_manager import FontProperties

        return FontProperties(family=list(self._fonts.families), size=points)

    def _effects(self, text: str, colour: str) -> "list[AbstractPathEffect]":
        """The carried font for other signs is thin: its texts get an outline."""
        from matplotlib.patheffects import withStroke

        needed = self._fonts.needs_other(text)
        return [withStroke(linewidth=0.5, foreground=colour)] if needed else []


def wrapped(text: str, cells_max: int, lines_max: int) -> list[str]:
    """A text in so many lines of so many columns at most; what is cut ends in three dots.

    Words stay whole, text without spaces is cut anywhere.
    """
    lines = [""]
    for word in text.split():
        for piece in chop_cells(word, cells_max):
            longer = f"{lines[-1]} {piece}".strip()
            if cell_len(longer) <= cells_max:
                lines[-1] = longer
            else:
                lines.append(piece)
    if len(lines) > lines_max:
        last = chop_cells(lines[lines_max - 1], cells_max - 2)[0]
        lines = [*lines[: lines_max - 1], f"{last} …"]
    return lines
