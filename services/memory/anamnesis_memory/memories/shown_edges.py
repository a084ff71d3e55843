"""Edges that a session shows, between its drawers and what was learned of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anamnesis_memory.dedup.detail import STATED
from anamnesis_memory.model.edge_evidence import shown_by
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
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
    learned: Mapping[int, str],
    session_id: str,
    seen: ReadView,
    stamp: CommitStamp,
) -> Iterator[Edge]:
    """The edges whose two ends are there, each once; one that a caller drew stays as it is.

    `learned` names the memories that hold what was recorded, by its place. Needs the drawers and
    their edges.
    """
    stated = {edge.key for edge in seen.edges if edge.detail == STATED}
    known: set[EdgeKey] = set()

    def held(end: EdgeEnd) -> str | None:
        if isinstance(end, int):
            return learned.get(end)
        drawer = seen.memories.get(end)
        return end if drawer is not None and drawer.session_id == session_id else None

    for one in shown:
        source, target = held(one.source), held(one.target)
        if source is None or target is None or source == target:
            continue
        detail = shown_by(one.event_indices)
        edge = Edge(source, target, one.type, one.weight, stamp.now_us, stamp.now_us, detail)
        if edge.key not in known | stated:
            known.add(edge.key)
            yield edge
