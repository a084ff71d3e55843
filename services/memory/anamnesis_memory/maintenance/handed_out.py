"""Phases of sleep that another service does: it claims a run here, and says how it ended.

A claim is that of a phase (`StartRun`): on demand only another's claim stands in its way; where it
is looked for what is due, what was done since it was noted, and what waits after a failure, is left
alone. A note is moved to the end of the claim, so that a run whose worker vanished is found again.
A run that left nothing over keeps where the namespace stood: while it stands there, none is due.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from anamnesis_libs.errors import InvalidArgument, invalid_field
from anamnesis_libs.errors.not_found import NamespaceNotFound
from anamnesis_libs.logs import failure_fields, logger
from anamnesis_memory.maintenance.old_runs import old_runs
from anamnesis_memory.maintenance.writes import EndRun, PhaseClaim, StartRun
from anamnesis_memory.model.documents import Collection, DocumentKey
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.sleep_runs import RunState, SleepRun, new_run, run_of
from anamnesis_memory.model.work import Lease
from anamnesis_memory.ports.catalogue import Catalogue, Due
from anamnesis_memory.runtime.calls import Calls
from anamnesis_memory.runtime.indexing.faults import outcome_of
from anamnesis_memory.runtime.indexing.open_namespace import OpenNamespace

PLACES_MAX = 16
RECENT = 40
"""Runs of all phases among which the last of one is looked for."""
PAUSE_US = 300 * 1_000_000
_SECOND_US = 1_000_000
_LOG = logger("memory.sleep")


@dataclass(frozen=True, slots=True)
class Begun:
    """A run that was begun, with its claim."""

    namespace: Namespace
    run: SleepRun
    lease: Lease


@dataclass(frozen=True, slots=True)
class RunEnd:
    """The end of a run of another service; due again after `next_s` seconds, 0 means never."""

    run_id: str
    lease: Lease
    counts: Mapping[str, int]
    model_tokens: int
    reason: str
    next_s: int


class HandedOut:
    """The verbs behind `StartRun` and `FinishRun`."""

    def __init__(self, calls: Calls, catalogue: Catalogue) -> None:
        self._calls = calls
        self._catalogue = catalogue

    async def start_in(self, name: str, phase: Work, holder: str, lease_us: int) -> Begun | None:
        """Begin a run in one namespace; None where somebody else is at it.

        Raises:
            NamespaceNotFound: there is no namespace of this name.
        """
        async with self._calls.reading(name) as opened:
            until_us = self._calls.now_us() + lease_us
            async with self._calls.work_due(opened, ((phase, until_us),)):
                return (await self._start(opened, phase, holder, lease_us, None))[0]

    async def start_due(self, phase: Work, holder: str, lease_us: int) -> Begun | None:
        """Begin a run where one has been due longest; None where none is.

        Raises:
            StoreUnavailable: the catalogue does not answer.
        """
        for due in await self._catalogue.due((phase,), self._calls.now_us(), PLACES_MAX):
            begun = await outcome_of(self._start_at(due, holder, lease_us))
            if isinstance(begun, Begun):
                return begun
            if isinstance(begun, Exception):
                fields = failure_fields(begun, with_text=False)
                _LOG.warning("sleep.not_begun", namespace=due.name, **fields)
                await self._catalogue.reschedule(due, self._calls.now_us() + PAUSE_US)
        return None

    async def finish(self, name: str, end: RunEnd) -> SleepRun:
        """Record how a run ended, and let go of its claim if it is still held.

        Raises:
            InvalidArgument: there is no such run of the phase that was claimed.
            NamespaceNotFound: there is no namespace of this name.
        """
        now_us = self._calls.now_us()
        due = ((end.lease.kind, now_us + end.next_s * _SECOND_US),) if end.next_s else ()
        async with self._calls.reading(name) as opened, self._calls.work_due(opened, due):
            kept = await opened.store.document(DocumentKey(Collection.RUN, end.run_id))
            run = run_of(kept) if kept is not None else None
            if run is None or run.phase is not end.lease.kind:
                raise _no_run()
            state = RunState.FAILED if end.reason else RunState.DONE
            counted = replace(run, counts=dict(end.counts), model_tokens=end.model_tokens)
            ended = counted.ended(state, now_us, end.reason)
            if not end.reason and not end.next_s:
                ended = replace(ended, cursor=_standing(opened))
            await self._calls.apply(opened, EndRun(end.lease, ended, await old_runs(opened.store)))
            return ended

    async def _start_at(self, due: Due, holder: str, lease_us: int) -> Begun | None:
        try:
            async with self._calls.reading(due.name) as opened:
                if await _last_cursor(opened, due.work) == _standing(opened):
                    await self._catalogue.reschedule(due, None)
                    return None
                begun, claim = await self._start(opened, due.work, holder, lease_us, due.at_us)
        except NamespaceNotFound:
            await self._catalogue.reschedule(due, None)
            return None
        await self._catalogue.reschedule(due, claim.item.ready_us)
        return begun

    async def _start(
        self, opened: OpenNamespace, phase: Work, holder: str, lease_us: int, noted_us: int | None
    ) -> tuple[Begun | None, PhaseClaim]:
        run = new_run(phase, self._calls.now_us())
        claim, _ = await self._calls.apply(opened, StartRun(run, holder, lease_us, noted_us))
        lease = Lease(phase, "", claim.item.token)
        return (Begun(opened.namespace, run, lease) if claim.taken else None), claim


def _standing(opened: OpenNamespace) -> str:
    """The revision of a namespace, and the model by which its lessons are near each other."""
    return f"{opened.store.revision} {opened.namespace.embedding_model}"


async def _last_cursor(opened: OpenNamespace, phase: Work) -> str:
    """The cursor of the last run of a phase; empty if it ended otherwise or there is none."""
    recent = map(run_of, await opened.store.documents(Collection.RUN, "", RECENT))
    return next((run.cursor for run in recent if run.phase is phase), "")


def _no_run() -> InvalidArgument:
    return invalid_field("run_id", "names no run of the phase that was claimed")
