"""The port of an index. An index is derived: whatever it loses, the store still has.

An index scores *every* memory of a scope against a query by four features, each
standardised over that scope, and answers the best with their features. It ranks for
nobody else: weighing and cutting is the caller's work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.models.ports import TokenCodes

Rows = NDArray[np.float32]
"""Vectors of unit length, one a piece of text; shape (pieces, dimension)."""

Vector = NDArray[np.float32]
"""One vector of unit length; shape (dimension,)."""

RowNumbers = NDArray[np.int32]
"""Numbers of vectors in the order in which they were added."""

RowBits = NDArray[np.uint8]
"""A bit a row, the first row's the lowest of the first byte."""


RECALL_ASKED = 32
"""Rows that are asked for themselves to measure a recall."""

MISSING = "missing"
"""The answer of `Index.differences` for a document that is not held."""


class OtherVersion(ValueError):
    """A file of an index that another version wrote: it is whole, and not read here."""


@dataclass(frozen=True, slots=True)
class Document:
    """One memory as the index sees it. Times are microseconds since 1970, UTC.

    `vectors` is None while the memory has no embedding: it is found by text only. What it says
    holds from `valid_from_us` until `valid_to_us`, exclusive; None where it has no bound.
    """

    memory_id: str
    text: str
    kind: str
    role: str = ""
    name: str = ""
    session_id: str = ""
    position: int | None = None
    event_time_us: int | None = None
    create_time_us: int = 0
    importance: float = 0.5
    category: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    agent_id: str = ""
    user_id: str = ""
    visibility: str = "shared"
    origin: str = "observed"
    archived: bool = False
    valid_from_us: int | None = None
    valid_to_us: int | None = None
    vectors: Rows | None = None
    utc_offset_minutes: int | None = None
    """The clock by which its event time is of a day; None is UTC."""


@dataclass(frozen=True, slots=True)
class SearchScope:
    """The scope of a search: memories that the caller may see and the filter lets through.

    Every set field must hold; a tuple holds when one of its values does. Tags and
    entities are compared case-folded. `caller_*` decide visibility: a document is in
    when it is "shared", or "private_to_agent" of `caller_agent`, or "private_to_user"
    of `caller_user`; an empty caller sees what is shared. `as_of_us` leaves out what did not
    hold then, `memory_ids` all but these.
    """

    caller_agent: str = ""
    caller_user: str = ""
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    agent_id: str = ""
    user_id: str = ""
    session_ids: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    start_time_us: int | None = None
    end_time_us: int | None = None
    min_importance: float = 0.0
    include_archived: bool = False
    as_of_us: int | None = None
    memory_ids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class FeatureWeights:
    """Weights of the standardised features in the sum by which the best are chosen."""

    text: float = 1.0
    text_window: float = 1.0
    dense: float = 2.0
    dense_window: float = 2.0


@dataclass(frozen=True, slots=True)
class Standing:
    """Categories whose best `limit` documents are answered whatever their score."""

    categories: tuple[str, ...] = ()
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Happened:
    """A time, its end exclusive, of which the best `limit` documents are answered anyway."""

    since_us: int = 0
    until_us: int = 0
    limit: int = 0


@dataclass(frozen=True, slots=True)
class AskedTokens:
    """The tokens of a question that say something: the code of each, and the word it is in."""

    codes: TokenCodes
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A question; without a vector only the text features count.

    `related_words` are of the same matter: they weigh less than those of `text`. What had ended by
    `open_at_us` is not answered, but for the best `ended_max` of it. With `newest_first` the best
    are the newest, by when they happened or else were stored. `meaning` is the text whose vector is
    compared, and whose `tokens`, where that is another.
    """

    text: str
    vector: Vector | None
    scope: SearchScope = field(default_factory=SearchScope)
    weights: FeatureWeights = field(default_factory=FeatureWeights)
    limit: int = 200
    related_words: str = ""
    standing: tuple[Standing, ...] = ()
    happened: Happened = field(default_factory=Happened)
    open_at_us: int | None = None
    ended_max: int = 0
    newest_first: bool = False
    meaning: str = ""
    tokens: AskedTokens | None = None


@dataclass(frozen=True, slots=True)
class Alike:
    """Asks for what is nearest to a vector among what agrees in every field.

    Owners count where `visibility` is private to them: `agent_id` of "private_to_agent", `user_id`
    of "private_to_user". What is archived takes no part.
    """

    vector: Vector
    kind: str
    category: str
    visibility: str
    agent_id: str = ""
    user_id: str = ""
    cosine_min: float = 0.0
    limit: int = 16


class Near(NamedTuple):
    """A memory, and the cosine of its vectors' mean with the vector asked for."""

    memory_id: str
    cosine: float


class Hit(NamedTuple):
    """One memory with what speaks for it; see anamnesis.memory.v1.Candidate for each field.

    A named tuple, for hundreds are made a query: a frozen dataclass takes several times as long.
    """

    memory_id: str
    score: float
    text: float
    text_window: float
    dense: float
    dense_window: float
    length: float
    is_question: bool
    answered_score: float
    cosine: float
    matched_terms: tuple[int, ...]
    kind: str
    role: str
    name: str
    session_id: str
    importance: float
    event_time_us: int | None
    create_time_us: int
    position: int | None
    category: str
    previous_id: str
    nearest_piece: int
    piece_cosines: tuple[float, ...]
    token_match: float
    ended: bool


class ConversationKind(StrEnum):
    """The kind of records that a scope holds, by its own statistics."""

    PLAIN = "plain"
    PEOPLE = "people"
    ROLES = "roles"


