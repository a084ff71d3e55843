"""One run: clients for a while, then everything read back."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from benchmarks.installation import Backend, Installation, installed
from benchmarks.load.clients import BATCH, SPACE, Observed, Reader, Writer
from benchmarks.reading import event_texts, memory_texts
from benchmarks.stubs import Stubs, stubs_of

CONNECTIONS = 8


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of clients, and the time that they run."""

    backend: Backend
    seconds: float = 60.0
    writers: int = 32
    readers: int = 32
    targets: tuple[str, ...] = ("all",)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a run; texts are counted as events and as memories, which must agree."""

    plan: Plan
    elapsed_s: float
    taken_s: Mapping[str, Sequence[float]]
    failures: Mapping[str, Mapping[str, int]]
    acknowledged: int
    lost: int
    doubled: int
    unknown: int
    wrong: int

    @property
    def errors(self) -> int:
        """Calls that failed."""
        return sum(times for of_kind in self.failures.values() for times in of_kind.values())

    @property
    def faults(self) -> int:
        """Number of faults, which must be none."""
        return self.errors + self.lost + self.doubled + self.unknown + self.wrong

    @property
    def appended(self) -> int:
        """Events of the calls that were timed."""
        return sum(
            len(taken_s) * (BATCH if kind == f"append {BATCH}" else 1)
            for kind, taken_s in self.taken_s.items()
            if kind.startswith("append")
        )


def run(plan: Plan) -> Outcome:
    """Run the clients against processes of their own."""
    with installed(plan.backend, plan.targets) as installation:
        return asyncio.run(_run(installation, plan))


async def _run(installation: Installation, plan: Plan) -> Outcome:
    async with AsyncExitStack() as stack:
        stubs = [
            await stack.enter_async_context(stubs_of(installation)) for _ in range(CONNECTIONS)
        ]
        observed = Observed()
        writers = [
            Writer(stubs[number % CONNECTIONS], observed, number) for number in range(plan.writers)
        ]
        await asyncio.gather(*(writer.step() for writer in writers))  # the namespace is made
        readers = [
            Reader(stubs[number % CONNECTIONS], observed, random.Random(number), plan.writers)
            for number in range(plan.readers)
        ]
        observed.taken_s.clear()
        begun_s = time.perf_counter()
        steps = [writer.step for writer in writers] + [reader.step for reader in readers]
        await asyncio.gather(*(_repeat(step, begun_s + plan.seconds) for step in steps))
        elapsed_s = time.perf_counter() - begun_s
        return await _outcome(stubs[0], plan, observed, elapsed_s)


async def _repeat(step: Callable[[], Awaitable[None]], until_s: float) -> None:
    while time.perf_counter() < until_s:
        await step()


async def _outcome(stubs: Stubs, plan: Plan, observed: Observed, elapsed_s: float) -> Outcome:
    """Read everything back and compare."""
    events = await event_texts(stubs, SPACE)
    memories = await memory_texts(stubs, SPACE)
    sent = {*observed.acknowledged, *observed.in_doubt}
    return Outcome(
        plan=plan,
        elapsed_s=elapsed_s,
        taken_s=observed.taken_s,
        failures=observed.failures,
        acknowledged=len(observed.acknowledged),
        lost=sum(text not in events or text not in memories for text in observed.acknowledged),
        doubled=sum(times - 1 for found in (events, memories) for times in found.values()),
        unknown=len((events.keys() | memories.keys()) - sent),
        wrong=observed.wrong.total(),
    )
