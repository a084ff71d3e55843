"""One killing after another: at a random moment of writing, back at once or after a while."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchmarks.installation import Backend, Installation
from benchmarks.recovery.writing import Known

WRITING_S_MIN = 0.05
BACK_S_MAX = 120.0


@dataclass(frozen=True, slots=True)
class Kills:
    """The number of kills; each comes at most `writing_s_max` after the first write before it.

    One of `long_every` outages of Neo4j lasts until writers were told of it.
    """

    count: int = 20
    writing_s_max: float = 3.0
    seed: int = 0
    long_every: int = 5


class Scenario(StrEnum):
    """The killed process, and its backend."""

    SERVICE_ON_EMBEDDED = "memory service, embedded store"
    SERVICE_ON_NEO4J = "memory service, Neo4j"
    NEO4J = "Neo4j server"

    @property
    def backend(self) -> Backend:
        """The store of the suite."""
        return Backend.EMBEDDED if self is Scenario.SERVICE_ON_EMBEDDED else Backend.NEO4J


@dataclass(frozen=True, slots=True)
class Outage:
    """One killing: how long it was down, and from its return to the next acknowledged write."""

    down_s: float
    back_s: float


async def kill_often(
    installation: Installation, scenario: Scenario, known: Known, kills: Kills
) -> Sequence[Outage]:
    """Kill and start again; some of the times Neo4j stays away until writers were told.

    Raises:
        TimeoutError: nothing was acknowledged for two minutes, or nobody was told.
    """
    generator = random.Random(kills.seed)
    outages = []
    for number in range(kills.count):
        await _acknowledged(known)
        await asyncio.sleep(generator.uniform(WRITING_S_MIN, kills.writing_s_max))
        long = scenario is Scenario.NEO4J and number % kills.long_every == kills.long_every // 2
        outages.append(await _outage(installation, scenario, known, long=long))
    await _acknowledged(known)
    return outages


async def _outage(
    installation: Installation, scenario: Scenario, known: Known, *, long: bool
) -> Outage:
    kill, start = _victim(installation, scenario)
    begun_s = time.monotonic()
    await asyncio.to_thread(kill)
    known.store_unavailable.clear()
    if long:
        async with asyncio.timeout(BACK_S_MAX):
            await known.store_unavailable.wait()
    await asyncio.to_thread(start)
    back_s = time.monotonic()
    await _acknowledged(known)
    return Outage(back_s - begun_s, time.monotonic() - back_s)


def _victim(
    installation: Installation, scenario: Scenario
) -> tuple[Callable[[], object], Callable[[], object]]:
    """The functions that kill the victim and start it again."""
    if scenario is Scenario.NEO4J:
        assert installation.neo4j is not None
        return installation.neo4j.kill, installation.neo4j.start
    return installation.memory.kill, installation.memory.start


async def _acknowledged(known: Known) -> None:
    """Wait for the next acknowledged write."""
    known.acknowledged.clear()
    async with asyncio.timeout(BACK_S_MAX):
        await known.acknowledged.wait()
