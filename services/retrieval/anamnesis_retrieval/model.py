"""The records of the retrieval service, as plain values: no I/O, no clock, no protobuf.

Times are whole microseconds since 1970 in UTC (`*_us`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from enum import StrEnum
from typing import NamedTuple

from anamnesis_libs.talk.standing import STANDING_CATEGORIES
from anamnesis_libs.zones import in_zone
from anamnesis_retrieval.validity import DAY


class Mode(StrEnum):
    """The modes of search: by which ways, and over what."""

    AUTO = "auto"
    SEMANTIC = "semantic"
    STRUCTURED = "structured"
    TEMPORAL = "temporal"
    GRAPH = "graph"
    HYBRID = "hybrid"


class Ranking(StrEnum):
    """The reasons for which a memory stands before another; see `ranking/recency.py`."""

    RELEVANCE = "relevance"
    BALANCED = "balanced"
    RECENT = "recent"


class Part(StrEnum):
    """The parts of a brief, each of memories of other kinds."""

    STANDING = "standing"
    """Rules, constraints and amendments, as they were said and as they were learned."""
    SAID = "said"
    KNOWN = "known"
    """Facts."""
    LEARNED = "learned"
    """Lessons and procedures."""


class ConversationKind(StrEnum):
    """The kinds of conversation that a scope's own statistics tell apart."""

    PLAIN = "plain"
    PEOPLE = "people"
    ROLES = "roles"


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the four standardised features."""

    text: float
    text_window: float
    dense: float
    dense_window: float


@dataclass(frozen=True, slots=True)
class Behind:
    """The candidates behind the best, whatever their score: so many of each sort, else none.

    What stands, what tells a liking, facts that had ended, and what happened within a time, whose
    end is exclusive.
    """

    standing_max: int = 0
    likings_max: int = 0
    ended_max: int = 0
    happened: tuple[datetime, datetime] | None = None


NOTHING_BEHIND = Behind()


class Candidate(NamedTuple):
    """One memory with what speaks for it; see anamnesis.memory.v1.Candidate for each field.

    A tuple, since a hundred of them are made for each question.
    """

    memory_id: str
    text: float = 0.0
    text_window: float = 0.0
    dense: float = 0.0
    dense_window: float = 0.0
    length: float = 0.0
    is_question: bool = False
    answered_score: float = 0.0
    role: str = ""
    name: str = ""
    cosine: float = 0.0
    matched_terms: frozenset[int] = frozenset()
    event_time_us: int | None = None
    create_time_us: int = 0
    event_index: int = -1
    source_ids: tuple[str, ...] = ()
    is_drawer: bool = False
    previous_id: str = ""
    nearest_piece: int = 0
    piece_cosines: tuple[float, ...] = ()
    token_match: float | None = None
    category: str = ""
    ended: bool = False
    session_id: str = ""
    importance: float = 0.5
    score: float = 0.0
    """The weighted sum by which memory chose it."""

    @property
    def is_standing(self) -> bool:
        """True for a rule or a constraint: a candidate whatever its score."""
        return self.category in STANDING_CATEGORIES


@dataclass(frozen=True, slots=True)
class ScopeShape:
    """The shape of a scope; see anamnesis.memory.v1.ScopeStatistics.

    `reads_cjk` says that its vectors tell Chinese, Japanese and Korean texts apart.
    """

    size: int = 0
    kind: ConversationKind = ConversationKind.PLAIN
    names: tuple[str, ...] = ()
    window_radius: int = 0
    term_weights: tuple[float, ...] = ()
    absent: tuple[str, ...] = ()
    reads_cjk: bool = False
    stricter: float = 0.0
    """More evidence than usual that its contexts want before they speak, by policy."""


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """The candidates for a question; `revision` is the one that was searched."""

    candidates: Sequence[Candidate] = ()
    scope: ScopeShape = field(default_factory=ScopeShape)
    revision: str = ""
    degraded: tuple[str, ...] = ()
    query: str = ""
    """The question as it was searched: redacted."""
    asker: str = ""
    """The speaker in scope who asks about themselves; empty where nobody knows that."""
    context_tokens: int = 0
    """The budget of contexts by policy; 0 where it says nothing."""
    zone: tzinfo | None = None
    """Where who asks is: as the request says, else by policy; None is UTC."""

    def on_clock(self, asked_at: datetime | None) -> datetime | None:
        """A moment of asking on the clock of who asks."""
        return in_zone(asked_at, self.zone) if asked_at and self.zone else asked_at

    def degraded_by(self, *reasons: str) -> "CandidateSet":
        """The same candidates, with further reasons why something could not take part."""
        return replace(self, degraded=(*self.degraded, *reasons))


@dataclass(frozen=True, slots=True)
class Joined:
    """The memories that a walk of the graph reached, with the edges to each from its beginning.

    `truncated` names the bound that ended it before all was seen, and is empty where all was.
    """

    distances: Mapping[str, int]
    truncated: str = ""


@dataclass(frozen=True, slots=True)
class Factor:
    """One term of a score."""

    name: str
    value: float
    weight: float

    @property
    def contribution(self) -> float:
        """The points that the factor adds to the score; nothing is 0, never -0."""
        return self.value * self.weight + 0.0


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a score: its name and its weight."""

    name: str
    weight: float


