"""The writes of a phase under its lease: beginning, each batch, the end. None takes a revision.

A batch is one transaction: what it changes, the renewal of the lease, and the record of the run.
So whoever has lost the lease changes nothing more, and a crash leaves whole batches behind.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from anamnesis_libs.errors import LeaseLost
from anamnesis_memory.model.documents import DocumentKey
from anamnesis_memory.model.sleep_runs import RunState, SleepRun, document_of, key_of, run_of
from anamnesis_memory.model.work import (
    TRIES_MAX,
    Lease,
    WorkItem,
    WorkKey,
    WorkState,
    claimed,
    completed,
    failed,
)
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class PhaseClaim:
    """The outcome of claiming a phase: the work as it is, and whether it is the claimer's now."""

    item: WorkItem
    taken: bool


@dataclass(frozen=True, slots=True)
class StartRun:
    """Claims a phase of the whole namespace, and records that its run has begun.

    With `noted_us` it is done because it was noted to be due then: what was done since, or waits
    after a failure, is left alone. Without, only another's lease stands in the way.
    """

    run: SleepRun
    holder: str
    lease_us: int
    noted_us: int | None = None

    @property
    def _key(self) -> WorkKey:
        return self.run.phase, ""

    def wanted(self) -> ReadSet:
        """The work."""
        return ReadSet(work=(self._key,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[PhaseClaim]:
        """Claim the phase, unless somebody else holds it."""
        item = seen.work.get(self._key)
        if item is not None and not self._free(item, stamp.now_us):
            return Decision(PhaseClaim(item, taken=False))
        tries = item.attempts if item is not None and item.state is WorkState.FAILED else 0
        fresh = WorkItem(
            *self._key,
            WorkState.PENDING,
            stamp.now_us,
            stamp.now_us,
            # it is due every hour whatever happened before, so it is never given up
            attempts=min(tries, TRIES_MAX - 2),
        )
        mine = claimed(fresh, seen.next_token, self.holder, stamp.now_us, self.lease_us)
        document = document_of(self.run, stamp.now_us)
        return Decision(PhaseClaim(mine, taken=True), WriteSet(work=(mine,), documents=(document,)))

    def _free(self, item: WorkItem, now_us: int) -> bool:
        if item.state is WorkState.CLAIMED:
            return item.expires_us <= now_us
        if self.noted_us is None:
            return True
        if item.state is WorkState.DONE:
            return item.update_time_us < self.noted_us
        return item.due_us <= now_us


class PhaseChange(Protocol):
    """The change of one batch of a phase; as a `Write`, but for its result: counts by name."""

    def wanted(self) -> ReadSet:
        """Name what has to be loaded."""
        ...

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Decide, without any I/O."""
        ...


@dataclass(frozen=True, slots=True)
class NoChange:
    """Keeps the lease, and where the run stands."""

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Nothing."""
        return Decision({})


@dataclass(frozen=True, slots=True)
class Batch:
    """One batch; the result is the run with what it did."""

    lease: Lease
    lease_us: int
    run: SleepRun
    change: PhaseChange

    def wanted(self) -> ReadSet:
        """The read set of the change, and the lease."""
        wanted = self.change.wanted()
        return replace(wanted, work=(*wanted.work, self.lease.key))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[SleepRun]:
        """Apply the change of the batch.

        Raises:
            LeaseLost: somebody else has the phase.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        decision = self.change.decide(seen, stamp)
        run = self.run.counted(decision.result)
        held = replace(item, expires_us=stamp.now_us + self.lease_us)
        edits = decision.edits
        documents = (*edits.documents, document_of(run, stamp.now_us))
        return Decision(run, replace(edits, work=(*edits.work, held), documents=documents))


@dataclass(frozen=True, slots=True)
class EndRun:
    """Records how a run ended, lets go of its lease, and of runs of long ago.

    Where it was cut off while a batch was being committed, the record knows better than the worker
    where it stands.
    """

    lease: Lease
    run: SleepRun
    old: Sequence[DocumentKey] = ()

    def wanted(self) -> ReadSet:
        """The work, and the record."""
        return ReadSet(work=(self.lease.key,), documents=(key_of(self.run),))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[WorkItem | None]:
        """End the run; the result is the work afterwards, None where somebody else holds it."""
        run, kept = self.run, seen.documents.get(key_of(self.run))
        if run.state is not RunState.DONE and kept is not None:
            run = replace(run, cursor=run_of(kept).cursor)
        document = document_of(run, stamp.now_us)
        edits = WriteSet(documents=(document,), removed_documents=tuple(self.old))
        try:
            item = self.lease.check(seen.work.get(self.lease.key))
        except LeaseLost:
            return Decision(None, edits)
        if self.run.state is RunState.DONE:
            after = completed(item, stamp.now_us)
        else:
            after = failed(item, self.run.reason, stamp.now_us, 0)
        return Decision(after, replace(edits, work=(after,)))


@dataclass(frozen=True, slots=True)
class RecordSleepRun:
    """Records a run that no lease of the namespace is about."""

    run: SleepRun
    old: Sequence[DocumentKey] = ()

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Record the run."""
        document = document_of(self.run, stamp.now_us)
        return Decision(None, WriteSet(documents=(document,), removed_documents=tuple(self.old)))
