"""`python -m benchmarks.clustering`: lessons sorted by topic, beside scikit-learn's methods."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from statistics import mean

import click
from rich.console import Console
from rich.table import Table

from anamnesis_cluster.clusters.thresholds import Thresholds, thresholds_of
from anamnesis_libs.settings import Clusters
from benchmarks.clustering.figures import purity, rand_index
from benchmarks.clustering.growth import assignments_a_second, worst_centroid
from benchmarks.clustering.lessons import EMBEDDERS, Embedder, Labelled, read
from benchmarks.clustering.ours import as_served, as_they_come, grouped_anew, orders
from benchmarks.clustering.peers import Method, methods

JOIN_STEPS = tuple(step / 100 for step in range(25, 80, 5))
LINK_STEPS = tuple(step / 100 for step in range(14, 40, 2))
MOVES = 10_000
MEMBERS = 50_000


@dataclass(frozen=True, slots=True)
class Row:
    """One method on one half: means over the shuffles where order matters."""

    method: str
    parameters: str
    purity: float
    rand_index: float
    clusters: float
    between_orders: float = 1.0

    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        figures = (self.purity, self.rand_index, self.between_orders)
        return (
            self.method,
            self.parameters,
            *(f"{each:.3f}" for each in figures),
            f"{self.clusters:.0f}",
        )


def _row(method: str, parameters: str, topics: Sequence[str], found: Sequence[list[str]]) -> Row:
    """The row of groupings of the same lessons in several orders."""
    return Row(
        method,
        parameters,
        mean(purity(topics, each) for each in found),
        mean(rand_index(topics, each) for each in found),
        mean(len(set(each)) for each in found),
        mean([rand_index(found[0], each) for each in found[1:]] or [1.0]),
    )


def _ours(labelled: Labelled, thresholds: Thresholds) -> Iterator[Row]:
    shuffles = orders(len(labelled.texts))
    come = [as_they_come(labelled, each, thresholds.join) for each in shuffles]
    yield _row("ours, one by one", f"join {thresholds.join:.2f}", labelled.topics, come)
    served = [as_served(labelled, each, thresholds) for each in shuffles]
    yield _row("ours, as served", "both, as it grows", labelled.topics, served)
    anew = [grouped_anew(labelled, each, thresholds) for each in shuffles]
    yield _row("ours, grouped anew", f"link {thresholds.link:.2f}", labelled.topics, anew)


def _steps(labelled: Labelled, thresholds: Thresholds) -> Iterator[Row]:
    """Ours at other thresholds, for calibration."""
    shuffles = orders(len(labelled.texts))
    for join in JOIN_STEPS:
        come = [as_they_come(labelled, each, join) for each in shuffles]
        yield _row("as they come", f"join {join:.2f}", labelled.topics, come)
    for link in LINK_STEPS:
        one = grouped_anew(labelled, shuffles[0], Thresholds(thresholds.join, link))
        yield _row("grouped anew", f"link {link:.2f}", labelled.topics, [one])


def _tuned(labelled: Labelled) -> list[Method]:
    """Each method of scikit-learn with the parameters that are best on these lessons."""

    def score(method: Method) -> float:
        return rand_index(labelled.topics, method.groups(labelled.vectors))

    by_name = groupby(methods(), key=lambda method: method.name)
    return [max(choices, key=score) for _, choices in by_name]


def _measure(embedder: Embedder, *, held: bool, steps: bool) -> dict[str, list[Row]]:
    dev = asyncio.run(read("dev", embedder))
    thresholds = thresholds_of(dev.model, Clusters())
    tuned = _tuned(dev) if find_spec("sklearn") else []
    found: dict[str, list[Row]] = {}
    for half in ("dev", "held") if held else ("dev",):
        labelled = dev if half == "dev" else asyncio.run(read(half, embedder))
        found[f"{half}, {embedder}"] = [
            *_ours(labelled, thresholds),
            *(
                _row(each.name, each.parameters, labelled.topics, [each.groups(labelled.vectors)])
                for each in tuned
            ),
        ]
    if steps:
        found[f"dev, {embedder}, by threshold"] = list(_steps(dev, thresholds))
    return found


def _print(console: Console, title: str, rows: Sequence[Row]) -> None:
    table = Table("method", "parameters", "purity", "Rand", "orders", "clusters", title=title)
    for row in rows:
        table.add_row(*row.cells())
    console.print(table)


@click.command()
@click.option("--held", is_flag=True, help="The half kept for final figures, as well.")
@click.option("--steps", is_flag=True, help="Ours by threshold, on the other half.")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), help="Write the figures here."
)
def main(*, held: bool, steps: bool, json_file: Path | None) -> None:
    """Print how well, in what order, how fast and how exactly lessons are sorted by topic."""
    console = Console(width=120)
    document: dict[str, object] = {}
    if not find_spec("sklearn"):
        console.print("scikit-learn is not here: pip install 'anamnesis[bench-clustering]'")
    for embedder in EMBEDDERS:
        for title, rows in _measure(embedder, held=held, steps=steps).items():
            _print(console, title, rows)
            document[title] = [asdict(row) for row in rows]
    for topics in (100, 2_000):
        rate = assignments_a_second(MEMBERS, topics)
        console.print(
            f"{rate:,.0f} assignments a second at {MEMBERS:,} members in {topics:,} topics"
        )
        document[f"assignments a second, {topics} topics"] = rate
    worst, removals, read_anew = worst_centroid(MOVES)
    console.print(
        f"{MOVES:,} joins and removals: centroids within {worst:.1e} of the exact means; "
        f"{read_anew} of {removals} removals read the members"
    )
    document["centroids"] = {"worst": worst, "removals": removals, "read": read_anew}
    if json_file is not None:
        json_file.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
