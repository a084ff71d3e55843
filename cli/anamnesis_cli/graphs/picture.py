"""The neighbourhood of an entity as a picture for a page. Needs the extra `pictures`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from anamnesis_cli.graphs.branches import Drawn, branches
from anamnesis_cli.graphs.canvas import INK, Canvas, wrapped
from anamnesis_cli.graphs.fonts import fonts_for, numbered
from anamnesis_cli.graphs.layout import STYLE, PlacedBranch, Size, placed
from anamnesis_cli.graphs.neighbourhood import VALUE, Neighbourhood
from anamnesis_cli.graphs.tree import counted

CLAIMS_MAX = 32
BESIDE_MAX = 10

_COLOURS = {
    "person": "#b5482f",
    "project": "#2f6f8f",
    "organisation": "#5b4a9a",
    "technology": "#3d7a50",
    "place": "#8a6a1f",
    "item": "#7a4a62",
    "event": "#a8427d",
    "topic": "#4b6584",
    "agent": "#1f7a7a",
    "": "#6b6b6b",
}
_UNKNOWN = "other"
_FADED = "#9a9a9a"
_THIN = "#c9c9c9"
_MARGIN_IN = 0.3
_FOOT_IN = 0.62
_HEAD_IN = 0.55
_WIDTH_MIN_IN = 8.0
_HEIGHT_MIN_IN = 4.2
_DASHED = (0, (4, 3))
_NAME_CELLS = 30
_LINES_MAX = 2
_LABEL_CELLS = 34


def draw(around: Neighbourhood, file: Path) -> list[str]:
    """Write the picture; answers what one should know about it.

    Raises:
        ImportError: matplotlib is not installed.
    """
    texts = [thing.name for thing in around.things.values()]
    texts += [claim.predicate for claim in around.claims]
    fonts = fonts_for(texts)
    shown = numbered(texts, fonts.missing)
    around = _renamed(around, shown)
    _Picture(around, branches(around, CLAIMS_MAX, BESIDE_MAX), Canvas(fonts)).write(file)
    notes = [f"in the picture {stand_in} stands for {text}" for text, stand_in in shown.items()]
    if shown:
        notes.append("no font here has these signs: pip install 'anamnesis-suite[pictures]'")
    return notes


def _renamed(around: Neighbourhood, shown: Mapping[str, str]) -> Neighbourhood:
    """The neighbourhood with drawable signs, and no predicate longer than a label."""

    def label(text: str) -> str:
        return wrapped(shown.get(text, text), _LABEL_CELLS, 1)[0]

    things = {
        key: replace(thing, name=shown.get(thing.name, thing.name))
        for key, thing in around.things.items()
    }
    claims = tuple(replace(claim, predicate=label(claim.predicate)) for claim in around.claims)
    return replace(around, centre=things[around.centre.key], things=things, claims=claims)


class _Picture:
    """A picture that is being drawn: it places everything and draws it on a canvas."""

    def __init__(self, around: Neighbourhood, drawn: Drawn, canvas: Canvas) -> None:
        self._around = around
        self._drawn = drawn
        self._canvas = canvas

    def write(self, file: Path) -> None:
        """Place everything, choose the page, draw."""
        name = "\n".join(_name_lines(self._around.centre.name))
        text = self._canvas.measure(name, STYLE.centre)
        middle = Size(text.width + 0.5, text.height + 0.42)
        rows = placed(self._drawn.branches, middle, self._canvas.measure, _name_lines)
        page = _page(rows, middle)
        self._canvas.show(*page)
        for one in rows:
            self._line(one)
            self._box(one)
        self._middle(name, middle)
        self._words(page, rows)
        self._canvas.save(file)

    def _line(self, one: PlacedBranch) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path as Curve

        (x, y), labels = one.start, one.branch.labels
        half = (one.bend_x - x) / 2
        points = [(x, y), (x + half, y), (x + half, one.y), (one.bend_x, one.y), (one.end_x, one.y)]
        codes = [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4, Curve.LINETO]
        colour = (_FADED if one.branch.over else INK) if labels else _THIN
        self._canvas.axes.add_patch(
            PathPatch(
                Curve(points, codes),
                facecolor="none",
                edgecolor=colour,
                linewidth=1.1 if labels else 0.7,
                linestyle=_DASHED if one.branch.over else "-",
                zorder=1,
            )
        )
        self._heads(one, colour)
        self._labels(one)

    def _heads(self, one: PlacedBranch, colour: str) -> None:
        """Draw arrowheads at the box for labels that lead outward, and at the bend for others."""
        step = math.copysign(0.01, one.end_x - one.bend_x)
        heads = {
            (one.end_x, -step): any(label.outward for label in one.branch.labels),
            (one.bend_x, step): any(not label.outward for label in one.branch.labels),
        }
        for (x, back), there in heads.items():
            if there:
                self._canvas.axes.annotate(
                    "",
                    (x, one.y),
                    (x + back, one.y),
                    arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0},
                )

    def _labels(self, one: PlacedBranch) -> None:
        both = len({label.outward for label in one.branch.labels}) > 1
        for at in one.labels:
            arrow = ("→ " if at.label.outward else "← ") if both else ""
            colour = _FADED if at.label.over else INK
            text = arrow + at.label.text
            self._canvas.text(at.x, at.y, text, STYLE.label, colour, ha="left", va="baseline")
            self._canvas.text(
                at.times_x, at.y, at.label.when, STYLE.times, _FADED, ha="left", va="baseline"
            )

    def _box(self, one: PlacedBranch) -> None:
        from matplotlib.patches import FancyBboxPatch

        thing, size = one.branch.thing, one.size
        is_value = thing.kind == VALUE
        colour = _FADED if is_value else _COLOURS[thing.kind]
        faded = one.branch.over or one.branch.repeated
        self._canvas.axes.add_patch(
            FancyBboxPatch(
                (one.x - size.width / 2, one.y - size.height / 2),
                size.width,
                size.height,
                boxstyle=f"round,pad=0,rounding_size={0.04 if is_value else size.height / 2}",
                facecolor="white" if is_value or one.branch.repeated else colour,
                edgecolor=colour,
                linewidth=0.9,
                alpha=0.55 if faded and not one.branch.repeated else 1.0,
                zorder=2,
            )
        )
        ink = INK if is_value else colour if one.branch.repeated else "white"
        ink = _FADED if is_value and one.branch.over else ink
        self._canvas.text(one.x, one.y, "\n".join(one.lines), STYLE.thing, ink)

    def _middle(self, name: str, size: Size) -> None:
        from matplotlib.patches import Ellipse

        colour = _COLOURS[self._around.centre.kind]
        self._canvas.axes.add_patch(
            Ellipse((0, 0), size.width, size.height, facecolor=colour, zorder=3)
        )
        self._canvas.text(0, 0, name, STYLE.centre, "white", zorder=4)

    def _words(self, page: "_Page", rows: Sequence[PlacedBranch]) -> None:
        """Title above; below the meaning of colours and lines, and what is not drawn."""
        x = page.left + _MARGIN_IN
        title = f"What is known around {self._around.centre.name}"
        self._canvas.text(x, page.top + 0.3, title, 12, ha="left")
        self._legend(x, page.bottom - 0.38, rows)
        self._canvas.text(x, page.bottom - 0.14, self._told(), 7.5, "#666666", ha="left")

    def _legend(self, x: float, y: float, rows: Sequence[PlacedBranch]) -> None:
        kinds = {self._around.centre.kind, *(one.branch.thing.kind for one in rows)}
        for kind in [kind for kind in _COLOURS if kind in kinds]:
            self._canvas.axes.plot([x + 0.06], [y], "o", color=_COLOURS[kind], markersize=7)
            word = kind or _UNKNOWN
            self._canvas.text(x + 0.18, y, word, 8, ha="left", va="center_baseline")
            x += 0.36 + self._canvas.measure(word, 8).width
        lines = (
            ("holds", INK, "-", any(not one.branch.over for one in rows if one.labels)),
            ("is over", _FADED, _DASHED, any(one.branch.over for one in rows)),
            ("mentioned together", _THIN, "-", any(not one.labels for one in rows)),
        )
        for word, colour, style, there in lines:
            if there:
                self._canvas.axes.plot(
                    [x, x + 0.3], [y, y], color=colour, linestyle=style, linewidth=1.2
                )
                self._canvas.text(x + 0.37, y, word, 8, ha="left", va="center_baseline")
                x += 0.55 + self._canvas.measure(word, 8).width

    def _told(self) -> str:
        drawn, counts = self._drawn, self._around.counts
        told = [f"mentioned {self._around.centre.mentions:,} times"]
        told += [counted(counts.items())] if counts else []
        if drawn.claims_left_out:
            told.append(f"{drawn.claims_left_out:,} more facts are not drawn")
        if drawn.beside_left_out:
            told.append(f"{drawn.beside_left_out:,} more are mentioned beside it")
        return "  ·  ".join(told)


class _Page(NamedTuple):
    """The part of the plane that is drawn."""

    left: float
    right: float
    top: float
    bottom: float


def _page(rows: Sequence[PlacedBranch], middle: Size) -> _Page:
    """The page, as large as the drawing, and not too small."""
    right = max([middle.width / 2, *(one.x + one.size.width / 2 for one in rows)])
    left = min([-middle.width / 2, *(one.x - one.size.width / 2 for one in rows)])
    bottom = max([middle.height, *(one.y + one.size.height / 2 for one in rows)])
    top = min([-middle.height, *(one.y - one.size.height / 2 for one in rows)])
    wide = max(0.0, _WIDTH_MIN_IN - (right - left) - 2 * _MARGIN_IN) / 2 + _MARGIN_IN
    tall = max(0.0, _HEIGHT_MIN_IN - (bottom - top) - _HEAD_IN - _FOOT_IN) / 2
    return _Page(left - wide, right + wide, top - tall - _HEAD_IN, bottom + tall + _FOOT_IN)


def _name_lines(name: str) -> Sequence[str]:
    return wrapped(name, _NAME_CELLS, _LINES_MAX)
