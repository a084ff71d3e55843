"""The layout of the picture: the middle, and branches to both sides in columns and rows.

Every thing has a row of its own, and every label a place on the level part of its line, so that
nothing can overlap. Lengths are inches; x grows to the right and y downwards from the middle.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from anamnesis_cli.graphs.branches import Branch, Label

ROW_GAP = 0.1
BEND = 0.55
"""The width in which a line bends from one thing to the row of another."""

LABEL_PAD = 0.12
BOX_PAD = 0.09
TIMES_GAP = 0.08


class Size(NamedTuple):
    """The size of a text or a box."""

    width: float
    height: float


Measure = Callable[[str, float], Size]
"""The size of a text at a size in points."""


@dataclass(frozen=True, slots=True)
class Style:
    """Sizes of letters, in points."""

    centre: float = 12.5
    thing: float = 9.5
    label: float = 8.0
    times: float = 7.0


STYLE = Style()


@dataclass(frozen=True, slots=True)
class LabelAt:
    """A label on a line; x is its left end, y the bottom of its letters."""

    label: Label
    x: float
    y: float
    times_x: float


@dataclass(frozen=True, slots=True)
class PlacedBranch:
    """A thing in its row, with its line.

    Args:
        branch: what it is.
        lines: its name in lines that fit.
        x: the middle of its box, as y is.
        size: of its box.
        start: where its line leaves what it hangs from.
        bend_x: where its line is level from.
        end_x: where its line meets the box.
        labels: on the level part.
    """

    branch: Branch
    lines: tuple[str, ...]
    x: float
    y: float
    size: Size
    start: tuple[float, float]
    bend_x: float
    end_x: float
    labels: tuple[LabelAt, ...]


@dataclass(slots=True)
class _Row:
    """A branch with all that its place depends on."""

    branch: Branch
    lines: tuple[str, ...]
    size: Size
    label_width: float
    label_height: float
    rows: list["_Row"] = field(default_factory=list)

    @property
    def own_height(self) -> float:
        """The height of the box and of the labels above its middle."""
        return max(self.size.height, 2 * self.label_height) + ROW_GAP

    @property
    def height(self) -> float:
        """The height with all that hangs from the row."""
        return max(self.own_height, sum(row.height for row in self.rows))


def placed(
    branches: Sequence[Branch], centre: Size, measure: Measure, wrap: Callable[[str], Sequence[str]]
) -> list[PlacedBranch]:
    """All branches, the first on the right until that is half of all, the rest on the left."""
    rows = [_row(branch, measure, wrap) for branch in branches]
    half = sum(row.height for row in rows) / 2
    right: list[_Row] = []
    left: list[_Row] = []
    for row in rows:
        full = sum(one.height for one in right) + row.height / 2 > half
        (left if right and full else right).append(row)
    found: list[PlacedBranch] = []
    for side, ofside in ((1, right), (-1, left)):
        _place(ofside, side, (side * centre.width / 2, 0.0), 0.0, measure, found)
    return found


def _row(branch: Branch, measure: Measure, wrap: Callable[[str], Sequence[str]]) -> _Row:
    lines = tuple(wrap(branch.thing.name))
    text = measure("\n".join(lines), STYLE.thing)
    widths = [_label_width(label, measure) for label in branch.labels]
    line_height = measure("Ág", STYLE.label).height + 0.04
    return _Row(
        branch,
        lines,
        Size(text.width + 2 * BOX_PAD, text.height + 2 * BOX_PAD),
        max(widths, default=0.25) + 2 * LABEL_PAD,
        line_height * len(branch.labels),
        [_row(child, measure, wrap) for child in branch.children],
    )


def _label_width(label: Label, measure: Measure) -> float:
    width = measure(label.text, STYLE.label).width
    return width + (TIMES_GAP + measure(label.when, STYLE.times).width if label.when else 0.0)


def _place(
    rows: Sequence[_Row],
    side: int,
    start: tuple[float, float],
    middle: float,
    measure: Measure,
    found: list[PlacedBranch],
) -> None:
    """Rows of one thing, on one side, around the height of that."""
    if not rows:
        return
    bend_x = start[0] + side * BEND
    box_x = bend_x + side * max(row.label_width for row in rows)
    top = middle - sum(row.height for row in rows) / 2
    for row in rows:
        y = top + row.height / 2
        top += row.height
        x = box_x + side * row.size.width / 2
        labels = tuple(_labels(row, side, bend_x, y, measure))
        found.append(
            PlacedBranch(row.branch, row.lines, x, y, row.size, start, bend_x, box_x, labels)
        )
        outer = box_x + side * row.size.width, y
        _place(row.rows, side, outer, y, measure, found)


def _labels(row: _Row, side: int, bend_x: float, y: float, measure: Measure) -> Iterable[LabelAt]:
    """One above the other, the last just above the line."""
    if not row.branch.labels:
        return
    step = row.label_height / len(row.branch.labels)
    for place, label in enumerate(reversed(row.branch.labels)):
        width = _label_width(label, measure)
        x = bend_x + LABEL_PAD if side > 0 else bend_x - LABEL_PAD - width
        times_x = x + measure(label.text, STYLE.label).width + TIMES_GAP
        yield LabelAt(label, x, y - 0.04 - place * step, times_x)
