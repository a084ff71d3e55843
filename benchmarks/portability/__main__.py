"""`python -m benchmarks.portability`: a namespace from SQLite to Neo4j and back, compared."""

import asyncio
import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console

from anamnesis_cli.output import new_table
from anamnesis_libs.errors import AnamnesisError
from benchmarks.neo4j_server import running_neo4j
from benchmarks.portability.run import Journey, travel
from benchmarks.portability.suite import CommandFailed, connected
from benchmarks.recall import embedding
from benchmarks.recall.embedding import EmbedderName
from benchmarks.recall.suite import SuiteFailed, running_suite
from tools.neo4j.install import Neo4jUnavailable

_LESSONS_SHARE = 0.01
_PIPE_COLUMNS = 120


@click.command()
@click.option("--memories", default=20_000, show_default=True, help="How many to move.")
@click.option(
    "--embedder",
    type=click.Choice(embedding.NAMES),
    default="static",
    show_default=True,
    help="The model of both suites.",
)
@click.option(
    "--neo4j",
    "uri",
    default="",
    help="A running Neo4j without a password; else one is started here. What is moved stays in it.",
)
def main(memories: int, embedder: EmbedderName, uri: str) -> None:
    """Fill a suite on SQLite, move the namespace into one on Neo4j, and back.

    Each copy is verified and asked the same questions. It fails where a record, a result or a
    score is not the same.
    """
    try:
        with running_neo4j(uri) as (address, version), tempfile.TemporaryDirectory() as folder:
            storage = f'[storage]\nbackend = "neo4j"\nneo4j_uri = "{address}"\n'
            # a catalogue of its own, so that a server can be used again
            storage += f'neo4j_catalogue = "portability-{Path(folder).name}"\n'
            with running_suite(embedder) as files, running_suite(embedder, storage) as graph:
                journey = asyncio.run(_travel(files, graph, Path(folder), memories))
            _print(journey, version, embedder)
    except (SuiteFailed, AnamnesisError, CommandFailed, Neo4jUnavailable) as failed:
        raise click.ClickException(str(failed)) from failed
    if journey.differences:
        raise click.exceptions.Exit(1)


async def _travel(files: str, graph: str, folder: Path, memories: int) -> Journey:
    lessons = int(memories * _LESSONS_SHARE)
    async with connected(files) as one, connected(graph) as other:
        return await travel(one, other, folder, memories, lessons)


def _print(journey: Journey, version: str, embedder: str) -> None:
    is_terminal = sys.stdout.isatty()
    console = Console(width=None if is_terminal else _PIPE_COLUMNS, highlight=False)
    table = new_table("step", "seconds", "", title=f"SQLite, {version}, embedder {embedder}")
    for name, took_s, told in journey.steps:
        table.add_row(name, f"{took_s:.1f}", told)
    console.print(table)
    if journey.differences:
        console.print(f"NOT THE SAME: {'; '.join(journey.differences)}")
    else:
        console.print("Same records, same results in the same order, same scores.")


if __name__ == "__main__":
    main()
