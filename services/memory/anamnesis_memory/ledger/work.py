"""Claiming, renewing, completing and failing work: writes that take no revision."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from anamnesis_libs.errors import FailedPrecondition, LeaseLost
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.segments import Segment, SegmentState
from anamnesis_memory.model.work import (
    Claimable,
    Lease,
    WorkItem,
    WorkKey,
    WorkState,
    claimed,
    completed,
    failed,
    made_due,
    next_stage,
    retried,
)
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class Claims:
    """The claimed work, each item with its session's etag, and the time when more is ready.

    `more` says that more work may be ready now.
    """

    items: tuple[tuple[WorkItem, str], ...]
    next_us: int | None
    more: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ClaimWork:
    """The write behind `LedgerService.ClaimWork`, for one namespace."""

    claimable: Claimable
    holder: str
    lease_us: int

    def wanted(self) -> ReadSet:
        """The read set: the work that may be claimed, with its sessions."""
        return ReadSet(claimable=self.claimable)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Claims]:
        """Claim all that was found; each takes a token of its own."""
        taken = tuple(
            claimed(item, seen.next_token + place, self.holder, stamp.now_us, self.lease_us)
            for place, item in enumerate(seen.claimable)
        )
        items = tuple(
            (item, _etag(seen, item.session_id))
            for item in taken
            if item.state is WorkState.CLAIMED
        )
        of_sessions = any(item.session_id for item in taken)
        more = of_sessions and len(taken) >= self.claimable.limit
        return Decision(Claims(items, seen.next_ready_us, more), WriteSet(work=taken))


@dataclass(frozen=True, slots=True)
class Renewed:
    """The leases that were renewed, and those that are lost."""

    items: tuple[WorkItem, ...]
    lost: tuple[Lease, ...]


@dataclass(frozen=True, slots=True)
class RenewWork:
    """The write behind `LedgerService.RenewWork`."""

    leases: Sequence[Lease]
    lease_us: int

    def wanted(self) -> ReadSet:
        """The items."""
        return ReadSet(work=tuple(lease.key for lease in self.leases))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Renewed]:
        """Move the expiry of what is still held."""
        held: list[WorkItem] = []
        lost: list[Lease] = []
        for lease in self.leases:
            try:
                item = lease.check(seen.work.get(lease.key))
            except LeaseLost:
                lost.append(lease)
                continue
            held.append(replace(item, expires_us=stamp.now_us + self.lease_us))
        return Decision(Renewed(tuple(held), tuple(lost)), WriteSet(work=tuple(held)))


@dataclass(frozen=True, slots=True)
class CompleteWork:
    """The write behind `LedgerService.CompleteWork`."""

    lease: Lease
    retain_us: int = 0

    def wanted(self) -> ReadSet:
        """The item, what follows it, and the segments it was about."""
        session_id = self.lease.session_id
        segments = (session_id,) if session_id else ()
        return ReadSet(work=stage_keys(self.lease.key), segments_of=segments)

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[WorkItem]:
        """Complete the work, and make what follows due.

        Raises:
            LeaseLost: the lease is no longer held.
            FailedPrecondition: there is a segment for which the work has not been done.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        check_all_done(item.kind, seen.segments.get(item.session_id, ()))
        done = completed(item, stamp.now_us)
        return Decision(done, WriteSet(work=(done, *following(done, seen, self.retain_us))))


@dataclass(frozen=True, slots=True)
class FailWork:
    """The write behind `LedgerService.FailWork`; `wait_us` 0 counts the try."""

    lease: Lease
    reason: str
    wait_us: int = 0

    def wanted(self) -> ReadSet:
        """The item."""
        return ReadSet(work=(self.lease.key,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[WorkItem]:
        """Say why, and when to try again.

        Raises:
            LeaseLost: the lease is no longer held.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        after = failed(item, self.reason, stamp.now_us, self.wait_us)
        return Decision(after, WriteSet(work=(after,)))


@dataclass(frozen=True, slots=True)
class RetryWork:
    """The write behind `LedgerService.RetryWork`: these items, as far as they failed."""

    keys: Sequence[WorkKey]

    def wanted(self) -> ReadSet:
        """The items."""
        return ReadSet(work=tuple(self.keys))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Make the failed items due now; the result is their number."""
        after = tuple(
            again
            for item in seen.work.values()
            if (again := retried(item, stamp.now_us)) is not item
        )
        return Decision(len(after), WriteSet(work=after))


def stage_keys(key: WorkKey) -> tuple[WorkKey, ...]:
    """A piece of work and what follows it."""
    item = WorkItem(*key, WorkState.DONE, 0, 0)
    after = next_stage(item)
    return (key,) if after is None else (key, (after[0], key[1]))


def following(done: WorkItem, seen: ReadView, retain_us: int) -> tuple[WorkItem, ...]:
    """The stage that becomes due because this one is done; needs the items of `stage_keys`."""
    after = next_stage(done, retain_us) if done.state is WorkState.DONE else None
    if after is None:
        return ()
    kind, due_us = after
    key = (kind, done.session_id)
    now_us = done.update_time_us
    return (made_due(seen.work.get(key), key, due_us, now_us, seen.next_token),)


_STATE_AFTER = {Work.LABEL: SegmentState.LABELLED, Work.EXTRACT: SegmentState.EXTRACTED}


def check_all_done(kind: Work, segments: Sequence[Segment]) -> None:
    """Refuse to call a stage done that has not been done for every segment.

    Raises:
        FailedPrecondition: there is one.
    """
    reached = _STATE_AFTER.get(kind)
    left = [one for one in segments if reached is not None and one.state.rank < reached.rank]
    if left:
        raise FailedPrecondition(
            f"{len(left)} of {len(segments)} segments are not {reached} yet; finish them first",
            reason="CONFLICT",
            metadata={"resource": "segments"},
        )


def _etag(seen: ReadView, session_id: str) -> str:
    session = seen.sessions.get(session_id)
    return "" if session is None else session.etag
