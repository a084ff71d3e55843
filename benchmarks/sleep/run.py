"""One run: a namespace is filled and linked, sleeps alone, and sleeps while others search."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import memory_service_pb2 as memory
from anamnesis.memory.v1.memory_pb2 import MEMORY_KIND_SEMANTIC, Fact
from anamnesis.memory.v1.sleep_pb2 import RUN_STATE_DONE, SleepPhase
from anamnesis_libs.clock import SystemClock
from benchmarks.life.service import SPACE, Service, running

_BATCH = 500
_READ_TOGETHER = 2000
_WORDS = (
    *("bees", "bread", "boats", "lamps", "roses", "clocks", "invoices", "servers", "stamps"),
    *("guitars", "tomatoes", "bicycles", "parsers", "curtains", "letters", "wells", "garden"),
    *("kitchen", "workshop", "harbour", "office", "attic", "mended", "ordered", "counted"),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Seconds of each search, without and with a cycle, and of each cycle."""

    memories: int
    searchers: int
    awake_s: Sequence[float]
    asleep_s: Sequence[float]
    first_cycle_s: float
    cycle_alone_s: float
    cycle_searched_s: Sequence[float]
    phases_s: dict[str, float]


async def measured(memories: int, rounds: int, searchers: int, seconds: float) -> Outcome:
    """Fill, sleep, then search awake and asleep in turn."""
    chance = random.Random(11)
    async with running(SystemClock()) as service:
        ids = await _filled(service, memories, chance)
        await _read_together(service, ids, chance)
        first_s, _ = await _cycle(service)
        alone_s, phases_s = await _cycle(service)
        awake_s: list[float] = []
        asleep_s: list[float] = []
        cycles_s: list[float] = []
        for _ in range(rounds):
            awake = asyncio.create_task(asyncio.sleep(seconds))
            awake_s += await _searched(service, awake, searchers, chance)
            cycle = asyncio.create_task(_cycle(service))
            asleep_s += await _searched(service, cycle, searchers, chance)
            cycles_s.append((await cycle)[0])
    return Outcome(memories, searchers, awake_s, asleep_s, first_s, alone_s, cycles_s, phases_s)


async def _filled(service: Service, count: int, chance: random.Random) -> list[str]:
    """Facts of random words, indexed with their vectors."""
    ids: list[str] = []
    while len(ids) < count:
        made = [_fact(len(ids) + place, chance) for place in range(min(_BATCH, count - len(ids)))]
        request = memory.BatchCreateMemoriesRequest(namespace=SPACE, memories=made)
        answer = await service.memory.BatchCreateMemories(request, timeout=60)
        ids += (one.memory_id for one in answer.memories)
    await service.catch_up()
    return ids


def _fact(number: int, chance: random.Random) -> memory.NewMemory:
    thing, place, verb = chance.sample(_WORDS, 3)
    return memory.NewMemory(
        kind=MEMORY_KIND_SEMANTIC,
        content=f"number {number}: somebody {verb} the {thing} in the {place}",
        entities=[thing, place],
        fact=Fact(subject=thing, predicate=verb, object=f"{place} {number}"),
    )


async def _read_together(service: Service, ids: Sequence[str], chance: random.Random) -> None:
    """Pairs that were of use together, so that there are edges."""
    for _ in range(_READ_TOGETHER):
        pair = chance.sample(ids, 3)
        request = memory.BatchGetMemoriesRequest(namespace=SPACE, memory_ids=pair)
        await service.memory.BatchGetMemories(request)
    await service.count_uses()


async def _cycle(service: Service) -> tuple[float, dict[str, float]]:
    """Seconds that a cycle takes, and each of its phases."""
    begun_s = time.perf_counter()
    runs = await service.sleep()
    assert {run.state for run in runs} == {RUN_STATE_DONE}, runs
    phases = {
        SleepPhase.Name(run.phase).rpartition("_")[2].lower(): (
            run.end_time.ToNanoseconds() - run.start_time.ToNanoseconds()
        )
        / 1e9
        for run in runs
    }
    return time.perf_counter() - begun_s, phases


async def _searched(
    service: Service, until: "asyncio.Task[object]", searchers: int, chance: random.Random
) -> list[float]:
    """Seconds of each search until something else is done."""
    taken_s: list[float] = []

    async def search() -> None:
        while not until.done():
            query = f"who {' '.join(chance.sample(_WORDS, 3))}?"
            request = memory.FindCandidatesRequest(
                namespace=SPACE, query=query, limit=50, caller=Caller(user_id="ada")
            )
            begun_s = time.perf_counter()
            found = await service.memory.FindCandidates(request)
            taken_s.append(time.perf_counter() - begun_s)
            assert found.candidates

    await asyncio.gather(*(search() for _ in range(searchers)))
    return taken_s
