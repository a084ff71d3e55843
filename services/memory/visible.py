"""The memory that a write names: there for whoever may see it, and as they last read it."""

from libs.absent import MemoryNotFound
from libs.errors import Conflict
from services.memory.model import Caller, Memory
from services.memory.ports import Seen


def visible(seen: Seen, memory_id: str, caller: Caller) -> Memory:
    """The memory of this id.

    Raises:
        MemoryNotFound: there is none that the caller may see.
    """
    memory = seen.memories.get(memory_id)
    if memory is None or not caller.sees(memory.visibility, memory.agent_id, memory.user_id):
        raise MemoryNotFound(memory_id)
    return memory


def check_etag(memory: Memory, etag: str) -> None:
    """Whether it is as the caller knows it; an empty etag is content with any.

    Raises:
        Conflict: it has another etag by now.
    """
    if etag and etag != memory.etag:
        raise Conflict(
            f"memory {memory.memory_id} has changed since etag {etag}; read it again",
            metadata={"resource": "memory"},
        )
