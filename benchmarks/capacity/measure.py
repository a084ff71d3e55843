"""Measures the costs: four processes on Neo4j, users with namespaces of their own."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeVar

import click

from benchmarks.capacity.costs import Costs
from benchmarks.capacity.processes import core_s, resident_mib, size_kib
from benchmarks.capacity.users import Users
from benchmarks.installation import FOUR, Backend, Installation, installed
from benchmarks.speed.talk import Talk
from benchmarks.stubs import stubs_of

SMALL = 20
"""Memories of a small namespace, of which many are opened."""
SETTLED_S, IDLE_S = 5.0, 30.0

Each = TypeVar("Each")
Spent = dict[str, float]


def measure(talk: Talk, namespaces: int, large: int, searches: int) -> Costs:
    """Run it; minutes.

    Args:
        talk: what is said and asked.
        namespaces: small ones.
        large: memories in one namespace beside them.
        searches: of the large one.
    """
    with installed(Backend.NEO4J, FOUR) as installation:
        return asyncio.run(_measured(installation, talk, namespaces, large, searches))


async def _measured(
    installation: Installation, talk: Talk, namespaces: int, large: int, searches: int
) -> Costs:
    await asyncio.sleep(SETTLED_S)
    base = {name: resident_mib(each.pid) for name, each in installation.processes.items()}
    idle_s, begun_s = _spent(installation), time.monotonic()
    await asyncio.sleep(IDLE_S)
    idle = _since(installation, idle_s, time.monotonic() - begun_s)
    async with stubs_of(installation) as stubs:
        users = Users(stubs.ingestion, stubs.retrieval, talk)
        click.echo(f"{namespaces:,} namespaces of {SMALL}", err=True)
        await users.say("warm", SMALL)  # loads models and code
        empty_mib = resident_mib(installation.memory.pid)
        for number in range(namespaces):
            await users.say(f"user-{number}", SMALL)
        small_mib = resident_mib(installation.memory.pid)
        click.echo(f"{large:,} memories in one namespace", err=True)
        appending = await _costing(installation, large, [large], lambda n: users.say("large", n))
        full_mib = resident_mib(installation.memory.pid)
        asking = ["large"] * searches
        searching = await _costing(installation, searches, asking, users.ask)
    snapshot_kib = _snapshot_kib(installation)
    store_kib, log_kib = _store_kib(installation)
    memories = large + (namespaces + 1) * SMALL
    indexed_kib = max(full_mib - small_mib, 0) * 1024 / large
    small_kib = (small_mib - empty_mib) * 1024 / namespaces
    return Costs(
        base_mib=base,
        idle_cores=idle,
        search_core_ms=searching,
        append_core_ms=appending,
        open_kib=max(small_kib - SMALL * indexed_kib, 0),
        indexed_kib=indexed_kib,
        snapshot_kib=snapshot_kib / memories,
        neo4j_kib=store_kib / memories,
        neo4j_log_kib=log_kib / memories,
    )


async def _costing(
    installation: Installation,
    units: int,
    each: Iterable[Each],
    call: Callable[[Each], Awaitable[object]],
) -> Spent:
    """Milliseconds of a core that each process takes for a unit."""
    before = _spent(installation)
    for one in each:
        await call(one)
    return _since(installation, before, units / 1000)


def _spent(installation: Installation) -> Spent:
    spent = {name: core_s(each.pid) for name, each in installation.processes.items()}
    assert installation.neo4j is not None
    return {**spent, "neo4j": core_s(installation.neo4j.pid)}


def _since(installation: Installation, before: Mapping[str, float], units: float) -> Spent:
    return {name: (s - before[name]) / units for name, s in _spent(installation).items()}


def _store_kib(installation: Installation) -> tuple[float, float]:
    """Of the database, and of its transaction logs; Neo4j writes all to the disk as it ends."""
    assert installation.neo4j is not None
    installation.neo4j.stop()
    data = installation.neo4j.home / "data"
    return size_kib(data / "databases" / "neo4j"), size_kib(data / "transactions" / "neo4j")


def _snapshot_kib(installation: Installation) -> float:
    """Of all snapshots; memory writes them as it ends."""
    installation.memory.stop()
    return size_kib(installation.memory.folder, ".idx")
