"""`python -m benchmarks.capacity`: measure costs, add a fleet up, see what moves."""

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.capacity import costs as kept
from benchmarks.capacity import ring
from benchmarks.capacity.fleet import Load, parts
from benchmarks.capacity.measure import measure
from benchmarks.capacity.moves import rounds
from benchmarks.options import data_option
from benchmarks.speed.talk import read_talk


@click.group()
def main() -> None:
    """Say what a fleet takes: `fleet` adds it up, `measure` and `moves` run the real thing."""


@main.command("fleet")
@click.option("--costs", "file", type=click.Path(path_type=Path), default=kept.MEASURED)
@click.option("--users", default=100_000, show_default=True)
@click.option("--memories", default=10_000, show_default=True, help="Of each user.")
@click.option("--open-share", default=0.05, show_default=True, help="Users of one hour.")
@click.option("--searches", default=500.0, show_default=True, help="A second, at the peak.")
@click.option("--events", default=100.0, show_default=True, help="Appended a second.")
@click.option("--replica-gib", default=32.0, show_default=True, help="Memory of a replica.")
@click.option("--replica-cores", default=8.0, show_default=True)
def fleet(
    file: Path,
    users: int,
    memories: int,
    open_share: float,
    searches: float,
    events: float,
    replica_gib: float,
    replica_cores: float,
) -> None:
    """Print the replicas of each service, their cores, memory and disk."""
    load = Load(users, memories, open_share, searches, events, replica_gib, replica_cores)
    costs = kept.read(file)
    rows = [
        (
            one.name,
            one.replicas,
            f"{one.cores:.1f}",
            f"{one.memory_gib:,.1f}",
            f"{one.disk_gib:,.1f}",
        )
        for one in parts(costs, load)
    ]
    title = f"{users:,} users of {memories:,} memories, {open_share:.0%} of them open"
    _print(title, ("part", "replicas", "cores busy", "memory GiB", "disk GiB"), rows)
    replicas = int(rows[0][1])
    _moves(replicas, round(users * open_share))


@main.command("measure")
@data_option("locomo-dev.json")
@click.option("--namespaces", default=200, show_default=True)
@click.option("--large", default=5_000, show_default=True, help="Memories of one more.")
@click.option("--searches", default=500, show_default=True)
@click.option("--json", "json_file", type=click.Path(path_type=Path), required=True)
def measured(data_dir: Path, namespaces: int, large: int, searches: int, json_file: Path) -> None:
    """Measure what each part costs; four processes on Neo4j, some minutes."""
    kept.write(json_file, measure(read_talk(data_dir), namespaces, large, searches))
    click.echo(json_file.read_text())


@main.command("moves")
@data_option("locomo-dev.json")
@click.option("--namespaces", default=60, show_default=True)
@click.option("--memories", default=200, show_default=True, help="Of each.")
def moved(data_dir: Path, namespaces: int, memories: int) -> None:
    """Have a replica come and one go, and count the searches that found a cold index."""
    rows = [
        (
            one.change,
            one.asked,
            f"{one.cold / one.asked:.0%}",
            f"{one.warm_ms:.1f}",
            f"{one.cold_ms:.1f}",
        )
        for one in rounds(read_talk(data_dir), namespaces, memories)
    ]
    heads = ("replicas", "searches", "cold", "warm p50 ms", "cold p50 ms")
    _print(f"{namespaces} namespaces of {memories} memories", heads, rows)


def _moves(replicas: int, open_namespaces: int) -> None:
    rows = []
    for after in (replicas + 1, max(replicas - 1, 1)):
        for each in (1, 10):
            told = ring.change(replicas, after, open_namespaces, each * open_namespaces)
            shares = (told.moved_share, told.fullest_share, told.cold_share)
            rows.append((f"{replicas} to {after}", each, *(f"{share:.1%}" for share in shares)))
    heads = ("replicas", "searches each", "moved", "with the fullest", "cold searches")
    _print(f"{open_namespaces:,} open namespaces on the ring", heads, rows)


def _print(title: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    table = Table(*heads, title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        table.add_row(*map(str, row))
    Console().print(table)


if __name__ == "__main__":
    main()
