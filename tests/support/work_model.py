"""What the work of a namespace must look like: a list of items, and what befalls them.

Part of `store_model`: written from what the writes promise, sharing no code with them.
"""

from dataclasses import dataclass, field, replace

from anamnesis_libs.errors import LeaseLost
from anamnesis_memory.ledger.work import Claims, ClaimWork, FailWork, Renewed, RenewWork, RetryWork
from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.session import Session, SessionState
from anamnesis_memory.model.work import Claimable, Lease, WorkItem, WorkState

SECOND_US = 1_000_000
PAUSES_S = (30, 60, 120, 240, 480)
HOURS_48_US = 48 * 3600 * SECOND_US
STAGES = (Work.SEGMENT, Work.LABEL, Work.EXTRACT, Work.COMPRESS)
AFTER = dict(zip(STAGES, (*STAGES[1:], Work.RETAIN), strict=True))


@dataclass(slots=True)
class WorkModel:
    """`highest` is the last token that was given out."""

    items: list[WorkItem] = field(default_factory=list)
    highest: int = 0

    def item(self, kind: Work, session_id: str) -> WorkItem | None:
        """One piece of work."""
        found = [one for one in self.items if (one.kind, one.session_id) == (kind, session_id)]
        return found[0] if found else None

    def in_order(self) -> list[WorkItem]:
        """All work by kind and session."""
        return sorted(self.items, key=lambda one: (one.kind.value, one.session_id))

    def held(self, lease: Lease) -> WorkItem:
        """The item of a lease.

        Raises:
            LeaseLost: it has another token, or nobody holds it.
        """
        item = self.item(lease.kind, lease.session_id)
        if item is None or (item.token, item.state) != (lease.token, WorkState.CLAIMED):
            raise LeaseLost(lease.kind.value, lease.session_id)
        return item

    def appended(self, session: Session, idle_us: int, now_us: int) -> None:
        """A session that changed is cut anew; what was done for it counts no more."""
        name = session.session_id
        ended = session.state is SessionState.ENDED
        first = self.highest + 1
        self.pend(Work.SEGMENT, name, now_us if ended else now_us + idle_us, now_us)
        for token, kind in ((first + 1, Work.LABEL), (first + 2, Work.EXTRACT)):
            self.wait_for_turn(kind, name, now_us, token)

    def pend(self, kind: Work, session_id: str, due_us: int, now_us: int) -> None:
        """Something is to be done, under a new token; who clusters goes on, and once more."""
        item = self.item(kind, session_id)
        if kind is Work.CLUSTER and item is not None and item.state is WorkState.CLAIMED:
            self._put(replace(item, again=True))
        else:
            token = self.highest + 1
            self._put(WorkItem(kind, session_id, WorkState.PENDING, due_us, now_us, token))

    def wait_for_turn(self, kind: Work, session_id: str, now_us: int, token: int) -> None:
        """A later stage, if there ever was one, waits until those before it are done again."""
        if self.item(kind, session_id) is not None:
            self._put(WorkItem(kind, session_id, WorkState.DONE, now_us, now_us, token))

    def claim(self, write: ClaimWork, sessions: list[Session], now_us: int) -> Claims:
        """The oldest first, each under a token of its own."""
        asked = write.claimable
        times_us = [_ready_us(one) for one in self.items if one.kind is asked.kind]
        later_us = [one for one in times_us if one is not None and one > asked.before_us]
        found = [one for one in self.items if _may_be_claimed(one, asked)]
        found.sort(key=lambda one: (_ready_us(one) or 0, one.session_id))
        claimed: list[tuple[WorkItem, str]] = []
        for item in found[: asked.limit]:
            taken = self._claimed(item, write, now_us)
            self._put(taken)
            if taken.state is WorkState.CLAIMED:
                etags = [one.etag for one in sessions if one.session_id == item.session_id]
                claimed.append((taken, etags[0] if etags else ""))
        return Claims(tuple(claimed), min(later_us, default=None))

    def renew(self, write: RenewWork, now_us: int) -> Renewed:
        """Those that are held hold on; the others are named."""
        items: list[WorkItem] = []
        lost: list[Lease] = []
        for lease in write.leases:
            try:
                items.append(replace(self.held(lease), expires_us=now_us + write.lease_us))
            except LeaseLost:
                lost.append(lease)
        for item in items:
            self._put(item)
        return Renewed(tuple(items), tuple(lost))

    def complete(self, lease: Lease, now_us: int) -> WorkItem:
        """It is done, or to be done once more."""
        item = self.held(lease)
        if item.again:
            done = WorkItem(*_key(item), WorkState.PENDING, now_us, now_us, item.token)
        else:
            done = replace(item, state=WorkState.DONE, attempts=0, reason="", update_time_us=now_us)
        self._put(done)
        return done

    def follow(self, kind: Work, session_id: str, now_us: int) -> None:
        """What comes after a stage that is done is due; summaries take their time."""
        if kind in AFTER:
            wait_us = HOURS_48_US if kind is Work.EXTRACT else 0
            self.pend(AFTER[kind], session_id, now_us + wait_us, now_us)

    def finished_us(self, session_id: str) -> int | None:
        """When the last stage of a session was done; None while there is one that is not."""
        items = [self.item(kind, session_id) for kind in STAGES]
        times_us = [one.update_time_us for one in items if one and one.state is WorkState.DONE]
        return max(times_us) if len(times_us) == len(STAGES) else None

    def postpone(self, lease: Lease, due_us: int, now_us: int) -> None:
        """Somebody looked too early."""
        item = self.held(lease)
        self._put(WorkItem(*_key(item), WorkState.PENDING, due_us, now_us, item.token))

    def fail(self, write: FailWork, now_us: int) -> WorkItem:
        """Pauses double; the fifth try is the last. A wait that is asked for is no try."""
        item = self.held(write.lease)
        attempts = item.attempts - 1 if write.wait_us else item.attempts
        pause_us = write.wait_us or PAUSES_S[attempts - 1] * SECOND_US
        dead = attempts == len(PAUSES_S) and not write.wait_us
        after = replace(
            item,
            state=WorkState.DEAD if dead else WorkState.FAILED,
            attempts=attempts,
            reason=write.reason,
            due_us=now_us + pause_us,
            update_time_us=now_us,
        )
        self._put(after)
        return after

    def retry(self, write: RetryWork, now_us: int) -> int:
        """What failed is due now; tells how many."""
        again = [
            one
            for one in self.items
            if _key(one) in write.keys and one.state in (WorkState.FAILED, WorkState.DEAD)
        ]
        for item in again:
            self._put(WorkItem(*_key(item), WorkState.PENDING, now_us, now_us, item.token))
        return len(again)

    def _claimed(self, item: WorkItem, write: ClaimWork, now_us: int) -> WorkItem:
        token = self.highest + 1
        if item.state is WorkState.CLAIMED and item.attempts == len(PAUSES_S):
            reason = f"its holder vanished; tried {item.attempts} times"
            return replace(
                item, state=WorkState.DEAD, token=token, reason=reason, update_time_us=now_us
            )
        return replace(
            item,
            state=WorkState.CLAIMED,
            token=token,
            holder=write.holder,
            expires_us=now_us + write.lease_us,
            attempts=item.attempts + 1,
            update_time_us=now_us,
        )

    def _put(self, item: WorkItem) -> None:
        self.items = [one for one in self.items if _key(one) != _key(item)] + [item]
        self.highest = max(self.highest, item.token)


def _key(item: WorkItem) -> tuple[Work, str]:
    return item.kind, item.session_id


def _ready_us(item: WorkItem) -> int | None:
    if item.state is WorkState.CLAIMED:
        return item.expires_us
    return item.due_us if item.state in (WorkState.PENDING, WorkState.FAILED) else None


def _may_be_claimed(item: WorkItem, asked: Claimable) -> bool:
    ready_us = _ready_us(item)
    if item.kind is not asked.kind or asked.session_id not in ("", item.session_id):
        return False
    if ready_us is None:
        return False
    early = asked.even_if_early and item.state is WorkState.PENDING
    return early or ready_us <= asked.before_us
