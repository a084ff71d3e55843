"""Sessions and events: what really happened, as plain values.

Times are whole microseconds since 1970 in UTC (`*_us`), as in `model`.
"""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_libs.participants import is_of
from anamnesis_memory.model.memory import Caller, Visibility
from anamnesis_memory.model.memory_details import Role

INDEX_MAX = 10_000_000
"""The last index that a request may give an event."""


class SessionState(StrEnum):
    """The states of a session."""

    OPEN = "open"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that an assistant asked for; `arguments` is JSON text."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Event:
    """One message of a session, as stored. `digest` says whether two are the same."""

    session_id: str
    index: int
    role: Role
    content: str
    digest: bytes
    name: str = ""
    event_time_us: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    modality: str = "text"
    source_line: int = 0
    memory_id: str = ""
    token_count: int = 0
    utc_offset_minutes: int | None = None
    """The speaker's clock beside UTC at the event's time; None is UTC."""


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation, with its room in the palace (`wing`, `room`).

    The ledger holds its events from `expired_before_index` on; `event_count` counts those.
    """

    session_id: str
    create_time_us: int
    update_time_us: int
    revision: int
    wing: int
    room: int
    agent_id: str = ""
    user_id: str = ""
    label: str = ""
    parent_session_id: str = ""
    state: SessionState = SessionState.OPEN
    visibility: Visibility = Visibility.SHARED
    event_count: int = 0
    next_index: int = 0
    next_drawer: int = 1
    start_time_us: int | None = None
    end_time_us: int | None = None
    expired_before_index: int = 0
    project: str = ""

    @property
    def etag(self) -> str:
        """Changes with every change."""
        return f"{self.event_count:x}-{self.revision:x}"

    def owned_by(self, caller: Caller) -> bool:
        """True if the caller owns the session: one of its users, else its agent; else anybody."""
        if self.user_id:
            return is_of(self.user_id, caller.user_id)
        return not self.agent_id or caller.agent_id == self.agent_id


@dataclass(frozen=True, slots=True)
class Wing:
    """A wing of the palace; `key` names its user, project or agent."""

    wing: int
    key: str
    next_room: int = 1
