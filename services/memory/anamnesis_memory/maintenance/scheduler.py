"""The loop of sleep: namespaces that are noted to be due run a cycle."""

from contextlib import aclosing

from anamnesis_libs.clock import Clock, micros
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.logs import failure_fields, logger
from anamnesis_libs.run.loop import Loop
from anamnesis_memory.maintenance.due_notes import CYCLE, Hours
from anamnesis_memory.maintenance.runner import Sleeper, SleepRequest
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.sleep_runs import RunState, SleepRun
from anamnesis_memory.ports.catalogue import Catalogue, Due
from anamnesis_memory.runtime.indexing.faults import outcome_of

CYCLE_PHASES = (Work.REINFORCE, Work.TIER, Work.FORGET, Work.SHARE)
"""The phases that a cycle runs by itself; ledgers have a loop of their own."""
PLACES_MAX = 4
LOOK_EVERY_S = 30.0
RETRY_US = 300 * 1_000_000
_LOG = logger("memory.sleep")


class SleepScheduler:
    """Runs the cycles that are due."""

    def __init__(self, catalogue: Catalogue, clock: Clock, sleeper: Sleeper, hours: Hours) -> None:
        self._catalogue = catalogue
        self._clock = clock
        self._sleeper = sleeper
        self._hours = hours

    async def step(self) -> bool:
        """Let some namespaces sleep, the one due longest first; True if more may be due."""
        due = await self._catalogue.due((CYCLE,), self._now_us(), PLACES_MAX)
        for one in due:
            await self._catalogue.reschedule(one, await self._slept(one))
        return len(due) >= PLACES_MAX

    async def _slept(self, due: Due) -> int | None:
        """Run a cycle; when the next is due. A namespace that fails stops none of the others."""
        states = await outcome_of(self._states(due))
        if isinstance(states, NamespaceNotFound):
            return None
        if isinstance(states, Exception):
            fields = failure_fields(states, with_text=False)
            _LOG.warning("sleep.broken_off", namespace=due.name, **fields)
            return self._now_us() + RETRY_US
        if RunState.FAILED in states:
            return self._now_us() + RETRY_US
        if RunState.HELD_ELSEWHERE in states:
            return self._now_us() + self._hours.every_us
        return self._now_us() + self._hours.idle_every_us

    async def _states(self, due: Due) -> list[RunState]:
        asleep = SleepRequest(due.name, CYCLE_PHASES, due.at_us)
        async with aclosing(self._sleeper.run(asleep)) as told:
            states = [one.state async for one in told if isinstance(one, SleepRun)]
        await self._catalogue.set_due(due.name, Work.REFINE, self._now_us())
        return states

    def _now_us(self) -> int:
        return micros(self._clock.now())


def sleep_loop(scheduler: SleepScheduler) -> Loop:
    """Namespaces that are due sleep."""
    return Loop("memory.sleep", every_s=LOOK_EVERY_S, step=scheduler.step)
