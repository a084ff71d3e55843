"""What each kind of memory holds besides its text, as plain values."""

from dataclasses import dataclass
from enum import StrEnum


class EpisodeStage(StrEnum):
    """Where an episodic memory stands in its life."""

    SHORT_TERM = "short_term"
    MEDIUM_TERM = "medium_term"


class Role(StrEnum):
    """Who an event comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    FILE = "file"

    @property
    def speaks(self) -> bool:
        """True if an event's name is its speaker's; a tool and a place in a file have names too."""
        return self not in {Role.TOOL, Role.FILE}


@dataclass(frozen=True, slots=True)
class Episode:
    """What an episodic memory holds besides its text."""

    role: Role
    name: str
    event_index: int
    stage: EpisodeStage = EpisodeStage.SHORT_TERM


class FactKind(StrEnum):
    """What a fact tells."""

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


class TimePrecision(StrEnum):
    """How exact a time is."""

    NONE = ""
    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class Fact:
    """What a semantic memory holds besides its statement.

    `fact_id` names the fact through all its closings (see `facts.key`); empty of what was never
    settled among others of its subject and predicate. `source` is who said so first.
    `single_valued` is the teller's word; the last three are what the others of its line made of it.
    """

    subject: str
    predicate: str
    object: str
    valid_from_us: int | None = None
    valid_to_us: int | None = None
    kind: FactKind = FactKind.OTHER
    persons: tuple[str, ...] = ()
    location: str = ""
    topic: str = ""
    time_precision: TimePrecision = TimePrecision.NONE
    source_memory_ids: tuple[str, ...] = ()
    fact_id: str = ""
    source: str = ""
    single_valued: bool = False
    superseded: bool = False
    contradicted: bool = False
    retracted: bool = False

    @property
    def ended(self) -> bool:
        """Whether it says already that it does not hold as it was told."""
        return self.superseded or self.retracted


@dataclass(frozen=True, slots=True)
class ProcedureStep:
    """One step of a procedure."""

    action: str = ""
    spec: str = ""
    success_criteria: str = ""
    on_failure: str = ""
    retries_max: int = 0


class ProcedureStatus(StrEnum):
    """Where a procedure stands in its life."""

    DRAFT = "draft"
    ACTIVE = "active"
    DEPRECATED = "deprecated"


@dataclass(frozen=True, slots=True)
class Procedure:
    """What a procedural memory holds besides its text."""

    name: str
    goal: str = ""
    steps: tuple[ProcedureStep, ...] = ()
    avoid: tuple[str, ...] = ()
    trigger_tags: tuple[str, ...] = ()
    status: ProcedureStatus = ProcedureStatus.DRAFT
    runs: int = 0
    success_rate: float = 0.0


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a learning memory holds besides its text."""

    title: str = ""
    context: str = ""
    resolution: str = ""
    impact: float = 0.0
    evidence_memory_ids: tuple[str, ...] = ()
    applications: int = 0
    validated: bool = False


Part = Episode | Fact | Procedure | Lesson | None
