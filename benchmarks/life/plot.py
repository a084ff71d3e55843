"""The years as pictures. Needs matplotlib, which the extra `bench` brings."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.life.year import Year

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_TIERS = {"hot": "#c8553d", "warm": "#e9b872", "cold": "#7a9cc6"}
_FATES = {"active": "#4c956c", "archived": "#e9b872", "removed": "#8d99ae"}
_WHY = {
    "young_drawer": "#7a9cc6",
    "holds_now": "#4c956c",
    "top_centrality": "#9d79bc",
    "pinned": "#c8553d",
    "validated_lesson": "#e9b872",
    "proven_procedure": "#8d99ae",
}
_SIZE = (11, 4.2)


def write(years: Sequence[Year], folder: Path) -> None:
    """Three pictures, the policies side by side: retention, tiers, and what became of memories."""
    folder.mkdir(parents=True, exist_ok=True)
    _retention(years, folder / "retention.png")
    _stacked(
        years,
        folder / "tiers.png",
        "Tiers of the active memories",
        _TIERS,
        [[look.tiers for look in year.looks] for year in years],
    )
    _stacked(
        years,
        folder / "forgetting.png",
        "What became of all that was ever stored",
        _FATES,
        [
            [
                {"active": look.active, "archived": look.archived, "removed": look.removed}
                for look in year.looks
            ]
            for year in years
        ],
    )
    _stacked(
        years,
        folder / "protected.png",
        "Memories that would have gone, by what protected them",
        _WHY,
        [[look.protected for look in year.looks] for year in years],
    )


def _retention(years: Sequence[Year], path: Path) -> None:
    """The share of active memories by tenths of retention, over the year, darker is more.

    Colours grow with the root of the share, so that the few that are well retained are seen.
    """
    from matplotlib.colors import PowerNorm

    figure, axes = _figure(len(years))
    for place, year in enumerate(years):
        shares = np.zeros((10, len(year.looks)))
        for at, look in enumerate(year.looks):
            tenths = np.sum(list(look.retention.values()), axis=0, dtype=float)
            shares[:, at] = 100 * tenths / max(tenths.sum(), 1)
        days = year.looks[-1].day
        image = axes[place].imshow(
            shares,
            origin="lower",
            aspect="auto",
            extent=(0, days, 0, 1),
            cmap="Blues",
            norm=PowerNorm(0.5, 0, 100),
        )
        axes[place].set_title(year.policy.upper())
        axes[place].set_xlabel("day")
    axes[0].set_ylabel("retention R, in tenths")
    figure.colorbar(image, ax=axes, label="share of the active memories, per cent")
    figure.suptitle("How well memories are retained")
    figure.savefig(path, dpi=130)


def _stacked(
    years: Sequence[Year],
    path: Path,
    title: str,
    colours: dict[str, str],
    counts: Sequence[Sequence[dict[str, int]]],
) -> None:
    figure, axes = _figure(len(years))
    for place, year in enumerate(years):
        days = [look.day for look in year.looks]
        names = [name for name in colours if any(name in each for all_ in counts for each in all_)]
        rows = [[each.get(name, 0) for each in counts[place]] for name in names]
        axes[place].stackplot(
            days, rows, labels=names, colors=[colours[name] for name in names], linewidth=0
        )
        axes[place].set_title(year.policy.upper())
        axes[place].set_xlabel("day")
        axes[place].set_xlim(0, days[-1])
        axes[place].grid(axis="y", alpha=0.3)
    axes[0].set_ylabel("memories")
    handles, labels = axes[0].get_legend_handles_labels()
    words = [label.replace("_", " ") for label in labels]
    figure.legend(handles, words, loc="outside lower center", ncols=len(words), frameon=False)
    figure.suptitle(title)
    figure.savefig(path, dpi=130)


def _figure(count: int) -> "tuple[Figure, Sequence[Axes]]":
    """One axes a year, with one scale."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(1, count, sharey=True, squeeze=False)[0]
