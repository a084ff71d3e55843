"""The nouns of ingestion: what a session file says, before anything is stored.

No I/O and no clock here. Text in these types is valid UTF-8 (lone surrogates are replaced by the
reader). A time is on the clock that its file names: aware where it names an offset from UTC.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

FAILED_MARK = " (failed)"
"""The end of a TOOL event's name whose call did not succeed."""


class Role(StrEnum):
    """The role of an event's speaker."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    FILE = "file"

    @property
    def speaks(self) -> bool:
        """True if an event's name is its speaker's; a tool and a place in a file have names too."""
        return self not in {Role.TOOL, Role.FILE}


class Shape(StrEnum):
    """The layout of a file's lines.

    AUTO is a request (detect it) and, in a report, means that no event was read.
    """

    AUTO = "auto"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    CLAUDE_CODE = "claude_code"
    PI = "pi"
    CODEX = "codex"
    CURSOR = "cursor"
    CHATGPT = "chatgpt"
    CLAUDE_AI = "claude_ai"
    SHAREGPT = "sharegpt"
    LANGCHAIN = "langchain"
    SLACK = "slack"
    WHATSAPP = "whatsapp"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call that an assistant asked for; `arguments` is canonical JSON text."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEvent:
    """One message of a session, as its file has it.

    `name` is the speaker's (of a TOOL row the tool's; of a FILE row the document and headings).
    `modality` is "text" or, where the content stands for something else, "image", "audio" or
    "structured". `source_line` counts from 1; `source_id` is the line's own uuid; `failed` is of a
    TOOL row whose call did not succeed. `session_id` is the id the line carries, None where it
    carries none; `parent_session_id` is set on the events of a sidechain only. `conversation` is
    the place in its file, from 1, of a conversation that stands whole in one row; `source_line`
    then counts its messages.
    """

    role: Role
    content: str
    source_line: int
    name: str = ""
    event_time: datetime | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    stop_reason: str = ""
    modality: str = "text"
    source_id: str = ""
    failed: bool = False
    session_id: str | None = None
    parent_session_id: str | None = None
    conversation: int = 0


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line that could not be read; `line` counts from 1."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """The result of reading a file.

    `lines` counts every line, blank ones too. `skipped` holds the first unreadable lines and
    `skipped_count` all of them. `metadata_lines`, `unknown_roles` and `compaction_summaries` are
    lines that are well-formed and deliberately give no event. The session ids are those of the
    first event.
    """

    shape: Shape
    lines: int
    event_count: int
    skipped: tuple[SkippedLine, ...]
    skipped_count: int
    metadata_lines: int
    unknown_roles: int
    compaction_summaries: int
    looks_binary: bool
    session_id: str | None
    parent_session_id: str | None


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A whole file at once: its report, and its events in the order of the file."""

    report: FileReport
    events: tuple[SourceEvent, ...]
