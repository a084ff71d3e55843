"""Deleting one memory for good. What was learned once and deleted is not learned again."""

from dataclasses import dataclass

from libs.absent import MemoryNotFound
from libs.errors import Conflict
from services.memory.learn import tombstone_of
from services.memory.model import Caller, Kind
from services.memory.ports import Decision, Edits, Seen, Stamp, Wanted


@dataclass(frozen=True, slots=True)
class DeleteMemory:
    """The write behind `DeleteMemory`: record, labels, vector, membership, event text, answers."""

    memory_id: str
    caller: Caller
    etag: str = ""

    def wanted(self) -> Wanted:
        """The memory."""
        return Wanted(memories=(self.memory_id,))

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[None]:
        """Delete what the caller may see.

        Raises:
            MemoryNotFound: there is none that the caller may see.
            Conflict: it has another etag by now.
        """
        memory = seen.memories.get(self.memory_id)
        if memory is None or not self.caller.sees(
            memory.visibility, memory.agent_id, memory.user_id
        ):
            raise MemoryNotFound(self.memory_id)
        if self.etag and self.etag != memory.etag:
            raise Conflict(
                f"memory {self.memory_id} has changed since etag {self.etag}; read it again",
                metadata={"resource": "memory"},
            )
        learned = () if memory.kind is Kind.EPISODIC else (tombstone_of(memory),)
        return Decision(None, Edits(deleted_memories=(self.memory_id,), tombstones=learned))
