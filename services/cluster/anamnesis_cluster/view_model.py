"""The records of the views: what they are made of, and their lines. No I/O, no clock, no protobuf.

Times are aware UTC datetimes; confidence and importance are in [0, 1].
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

UNNAMED = "user"
"""The subject of what is said where a conversation names no speaker."""
LONG_AGO = datetime.min.replace(tzinfo=UTC)
"""Before every time that a record may name."""


class FactKind(StrEnum):
    """The kind of a fact."""

    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    EXPERIENCE = "experience"
    SKILL = "skill"
    GOAL = "goal"
    CONSTRAINT = "constraint"
    IDENTITY = "identity"
    EVENT = "event"
    DECISION = "decision"
    DISCOVERY = "discovery"
    OTHER = "other"

    @property
    def happened(self) -> bool:
        """True for what happened at a time, and does not go on."""
        return self in (FactKind.EXPERIENCE, FactKind.EVENT)


class Visibility(StrEnum):
    """The readers of a memory."""

    SHARED = "shared"
    PRIVATE_TO_AGENT = "private_to_agent"
    PRIVATE_TO_USER = "private_to_user"


class Precision(StrEnum):
    """The precision of a time; NONE where there is no time."""

    NONE = ""
    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    INSTANT = "instant"


class FactFlag(StrEnum):
    """A remark on a fact."""

    CONTRADICTED = "contradicted"
    NEEDS_REVIEW = "needs_review"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a view, of one memory or of several that say the same and have the same scope.

    `scope` is who may see it: "shared", "agent:<id>" or "user:<id>". `since` is from when it holds
    or when it happened, `told` when it was last said, `utc_offset_minutes` the clock of who said it
    beside UTC. A line that is no fact has no subject.
    """

    text: str
    memory_ids: tuple[str, ...]
    scope: str
    visibility: Visibility = Visibility.SHARED
    subject: str = ""
    predicate: str = ""
    object: str = ""
    kind: FactKind = FactKind.OTHER
    since: datetime | None = None
    until: datetime | None = None
    precision: Precision = Precision.NONE
    told: datetime | None = None
    confidence: float = 0.0
    importance: float = 0.0
    sources: tuple[str, ...] = ()
    flags: frozenset[FactFlag] = frozenset()
    utc_offset_minutes: int | None = None

    @property
    def moment(self) -> datetime:
        """The time by which lines are ordered: since when it holds, else when it was said."""
        return self.since or self.told or LONG_AGO

    @property
    def newest(self) -> tuple[datetime, datetime, str]:
        """The sort key by which the line that was said or begun last is the greatest."""
        told = self.told or LONG_AGO
        return max(told, self.since or LONG_AGO), told, self.memory_ids[0]


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading; `left_out` did not fit."""

    title: str
    lines: tuple[Line, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """The profile of a person: facts that hold now, as sections and as text."""

    subject: str
    sections: tuple[Section, ...] = ()
    text: str = ""
    token_count: int = 0

    @property
    def left_out(self) -> int:
        """Lines that did not fit into the budget."""
        return sum(section.left_out for section in self.sections)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """The use of a tool in one task: calls, and the lines that told of its failures."""

    tool: str
    calls: int
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A measured task: a segment of a session, with the time at which it was cut."""

    segment_id: str
    session_id: str
    task_type: str
    topic: str
    score: float
    time: datetime
    tools: tuple[ToolUse, ...] = ()


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure and how it went; `segment_id` is the task that it was learned from."""

    memory_id: str
    name: str
    segment_id: str
    runs: int
    success_rate: float
    status: str
    visibility: Visibility


@dataclass(frozen=True, slots=True)
class TaskPattern:
    """A kind of task: how often it was done, how well, what about, and what helps."""

    task_type: str
    tasks: int
    mean_score: float
    last: datetime
    topics: tuple[str, ...]
    procedures: tuple[Procedure, ...]


@dataclass(frozen=True, slots=True)
class ToolError:
    """A kind of error of a tool, with the line and the session that told of it last."""

    kind: str
    count: int
    example: str
    session_id: str


@dataclass(frozen=True, slots=True)
class ToolFailure:
    """A tool that failed: how often, with what, and lessons from the tasks in which it did."""

    tool: str
    calls: int
    failures: int
    last: datetime
    errors: tuple[ToolError, ...]
    remedies: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class LessonLine:
    """A lesson as a line; `segment_id` is the task that it was learned from."""

    line: Line
    segment_id: str


@dataclass(frozen=True, slots=True)
class Source:
    """A drawer that lines were taken from."""

    memory_id: str
    pointer: str
    session_id: str
    summary: str
    time: datetime | None
    utc_offset_minutes: int | None = None


@dataclass(frozen=True, slots=True)
class KnowledgePage:
    """All that is known of one entity; `names` are all of its names, the first one its own."""

    names: tuple[str, ...]
    sections: tuple[Section, ...] = ()
    sources: tuple[Source, ...] = ()
