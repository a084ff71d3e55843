"""Edges of two lessons that become one: which keep a lesson from going, and which move."""

from collections.abc import Iterable, Iterator

from anamnesis_memory.dedup.detail import STATED, UNDONE, may_duplicate, undone
from anamnesis_memory.dedup.pair_record import record_of
from anamnesis_memory.model.edge_evidence import events_of
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType, symmetric

_FOUND = (EdgeType.MAY_DUPLICATE, EdgeType.SIMILAR_TO, EdgeType.CO_RECALLED)


def is_held(memory_id: str, edges: Iterable[Edge]) -> bool:
    """True if something was derived from a memory, or somebody has linked it."""
    return any(_holds(memory_id, one) for one in edges)


def is_apart(edge: Edge) -> bool:
    """True of lessons that somebody split or linked, or consolidation decided to be two."""
    if edge.type is not EdgeType.SIMILAR_TO:
        return False
    return edge.detail in (UNDONE, STATED) or record_of(edge) is not None


def moved(goes: str, stays: str, edges: Iterable[Edge], now_us: int) -> Iterator[Edge]:
    """The edges that one lesson takes over from the other which goes.

    What may be the same as the one that goes may be the same as the one that stays; what somebody
    has split from it stays split. What a session shows of the one it shows of the other.
    """
    there = tuple(edges)
    known = {symmetric(one.source_id, one.target_id) for one in there if _is_alike(one)}
    kept = {one.key for one in there}
    for one in there:
        end = _other_end(one, goes)
        if end is None or end == stays or symmetric(stays, end) in known:
            continue
        if one.type is EdgeType.MAY_DUPLICATE:
            yield may_duplicate(stays, end, one.weight, now_us)
        elif one.type is EdgeType.SIMILAR_TO and one.detail == UNDONE:
            yield undone(stays, end, one.weight, now_us)
        elif events_of(one.detail):
            ends = (stays, end) if one.source_id == goes else (end, stays)
            if EdgeKey(*ends, one.type) not in kept:
                yield Edge(*ends, one.type, one.weight, one.create_time_us, now_us, one.detail)


def _holds(memory_id: str, edge: Edge) -> bool:
    if memory_id not in (edge.source_id, edge.target_id):
        return False
    if edge.type is EdgeType.DERIVED_FROM:
        return edge.target_id == memory_id
    if events_of(edge.detail):
        return False
    return (edge.type not in _FOUND and record_of(edge) is None) or edge.detail == STATED


def _is_alike(edge: Edge) -> bool:
    return edge.type in (EdgeType.MAY_DUPLICATE, EdgeType.SIMILAR_TO)


def _other_end(edge: Edge, memory_id: str) -> str | None:
    if edge.source_id == memory_id:
        return edge.target_id
    return edge.source_id if edge.target_id == memory_id else None
