"""`python -m benchmarks.speed`: each call at each size, its limit beside it, as a table."""

import asyncio
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.installation import ALL, Backend, Installation, installed
from benchmarks.options import data_option
from benchmarks.speed import limits
from benchmarks.speed.calls import Agent
from benchmarks.speed.chroma import chroma
from benchmarks.speed.talk import Talk, read_talk
from benchmarks.speed.timing import Timed
from benchmarks.stubs import stubs_of

ASKED_BARE = 200


@dataclass(slots=True)
class Figures:
    """All that was timed at one size, and what the suite took for it."""

    memories: int
    stored_s: float
    found_s: float
    resident_mib: float
    disk_mib: float
    timed: list[Timed] = field(default_factory=list)


@click.command()
@data_option("locomo-dev.json")
@click.option("--sizes", default="500,5000", show_default=True, help="Memories in one namespace.")
@click.option("--calls", default=200, show_default=True, help="Calls of each kind.")
@click.option(
    "--backend", type=click.Choice(list(Backend)), default=Backend.EMBEDDED, show_default=True
)
@click.option("--chroma", "beside", is_flag=True, help="Chroma beside it; `pip install chromadb`.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures too.")
def main(
    data_dir: Path, sizes: str, calls: int, backend: Backend, beside: bool, json_file: Path | None
) -> None:
    """Time what an agent does, one call after the other, at each size of a namespace.

    The suite runs as one process with the static model, so that the model's time is not the
    suite's. Compare within one run: another machine, or another hour, gives other figures.
    """
    talk = read_talk(data_dir)
    figures = [_at(talk, int(size), calls, backend, beside) for size in sizes.split(",")]
    for each in figures:
        _print(each)
    if json_file is not None:
        json_file.write_text(json.dumps([_document(each) for each in figures], indent=1))


def _at(talk: Talk, memories: int, calls: int, backend: Backend, beside: bool) -> Figures:
    click.echo(f"{memories:,} memories", err=True)
    with installed(backend, ALL) as installation:
        figures = asyncio.run(_suite(installation, talk, memories, calls))
    figures.timed += asyncio.run(_limits(talk, memories, beside))
    return figures


async def _suite(installation: Installation, talk: Talk, memories: int, calls: int) -> Figures:
    async with stubs_of(installation) as stubs:
        agent = Agent(stubs, talk)
        figures = Figures(memories, await agent.store(memories), await agent.catch_up(), 0, 0)
        figures.resident_mib = _resident_mib(installation.memory.pid)
        figures.disk_mib = _disk_mib(installation.memory.folder)
        address = installation.address("retrieval")
        figures.timed.append(await limits.empty_call(address, memories, calls))
        figures.timed += [each async for each in agent.calls(calls)]
        return figures


async def _limits(talk: Talk, memories: int, beside: bool) -> Sequence[Timed]:
    questions = talk.questions[:ASKED_BARE]
    model, asked = await limits.bare_model("static", memories, questions)
    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder:
        commit = limits.bare_commit(Path(folder), memories, questions)
    found = [model, limits.bare_index(memories, asked), commit]
    if beside:
        texts = [talk.turn(number)[1] for number in range(memories)]
        _, vectors = await limits.bare_model("static", memories, texts)
        found += chroma(texts, vectors, asked)
    return found


def _resident_mib(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def _disk_mib(folder: Path) -> float:
    places = (Path(at) / name for at, _, names in os.walk(folder) for name in names)
    return sum(place.stat().st_size for place in places) / 2**20


def _print(figures: Figures) -> None:
    rate = figures.memories / figures.stored_s
    title = (
        f"{figures.memories:,} memories: {rate:,.0f} stored a second, all found "
        f"{figures.found_s:.2f} s later; {figures.resident_mib:,.0f} MiB resident, "
        f"{figures.disk_mib:,.1f} MiB on the disk"
    )
    table = Table("call", "p50 ms", "p95 ms", "calls", title=title)
    for column in table.columns[1:]:
        column.justify = "right"
    for one in figures.timed:
        table.add_row(one.what, f"{one.at(0.5):.2f}", f"{one.at(0.95):.2f}", f"{len(one.taken_s)}")
    Console().print(table)


def _document(figures: Figures) -> dict[str, object]:
    calls = [
        {"call": one.what, "p50_ms": one.at(0.5), "p95_ms": one.at(0.95)} for one in figures.timed
    ]
    return {
        "memories": figures.memories,
        "stored_s": figures.stored_s,
        "found_s": figures.found_s,
        "resident_mib": figures.resident_mib,
        "disk_mib": figures.disk_mib,
        "calls": calls,
    }


if __name__ == "__main__":
    main()
