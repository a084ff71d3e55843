"""Retention: the ledger of a session goes some days after its pipeline has finished.

Drawers and what was learned stay, with provenance; of the events stubs stay, so that the session
sent again is known. The work is made due with the last stage of the pipeline and looked at anew
when its time has come: the session may have grown since, or the setting may have changed.
"""

from dataclasses import dataclass, replace

from anamnesis_memory.model.memory import Work
from anamnesis_memory.model.session import Session
from anamnesis_memory.model.stubs import Expiry
from anamnesis_memory.model.work import STAGES, Lease, WorkItem, WorkState, completed
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

DAY_US = 24 * 3600 * 1_000_000


@dataclass(frozen=True, slots=True)
class ExpireSession:
    """Deletes the ledger of one session, under the lease of its RETAIN work."""

    lease: Lease
    retain_us: int

    def wanted(self) -> ReadSet:
        """The session, all of its work, and its segments."""
        session_id = self.lease.session_id
        return ReadSet(
            sessions=(session_id,),
            work=tuple((kind, session_id) for kind in (*STAGES, Work.RETAIN)),
            segments_of=(session_id,),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Expire what is finished long enough; the result is how many events.

        Where the session is being worked on again, nothing is done: with its last stage this
        becomes due anew.

        Raises:
            LeaseLost: the work is no longer held.
        """
        item = self.lease.check(seen.work.get(self.lease.key))
        session = seen.sessions.get(self.lease.session_id)
        finish_us = self._finish_us(seen)
        if session is None or finish_us is None:
            return Decision(0, WriteSet(work=(completed(item, stamp.now_us),)))
        if finish_us + self.retain_us > stamp.now_us:
            return Decision(
                0, WriteSet(work=(_postponed(item, finish_us + self.retain_us, stamp),))
            )
        return self._expired(session, item, seen, stamp)

    def _finish_us(self, seen: ReadView) -> int | None:
        """The time when the last stage was done, by the server's clock; None if one is not."""
        stages = [seen.work.get((kind, self.lease.session_id)) for kind in STAGES]
        done = [one.update_time_us for one in stages if one and one.state is WorkState.DONE]
        return max(done) if len(done) == len(STAGES) else None

    def _expired(
        self, session: Session, item: WorkItem, seen: ReadView, stamp: CommitStamp
    ) -> Decision[int]:
        done = completed(item, stamp.now_us)
        if session.expired_before_index == session.next_index:
            return Decision(0, WriteSet(work=(done,)))
        after = replace(
            session,
            event_count=0,
            expired_before_index=session.next_index,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
        segments = seen.segments.get(session.session_id, ())
        edits = WriteSet(
            sessions=(after,),
            expired=(Expiry(session.session_id, session.next_index),),
            removed_segments=tuple(one.segment_id for one in segments),
            work=(done,),
        )
        return Decision(session.event_count, edits)


def _postponed(item: WorkItem, due_us: int, stamp: CommitStamp) -> WorkItem:
    """The item after a look that came too early."""
    return WorkItem(*item.key, WorkState.PENDING, due_us, stamp.now_us, item.token)
