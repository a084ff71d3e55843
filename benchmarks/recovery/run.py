"""One scenario from an empty store to its count."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.installation import FOUR, Installation, installed
from benchmarks.recovery.counting import Count, count
from benchmarks.recovery.killing import Kills, Outage, Scenario, kill_often
from benchmarks.recovery.requests import writers
from benchmarks.recovery.writing import Known, write
from benchmarks.stubs import stubs_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a scenario; failed calls by code and reason."""

    scenario: Scenario
    outages: Sequence[Outage]
    count: Count
    failures: Mapping[str, int]

    @property
    def faults(self) -> int:
        """Number of faults: wrong counts, and answers that are faults of the suite."""
        internal = (n for told, n in self.failures.items() if told.startswith("INTERNAL"))
        return self.count.faults + sum(internal)


def run(scenario: Scenario, kills: Kills, targets: tuple[str, ...] = FOUR) -> Outcome:
    """Run one scenario in processes of its own."""
    with installed(scenario.backend, targets) as installation:
        return asyncio.run(_run(installation, scenario, kills))


async def _run(installation: Installation, scenario: Scenario, kills: Kills) -> Outcome:
    known, stopping = Known(), asyncio.Event()
    async with stubs_of(installation) as stubs:
        writing = [
            asyncio.create_task(write(stubs, requests, known, stopping))
            for requests in writers().values()
        ]
        outages = await kill_often(installation, scenario, known, kills)
        stopping.set()
        await asyncio.gather(*writing)
        return Outcome(scenario, outages, await count(stubs, known), dict(known.failures))
