"""Work that is due in a namespace, as state that is claimed under leases: pure values.

There is no queue to lose: a piece of work is a record of the namespace, put by the write
that makes it due. Who works on it holds a lease with a fencing token. Every claim takes a
new token, and so does every change of the work's subject: what an earlier holder sends is
refused, however late it comes.

    from       claim      complete  fail             subject changed   retry
    PENDING    CLAIMED    -         -                PENDING           PENDING
    CLAIMED    * CLAIMED  DONE      FAILED or DEAD   PENDING           -
    FAILED     CLAIMED    -         -                PENDING           PENDING
    DEAD       -          -         -                PENDING           PENDING
    DONE       -          -         -                PENDING           -

    * once the lease has expired; DEAD instead where the holder vanished on the last try.

What comes after the first stage of a session is DONE when the session changes: it becomes
PENDING once the stage before it is done again.

Work on the whole namespace (CLUSTER, MERGE) keeps its holder when its subject changes, since the
holder follows the changes; it is PENDING again if it was completed meanwhile (`again`).
Times are microseconds since 1970 in UTC.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from anamnesis_libs.errors import LeaseLost
from anamnesis_memory.model.memory import Work

TRIES_MAX = 5
FIRST_PAUSE_US = 30 * 1_000_000
LONGEST_PAUSE_US = 3600 * 1_000_000
COMPRESS_AFTER_US = 48 * 3600 * 1_000_000

WorkKey = tuple[Work, str]
"""A kind, and the session it is about ("" for the whole namespace)."""

STAGES = (Work.SEGMENT, Work.LABEL, Work.EXTRACT, Work.COMPRESS)
"""The stages of a session's work, in order; RETAIN ends its ledger long after."""


class WorkState(StrEnum):
    """The states of a piece of work."""

    PENDING = "pending"
    CLAIMED = "claimed"
    FAILED = "failed"
    DEAD = "dead"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class WorkItem:
    """One piece of work; `due_us` is from when it may be claimed, `expires_us` ends a claim."""

    kind: Work
    session_id: str
    state: WorkState
    due_us: int
    update_time_us: int
    token: int = 0
    holder: str = ""
    expires_us: int = 0
    attempts: int = 0
    reason: str = ""
    again: bool = False

    @property
    def key(self) -> WorkKey:
        """The key of the work in its namespace."""
        return self.kind, self.session_id

    @property
    def ready_us(self) -> int | None:
        """The time from which the work may be claimed; None: not before its state changes."""
        match self.state:
            case WorkState.PENDING | WorkState.FAILED:
                return self.due_us
            case WorkState.CLAIMED:
                return self.expires_us
            case _:
                return None


@dataclass(frozen=True, slots=True)
class Lease:
    """Under which claim a result is sent."""

    kind: Work
    session_id: str
    token: int

    @property
    def key(self) -> WorkKey:
        """The work that was claimed."""
        return self.kind, self.session_id

    def check(self, item: WorkItem | None) -> WorkItem:
        """The item, if this is its current claim. One that expired holds until the next claim.

        Raises:
            LeaseLost: somebody else has the work, its subject changed, or the work is done.
        """
        if item is None or item.token != self.token or item.state is not WorkState.CLAIMED:
            raise LeaseLost(self.kind.value, self.session_id)
        return item


@dataclass(frozen=True, slots=True)
class Claimable:
    """The search of a claim: work of one kind that is ready by a time, oldest first.

    `even_if_early` takes what is PENDING and not ready too; what failed waits all the same.
    """

    kind: Work
    before_us: int
    limit: int
    session_id: str = ""
    even_if_early: bool = False


def made_due(item: WorkItem | None, key: WorkKey, due_us: int, now_us: int, token: int) -> WorkItem:
    """The item after its subject changed; `token` is a new one."""
    kind, session_id = key
    if item is not None and not session_id and item.state is WorkState.CLAIMED:
        return replace(item, again=True)
    return WorkItem(kind, session_id, WorkState.PENDING, due_us, now_us, token)


def superseded(item: WorkItem, now_us: int, token: int) -> WorkItem:
    """The item of a later stage after its subject changed: it waits until its turn comes again."""
    return WorkItem(*item.key, WorkState.DONE, now_us, now_us, token)


def claimed(item: WorkItem, token: int, holder: str, now_us: int, lease_us: int) -> WorkItem:
    """The item after a claim; DEAD where it was claimed so often and never let go of."""
    if item.state is WorkState.CLAIMED and item.attempts >= TRIES_MAX:
        return replace(
            item,
            state=WorkState.DEAD,
            token=token,
            reason=f"its holder vanished; tried {item.attempts} times",
            update_time_us=now_us,
        )
    return replace(
        item,
        state=WorkState.CLAIMED,
        token=token,
        holder=holder,
        expires_us=now_us + lease_us,
        attempts=item.attempts + 1,
        update_time_us=now_us,
    )


def completed(item: WorkItem, now_us: int) -> WorkItem:
    """The item after its work was done."""
    if item.again:
        return WorkItem(*item.key, WorkState.PENDING, now_us, now_us, item.token)
    return replace(item, state=WorkState.DONE, attempts=0, reason="", update_time_us=now_us)


def failed(item: WorkItem, reason: str, now_us: int, wait_us: int) -> WorkItem:
    """The item after a try that failed. With `wait_us` it was not its fault, and counts as none."""
    if wait_us:
        attempts, state, pause_us = item.attempts - 1, WorkState.FAILED, wait_us
    else:
        attempts = item.attempts
        state = WorkState.DEAD if attempts >= TRIES_MAX else WorkState.FAILED
        pause_us = min(FIRST_PAUSE_US << (attempts - 1), LONGEST_PAUSE_US)
    return replace(
        item,
        state=state,
        attempts=attempts,
        reason=reason,
        due_us=now_us + pause_us,
        update_time_us=now_us,
    )


def retried(item: WorkItem, now_us: int) -> WorkItem:
    """The item after an operator's retry of what is FAILED or DEAD; else as it is."""
    if item.state not in (WorkState.FAILED, WorkState.DEAD):
        return item
    return WorkItem(*item.key, WorkState.PENDING, now_us, now_us, item.token)


def moved(item: WorkItem) -> WorkItem:
    """The item in a copy of its namespace: what was claimed waits, for its holder is elsewhere."""
    if item.state is not WorkState.CLAIMED:
        return item
    return replace(
        item,
        state=WorkState.PENDING,
        token=item.token + 1,
        holder="",
        expires_us=0,
        attempts=item.attempts - 1,
        again=False,
    )


def next_stage(item: WorkItem, retain_us: int = 0) -> tuple[Work, int] | None:
    """The stage that follows one that is done, and the time from which it is due."""
    if item.kind not in STAGES:
        return None
    following = (*STAGES, Work.RETAIN)[STAGES.index(item.kind) + 1]
    wait_us = {Work.COMPRESS: COMPRESS_AFTER_US, Work.RETAIN: retain_us}
    return following, item.update_time_us + wait_us.get(following, 0)
