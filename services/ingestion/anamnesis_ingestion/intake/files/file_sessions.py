"""The sessions of one file: which one a line belongs to, at which index, and when it happened.

Rules of this file, all of which depend only on the lines before, so that a file that is sent
again, or has grown, gives the same places as before:
- A line belongs to the session its sender named, else the one it names itself, else the one that
  the line before it named, else one made of agent and label. A conversation that stands whole in
  one row and has no id takes nothing from others: its place in the file follows what is made.
- A sidechain is a session of its own, called after its parent: `<parent>.<chain>`. Where the
  sender named the parent, the sidechain's name follows.
- An event's index is its position among the events of its session in the file.
- An event without a time has that of the one before it in its session, else the sender's default.
- A time that names no offset is one of the clock that the sender names, else of UTC.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

from anamnesis_ingestion.intake.files.calls import Calls, answers_from_memory
from anamnesis_ingestion.intake.files.limits import INDEX_MAX
from anamnesis_ingestion.intake.files.times import Moment, moment_of
from anamnesis_ingestion.intake.fingerprints import choose_session_id
from anamnesis_ingestion.ledger import Caller, LedgerEvent, Visibility
from anamnesis_ingestion.model import Role, Shape, SourceEvent
from anamnesis_libs.errors import InvalidArgument, invalid_field

SESSIONS_MAX = 4096
SESSION_ID_CHARS_MAX = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class FileHeader:
    """The header of a file, as its sender filled it in."""

    namespace: str
    agent_id: str = ""
    user_id: str = ""
    label: str = ""
    session_id: str = ""
    shape: Shape = Shape.AUTO
    default_event_time: datetime | None = None
    end_session: bool = False
    visibility: Visibility | None = None
    project: str = ""
    participants: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """Names of people, by the ids that the file has for them."""
    zone: tzinfo | None = None
    """Where it was said, for times that name no offset."""
    size_bytes: int = 0
    """The size of the file as its sender announces it; 0 if nothing is announced."""

    @property
    def writer(self) -> Caller:
        """The caller who may see what the file stored: the user, or else the first participant."""
        return Caller(self.agent_id, next(filter(None, (self.user_id, *self.participants)), ""))


class Unplaceable(Exception):
    """A line that no session can take; the message says why, for its sender."""


@dataclass(slots=True)
class FileSession:
    """One session of a file: what the next of its events needs to know."""

    session_id: str
    parent_session_id: str
    next_index: int = 0
    last: Moment | None = None
    calls: Calls = field(default_factory=Calls)


class FileSessions:
    """Places the events of one file, in the order of the file."""

    def __init__(self, header: FileHeader) -> None:
        self._header = header
        self._named_in_file: str | None = None
        self._sessions: dict[str, FileSession] = {}

    def __iter__(self) -> Iterator[FileSession]:
        """The sessions in the order in which they first occur."""
        return iter(self._sessions.values())

    def of(self, event: SourceEvent, events: int = 1) -> FileSession:
        """Return the session that an event belongs to and that has room for `events` more.

        Raises:
            Unplaceable: no session can take it.
            InvalidArgument: neither the sender nor the file says which session it is.
        """
        named = event.parent_session_id or event.session_id or self._inherited(event)
        main_id = self._main_id(named)
        if event.conversation and not (named or self._header.session_id):
            main_id = f"{main_id}.{event.conversation}"
        side = event.session_id or ""
        if event.parent_session_id is None:
            session = self._session(main_id, "")
        else:
            session = self._session(main_id + side.removeprefix(event.parent_session_id), main_id)
        if session.next_index + events > INDEX_MAX + 1:
            raise Unplaceable(f"beyond the {INDEX_MAX + 1} events of a session")
        self._named_in_file = named
        return session

    def place(self, event: SourceEvent, session: FileSession) -> LedgerEvent:
        """Return the event at its place, which is then taken; of a memory told, the place alone."""
        index = session.next_index
        name = session.calls.named(event)
        told = event.role is Role.TOOL and answers_from_memory(name)
        said = self._moment(event.event_time) or session.last or self._default
        session.next_index, session.last = index + 1, said
        return LedgerEvent(
            role=event.role,
            content="" if told else event.content,
            index=index,
            name=name,
            event_time=said.time if said else None,
            utc_offset_minutes=said.utc_offset_minutes if said else None,
            tool_calls=event.tool_calls,
            tool_call_id=event.tool_call_id,
            reasoning=event.reasoning,
            modality=event.modality,
            source_line=event.source_line,
        )

    def _moment(self, stated: datetime | None) -> Moment | None:
        return None if stated is None else moment_of(stated, self._header.zone)

    @property
    def _default(self) -> Moment | None:
        return self._moment(self._header.default_event_time)

    def _inherited(self, event: SourceEvent) -> str | None:
        """The session of the line before; a conversation of its own has none from others."""
        return None if event.conversation else self._named_in_file

    def _main_id(self, named: str | None) -> str:
        header = self._header
        if not (header.session_id or named or header.label):
            raise _unnamed()
        return choose_session_id(
            header.agent_id,
            header.label,
            header.user_id,
            given=header.session_id,
            in_file=named,
        )

    def _session(self, session_id: str, parent_session_id: str) -> FileSession:
        known = self._sessions.get(session_id)
        if known is not None:
            return known
        if len(session_id) > SESSION_ID_CHARS_MAX:
            raise Unplaceable(f"a session id longer than {SESSION_ID_CHARS_MAX} characters")
        if len(self._sessions) >= SESSIONS_MAX:
            raise Unplaceable(f"beyond the {SESSIONS_MAX} sessions of a file")
        made = self._sessions[session_id] = FileSession(session_id, parent_session_id)
        return made


def _unnamed() -> InvalidArgument:
    return invalid_field(
        "header.session_id",
        "is required, since the file names no session; send it, or the file's path as the label",
    )
