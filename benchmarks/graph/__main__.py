"""`python -m benchmarks.graph`: walks over a large graph, as a table of both backends."""

import asyncio
import json
import statistics
import sys
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from anamnesis_libs import logs
from anamnesis_libs.settings import Storage
from benchmarks.graph.run import Outcome, Plan, Walks, measured
from benchmarks.neo4j_server import running_neo4j
from tools.neo4j.install import Neo4jUnavailable

BACKENDS = ("sqlite", "neo4j")


@click.command()
@click.option("--nodes", default=20_000, show_default=True, help="Memories, and 15 % entities.")
@click.option("--edges", default=100_000, show_default=True, help="Half of them mentions.")
@click.option("--hops", default=3, show_default=True, help="Of each walk.")
@click.option("--nodes-max", default="100,500", show_default=True, help="Bounds that are walked.")
@click.option("--walks", default=200, show_default=True, help="From memories, and from entities.")
@click.option(
    "--backend",
    "backends",
    type=click.Choice(BACKENDS),
    multiple=True,
    help="One backend; without it both, one after the other.",
)
@click.option(
    "--neo4j", "uri", default="", help="A running Neo4j without a password; else one is started."
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write figures there.")
def main(
    nodes: int,
    edges: int,
    hops: int,
    nodes_max: str,
    walks: int,
    backends: Sequence[str],
    uri: str,
    json_file: Path | None,
) -> None:
    """Fill a namespace with a graph, and time Traverse from random memories and entities."""
    logs.configure("warning", "console")
    plan = Plan(nodes, edges, hops, [int(one) for one in nodes_max.split(",")], walks)
    outcomes: dict[str, Outcome] = {}
    try:
        for backend in backends or BACKENDS:
            with _storage(backend, uri) as (storage, version):
                click.echo(f"{version}: filling, then walking", err=True)
                outcomes[version] = asyncio.run(measured(plan, storage))
    except Neo4jUnavailable as failed:
        raise click.ClickException(str(failed)) from failed
    finally:
        _print(plan, outcomes)
    if json_file is not None:
        figures = {name: [_figures(one) for one in each.walks] for name, each in outcomes.items()}
        json_file.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


@contextmanager
def _storage(backend: str, uri: str) -> Iterator[tuple[Storage, str]]:
    """The storage of a backend, and the backend's name and version."""
    if backend == "sqlite":
        yield Storage(), "SQLite"
        return
    with running_neo4j(uri) as (address, version):
        # a catalogue of its own, so that a server can be used again
        catalogue = f"graph-{uuid.uuid4().hex}"
        yield Storage(backend="neo4j", neo4j_uri=address, neo4j_catalogue=catalogue), version


def _print(plan: Plan, outcomes: dict[str, Outcome]) -> None:
    table = Table(title=f"{plan.edges:,} edges, {plan.nodes:,} nodes, {plan.hops} hops")
    for heading in ("", "from", "nodes at most"):
        table.add_column(heading)
    for heading in ("p50 ms", "p95 ms", "max ms", "nodes reached", "cut short by"):
        table.add_column(heading, justify="right")
    for name, outcome in outcomes.items():
        for one in outcome.walks:
            figures = _figures(one)
            times = [f"{figures[key]:.1f}" for key in ("p50_ms", "p95_ms", "max_ms")]
            cut = ", ".join(f"{what} {count}" for what, count in sorted(one.cut.items()))
            reached = f"{figures['reached_median']:,.0f}"
            table.add_row(name, one.start, f"{one.nodes_max:,}", *times, reached, cut)
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    console.print(table)
    for name, outcome in outcomes.items():
        console.print(f"{name}: filled in {outcome.filled_s:.0f} s")


def _figures(walks: Walks) -> dict[str, float]:
    parts = statistics.quantiles(walks.taken_s, n=100)
    return {
        "p50_ms": round(parts[49] * 1000, 2),
        "p95_ms": round(parts[94] * 1000, 2),
        "max_ms": round(max(walks.taken_s) * 1000, 2),
        "reached_median": statistics.median(walks.reached),
    }


if __name__ == "__main__":
    main()
