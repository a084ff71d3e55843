"""The nouns of the ledger as ingestion hands them over and gets them back.

No I/O and no clock here; every time is an aware UTC datetime. The rules about events stand in
`protos/anamnesis/memory/v1/event.proto`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from anamnesis_ingestion.model import Role, ToolCall
from anamnesis_libs.zones import off_clock, on_clock


class Visibility(StrEnum):
    """The visibility of a session inside its namespace."""

    SHARED = "shared"
    PRIVATE_TO_AGENT = "private_to_agent"
    PRIVATE_TO_USER = "private_to_user"


class SessionState(StrEnum):
    """The state of a session."""

    OPEN = "open"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request. An empty caller sees what is shared."""

    agent_id: str = ""
    user_id: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEvent:
    """One message on its way into the ledger; without an index it follows the last one.

    On its way out it has its index, and the memory that holds it (`memory_id`).
    """

    role: Role
    content: str
    index: int | None = None
    name: str = ""
    event_time: datetime | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    modality: str = "text"
    source_line: int = 0
    embedding: Sequence[float] = ()
    memory_id: str = ""
    utc_offset_minutes: int | None = None
    """The speaker's clock beside UTC; None on the way in leaves it to the namespace's policy."""

    @property
    def speaker(self) -> str:
        """The name of the person or agent that says it; empty where nobody is named."""
        return self.name if self.role.speaks else ""

    def on_own_clock(self) -> "LedgerEvent":
        """The event at the wall time of its speaker, written as if it were UTC."""
        if not self.utc_offset_minutes or self.event_time is None:
            return self
        return replace(self, event_time=on_clock(self.event_time, self.utc_offset_minutes))

    @property
    def moment_beside_facts(self) -> datetime | None:
        """The time by which to ask for facts, of an event on its own clock.

        Facts begin by days of the calendar or at moments; by the later time, both have begun.
        """
        if self.event_time is None:
            return None
        return max(self.event_time, off_clock(self.event_time, self.utc_offset_minutes))


@dataclass(frozen=True, slots=True, kw_only=True)
class Append:
    """One write: events of one session, all of them or none.

    `importances` is empty or has one number in [0, 1] for each event, as a rule scored it. An event
    without a time is refused, unless `server_time` gives it the moment of the write or
    `unknown_time` leaves it so.
    The agent and the user write, unless `caller` says who does. Without a `visibility` the
    namespace's policy says who may see a session that begins here; of several `participants` it
    is theirs together, the user among them. What the events say is erased at `expire_time`.
    """

    namespace: str
    session_id: str
    events: Sequence[LedgerEvent] = ()
    agent_id: str = ""
    user_id: str = ""
    label: str = ""
    parent_session_id: str = ""
    visibility: Visibility | None = None
    end_session: bool = False
    server_time: bool = False
    unknown_time: bool = False
    request_id: str = ""
    importances: Sequence[float] = ()
    caller: Caller | None = None
    project: str = ""
    participants: tuple[str, ...] = ()
    expire_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation, as the ledger has it: its events from `expired_before_index` on."""

    session_id: str
    agent_id: str
    user_id: str
    label: str
    parent_session_id: str
    state: SessionState
    event_count: int
    start_time: datetime | None
    end_time: datetime | None
    create_time: datetime | None
    update_time: datetime | None
    revision: str
    etag: str
    visibility: Visibility | None
    expired_before_index: int = 0
    project: str = ""
    participants: tuple[str, ...] = ()

    @property
    def users(self) -> tuple[str, ...]:
        """The people who took part."""
        return self.participants or tuple(filter(None, (self.user_id,)))


@dataclass(frozen=True, slots=True)
class Stored:
    """The place of one event: its index, and the memory that holds it ("" if it has no text)."""

    index: int
    memory_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Appended:
    """The result of a write; `stored` has one entry for each event, in order."""

    appended: int
    replaced: int
    unchanged: int
    session: Session
    revision: str
    stored: tuple[Stored, ...]
