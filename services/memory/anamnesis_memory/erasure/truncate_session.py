"""Taking back the end of a session: its last events, their drawers, and what rests on those."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace

from anamnesis_libs.errors import Conflict, invalid_field
from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.ledger.recut import STAGES, recut
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.model.segments import Segment
from anamnesis_memory.model.session import Event, Session
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    NamespaceStore,
    ReadSet,
    ReadView,
    WriteSet,
)

EVENTS_MAX = 500
"""Events read at once."""


@dataclass(frozen=True, slots=True)
class TruncateSession:
    """The write that takes events from an index on off a session, once their drawers went.

    `seen` is the session as it was when its events were counted; `gone` is their number.
    """

    seen: Session
    first_index: int
    gone: int
    idle_us: int
    unmined: frozenset[str] = frozenset()
    """Agents from whose sessions nothing is learned."""

    def wanted(self) -> ReadSet:
        """The session, the event that is the last one afterwards, the segments, the work."""
        session_id = self.seen.session_id
        return ReadSet(
            sessions=(session_id,),
            events=((session_id, self.first_index - 1),),
            segments_of=(session_id,),
            work=tuple((kind, session_id) for kind in STAGES),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Session]:
        """Cut the session short; it is cut into tasks anew.

        Raises:
            Conflict: the session has changed since its events were counted.
        """
        session_id = self.seen.session_id
        session = seen.sessions.get(session_id)
        if session is None or session.etag != self.seen.etag:
            raise Conflict(
                f"session {session_id!r} has changed meanwhile; read its last events again",
                metadata={"resource": "session"},
            )
        last = seen.events.get((session_id, self.first_index - 1))
        after = replace(
            session,
            event_count=session.event_count - self.gone,
            next_index=self.first_index,
            start_time_us=session.start_time_us if session.event_count > self.gone else None,
            end_time_us=last.event_time_us if last else None,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )
        there = seen.segments.get(session_id, ())
        edits = WriteSet(
            sessions=(after,),
            truncated=((session_id, self.first_index),),
            segments=tuple(self._shortened(there, stamp)),
            removed_segments=tuple(
                one.segment_id for one in there if one.first_index >= self.first_index
            ),
            work=tuple(recut(after, seen, stamp, self.idle_us, self.unmined)),
        )
        return Decision(after, edits)

    def _shortened(self, there: tuple[Segment, ...], stamp: CommitStamp) -> Iterator[Segment]:
        for one in there:
            if one.first_index < self.first_index <= one.last_index:
                yield replace(
                    one,
                    last_index=self.first_index - 1,
                    update_time_us=stamp.now_us,
                    revision=stamp.revision,
                )


class Truncation:
    """Takes back a session's events from an index on; run again, it goes on where it broke off."""

    def __init__(
        self, store: NamespaceStore, caller: Caller, idle_us: int, unmined: frozenset[str]
    ) -> None:
        self._store = store
        self._caller = caller
        self._idle_us = idle_us
        self._unmined = unmined
        self.erasing = Erasing(store, ledger_stays=True, caller=caller)

    async def run(self, session: Session, first_index: int) -> Session:
        """Erase the drawers, then the events; the session as it is afterwards.

        Raises:
            InvalidArgument: the ledger has expired at the index.
            Conflict: the session has changed meanwhile.
        """
        if first_index < session.expired_before_index:
            raise invalid_field(
                "first_event_index",
                f"must be {session.expired_before_index} or more: what stood before has expired",
            )
        events = [event async for event in self._events(session, first_index)]
        if not events:
            return session
        drawers = [event.memory_id for event in events if event.memory_id]
        seen = await self._store.memories(drawers, self._caller)
        await self.erasing.memories([drawer.memory_id for drawer in seen])
        cut = TruncateSession(session, first_index, len(events), self._idle_us, self._unmined)
        after = await self.erasing.commit(cut)
        self.erasing.receipt.count(events=len(events))
        return after

    async def _events(self, session: Session, first_index: int) -> AsyncIterator[Event]:
        after: int | str | None = first_index - 1
        while isinstance(after, int):
            page = await self._store.list_events(session.session_id, after, EVENTS_MAX)
            for event in page.items:
                yield event
            after = page.next_after
