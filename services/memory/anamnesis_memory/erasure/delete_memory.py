"""Deleting one memory for good. What was learned once and deleted is not learned again."""

from dataclasses import dataclass

from anamnesis_memory.erasure.erase_memories import Lineage, erase_memories
from anamnesis_memory.model.access import check_etag, visible
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView


@dataclass(frozen=True, slots=True)
class DeleteMemory:
    """The write behind `DeleteMemory`: the memory, and what rests on it alone.

    `lineage` is what `planning.trace` found; without one nothing was derived from the memory, and
    nothing else stands on the line of its fact.
    """

    memory_id: str
    caller: Caller
    etag: str = ""
    lineage: Lineage | None = None

    def wanted(self) -> ReadSet:
        """The memory with what hangs on it."""
        return self._lineage.wanted()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Delete what the caller may see.

        Raises:
            MemoryNotFound: there is no such memory that the caller may see.
            Conflict: the memory has another etag by now.
            LineageGrew: something was derived from the memory since its lineage was traced.
        """
        check_etag(visible(seen.memories, self.memory_id, self.caller), self.etag)
        return Decision(None, erase_memories(seen, stamp, self._lineage, tombstones=True).edits)

    @property
    def _lineage(self) -> Lineage:
        return self.lineage or Lineage((self.memory_id,), frozenset((self.memory_id,)))
