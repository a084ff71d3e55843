"""Details that each kind of memory holds besides its text, as plain values."""

from dataclasses import dataclass
from enum import StrEnum


class EpisodeStage(StrEnum):
    """The stages in the life of an episodic memory."""

    SHORT_TERM = "short_term"
    MEDIUM_TERM = "medium_term"


class Role(StrEnum):
    """The roles that an event can come from."""

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
    """The details of an episodic memory."""

    role: Role
    name: str
    event_index: int
    stage: EpisodeStage = EpisodeStage.SHORT_TERM


class FactKind(StrEnum):
    """The kinds of facts."""

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
    """The precision of a time."""

    NONE = ""
    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class Fact:
    """The details of a semantic memory.

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
        """True if the fact does not hold as it was told: it was superseded or retracted."""
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
    """The stages in the life of a procedure."""

    DRAFT = "draft"
    ACTIVE = "active"
    DEPRECATED = "deprecated"


@dataclass(frozen=True, slots=True)
class Procedure:
    """The details of a procedural memory; its sources are the memories that it was made of."""

    name: str
    goal: str = ""
    steps: tuple[ProcedureStep, ...] = ()
    avoid: tuple[str, ...] = ()
    trigger_tags: tuple[str, ...] = ()
    status: ProcedureStatus = ProcedureStatus.DRAFT
    runs: int = 0
    success_rate: float = 0.0
    source_memory_ids: tuple[str, ...] = ()
    review_note: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The details of a learning memory."""

    title: str = ""
    context: str = ""
    resolution: str = ""
    impact: float = 0.0
    evidence_memory_ids: tuple[str, ...] = ()
    applications: int = 0
    validated: bool = False


@dataclass(frozen=True, slots=True)
class JsonDocument:
    """The details of a document: a JSON object, as text, under a path and a key of its caller's.

    `search_fields` are `json_fields` of what is searched; none means all. `ttl_us` is how long it
    is kept from the last put or touch on; None where its expiry stands or it has none.
    """

    path: tuple[str, ...]
    key: str
    value: str
    search_fields: tuple[str, ...] = ()
    unsearchable: bool = False
    ttl_us: int | None = None


Part = Episode | Fact | Procedure | Lesson | JsonDocument | None
