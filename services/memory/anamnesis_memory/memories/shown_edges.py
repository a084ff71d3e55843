"""Edges that a session shows, between its drawers and what was learned of it.

An edge has an end that is of the session, so that all of them go with it. A drawer is followed by
one other: where a session is cut anew, what follows is the task that does so now.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anamnesis_memory.dedup.detail import STATED
from anamnesis_memory.model.edge_evidence import events_of, shown_by
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import CommitStamp, ReadView

EdgeEnd = int | str
"""An end: what was learned, by its place among what is recorded, or a drawer by its id."""


@dataclass(frozen=True, slots=True)
class ShownEdge:
    """An edge as the trajectory shows it; `weight` in (0, 1], events by their indices."""

    source: EdgeEnd
    target: EdgeEnd
    type: EdgeType
    weight: float
    event_indices: tuple[int, ...]

    @property
    def drawers(self) -> tuple[str, ...]:
        """The drawers among its ends."""
        return tuple(end for end in (self.source, self.target) if isinstance(end, str))


def drawn(
    shown: Sequence[ShownEdge],
    learned: Mapping[int, Memory],
    session_id: str,
    seen: ReadView,
    stamp: CommitStamp,
) -> tuple[Edge, ...]:
    """The edges whose two ends are there, each once; one that a caller drew stays as it is.

    `learned` are the memories that hold what was recorded, by its place. Needs the drawers and
    their edges.
    """
    edges: dict[EdgeKey, Edge] = {}
    for one in shown:
        source, target = (_held(end, learned, session_id, seen) for end in (one.source, one.target))
        if source is None or target is None or source.memory_id == target.memory_id:
            continue
        if session_id in (source.session_id, target.session_id):
            ends = source.memory_id, target.memory_id
            times = stamp.now_us, stamp.now_us
            edge = Edge(*ends, one.type, one.weight, *times, shown_by(one.event_indices))
            edges.setdefault(edge.key, edge)
    stated = {edge.key for edge in seen.edges if edge.detail == STATED}
    return tuple(edge for key, edge in edges.items() if key not in stated)


def outrun(new: Iterable[Edge], seen: ReadView) -> Iterator[EdgeKey]:
    """The edges by which drawers were followed by others than they are by these."""
    follows = [
        one
        for one in new
        if one.type is EdgeType.FOLLOWED_BY
        and one.source_id in seen.memories
        and one.target_id in seen.memories
    ]
    after = {one.source_id: one.target_id for one in follows}
    before = {one.target_id: one.source_id for one in follows}
    for edge in seen.edges:
        if edge.type is EdgeType.FOLLOWED_BY and events_of(edge.detail):
            source, target = edge.source_id, edge.target_id
            if after.get(source, target) != target or before.get(target, source) != source:
                yield edge.key


def _held(
    end: EdgeEnd, learned: Mapping[int, Memory], session_id: str, seen: ReadView
) -> Memory | None:
    """The memory at an end; None where it is not there, or a drawer of another session."""
    if isinstance(end, int):
        return learned.get(end)
    drawer = seen.memories.get(end)
    return drawer if drawer is not None and drawer.session_id == session_id else None
