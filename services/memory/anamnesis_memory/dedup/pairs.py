"""Lessons that are alike: those that the index found near, and the edges between them."""

from collections.abc import Iterable

from anamnesis_memory.dedup.check import Check, Pair
from anamnesis_memory.dedup.decide import DuplicateVerdict
from anamnesis_memory.dedup.detail import kept_apart, may_duplicate
from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.ports import IndexRecord, ReadView


def pair_edges(
    memory: Memory, pairs: Iterable[tuple[Pair, DuplicateVerdict]], now_us: int
) -> Iterable[Edge]:
    """The edges from a lesson to those that it is alike."""
    for pair, verdict in pairs:
        ends = memory.memory_id, pair.known.memory_id
        if verdict is DuplicateVerdict.KEPT_APART:
            yield kept_apart(*ends, pair.cosine, pair.differences or (), now_us)
        else:
            yield may_duplicate(*ends, pair.cosine, now_us)


def known_of(check: Check, seen: ReadView) -> list[IndexRecord]:
    """The lessons that the index found near, as they are now."""
    return [
        IndexRecord(seen.memories[one], seen.embeddings.get(one))
        for one in check.nearest
        if one in seen.memories
    ]
