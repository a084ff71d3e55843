"""What must hang on memories after a run of writes: lists, and rules said plainly."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import WriteSet


@dataclass(slots=True)
class LifeModel:
    """Edges and copies of one namespace."""

    edges: list[Edge] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)

    def put(self, edits: WriteSet, memory_ids: Collection[str]) -> None:
        """Removals first; what hangs on a memory that is not there is passed over."""
        self.edges = [one for one in self.edges if one.key not in edits.removed_edges]
        self.copies = [one for one in self.copies if one.copy_id not in edits.removed_copies]
        for edge in edits.edges:
            if edge.source_id in memory_ids and edge.target_id in memory_ids:
                self.edges = [one for one in self.edges if one.key != edge.key] + [edge]
        for copy in edits.copies:
            if copy.memory_id in memory_ids:
                self.copies = [one for one in self.copies if one.copy_id != copy.copy_id] + [copy]

    def forget(self, memory_id: str) -> None:
        """A memory is gone, and takes along what hangs on it."""
        self.edges = [one for one in self.edges if memory_id not in (one.source_id, one.target_id)]
        self.copies = [one for one in self.copies if one.memory_id != memory_id]

    def in_order(self, role: CopyRole) -> list[Copy]:
        """Copies of a role by id."""
        return sorted((one for one in self.copies if one.role is role), key=lambda one: one.copy_id)


def after(edits: WriteSet, memory: Memory) -> Memory:
    """A memory with the last vitals that edits say of it."""
    for one in edits.vitals:
        if one.memory_id == memory.memory_id:
            memory = replace(
                memory,
                hit_count=one.hit_count,
                last_hit_us=one.last_hit_us,
                stability_days=one.stability_days,
                review_us=one.review_us,
                tier=one.tier,
                centrality=one.centrality,
            )
    return memory
