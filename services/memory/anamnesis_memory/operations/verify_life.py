"""Verification that edges and copies have the memories that they belong to."""

from collections.abc import Iterator

from anamnesis_memory.model.edges import Edge
from anamnesis_memory.model.memory import Memory
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.operations.findings import Finding, FindingKind


class LifeChecks:
    """Takes records in the order of an export; ids of memories are kept."""

    def __init__(self) -> None:
        self._memory_ids: set[str] = set()

    def note_memory(self, memory: Memory) -> None:
        """Remember a memory."""
        self._memory_ids.add(memory.memory_id)

    def check(self, record: Edge | Copy) -> Iterator[Finding]:
        """The findings about one record."""
        match record:
            case Edge(source_id, target_id, kind):
                name = f"{source_id} {kind.value} {target_id}"
                for end in (source_id, target_id):
                    yield from self._missing(FindingKind.EDGE, name, end)
            case Copy(copy_id, memory_id):
                yield from self._missing(FindingKind.COPY, copy_id, memory_id)

    def _missing(self, kind: FindingKind, name: str, memory_id: str) -> Iterator[Finding]:
        if memory_id not in self._memory_ids:
            yield Finding(kind, name, f"is of memory {memory_id}, which is not there")