@dataclass(frozen=True, slots=True)
class ScopeStatistics:
    """Statistics of a scope; see anamnesis.memory.v1.ScopeStatistics."""

    size: int = 0
    kind: ConversationKind = ConversationKind.PLAIN
    names: tuple[str, ...] = ()
    named_share: float = 0.0
    role_share: float = 0.0
    length_spread: float = 0.0
    cohesion: float = 0.0
    window_radius: int = 0
    term_weights: tuple[float, ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredHits:
    """The best of a scope, best first; behind them what stands whatever its score.

    `recall` is the share of the nearest that are found, as measured, where a scope is too large to
    be scored whole; else 1.
    """

    hits: Sequence[Hit] = ()
    scope: ScopeStatistics = field(default_factory=ScopeStatistics)
    recall: float = 1.0


class NearRows(Protocol):
    """Finds rows near to a vector without scoring all: what a vector engine does.

    It is asked for row numbers alone, among rows that are named, and the index scores what it
    finds by rows of its own; so it may live elsewhere, for a namespace too large for one process.
    Several threads may `find` at once; whatever else must be alone.
    """

    @property
    def count(self) -> int:
        """Rows held: those numbered below it."""
        ...

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes in this process."""
        ...

    @property
    def recall(self) -> float:
        """The share of the exact nearest that is found, as measured when it was trained."""
        ...

    def add(self, rows: Rows) -> None:
        """Append rows, numbered on from the last."""
        ...

    def keep(self, alive: RowNumbers) -> None:
        """Hold only these rows, ascending, numbered from 0 in this order."""
        ...

    def measure(self, asked: Rows, exact: Sequence[RowNumbers]) -> None:
        """Measure the recall against the exact nearest of each, and do more for it if need be."""
        ...

    def find(self, vector: Vector, among: RowBits, share: float, limit: int) -> RowNumbers:
        """Up to `limit` rows that are near, of those whose bit is set: a `share` of all rows."""
        ...


class Training(Protocol):
    """A training on rows that were drawn; it holds no lock while it runs."""

    @property
    def count(self) -> int:
        """Rows that were held when they were drawn."""
        ...

    @property
    def generation(self) -> int:
        """The number of times that rows had been numbered anew by then."""
        ...

    def run(self) -> NearRows:
        """Train, on this thread alone; what comes of it holds nothing yet."""
        ...


class Index(Protocol):
    """Text and vectors of one namespace, in memory.

    Several threads may `find` and `settle` at once; whatever else must be alone.
    """

    @property
    def size(self) -> int:
        """Memories held."""
        ...

    @property
    def vector_count(self) -> int:
        """Vectors held; a long text has several."""
        ...

    @property
    def waiting_for_vectors(self) -> int:
        """Documents that have no vectors yet."""
        ...

    @property
    def memory_bytes(self) -> int:
        """Bytes of memory taken, estimated."""
        ...

    def without_vectors(self) -> Sequence[str]:
        """Ids of documents that have no vectors yet."""
        ...

    def ids(self) -> Sequence[str]:
        """Ids of all documents held."""
        ...

    def mentions(self, text: str) -> int:
        """Number of places that hold a text: pieces with all its terms, ids, names and labels.

        What was taken out counts as long as anything of it is held.
        """
        ...

    def differences(self, documents: Sequence[Document]) -> Mapping[str, Sequence[str]]:
        """Fields in which what is held is not what documents say; those that agree are left out.

        A document that is not held has the field MISSING; `vectors` of None agrees with
        none held.
        """
        ...

    def put(self, documents: Sequence[Document]) -> None:
        """Add documents, or replace those of the same id."""
        ...

    def put_vectors(self, vectors: Mapping[str, Rows]) -> None:
        """Add vectors to documents that had none; unknown ids are passed over."""
        ...

    @property
    def unread(self) -> int:
        """Documents with vectors whose tokens are not held."""
        ...

    def without_tokens(self, limit: int) -> Sequence[str]:
        """Ids of so many documents with vectors whose tokens are not held, at most."""
        ...

    def put_tokens(self, tokens: Mapping[str, Sequence[TokenCodes]]) -> None:
        """Add the tokens of each piece to documents that have vectors; others are passed over.

        A document that is replaced with the same vectors keeps its own.
        """
        ...

    def remove(self, memory_ids: Sequence[str]) -> None:
        """Take documents out; unknown ids are passed over. O(batch), not O(index)."""
        ...

    def find(self, query: Query) -> ScoredHits:
        """Score the scope and answer the best."""
        ...

    @property
    def unsettled(self) -> bool:
        """True if changes have left something for `settle` to do."""
        ...

    def settle(self) -> None:
        """Make ready, after changes, what the queries over a scope share.

        Of scopes that were asked for since the last time: the next query finds them ready.
        """
        ...

    def nearest(self, asked: Alike) -> Sequence[Near]:
        """The nearest of a group, the nearest first; O(group), with nothing made ready before."""
        ...

    @property
    def untrained(self) -> bool:
        """True if there is so much that a search should find candidates without scoring all."""
        ...

    def training(self) -> Training:
        """A training to run while searches and changes go on; its outcome goes to `fill`."""
        ...

    def fill(self, near: NearRows) -> bool:
        """Add the next rows to what was trained; True while there are more."""
        ...

    def nearest_rows(self, number: int) -> tuple[Vector, RowNumbers]:
        """One of the `RECALL_ASKED` rows that recall is measured by, and the exact nearest."""
        ...

    def adopt(self, near: NearRows, training: Training) -> bool:
        """Find candidates by it from now on; False if the rows were numbered anew meanwhile."""
        ...

    def save(self, path: Path) -> None:
        """Write everything to a file."""
        ...

    def load(self, path: Path) -> None:
        """Take everything from a file written by `save`.

        Raises:
            ValueError: the file is damaged or of another version.
        """
        ...