class Ranked(NamedTuple):
    """A candidate with its score: the sum of its values, each times the weight of its term.

    Factors and routes are made when they are asked for: of hundreds, a page is shown. Where a fact
    that was taken from it spoke for it more than itself (`by_fact`), values are means of both.
    A tuple, as `Candidate` is.
    """

    candidate: Candidate
    terms: tuple[Term, ...] = ()
    values: tuple[float, ...] = ()
    score: float = 0.0
    by_fact: bool = False
    reread: float | None = None
    """The points of a reranker, where one has read it; they are no part of the score."""

    @property
    def factors(self) -> tuple[Factor, ...]:
        """Every term of the score, and what a reranker gave, which weighs nothing in it."""
        pairs = zip(self.terms, self.values, strict=True)
        terms = tuple(Factor(term.name, value, term.weight) for term, value in pairs)
        return terms if self.reread is None else (*terms, Factor("rerank", self.reread, 0.0))

    @property
    def routes(self) -> tuple[str, ...]:
        """The ways that led to the memory: its own words, its own vector, its neighbours."""
        pairs = zip(self.terms, self.values, strict=True)
        helped = {term.name for term, value in pairs if term.weight * value > 0}
        by_text = any(term.name in {"text", "text_window"} for term in self.terms)
        routes = {
            "text": bool(self.candidate.matched_terms) and by_text,
            "dense": "dense" in helped,
            "window": bool(helped & {"text_window", "dense_window"}),
            "fact": self.by_fact,
        }
        return tuple(name for name, taken in routes.items() if taken)


@dataclass(frozen=True, slots=True)
class Learned:
    """The parts of a lesson, or of a procedure.

    Of a procedure `context` is the goal, and lines of `outcome` are the `steps` with their numbers.
    """

    title: str
    context: str = ""
    outcome: str = ""
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory as it is shown in a context; `speaker` is a name, a role or a kind.

    `caveats` say in a word or two each why not to rely on it as it stands. `fact_line` is of facts
    alone: those with the same one are about one thing; `source_ids` are the lines that told it.
    """

    memory_id: str
    pointer: str
    speaker: str
    overview: str
    content: str
    event_time_us: int | None = None
    caveats: tuple[str, ...] = ()
    role: str = ""
    session_id: str = ""
    event_index: int = -1
    category: str = ""
    fact_line: str = ""
    superseded: bool = False
    source_ids: tuple[str, ...] = ()
    learned: Learned | None = None
    utc_offset_minutes: int | None = None
    """The clock of who said it beside UTC, by which it is of a day; None is UTC."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact about whom a question asks; it holds from `from_us` until `until_us`, exclusive."""

    memory: Remembered
    predicate: str
    from_us: int | None = None
    until_us: int | None = None
    value: str = ""
    """Its object: a name, or some words."""
    form: str = DAY
    """How exact its beginning is, as it is written."""

    def holds_at(self, moment_us: int | None) -> bool:
        """True if the fact holds at a moment; at none that is known, if no end of it is."""
        begun = self.from_us is None or moment_us is None or self.from_us <= moment_us
        return begun and not self.is_over_at(moment_us)

    def holds_within(self, since_us: int | None, until_us: int | None) -> bool:
        """True if the fact held at a moment between two, the second exclusive; None is open."""
        begun = self.from_us is None or until_us is None or self.from_us < until_us
        over = self.until_us is not None and since_us is not None and self.until_us <= since_us
        return begun and not over

    @property
    def is_bounded(self) -> bool:
        """True if its beginning or its end is known."""
        return self.from_us is not None or self.until_us is not None

    def is_over_at(self, moment_us: int | None) -> bool:
        """True if the fact had ended by a moment; by none that is known, if it has an end."""
        return self.until_us is not None and (moment_us is None or self.until_us <= moment_us)
