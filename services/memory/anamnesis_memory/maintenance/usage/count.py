"""The write that counts uses: hits and reviews of memories, and what was recalled together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from anamnesis_memory.domain.lifecycle.hebb import strengthened
from anamnesis_memory.domain.lifecycle.memory_vitals import vitals_of
from anamnesis_memory.domain.lifecycle.vitals import used
from anamnesis_memory.model.edges import Edge, EdgeKey, EdgeType
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

Pair = tuple[str, str]
"""Two memories, the smaller id first."""


@dataclass(frozen=True, slots=True)
class CountUses:
    """Adds hits, and strengthens pairs by how often they met; takes no revision."""

    hits: Mapping[str, int]
    met: Mapping[Pair, int] = field(default_factory=dict)

    def wanted(self) -> ReadSet:
        """The memories, and the edges of those that met others."""
        together = {memory_id for pair in self.met for memory_id in pair}
        return ReadSet(memories=tuple(self.hits), edges_of=tuple(sorted(together)))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[int]:
        """Count what is still there; the result is how many memories."""
        now_us = stamp.now_us
        vitals = tuple(
            used(vitals_of(memory), self.hits[memory_id], now_us)
            for memory_id, memory in seen.memories.items()
        )
        return Decision(
            len(vitals), WriteSet(vitals=vitals, edges=tuple(self._edges(seen, now_us)))
        )

    def _edges(self, seen: ReadView, now_us: int) -> Iterator[Edge]:
        held = {edge.key: edge for edge in seen.edges}
        for (one, other), times in self.met.items():
            key = EdgeKey(one, other, EdgeType.CO_RECALLED)
            known = held.get(key)
            weight = known.weight if known else 0.0
            for _ in range(times):
                weight = strengthened(weight)
            since_us = known.create_time_us if known else now_us
            yield Edge(one, other, EdgeType.CO_RECALLED, weight, since_us, now_us)


def in_parts(hits: Mapping[str, int], size: int) -> Iterator[dict[str, int]]:
    """Hits in parts that one write takes."""
    ids: Sequence[str] = tuple(hits)
    for start in range(0, len(ids), size):
        yield {memory_id: hits[memory_id] for memory_id in ids[start : start + size]}
