"""The port for knowledge: facts over time, the graph and the palace.

Part of `NamespaceStore`; use the names from `ports`. `scopes` are those that a caller may see (see
`model.scopes.scopes_of`); None means all. Lists give at most `limit` records that sort behind a
place.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import KnownEntity
from anamnesis_memory.domain.facts.versions import FactVersion
from anamnesis_memory.model.edges import Edge, EdgeType
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.model.segments import Segment

MENTIONS = "mentions"
"""The type of a hop from a memory to an entity; all other types are `EdgeType`s."""


@dataclass(frozen=True, slots=True)
class LineWanted:
    """A line of facts that a write wants to see.

    Args:
        line_id: the line.
        keys: of the statements that matter where facts do not concern each other.
        fact_ids: facts whose memories are wanted even where nobody says them any more.
        whole: the line is single-valued, so that all of it matters. A store gives all of it too
            where a standing telling says so.
    """

    line_id: str
    keys: tuple[str, ...]
    fact_ids: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class FactWhere:
    """Narrows a list of facts; every set field must hold.

    Args:
        subjects: of one of these, folded as `facts.key.folded` does.
        predicates: with one of these, folded.
        object: folded.
        entity_ids: a memory of the fact mentions one of these.
        as_of_us: it held then.
        known_at_us: as it was known then; None is now.
    """

    subjects: tuple[str, ...] = ()
    predicates: tuple[str, ...] = ()
    object: str = ""
    entity_ids: tuple[str, ...] = ()
    as_of_us: int | None = None
    known_at_us: int | None = None


@dataclass(frozen=True, slots=True, order=True)
class FactPlace:
    """The place of a fact in a list: by beginning, end and statement, then by its own id.

    Facts that say the same in the same time are side by side. `interval.start` and `interval.end`
    stand here as `facts.interval.EARLIEST_US` and `LATEST_US` where they have no bound.
    """

    from_us: int
    to_us: int
    key: str
    fact_id: str


class Direction(StrEnum):
    """The directions in which edges are followed."""

    OUT = "out"
    IN = "in"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of a walk from many nodes at once.

    Args:
        node_ids: memories and entities; what leads back to one of them is a hop like any.
        types: names of edge types, `MENTIONS` among them.
        direction: which way.
        weight_min: of edges.
        scopes: of what may be seen; an edge is seen where both its ends are.
        limit: at most so many, the heaviest first.
    """

    node_ids: tuple[str, ...]
    types: tuple[str, ...]
    direction: Direction
    weight_min: float
    scopes: tuple[str, ...] | None
    limit: int


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """An edge as a walk sees it: from `source_id` to `target_id`, whichever way it was gone.

    Ends that are part of another entity stand as that one. `type` is `MENTIONS` or an `EdgeType`,
    `detail` the edge's.
    """

    source_id: str
    target_id: str
    type: str
    weight: float
    create_time_us: int
    detail: str = ""


@dataclass(frozen=True, slots=True)
class WingSummary:
    """A wing where drawers live, as far as a caller may see into it.

    `name` is what its key says; `drawers` counts what is there, archived too.
    """

    wing: int
    key: str
    rooms: int
    drawers: int
    last_us: int | None


@dataclass(frozen=True, slots=True)
class RoomCount:
    """A session as a room of a wing, with what the caller may see in it."""

    session_id: str
    wing: int
    room: int
    label: str
    closets: int
    drawers: int
    start_us: int | None
    last_us: int | None


@dataclass(frozen=True, slots=True)
class NamedCount:
    """The drawers that name an entity, as far as a caller may see them, and their rooms."""

    rooms: int = 0
    drawers: int = 0
    last_us: int | None = None


@dataclass(frozen=True, slots=True)
class ClosetCount:
    """A segment with its drawers."""

    segment: Segment
    drawers: int
    last_us: int | None


@dataclass(frozen=True, slots=True)
class AllocatedPointers:
    """The pointers given out of a wing: the number of rooms, and of drawers in one of them.

    `session_id` is that of the room, `visibility` and owners its own; empty where it is erased.
    """

    key: str
    rooms: int
    drawers: int = 0
    session_id: str = ""
    visibility: Visibility = Visibility.SHARED
    agent_id: str = ""
    user_id: str = ""


class KnowledgeReads(Protocol):
    """The part of `NamespaceStore` that tells what is known of the world."""

    async def list_facts(
        self, where: FactWhere, scopes: Collection[str] | None, after: FactPlace | None, limit: int
    ) -> Sequence[FactVersion]:
        """List recorded lives of facts, by `FactPlace`."""
        ...

    async def fact_memories(self, fact_ids: Sequence[str]) -> Mapping[str, Memory]:
        """The memories that hold facts, by fact id, whoever may see them."""
        ...

    async def entities(
        self, entity_ids: Sequence[str], scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """Read entities with the names in these scopes, in the order asked for.

        Those that are part of another are read like any; those without such a name are left out.
        """
        ...

    async def entities_named(
        self, folded: str, scopes: Collection[str] | None
    ) -> Sequence[KnownEntity]:
        """Read entities that have a name which folds to this, by id, with all their names."""
        ...

    async def entity_groups(self, entity_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        """For each entity, the id of the whole that it is part of, then those of other parts."""
        ...

    async def list_entities(
        self, kind: EntityKind | None, scopes: Collection[str] | None, after: str, limit: int
    ) -> Sequence[KnownEntity]:
        """List entities that have a name in these scopes, by id: parts of others too."""
        ...

    async def hop(self, hop: Hop) -> Sequence[Link]:
        """Go one step from many nodes, by weight (the greatest first), then by the link.

        A node may be any part of an entity, whose mentions are those of all its parts; it is as old
        as the eldest that may be seen.
        """
        ...

    async def homes(
        self, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[WingSummary]:
        """List wings where drawers live that may be seen, by number."""
        ...

    async def rooms_of_wing(
        self, wing: int, scopes: Collection[str] | None, after: int, limit: int
    ) -> Sequence[RoomCount]:
        """List rooms of a home by number."""
        ...

    async def rooms_of_entities(
        self,
        entity_ids: Sequence[str],
        scopes: Collection[str] | None,
        after: tuple[int, str] | None,
        limit: int,
    ) -> Sequence[RoomCount]:
        """List sessions whose drawers mention one of these, the last one first.

        Only those drawers count, in `last_us` too; of two at one time the greater id comes first.
        `after` is the last activity (see `RoomCount.last_us`) and the session id of the last one.
        """
        ...

    async def count_of_entities(
        self, groups: Sequence[Sequence[str]], scopes: Collection[str] | None
    ) -> Sequence[NamedCount]:
        """Count, for each of these groups, what `rooms_of_entities` lists of it; in their order."""
        ...

    async def closets_of(self, session_id: str, after: int, limit: int) -> Sequence[ClosetCount]:
        """List a session's segments that begin after an event index, in order."""
        ...

    async def drawers_of(
        self,
        session_id: str,
        first_index: int,
        last_index: int | None,
        entity_ids: Sequence[str],
        limit: int,
    ) -> Sequence[Memory]:
        """List drawers of a session by event index, within both bounds; archived ones too.

        Drawers of one event sort by when they were stored. Without entities all count.
        """
        ...

    async def memory_at(self, pointer: str) -> Memory | None:
        """Read the drawer that a pointer was given to."""
        ...

    async def given(self, wing: int, room: int) -> AllocatedPointers | None:
        """The pointers given out of a wing and one of its rooms (0: none); None without a wing."""
        ...

    async def edge(self, source_id: str, target_id: str, type_: EdgeType) -> Edge | None:
        """Read one edge."""
        ...
