"""Edges that callers draw and take away; all others are the server's own.

An edge takes no revision. One that says no direction is kept once, whichever end was named first.
"""

from dataclasses import dataclass, replace

from anamnesis_libs.errors import invalid_field
from anamnesis_libs.errors.not_found import EdgeNotFound, MemoryNotFound
from anamnesis_memory.dedup.detail import STATED
from anamnesis_memory.model.access import visible
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType, symmetric
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

SYMMETRIC = (EdgeType.CONTRADICTS, EdgeType.SIMILAR_TO)

DRAWN = (
    EdgeType.FOLLOWED_BY,
    EdgeType.CAUSED_BY,
    EdgeType.SUPPORTS,
    EdgeType.CONTRADICTS,
    EdgeType.SIMILAR_TO,
    EdgeType.PART_OF,
)
"""The types of edges that callers may draw."""


@dataclass(frozen=True, slots=True)
class _OfEdge:
    """A write about one edge."""

    source_id: str
    target_id: str
    type: EdgeType
    caller: Caller

    @property
    def key(self) -> EdgeKey:
        """The key of the edge."""
        ends = self.source_id, self.target_id
        return EdgeKey(*(symmetric(*ends) if self.type in SYMMETRIC else ends), self.type)

    def wanted(self) -> ReadSet:
        """Both ends, and the edges of one."""
        key = self.key
        return ReadSet(memories=(key.source_id, key.target_id), edges_of=(key.source_id,))

    def check_ends(self, seen: ReadView) -> None:
        """Check that the caller may see both ends of the edge.

        Raises:
            MemoryNotFound: an end is not there, or the caller may not see it.
        """
        for end in (self.source_id, self.target_id):
            visible(seen.memories, end, self.caller)

    def known(self, seen: ReadView) -> Edge | None:
        """The edge as it is known; None if it is not there."""
        return next((edge for edge in seen.edges if edge.key == self.key), None)


@dataclass(frozen=True, slots=True)
class CreateEdge(_OfEdge):
    """The write behind `KnowledgeService.CreateEdge`; `weight` in (0, 1]."""

    weight: float = 1.0

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Edge]:
        """Put the edge; a known edge keeps its age, and what the server knows of it.

        Raises:
            InvalidArgument: the edge would lead from a memory to itself.
            MemoryNotFound: an end is not there, or the caller may not see it.
        """
        if self.source_id == self.target_id:
            raise invalid_field("target_id", "is the source: an edge leads to another memory")
        self.check_ends(seen)
        key, known = self.key, self.known(seen)
        if known is None:
            times = stamp.now_us, stamp.now_us
            edge = Edge(key.source_id, key.target_id, key.type, self.weight, *times, STATED)
        else:
            detail = known.detail or STATED
            edge = replace(known, weight=self.weight, update_time_us=stamp.now_us, detail=detail)
        return Decision(edge, WriteSet(edges=(edge,)))


@dataclass(frozen=True, slots=True)
class DeleteEdge(_OfEdge):
    """The write behind `KnowledgeService.DeleteEdge`."""

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Delete the edge.

        Raises:
            EdgeNotFound: there is no such edge of which the caller sees both ends.
        """
        absent = EdgeNotFound(self.source_id, self.target_id, self.type.name)
        try:
            self.check_ends(seen)
        except MemoryNotFound:
            raise absent from None
        if self.known(seen) is None:
            raise absent
        return Decision(None, WriteSet(removed_edges=(self.key,)))
