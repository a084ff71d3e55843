"""Reinforcing: centrality of every memory by PageRank, and the decay of what was recalled together.

It resumes: a run that was cut off while edges faded goes on at the edge where it stopped, so that
none fades twice for one cycle.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, replace

from anamnesis_memory.domain.lifecycle.hebb import decayed, faded
from anamnesis_memory.domain.lifecycle.memory_vitals import vitals_of
from anamnesis_memory.maintenance.graph import LINKS, MemoryGraph
from anamnesis_memory.maintenance.phase_context import PhaseContext
from anamnesis_memory.model.edges import EdgeKey, EdgeType
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

STAGE = "reinforce"
_RECALLED = (EdgeType.CO_RECALLED,)


@dataclass(frozen=True, slots=True)
class SetCentrality:
    """Puts the centrality of some memories; the rest of their vitals stays as it is."""

    centralities: Mapping[str, float]

    def wanted(self) -> ReadSet:
        """The memories."""
        return ReadSet(memories=tuple(self.centralities))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Put it where the memory is still there."""
        vitals = tuple(
            replace(vitals_of(memory), centrality=self.centralities[memory_id])
            for memory_id, memory in seen.memories.items()
        )
        return Decision({"centralities_changed": len(vitals)}, WriteSet(vitals=vitals))


@dataclass(frozen=True, slots=True)
class FadeEdges:
    """Lets edges of what was recalled together fade by a cycle, and removes those that have."""

    keys: Sequence[EdgeKey]

    def wanted(self) -> ReadSet:
        """The edges, by the memories at which they begin."""
        return ReadSet(edges_of=tuple(dict.fromkeys(key.source_id for key in self.keys)))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Mapping[str, int]]:
        """Fade what is still there, from the weight that it has now."""
        wanted = frozenset(self.keys)
        after = [
            replace(edge, weight=decayed(edge.weight)) for edge in seen.edges if edge.key in wanted
        ]
        kept = tuple(edge for edge in after if not faded(edge.weight))
        gone = tuple(edge.key for edge in after if faded(edge.weight))
        counts = {"edges_decayed": len(kept), "edges_removed": len(gone)}
        return Decision(counts, WriteSet(edges=kept, removed_edges=gone))


async def reinforce(hold: PhaseContext) -> AsyncGenerator[Progress, None]:
    """Rank all, then let edges fade; from its cursor on, if the run has one.

    Raises:
        LeaseLost: somebody else has the phase.
    """
    if not hold.run.cursor:
        async for progress in _rank(hold):
            yield progress
    after = key_of(hold.run.cursor)
    async for edges in hold.edges(_RECALLED, after):
        keys = [edge.key for edge in edges]
        await hold.change(FadeEdges(keys), cursor=cursor_of(keys[-1]))


async def _rank(hold: PhaseContext) -> AsyncGenerator[Progress, None]:
    total = sum((await hold.store.counts()).by_kind.values())
    graph, read, edges = MemoryGraph(), 0, 0
    async for memories in hold.memories():
        graph.add_memories(memories)
        read += len(memories)
        yield Progress(STAGE, min(read, total), total)
    async for some in hold.edges(LINKS):
        edges += graph.add_edges(some)
    graph.follow()
    hold.count({"ranked": read, "edges": edges})
    for scope in graph.scopes:
        changed = await asyncio.to_thread(scope.changed)
        for batch in hold.batches(changed):
            await hold.change(SetCentrality(dict(batch)))
    yield Progress(STAGE, total, total)


def cursor_of(key: EdgeKey) -> str:
    """The cursor of fading, as a run keeps it."""
    return json.dumps([key.source_id, key.target_id])


def key_of(cursor: str) -> EdgeKey | None:
    """The edge that was the last to fade; None at the beginning."""
    if not cursor:
        return None
    source_id, target_id = json.loads(cursor)
    return EdgeKey(source_id, target_id, EdgeType.CO_RECALLED)
