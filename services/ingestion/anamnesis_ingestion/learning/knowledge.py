"""The knowledge of a task as plain values: facts, lessons, procedures, names, and refusals.

Every one cites the events it came from by their index in the session. Confidence, importance
and impact are in [0, 1].
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from anamnesis_ingestion.ledger import LedgerEvent


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


class EntityKind(StrEnum):
    """The kind of thing that a name stands for; UNKNOWN if the text does not tell."""

    UNKNOWN = ""
    PERSON = "person"
    PROJECT = "project"
    ORGANISATION = "organisation"
    TECHNOLOGY = "technology"
    PLACE = "place"
    ITEM = "item"
    EVENT = "event"
    TOPIC = "topic"
    AGENT = "agent"


class Precision(StrEnum):
    """The precision of a time; NONE if there is no time."""

    NONE = ""
    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"
    INSTANT = "instant"


class Refused(StrEnum):
    """The reason why an extracted item is not stored; counted, and shown to operators."""

    UNSUPPORTED = "unsupported"
    NO_SOURCE = "no_source"
    WITHHELD = "withheld"
    INJECTED = "injected"
    SYSTEM_PROMPT = "system_prompt"
    RESTATED_PROMPT = "restated_prompt"
    GENERALITY = "generality"
    LOW_CONFIDENCE = "low_confidence"
    LOW_IMPORTANCE = "low_importance"
    REPEATED = "repeated"
    MALFORMED = "malformed"
    TOO_MANY = "too_many"
    OVERRAN = "overran"


@dataclass(frozen=True, slots=True)
class Dated:
    """The time in which something holds: [since, until), either end open.

    Aware datetimes in UTC: wall times of who told it, as if they were UTC.
    """

    since: datetime | None = None
    until: datetime | None = None
    precision: Precision = Precision.NONE


NO_TIME = Dated()
UNNAMED = "user"
"""The subject of what is said where neither the event nor the task names the speaker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedFact:
    """Something about a person or the world; `statement` reads by itself, in the source's language.

    `time` is when it happened, or from when it holds; empty beats a guess. `ended` says that it is
    over: since `time.until`, or else since it was said; `ends_only` that it only ends what is held,
    and is no fact itself. `said_at` is the time of telling. All are times of the speaker's clock,
    which is `utc_offset_minutes` beside UTC.
    `single_valued` is the extractor's word that the predicate has one object at a time.
    `presupposed` says that a question may hold it: it takes for granted who is whose.
    """

    statement: str
    subject: str
    predicate: str
    object: str
    kind: FactKind
    sources: tuple[int, ...]
    persons: tuple[str, ...] = ()
    location: str = ""
    topic: str = ""
    time: Dated = NO_TIME
    ended: bool = False
    ends_only: bool = False
    said_at: datetime | None = None
    utc_offset_minutes: int | None = None
    single_valued: bool = False
    presupposed: bool = False
    confidence: float = 0.7
    importance: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedLesson:
    """Something any agent could use again; `category` is one of the lesson categories."""

    title: str
    context: str
    resolution: str
    category: str
    sources: tuple[int, ...]
    tags: tuple[str, ...] = ()
    impact: float = 0.5
    confidence: float = 0.7
    importance: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a procedure."""

    action: str
    spec: str
    success_criteria: str = ""
    on_failure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedProcedure:
    """A path that led to a goal."""

    name: str
    goal: str
    steps: tuple[Step, ...]
    sources: tuple[int, ...]
    trigger_tags: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    confidence: float = 0.7
    importance: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedMention:
    """Somebody or something that events name; `name` and `aliases` as the text spells them.

    Without sources it says what a name stands for that facts use and no event spells.
    """

    name: str
    kind: EntityKind
    sources: tuple[int, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The knowledge of one task, or of one window of it; `refusals` counts what was refused."""

    facts: tuple[LearnedFact, ...] = ()
    lessons: tuple[LearnedLesson, ...] = ()
    procedures: tuple[LearnedProcedure, ...] = ()
    refusals: Mapping[Refused, int] = field(default_factory=dict)
    mentions: tuple[LearnedMention, ...] = ()

    def with_refusals(self, more: Mapping[Refused, int]) -> "Knowledge":
        """The knowledge with more refusals counted."""
        return replace(self, refusals=Counter(self.refusals) + Counter(more))

    def by_clocks(self, clocks: Mapping[int, int]) -> "Knowledge":
        """The knowledge with each fact on the clock of the last event that tells it."""
        if not clocks:
            return self
        facts = (replace(one, utc_offset_minutes=clocks.get(one.sources[-1])) for one in self.facts)
        return replace(self, facts=tuple(facts))

    def __add__(self, other: "Knowledge") -> "Knowledge":
        """Both, in order."""
        return Knowledge(
            self.facts + other.facts,
            self.lessons + other.lessons,
            self.procedures + other.procedures,
            Counter(self.refusals) + Counter(other.refusals),
            self.mentions + other.mentions,
        )


@dataclass(frozen=True, slots=True)
class Held:
    """A fact that is held by what was learned; `told_at` is when it was told, if known.

    `ended` says that it was told to be over, `since` and `until` when it began and was over.
    """

    subject: str
    predicate: str
    object: str
    told_at: datetime | None = None
    ended: bool = False
    since: datetime | None = None
    until: datetime | None = None

    def folded(self) -> "Held":
        """The fact with its case folded."""
        return Held(self.subject.casefold(), self.predicate.casefold(), self.object.casefold())


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionInput:
    """The input of an extractor: events to learn from, and some before them as context only.

    All belong to one task of one session. `user` and `agent` name the two sides where the events
    do not. `lessons` says whether lessons and procedures are wanted: the task went well enough;
    `proven`, where it did not, whether those are that show or tell by themselves what was so;
    `facts` whether facts and names are. `held` is what was known of the two sides before, for an
    extractor that asks for it.
    """

    events: Sequence[LedgerEvent]
    context: Sequence[LedgerEvent] = ()
    user: str = ""
    agent: str = ""
    lessons: bool = False
    proven: bool = False
    facts: bool = True
    topic: str = ""
    held: Sequence[Held] = ()


class Extractor(Protocol):
    """Learns from a task."""

    @property
    def name(self) -> str:
        """Says who learned: local, or the name of the chat model."""
        ...

    @property
    def reads_held(self) -> bool:
        """True where it is to be shown what holds."""
        ...

    async def learn(self, lecture: ExtractionInput) -> Knowledge:
        """Return what the events teach, each with its sources among `lecture.events`.

        Raises:
            AnamnesisError: a model failed; nothing was learned then, and it is tried again.
        """
        ...
