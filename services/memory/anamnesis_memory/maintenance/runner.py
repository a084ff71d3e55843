"""The sleeper: runs phases of a namespace one after the other, and records what they did.

A phase is claimed under a lease, so that one worker is at it however many replicas there are. What
goes wrong in one is recorded and stops none of the others.
"""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.logs import failure_fields, logger
from anamnesis_memory.maintenance.forget import forget
from anamnesis_memory.maintenance.ledger_retention import Retainer
from anamnesis_memory.maintenance.old_runs import old_runs
from anamnesis_memory.maintenance.phase_context import PhaseContext, SleepRules
from anamnesis_memory.maintenance.rank_tiers import rank_tiers
from anamnesis_memory.maintenance.reinforce import reinforce
from anamnesis_memory.maintenance.share import share
from anamnesis_memory.maintenance.throttle import Throttle
from anamnesis_memory.maintenance.writes import EndRun, RecordSleepRun, StartRun
from anamnesis_memory.model.documents import Collection
from anamnesis_memory.model.ids import new_id
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.model.sleep_runs import PHASES, RunState, SleepRun, new_run, run_of
from anamnesis_memory.model.work import Lease
from anamnesis_memory.ports.life import LifeReads
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

Told = Progress | SleepRun
Step = Callable[[PhaseContext], AsyncGenerator[Progress, None]]
CUT_OFF = "CUT_OFF"
"""The reason of a run whose worker was stopped or whose caller went away."""
_STEPS: Mapping[Work, Step] = {
    Work.REINFORCE: reinforce,
    Work.TIER: rank_tiers,
    Work.FORGET: forget,
    Work.SHARE: share,
}
_RECENT = 40
_LOG = logger("memory.sleep")


@dataclass(frozen=True, slots=True)
class SleepRequest:
    """The phases to run in a namespace; `noted_us`, if set, is when they were noted to be due."""

    name: str
    phases: Sequence[Work] = PHASES
    noted_us: int | None = None


class Sleeper:
    """The verb behind `RunSleepCycle`, and behind the loop; no retainer keeps ledgers forever."""

    def __init__(self, calls: Calls, rules: SleepRules, retainer: Retainer | None) -> None:
        self._calls = calls
        self._rules = rules
        self._retainer = retainer
        self._holder = f"sleep/{new_id(calls.now_us())}"
        self._last_us = 0

    async def run(self, asleep: SleepRequest) -> AsyncGenerator[Told, None]:
        """Run the phases in their order; tells how far each is, then what it came to.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
            StoreUnavailable: nothing can be claimed.
        """
        async with self._calls.reading(asleep.name) as opened:
            for phase in (one for one in PHASES if one in asleep.phases):
                step = _STEPS.get(phase)
                if step is None:
                    running = self._retain(opened)
                else:
                    running = self._leased(opened, phase, step, asleep.noted_us)
                async with aclosing(running) as told:
                    async for one in told:
                        yield one
                self._calls.changed(opened)

    async def _leased(
        self, opened: OpenNamespace, phase: Work, step: Step, noted_us: int | None
    ) -> AsyncGenerator[Told, None]:
        """One phase under its lease; a cursor of a run before it that was cut off is taken up."""
        run = new_run(phase, self._begin_us(), await _cursor(opened.store, phase))
        write = StartRun(run, self._holder, self._rules.lease_us, noted_us)
        claim, _ = await self._calls.apply(opened, write)
        if not claim.taken:
            yield run.ended(RunState.HELD_ELSEWHERE, self._calls.now_us())
            return
        lease = Lease(phase, "", claim.item.token)
        pace = Throttle(lambda: self._calls.namespaces.asked)
        hold = PhaseContext(opened.store, lease, run, self._rules, pace, self._calls.now_us)
        reason = CUT_OFF
        try:
            async with aclosing(step(hold)) as steps:
                async for progress in steps:
                    yield progress
            reason = ""
        except AnamnesisError as error:
            reason = _told(error, opened, phase)
        finally:
            ended = self._ended(hold.run, reason)
            await opened.store.commit(EndRun(lease, ended, await old_runs(opened.store)))
        yield ended

    async def _retain(self, opened: OpenNamespace) -> AsyncGenerator[Told, None]:
        """Expire the ledgers that are due, each under the lease of its session."""
        run = new_run(Work.RETAIN, self._begin_us())
        reason = CUT_OFF
        try:
            more = self._retainer is not None
            while more and self._retainer is not None:
                expired = await self._retainer.expire_in(opened.name)
                run = run.counted({"expired": expired.sessions, "events": expired.events})
                done = run.counts.get("expired", 0)
                yield Progress(Work.RETAIN.value, done, done)
                more = expired.more
            reason = ""
        except AnamnesisError as error:
            reason = _told(error, opened, Work.RETAIN)
        finally:
            ended = self._ended(run, reason)
            await opened.store.commit(RecordSleepRun(ended, await old_runs(opened.store)))
        yield ended

    def _ended(self, run: SleepRun, reason: str) -> SleepRun:
        state = RunState.FAILED if reason else RunState.DONE
        return run.ended(state, self._calls.now_us(), reason)

    def _begin_us(self) -> int:
        """The time at which a run begins, later than that of any run before, so that runs sort."""
        self._last_us = max(self._calls.now_us(), self._last_us + 1)
        return self._last_us


def _told(error: AnamnesisError, opened: OpenNamespace, phase: Work) -> str:
    """The reason of a failure, which is logged."""
    fields = failure_fields(error, with_text=False)
    _LOG.warning("sleep.failed", namespace=opened.name, phase=phase.value, **fields)
    return error.reason


async def _cursor(store: LifeReads, phase: Work) -> str:
    """The cursor of the last run of a phase; empty if that run ended well or there is none."""
    recent = map(run_of, await store.documents(Collection.RUN, "", _RECENT))
    last = next((run for run in recent if run.phase is phase), None)
    return last.cursor if last is not None else ""
