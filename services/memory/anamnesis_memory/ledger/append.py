"""Appending events to a session: what is new, what replaces, what was there already.

The same events again change nothing. Another event at an index takes its place,
and the drawer of the old text is archived. A drawer's address, its pointer, is
given here once and never again: wing and room are the session's, the drawer's
number counts up in its room.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from anamnesis_libs.errors import LedgerExpired
from anamnesis_libs.participants import is_of_several
from anamnesis_memory.ledger.new_event import NewEvent as NewEvent
from anamnesis_memory.ledger.recorded import drawer_of, event_of
from anamnesis_memory.ledger.recut import STAGES, recut
from anamnesis_memory.model.expiry import check_expiry
from anamnesis_memory.model.memory import Caller, Memory, Vectors, Visibility
from anamnesis_memory.model.memory_details import Role
from anamnesis_memory.model.session import Event, Session, SessionState, Wing
from anamnesis_memory.model.visibility import (
    as_narrow,
    check_owned,
    check_session_owner,
    check_writer,
)
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


class AppendOutcome(StrEnum):
    """The outcomes for one event."""

    APPENDED = "appended"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Appended:
    """The outcome of an append; `results` is (index, memory id, outcome) in request order."""

    session: Session
    results: tuple[tuple[int, str, AppendOutcome], ...]

    def count(self, outcome: AppendOutcome) -> int:
        """Number of events that had this outcome."""
        return sum(1 for _, _, reached in self.results if reached is outcome)


@dataclass(slots=True)
class _Ledger:
    """The edits so far, while a write is decided."""

    session: Session
    events: list[Event] = field(default_factory=list)
    memories: list[Memory] = field(default_factory=list)
    vectors: dict[str, Vectors] = field(default_factory=dict)
    archived: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AppendEvents:
    """The write behind `LedgerService.AppendEvents`."""

    session_id: str
    events: Sequence[NewEvent]
    agent_id: str = ""
    user_id: str = ""
    label: str = ""
    parent_session_id: str = ""
    visibility: Visibility = Visibility.SHARED
    end_session: bool = False
    idle_us: int = 0
    """An open session is worked on when nothing was added for so long."""
    unmined: frozenset[str] = frozenset()
    """Agents from whose sessions nothing is learned."""
    writer: Caller | None = None
    """The caller who writes; None is the agent and the user of the events."""
    project: str = ""
    """The project of a session that begins here; the session stays in its wing."""
    expire_time_us: int | None = None
    """The expiry of the drawers."""

    def ready(self, label: str, project: str, events: Sequence[NewEvent]) -> "AppendEvents":
        """The same write with its records made ready."""
        return replace(self, label=label, project=project, events=tuple(events))

    def wanted(self) -> ReadSet:
        """The session, its wing, and what stands at the indices."""
        at = [(event.index, event.digest) for event in self.events if event.index is not None]
        return ReadSet(
            sessions=(self.session_id, self.parent_session_id),
            wings=(self.wing_key,),
            events=tuple((self.session_id, index) for index, _ in at),
            stubs=tuple((self.session_id, index, digest) for index, digest in at),
            work=tuple((kind, self.session_id) for kind in STAGES),
        )

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Appended]:
        """Compare event by event; an unchanged session takes no revision.

        Raises:
            PermissionDenied: the session is not one that the writer may see, or somebody whose it
                is not would end it or overwrite what was said in it.
            InvalidArgument: others may see it than may see its parent.
                The expiry of the drawers is over.
            LedgerExpired: another event stood at an index where the ledger is gone.
        """
        check_expiry(self.expire_time_us, stamp.now_us, "expire_time")
        known = seen.sessions.get(self.session_id)
        check_writer(self._writer, known)
        if known is not None and self.end_session and known.state is SessionState.OPEN:
            check_session_owner(known, self._writer)
        wing = None if known else self._wing(seen)
        before = known or self._new_session(wing, seen, stamp)
        ledger = _Ledger(self._owned(before))
        results = tuple(self._place(event, seen, stamp, ledger) for event in self.events)
        session = self._after(ledger, stamp)
        if known is not None and not ledger.events and session.state is known.state:
            return Decision(Appended(before, results))
        edits = WriteSet(
            sessions=(session,),
            events=tuple(ledger.events),
            wings=(replace(wing, next_room=wing.next_room + 1),) if wing else (),
            memories=tuple(ledger.memories),
            embeddings=ledger.vectors,
            archived_memories=tuple(ledger.archived),
            work=tuple(recut(session, seen, stamp, self.idle_us, self.unmined)),
        )
        return Decision(Appended(session, results), edits)

    def _wing(self, seen: ReadView) -> Wing:
        return seen.wings.get(self.wing_key) or Wing(seen.next_wing, self.wing_key)

    @property
    def wing_key(self) -> str:
        """The wing of a session that begins here."""
        return wing_key(self.user_id, self.project, self.agent_id)

    @property
    def _writer(self) -> Caller:
        return self.writer or Caller(self.agent_id, self.user_id)

    def _new_session(self, wing: Wing | None, seen: ReadView, stamp: CommitStamp) -> Session:
        parent = seen.sessions.get(self.parent_session_id)
        assert wing is not None, "a new session has a wing"
        check_owned(self.visibility, self.agent_id, self.user_id)
        return Session(
            session_id=self.session_id,
            agent_id=self.agent_id,
            user_id=self.user_id,
            label=self.label,
            parent_session_id=self.parent_session_id,
            visibility=as_narrow(
                self.visibility, self.agent_id, self.user_id, self._writer, parent
            ),
            wing=wing.wing,
            room=wing.next_room,
            project=self.project,
            create_time_us=stamp.now_us,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )

    def _owned(self, session: Session) -> Session:
        """The session with what no write of its owners has told before."""
        if not session.owned_by(self._writer):
            return session
        agent_id = session.agent_id or self.agent_id
        user_id = session.user_id or self.user_id
        label = session.label or self.label
        if (agent_id, user_id, label) == (session.agent_id, session.user_id, session.label):
            return session
        return replace(session, agent_id=agent_id, user_id=user_id, label=label)

    def _place(
        self, event: NewEvent, seen: ReadView, stamp: CommitStamp, ledger: _Ledger
    ) -> tuple[int, str, AppendOutcome]:
        """Put one event where it belongs."""
        index = ledger.session.next_index if event.index is None else event.index
        if index < ledger.session.expired_before_index:
            return index, self._known(index, seen, ledger.session), AppendOutcome.UNCHANGED
        there = seen.events.get((self.session_id, index))
        if there is not None and there.digest == event.digest:
            return index, there.memory_id, AppendOutcome.UNCHANGED
        if there is not None:
            check_session_owner(ledger.session, self._writer)
        if there is not None and there.memory_id:
            ledger.archived.append(there.memory_id)
        event = self._named(event, ledger.session)
        memory_id = event.memory_id if event.has_drawer else ""
        ledger.events.append(event_of(self.session_id, index, event, memory_id))
        if memory_id:
            ledger.memories.append(self._drawer_of(ledger.session, index, event, stamp))
            if event.vectors is not None:
                ledger.vectors[memory_id] = event.vectors
        ledger.session = _grown(ledger.session, index, event, there is None)
        return index, memory_id, AppendOutcome.APPENDED if there is None else AppendOutcome.REPLACED

    def _named(self, event: NewEvent, session: Session) -> NewEvent:
        """The event with the writer's name, if several may have said it and it names nobody."""
        speaker = self._writer.user_id
        asks = is_of_several(session.user_id) and event.role is Role.USER and not event.name
        if not asks or is_of_several(speaker):
            return event
        return replace(event, name=speaker)

    def _drawer_of(
        self, session: Session, index: int, event: NewEvent, stamp: CommitStamp
    ) -> Memory:
        """The drawer of an event: of the session's owner, or of who else is named."""
        owner = self._writer
        if session.owned_by(owner) or not (owner.agent_id or owner.user_id):
            owner = Caller(session.agent_id, session.user_id)
        return drawer_of(session, index, event, stamp, owner, self.expire_time_us)

    def _known(self, index: int, seen: ReadView, session: Session) -> str:
        """The memory that holds an event of which a stub is left."""
        stub = seen.stubs.get((self.session_id, index))
        if stub is None or not stub.same:
            raise LedgerExpired(self.session_id, index, session.expired_before_index)
        return stub.memory_id

    def _after(self, ledger: _Ledger, stamp: CommitStamp) -> Session:
        """The session after the write; an event that comes later opens it again."""
        session = ledger.session
        state = SessionState.OPEN if ledger.events else session.state
        return replace(
            session,
            state=SessionState.ENDED if self.end_session else state,
            update_time_us=stamp.now_us,
            revision=stamp.revision,
        )


def wing_key(user_id: str, project: str, agent_id: str) -> str:
    """The wing of a session: it lives with its person, else its project, else its agent."""
    if user_id:
        return f"user:{user_id}"
    if project:
        return f"project:{project}"
    return f"agent:{agent_id}" if agent_id else "namespace"


def _grown(session: Session, index: int, event: NewEvent, new: bool) -> Session:
    """A session with one more event, or another one at an index."""
    times = [
        moment
        for moment in (session.start_time_us, session.end_time_us, event.event_time_us)
        if moment is not None
    ]
    return replace(
        session,
        event_count=session.event_count + new,
        next_index=max(session.next_index, index + 1),
        next_drawer=session.next_drawer + event.has_drawer,
        start_time_us=min(times, default=None),
        end_time_us=max(times, default=None),
    )
