"""p50 of each call by size, as a picture. Needs matplotlib, which the extra `bench` brings."""

from collections.abc import Sequence
from pathlib import Path

from benchmarks.speed.timing import Timed


def write(timed: Sequence[Timed], path: Path) -> None:
    """Draw a line a call; the file's ending says its format."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for what in dict.fromkeys(one.what for one in timed):
        points = sorted((one.memories, one.at(0.5)) for one in timed if one.what == what)
        axes.plot(*zip(*points, strict=True), marker="o", label=what)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("memories")
    axes.set_ylabel("p50, ms")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2, frameon=False)
    figure.savefig(path, dpi=150)
