"""The records that the memory service keeps, as plain values: no I/O, no clock, no protobuf.

Times are whole microseconds since 1970 in UTC (`*_us`). Revisions are the
namespace's logical clock: every committed change takes the next integer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from anamnesis_libs.participants import is_of
from anamnesis_memory.model.memory_details import Part

Vectors = NDArray[np.float32]
"""Rows of unit length; shape (pieces, dimension)."""


class Kind(StrEnum):
    """The kinds of memory."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    LEARNING = "learning"
    DOCUMENT = "document"


class Status(StrEnum):
    """The status of a memory: only active memories take part in search, unless asked otherwise."""

    ACTIVE = "active"
    ARCHIVED = "archived"


class Tier(StrEnum):
    """Rank by use."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


class Visibility(StrEnum):
    """The visibility of a record inside its namespace."""

    SHARED = "shared"
    PRIVATE_TO_AGENT = "private_to_agent"
    PRIVATE_TO_USER = "private_to_user"


class Origin(StrEnum):
    """The origin of a memory."""

    OBSERVED = "observed"
    ASSERTED = "asserted"
    GENERATED = "generated"


class Work(StrEnum):
    """The kinds of work that the services do behind the answers; see `work`."""

    CLUSTER = "cluster"
    SEGMENT = "segment"
    LABEL = "label"
    EXTRACT = "extract"
    COMPRESS = "compress"
    RETAIN = "retain"
    REINFORCE = "reinforce"
    TIER = "tier"
    FORGET = "forget"
    SHARE = "share"
    MERGE = "merge"
    CRYSTALLISE = "crystallise"
    REFINE = "refine"


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a request. An empty caller sees what is shared."""

    agent_id: str = ""
    user_id: str = ""
    session_id: str = ""

    def sees(self, visibility: Visibility, agent_id: str, user_id: str) -> bool:
        """True if the caller may see a record of this visibility and these owners."""
        match visibility:
            case Visibility.SHARED:
                return True
            case Visibility.PRIVATE_TO_AGENT:
                return bool(self.agent_id) and self.agent_id == agent_id
            case Visibility.PRIVATE_TO_USER:
                return is_of(user_id, self.user_id)


@dataclass(frozen=True, slots=True)
class Refinement:
    """The words of a chat model about a memory, said behind the answer.

    `importance_before` is what a rule had said, for which the model's number stands now, for
    `reason`; None where the importance is not the model's. `summary` and `overview` say which of
    the levels it wrote; the others are extracts.
    """

    model: str
    time_us: int
    importance_before: float | None = None
    reason: str = ""
    summary: bool = False
    overview: bool = False


@dataclass(frozen=True, slots=True)
class Provenance:
    """The provenance of a memory; event indices are inclusive.

    The three `seed_` fields say what a seeded memory was copied from (see `seeds`).
    `scored` says that a rule scored its importance, which nobody has set since.
    """

    origin: Origin
    session_id: str = ""
    segment_id: str = ""
    first_event_index: int | None = None
    last_event_index: int | None = None
    model: str = ""
    seed_namespace: str = ""
    seed_memory_id: str = ""
    seed_revision: str = ""
    scored: bool = False
    refinement: Refinement | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Something worth recalling. `revision` is the one that last changed it.

    `last_hit_us` to `centrality` are its vitals, with `hit_count` and `tier`: what use and sleep
    change, which takes no revision. `stability_days` and `review_us` of 0 are those of its first
    day. `utc_offset_minutes` is the clock beside UTC at its `event_time_us` of who said it; None is
    UTC.
    """

    memory_id: str
    kind: Kind
    content: str
    create_time_us: int
    update_time_us: int
    revision: int
    provenance: Provenance
    category: str = ""
    summary: str = ""
    overview: str = ""
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float = 0.8
    tier: Tier = Tier.WARM
    status: Status = Status.ACTIVE
    visibility: Visibility = Visibility.SHARED
    agent_id: str = ""
    user_id: str = ""
    session_id: str = ""
    event_index: int | None = None
    event_time_us: int | None = None
    pointer: str = ""
    hit_count: int = 0
    pinned: bool = False
    needs_review: bool = False
    part: Part = None
    expire_time_us: int | None = None
    archive_time_us: int | None = None
    last_hit_us: int | None = None
    stability_days: float = 0.0
    review_us: int = 0
    centrality: float = 0.0
    utc_offset_minutes: int | None = None

    @property
    def etag(self) -> str:
        """Changes with every change."""
        return f"{self.memory_id[-6:]}-{self.revision:x}"


@dataclass(frozen=True, slots=True)
class Topic:
    """A cluster as kept: `centroid` is the mean of its members' vectors.

    `label_model` is the model that worded the label, empty where it is made of terms;
    `label_member_count` are the members that it had when a model was last asked for one, 0 where
    none was or a member has left since.
    """

    topic_id: str
    label: str
    scope: str
    member_count: int
    centroid: Vectors
    create_time_us: int
    update_time_us: int
    revision: int
    label_model: str = ""
    label_member_count: int = 0


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """One entry of the change log: ids and kinds of change, never bodies.

    `scope` says who could see what is deleted, as a topic's does; empty where nobody knows any
    more, and of what is still there to be asked.
    """

    revision: int
    memory_id: str
    deleted: bool
    kind: Kind | None
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """A run of the log: everything after a cursor up to `revision`, ties included."""

    changes: Sequence[LoggedChange]
    revision: int


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Narrows what is looked at; every set field must hold.

    `triggers` are words of which one is a tag, or of a procedure a trigger tag.
    """

    kinds: tuple[Kind, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    triggers: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    agent_id: str = ""
    user_id: str = ""
    session_ids: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    start_time_us: int | None = None
    end_time_us: int | None = None
    min_importance: float = 0.0
    include_archived: bool = False


@dataclass(frozen=True, slots=True)
class Namespace:
    """A namespace as the catalogue knows it."""

    name: str
    incarnation: str
    create_time_us: int
    embedding_model: str
    embedding_dimension: int

    def bound_to(self, model: str, dimension: int) -> "Namespace":
        """The same with vectors of another model."""
        return replace(self, embedding_model=model, embedding_dimension=dimension)


@dataclass(frozen=True, slots=True)
class StoreCounts:
    """The counts of a namespace's records."""

    by_kind: dict[str, int]
    by_status: dict[str, int]
    by_tier: dict[str, int]
    sessions: int
    events: int
    topics: int
    pending_embeddings: int
    store_bytes: int
