"""Edges of the memory graph, as plain values: typed, weighted, from one memory to another.

An edge is as visible as the narrower of its two ends, and goes with either.
"""

from dataclasses import dataclass
from enum import StrEnum

from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_details import Fact, Lesson, Procedure


class EdgeType(StrEnum):
    """The types of edges. `MAY_DUPLICATE` marks lessons that may be one, and are kept apart."""

    DERIVED_FROM = "derived_from"
    FOLLOWED_BY = "followed_by"
    CAUSED_BY = "caused_by"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"
    SIMILAR_TO = "similar_to"
    MAY_DUPLICATE = "may_duplicate"
    PART_OF = "part_of"
    CO_RECALLED = "co_recalled"


@dataclass(frozen=True, slots=True, order=True)
class EdgeKey:
    """The key of an edge: one of each type from one memory to another."""

    source_id: str
    target_id: str
    type: EdgeType


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge; `weight` in (0, 1], `detail` is JSON or empty."""

    source_id: str
    target_id: str
    type: EdgeType
    weight: float
    create_time_us: int
    update_time_us: int
    detail: str = ""

    @property
    def key(self) -> EdgeKey:
        """The key of the edge."""
        return EdgeKey(self.source_id, self.target_id, self.type)


def symmetric(one: str, other: str) -> tuple[str, str]:
    """The ends of an edge that has no direction, in the order in which it is kept."""
    return (one, other) if one < other else (other, one)


def source_ids(memory: Memory) -> tuple[str, ...]:
    """The memories that one was taken from, as its part says."""
    match memory.part:
        case Fact():
            return memory.part.source_memory_ids
        case Lesson():
            return memory.part.evidence_memory_ids
        case Procedure():
            return memory.part.source_memory_ids
        case _:
            return ()


def written_of_sources(memory: Memory) -> bool:
    """True if the text of a memory was written out of others, so that it may quote each of them."""
    return isinstance(memory.part, Procedure) and bool(memory.part.source_memory_ids)


def derived_from(memory: Memory, now_us: int) -> tuple[Edge, ...]:
    """The edges from a memory to its sources; a store skips those whose end is not there."""
    return tuple(
        Edge(memory.memory_id, source_id, EdgeType.DERIVED_FROM, 1.0, now_us, now_us)
        for source_id in dict.fromkeys(source_ids(memory))
        if source_id != memory.memory_id
    )
