"""any@10 by system and set, as a picture. Needs matplotlib, which the extra `bench` brings."""

import importlib.util
from pathlib import Path

import numpy as np

from benchmarks.recall.metrics import interval
from benchmarks.recall.results import SYSTEMS, RunResult

_BAR_WIDTH = 0.2
_COLOURS = ("#1f6f8b", "#c9c9c9", "#a8a8a8", "#878787")


def is_available() -> bool:
    """True if matplotlib can be imported."""
    return importlib.util.find_spec("matplotlib") is not None


def write(run: RunResult, path: Path) -> None:
    """Draw a group of bars a set, with 95 % intervals; the file's ending says its format."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    places = np.arange(len(run.sets))
    for number, system in enumerate(SYSTEMS):
        sure = [interval(result.judged[system], "any@10") for result in run.sets]
        means = [one.mean for one in sure]
        errors = [[one.mean - one.low for one in sure], [one.high - one.mean for one in sure]]
        at = places + (number - 1.5) * _BAR_WIDTH
        axes.bar(
            at, means, _BAR_WIDTH, yerr=errors, capsize=2, label=system, color=_COLOURS[number]
        )
    axes.set_xticks(places, [f"{one.name} ({one.questions} questions)" for one in run.sets])
    axes.set_ylim(0, 100)
    axes.set_ylabel("any@10, per cent")
    axes.set_title(f"An answering turn among the first ten; embedder {run.embedder}")
    axes.legend(ncols=len(SYSTEMS), loc="upper center", bbox_to_anchor=(0.5, -0.08), frameon=False)
    figure.savefig(path, dpi=150)
