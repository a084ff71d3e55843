"""An event on its way into a session."""

from dataclasses import dataclass

from anamnesis_memory.model.memory import Vectors
from anamnesis_memory.model.memory_details import Role
from anamnesis_memory.model.session import ToolCall


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event ready to be stored: redacted, counted, summarised."""

    memory_id: str
    role: Role
    content: str
    digest: bytes
    summary: str
    overview: str
    token_count: int
    index: int | None = None
    name: str = ""
    event_time_us: int | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    modality: str = "text"
    source_line: int = 0
    importance: float = 0.5
    scored: bool = False
    category: str = ""
    vectors: Vectors | None = None
    utc_offset_minutes: int | None = None

    @property
    def speaker(self) -> str:
        """The name of the person or agent that says it; empty where nobody is named."""
        return self.name if self.role.speaks else ""

    @property
    def has_drawer(self) -> bool:
        """True if there is text to keep."""
        return bool(self.content.strip())
