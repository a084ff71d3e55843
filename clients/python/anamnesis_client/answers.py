"""Answers as small frozen values, each with where it comes from."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar, overload


@dataclass(frozen=True, slots=True)
class Memory:
    """Something worth recalling: a drawer with what was said, a fact, a lesson, a procedure."""

    id: str
    kind: str
    """"episodic", "semantic", "procedural", "learning" or "document"."""
    text: str
    """All of it; in a search without `full` the line or the overview that was asked for."""
    summary: str
    time: datetime | None
    """When what it tells happened."""
    stored: datetime | None
    session: str
    index: int | None
    """The event of the session that it holds or was learned from."""
    pointer: str
    """Its place, e.g. "§ W-001/R-01/D-001"; empty for all but drawers."""
    role: str
    """Who spoke, of a drawer: "user", "assistant", "system", "tool" or "file"."""
    name: str
    """The speaker's name, of a drawer."""
    user: str
    agent: str
    visibility: str
    """"shared", "private_to_agent" or "private_to_user"."""
    origin: str
    """"observed", "asserted" or "generated"."""
    sources: tuple[str, ...]
    """Ids of the drawers that it was learned from."""
    category: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    importance: float
    confidence: float
    expires: datetime | None

    def __str__(self) -> str:
        """Its text."""
        return self.text


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that answers a query; a higher score is better, within one search."""

    memory: Memory
    score: float
    routes: tuple[str, ...]
    """The ways that found it: "text", "dense", "window", "fact"."""

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id

    @property
    def text(self) -> str:
        """The text of the memory."""
        return self.memory.text

    def __str__(self) -> str:
        """The text of the memory."""
        return self.memory.text


@dataclass(frozen=True, slots=True)
class Found(Sequence[Hit]):
    """The hits of a search, best first."""

    hits: tuple[Hit, ...] = ()
    degraded: tuple[str, ...] = ()
    """The parts of the search that could not take part, and why."""
    revision: str = ""

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Hit]: ...
    def __getitem__(self, index: int | slice) -> Hit | Sequence[Hit]:
        """The hit of a place, or several."""
        return self.hits[index]

    def __iter__(self) -> Iterator[Hit]:
        """The hits, best first."""
        return iter(self.hits)

    def __len__(self) -> int:
        """The number of hits."""
        return len(self.hits)


_Each = TypeVar("_Each")
_OF_ITSELF = ("text", "dense")


def that_say_it(
    found: Iterable[_Each], routes: Callable[[_Each], Collection[str]]
) -> tuple[_Each, ...]:
    """Those of what a search found that speak of it themselves.

    They have words of the query; where none has, its meaning. What a search finds by the turns
    around it, or beside such words by meaning alone, is good to read, and not to be deleted.
    """
    each = tuple(found)
    of_routes = (tuple(one for one in each if route in routes(one)) for route in _OF_ITSELF)
    return next(filter(None, of_routes), ())


@dataclass(frozen=True, slots=True)
class Citation:
    """The memory that lines of a context come from, and why they are there."""

    memory_id: str
    pointer: str
    line: int
    """The line of the text where it begins, from 1."""
    token_count: int
    reason: str
    """"answers", "standing", "asked" or "before"."""
    score: float


@dataclass(frozen=True, slots=True)
class Context:
    """A block of text for a prompt; false, and the empty text, where nothing is relevant."""

    text: str
    token_count: int
    token_budget: int
    citations: tuple[Citation, ...]
    left_out: int
    """Relevant memories that did not fit into the budget."""
    empty_reason: str
    """"nothing_visible", "nothing_relevant", "budget_too_small", "already_shown"; else empty."""
    degraded: tuple[str, ...]
    revision: str

    def __str__(self) -> str:
        """The text."""
        return self.text

    def __bool__(self) -> bool:
        """True if there is a text."""
        return bool(self.text)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact with its two times: when it held, and when that was known."""

    memory_id: str
    subject: str
    predicate: str
    object: str
    text: str
    """The sentence that says it."""
    valid_from: datetime | None
    valid_to: datetime | None
    """Until when it held; None while it holds."""
    precision: str
    """"year", "month", "week", "day", "instant"; empty where no time is known."""
    known_from: datetime | None
    known_to: datetime | None
    kind: str
    confidence: float
    flags: frozenset[str]
    """"contradicted", "needs_review", "superseded", "retracted"."""
    said_by: tuple[str, ...]
    sources: tuple[str, ...]
    """Ids of the drawers that it was taken from."""

    def __str__(self) -> str:
        """The sentence that says it."""
        return self.text


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """A line of a profile: a fact that holds now, said by one memory or by several."""

    text: str
    memory_ids: tuple[str, ...]
    subject: str
    predicate: str
    object: str
    kind: str
    valid_from: datetime | None
    precision: str
    """As in `Fact`."""
    told: datetime | None
    """When it was last said."""
    confidence: float
    visibility: str
    sources: tuple[str, ...]
    """Ids of the drawers that it was taken from."""
    flags: frozenset[str]

    def __str__(self) -> str:
        """Its text."""
        return self.text


@dataclass(frozen=True, slots=True)
class ProfileSection:
    """Lines of a profile under a heading, newest first; `left_out` did not fit."""

    title: str
    lines: tuple[ProfileLine, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Profile:
    """The facts that hold now of a person; false, and the empty text, where none is known."""

    subject: str
    text: str
    """Ready for a prompt."""
    sections: tuple[ProfileSection, ...]
    token_count: int
    left_out: int
    """Lines that did not fit into the budget."""
    revision: str

    def __str__(self) -> str:
        """The text."""
        return self.text

    def __bool__(self) -> bool:
        """True if there is a text."""
        return bool(self.text)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that an assistant asked for; its arguments are JSON text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Event:
    """One message of a session, as it was said."""

    index: int
    role: str
    content: str
    name: str = ""
    time: datetime | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""
    reasoning: str = ""
    memory_id: str = ""
    """The drawer that holds it; empty where it has no text."""


@dataclass(frozen=True, slots=True)
class Added:
    """The events of a session that a write stored."""

    session: str
    appended: int
    replaced: int
    unchanged: int
    event_count: int
    """Events of the session after the write."""
    revision: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The memories that were deleted, or would be: of a dry run nothing is gone."""

    memories: tuple[Memory, ...]
    dry_run: bool
    missing: tuple[str, ...] = ()
    """Ids that are not there, or not to be seen."""
    revision: str = ""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the memories, to be handed to `forget` when they are the right ones."""
        return tuple(memory.id for memory in self.memories)


@dataclass(frozen=True, slots=True)
class Learned:
    """One piece of the work of learning."""

    stage: str
    """"segment", "label" or "extract"."""
    session: str
    failure: str
    """Why it failed; empty where it is done."""
    facts: int
    lessons: int
    procedures: int
    left: int
    """Sessions with work left."""


@dataclass(frozen=True, slots=True)
class Change:
    """A memory that was stored or changed, or is gone."""

    memory_id: str
    kind: str
    """As in `Memory`; empty where it is gone."""
    deleted: bool
    revision: str = field(repr=False)
    """Hand it to `watch` to go on from here."""
