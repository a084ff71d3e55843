"""`python -m benchmarks.speed`: each call at each size, its limit beside it, as a table."""

import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.capacity.processes import core_s, resident_mib, size_kib
from benchmarks.capacity.users import Users
from benchmarks.installation import ALL, Backend, Installation, installed
from benchmarks.options import data_option
from benchmarks.speed import limits, plot
from benchmarks.speed.calls import Agent
from benchmarks.speed.chroma import chroma
from benchmarks.speed.crowd import crowd
from benchmarks.speed.fleets import MEMORIES, fill, visit
from benchmarks.speed.talk import Talk, read_talk
from benchmarks.speed.timing import Timed
from benchmarks.stubs import stubs_of

ASKED_BARE = 200
CASES = ("idle", "calls", "crowds", "restart", "limits")
CROWDS = (1, 16, 64)
SETTLED_S, IDLE_S = 5.0, 30.0


@dataclass(slots=True)
class Figures:
    """All that was timed at one size, and what the suite took for it."""

    memories: int
    stored_s: float
    found_s: float
    resident_mib: float
    disk_mib: float
    new: int = 0
    """Stored in this step, where others were there before; 0: all."""
    facts: dict[str, float] = field(default_factory=dict)
    timed: list[Timed] = field(default_factory=list)


@click.command()
@data_option("locomo-dev.json")
@click.option("--sizes", default="500,5000", show_default=True, help="Memories in one namespace.")
@click.option("--calls", default=200, show_default=True, help="Calls of each kind.")
@click.option(
    "--backend", type=click.Choice(list(Backend)), default=Backend.EMBEDDED, show_default=True
)
@click.option("--cases", default=",".join(CASES), show_default=True)
@click.option("--fleets", default="", help="Namespaces of 200 memories, rising: 10,1000,20000.")
@click.option("--plot", "picture", type=click.Path(path_type=Path), help="Draw p50 by size.")
@click.option("--chroma", "beside", is_flag=True, help="Chroma beside it; `pip install chromadb`.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures too.")
def main(
    data_dir: Path,
    sizes: str,
    calls: int,
    backend: Backend,
    cases: str,
    fleets: str,
    picture: Path | None,
    beside: bool,
    json_file: Path | None,
) -> None:
    """Time what an agent does, one call after the other, at each size of a namespace.

    The suite runs as one process with the static model, so that the model's time is not the
    suite's. Compare within one run: another machine, or another hour, gives other figures.
    """
    talk, chosen = read_talk(data_dir), cases.split(",")
    if unknown := set(chosen).difference(CASES):
        raise click.UsageError(f"no such case: {', '.join(sorted(unknown))}; there are {CASES}")
    figures = [
        _at(talk, int(size), calls, backend, chosen, beside)
        for size in filter(None, sizes.split(","))
    ]
    if fleets:
        figures += _fleets(talk, [int(number) for number in fleets.split(",")], backend)
    for each in figures:
        _print(each)
    if json_file is not None:
        json_file.write_text(json.dumps([_document(each) for each in figures], indent=1))
    if picture is not None:
        plot.write([one for each in figures for one in each.timed], picture)


def _at(
    talk: Talk, memories: int, calls: int, backend: Backend, cases: Sequence[str], beside: bool
) -> Figures:
    click.echo(f"{memories:,} memories", err=True)
    with installed(backend, ALL) as installation:
        idle = _idle_share(installation.memory.pid) if "idle" in cases else None
        figures = asyncio.run(_suite(installation, talk, memories, calls, cases))
        if idle is not None:
            figures.facts["of a core, idle"] = idle
        if "restart" in cases:
            figures.facts["s from kill -9 to the first answer"] = _restart_s(installation, talk)
    if "limits" in cases:
        figures.timed += asyncio.run(_limits(talk, memories, beside))
    return figures


async def _suite(
    installation: Installation, talk: Talk, memories: int, calls: int, cases: Sequence[str]
) -> Figures:
    async with stubs_of(installation) as stubs:
        agent, pid = Agent(stubs, talk), installation.memory.pid
        begun_mib = resident_mib(pid)
        figures = Figures(memories, await agent.store(memories), await agent.catch_up(), 0, 0)
        figures.resident_mib = resident_mib(pid)
        figures.disk_mib = size_kib(installation.memory.folder) / 1024
        figures.facts["KiB resident, each"] = (figures.resident_mib - begun_mib) * 1024 / memories
        figures.facts["KiB on the disk, each"] = figures.disk_mib * 1024 / memories
        address = installation.address("retrieval")
        figures.timed.append(await limits.empty_call(address, memories, calls))
        if "calls" in cases:
            figures.timed += [each async for each in agent.calls(calls)]
        for clients in CROWDS if "crowds" in cases else ():
            timed, rate = await crowd(agent, clients, max(calls, 4 * clients))
            figures.timed.append(timed)
            figures.facts[f"calls a second of {clients} clients"] = rate
        return figures


def _fleets(talk: Talk, numbers: Sequence[int], backend: Backend) -> list[Figures]:
    with installed(backend, ALL) as installation:
        return asyncio.run(_filled_fleets(installation, talk, numbers))


async def _filled_fleets(
    installation: Installation, talk: Talk, numbers: Sequence[int]
) -> list[Figures]:
    found, filled = [], 0
    async with stubs_of(installation) as stubs:
        users = Users(stubs.ingestion, stubs.retrieval, talk)
        for namespaces in numbers:
            click.echo(f"{namespaces:,} namespaces", err=True)
            begun_s = time.perf_counter()
            await fill(users, filled, namespaces)
            figures = Figures(namespaces * MEMORIES, time.perf_counter() - begun_s, 0, 0, 0)
            figures.new = (namespaces - filled) * MEMORIES
            filled = namespaces
            figures.timed += await visit(users, namespaces)
            figures.resident_mib = resident_mib(installation.memory.pid)
            figures.disk_mib = size_kib(installation.memory.folder) / 1024
            found.append(figures)
    return found


def _idle_share(pid: int) -> float:
    """Share of a core that a server takes while nobody calls it."""
    time.sleep(SETTLED_S)
    begun_s = core_s(pid)
    time.sleep(IDLE_S)
    return (core_s(pid) - begun_s) / IDLE_S


def _restart_s(installation: Installation, talk: Talk) -> float:
    """Seconds from the end of a killed process to the first answer of its successor."""
    installation.memory.kill()
    begun_s = time.perf_counter()
    installation.memory.start()

    async def found() -> None:
        async with stubs_of(installation) as stubs:
            await Agent(stubs, talk).catch_up()

    asyncio.run(found())
    return time.perf_counter() - begun_s


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


def _print(figures: Figures) -> None:
    rate = (figures.new or figures.memories) / figures.stored_s
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
    console = Console()
    console.print(table)
    for what, fact in figures.facts.items():
        console.print(f"  {fact:,.3g} {what}")


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
        "facts": figures.facts,
        "calls": calls,
    }


if __name__ == "__main__":
    main()
