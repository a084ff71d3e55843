"""What the ledger of a namespace must look like: wings, sessions and events in lists.

Part of `store_model`: written from what `AppendEvents` promises, sharing no code with it.
"""

from dataclasses import dataclass, field, replace

from anamnesis_libs.errors import InvalidArgument, LedgerExpired, PermissionDenied
from anamnesis_memory.ledger.append import Appended, AppendEvents, AppendOutcome, NewEvent
from anamnesis_memory.model.memory import Caller, Kind, Memory, Origin, Provenance, Visibility
from anamnesis_memory.model.memory_details import Episode, Role
from anamnesis_memory.model.session import Event, Session, SessionState
from tests.support.store_rules import owns, sees


@dataclass(slots=True)
class LedgerModel:
    """Sessions and events.

    `wings` are pairs of a wing's key and the ids of its sessions: the number of a wing and that
    of a room are positions in these lists, counted from one. `drawers` names the session of each
    drawer there ever was, `times` that of each time of an event there ever was. `expired` are
    the events that retention has taken.
    """

    wings: list[tuple[str, list[str]]] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    drawers: list[str] = field(default_factory=list)
    times: list[tuple[str, int]] = field(default_factory=list)
    expired: list[Event] = field(default_factory=list)

    def session(self, session_id: str) -> Session | None:
        """One session."""
        return next((one for one in self.sessions if one.session_id == session_id), None)

    def events_of(self, session_id: str) -> list[Event]:
        """The events of a session by index."""
        found = [event for event in self.events if event.session_id == session_id]
        return sorted(found, key=lambda event: event.index)

    def append(
        self, write: AppendEvents, revision: int, now_us: int
    ) -> tuple[Appended, list[Memory], list[str]]:
        """The result, the new drawers, and the ids of the drawers that lost their place."""
        name = write.session_id
        known = self.session(name)
        self._check_writer(write)
        self._check_events(write)
        owned = known or self._found(write, revision, now_us)
        owners = _owns(write, owned)
        if owners:
            owned = replace(
                owned,
                agent_id=owned.agent_id or write.agent_id,
                user_id=owned.user_id or write.user_id,
                label=owned.label or write.label,
            )
        whose = owned if owners else _of_another(write, owned)
        results: list[tuple[int, str, AppendOutcome]] = []
        drawers: list[Memory] = []
        displaced: list[str] = []
        for each in write.events:
            event = replace(each, name=_speaker(write, owned, each))
            index = self._next_index(name) if event.index is None else event.index
            held = (*self.events, *self.expired)
            there = [one for one in held if (one.session_id, one.index) == (name, index)]
            if there and there[0].digest == event.digest:
                results.append((index, there[0].memory_id, AppendOutcome.UNCHANGED))
                continue
            displaced += [one.memory_id for one in there if one.memory_id]
            drawers += self._put(whose, index, event, revision, now_us)
            outcome = AppendOutcome.REPLACED if there else AppendOutcome.APPENDED
            results.append((index, event.memory_id if event.content.strip() else "", outcome))
        arrived = any(outcome is not AppendOutcome.UNCHANGED for _, _, outcome in results)
        state = SessionState.OPEN if arrived else owned.state
        state = SessionState.ENDED if write.end_session else state
        if known is None or arrived or state is not known.state:
            after = self._grown(
                replace(owned, state=state, update_time_us=now_us, revision=revision)
            )
            self.sessions = [one for one in self.sessions if one.session_id != name] + [after]
            return Appended(after, tuple(results)), drawers, displaced
        return Appended(known, tuple(results)), [], []

    def forget(self, memory_id: str) -> None:
        """A deleted drawer takes the text of its event along; the event keeps its place."""
        self.events = [
            replace(event, memory_id="", content="") if event.memory_id == memory_id else event
            for event in self.events
        ]
        self.expired = [
            replace(event, memory_id="") if event.memory_id == memory_id else event
            for event in self.expired
        ]

    def expire(self, session_id: str, revision: int, now_us: int) -> int:
        """Let go of the events of a session; answers how many there were."""
        session = self.session(session_id)
        assert session is not None, "there is work on it"
        gone = self.events_of(session_id)
        if session.expired_before_index == session.next_index:
            return 0
        self.expired += gone
        self.events = [event for event in self.events if event.session_id != session_id]
        after = replace(
            session,
            event_count=0,
            expired_before_index=session.next_index,
            update_time_us=now_us,
            revision=revision,
        )
        self.sessions = [one for one in self.sessions if one.session_id != session_id] + [after]
        return len(gone)

    def _check_writer(self, write: AppendEvents) -> None:
        """Only who sees a session writes into it, and only its owner ends it.

        Raises:
            PermissionDenied: somebody else does.
            InvalidArgument: it is new, and private to nobody.
        """
        session = self.session(write.session_id)
        owners = {
            Visibility.PRIVATE_TO_AGENT: write.agent_id,
            Visibility.PRIVATE_TO_USER: write.user_id,
        }
        if session is None and not owners.get(write.visibility, "anybody"):
            raise InvalidArgument("private to nobody")
        writer = write.writer or Caller(write.agent_id, write.user_id)
        if session is not None and not sees(writer, session):
            raise PermissionDenied(write.session_id)
        still_open = session is not None and session.state is SessionState.OPEN
        if session is not None and still_open and write.end_session and not _owns(write, session):
            raise PermissionDenied(write.session_id)

    def _check_events(self, write: AppendEvents) -> None:
        """Where the ledger has expired, only the same events may come; the owner alone replaces.

        Raises:
            LedgerExpired: another one comes.
            PermissionDenied: somebody else replaces one.
        """
        session = self.session(write.session_id)
        before = session.expired_before_index if session else 0
        known = {
            one.index: one.digest for one in self.expired if one.session_id == write.session_id
        }
        there = {one.index: one.digest for one in self.events_of(write.session_id)}
        for event in write.events:
            if event.index is None:
                continue
            if event.index >= before:
                replaces = there.get(event.index, event.digest) != event.digest
                if replaces and session is not None and not _owns(write, session):
                    raise PermissionDenied(write.session_id)
                continue
            if known.get(event.index) != event.digest:
                raise LedgerExpired(write.session_id, event.index, before)

    def _found(self, write: AppendEvents, revision: int, now_us: int) -> Session:
        """A session gets the next room in the wing of its person, else agent, else namespace."""
        key = "namespace"
        if write.agent_id:
            key = f"agent:{write.agent_id}"
        if write.user_id:
            key = f"user:{write.user_id}"
        if key not in [known for known, _ in self.wings]:
            self.wings.append((key, []))
        wing = [known for known, _ in self.wings].index(key)
        rooms = self.wings[wing][1]
        rooms.append(write.session_id)
        return Session(
            session_id=write.session_id,
            create_time_us=now_us,
            update_time_us=now_us,
            revision=revision,
            wing=wing + 1,
            room=len(rooms),
            parent_session_id=write.parent_session_id,
            visibility=write.visibility,
        )

    def _next_index(self, session_id: str) -> int:
        held = [one for one in (*self.events, *self.expired) if one.session_id == session_id]
        return max((event.index for event in held), default=-1) + 1

    def _put(
        self, session: Session, index: int, event: NewEvent, revision: int, now_us: int
    ) -> list[Memory]:
        """Put an event in its place; answers its drawer, where there is text to keep."""
        name = session.session_id
        self.events = [one for one in self.events if (one.session_id, one.index) != (name, index)]
        self.events.append(
            Event(
                session_id=name,
                index=index,
                role=event.role,
                content=event.content,
                digest=event.digest,
                name=event.name,
                event_time_us=event.event_time_us,
                utc_offset_minutes=event.utc_offset_minutes,
                tool_calls=event.tool_calls,
                tool_call_id=event.tool_call_id,
                reasoning=event.reasoning,
                modality=event.modality,
                source_line=event.source_line,
                memory_id=event.memory_id if event.content.strip() else "",
                token_count=event.token_count,
            )
        )
        if event.event_time_us is not None:
            self.times.append((name, event.event_time_us))
        if not event.content.strip():
            return []
        self.drawers.append(name)
        return [self._drawer(session, index, event, revision, now_us)]

    def _drawer(
        self, session: Session, index: int, event: NewEvent, revision: int, now_us: int
    ) -> Memory:
        """The drawer of an event: the session's owners and visibility, and the next number."""
        number = self.drawers.count(session.session_id)
        return Memory(
            memory_id=event.memory_id,
            kind=Kind.EPISODIC,
            content=event.content,
            summary=event.summary,
            overview=event.overview,
            create_time_us=now_us,
            update_time_us=now_us,
            revision=revision,
            importance=event.importance,
            confidence=1.0,
            visibility=session.visibility,
            agent_id=session.agent_id,
            user_id=session.user_id,
            session_id=session.session_id,
            event_index=index,
            event_time_us=event.event_time_us,
            utc_offset_minutes=event.utc_offset_minutes,
            provenance=Provenance(
                Origin.OBSERVED,
                session_id=session.session_id,
                first_event_index=index,
                last_event_index=index,
            ),
            pointer=f"§ W-{session.wing:03d}/R-{session.room:02d}/D-{number:03d}",
            part=Episode(event.role, event.name, index),
        )

    def _grown(self, session: Session) -> Session:
        """The session as its events make it."""
        name = session.session_id
        times = [time_us for owner, time_us in self.times if owner == name]
        return replace(
            session,
            event_count=len(self.events_of(name)),
            next_index=self._next_index(name),
            next_drawer=self.drawers.count(name) + 1,
            start_time_us=min(times, default=None),
            end_time_us=max(times, default=None),
        )


def _owns(write: AppendEvents, session: Session) -> bool:
    """Whose user it is, else whose agent; what is nobody's is anybody's."""
    writer = write.writer or Caller(write.agent_id, write.user_id)
    if session.user_id:
        return owns(writer.user_id, session.user_id)
    return session.agent_id in ("", writer.agent_id)


def _speaker(write: AppendEvents, session: Session, event: NewEvent) -> str:
    """Of several people, the one who writes says what a user says without a name."""
    writer = write.writer or Caller(write.agent_id, write.user_id)
    unclear = session.user_id.startswith("␟") and event.role is Role.USER and not event.name
    return writer.user_id if unclear and not writer.user_id.startswith("␟") else event.name


def _of_another(write: AppendEvents, session: Session) -> Session:
    """The session as what somebody else says in it is stored: as theirs, where they are named."""
    writer = write.writer or Caller(write.agent_id, write.user_id)
    if not (writer.agent_id or writer.user_id):
        return session
    return replace(session, agent_id=writer.agent_id, user_id=writer.user_id)
