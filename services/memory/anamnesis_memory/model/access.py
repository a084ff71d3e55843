"""The memory that a write names: there for whoever may see it, and as they last read it."""

from collections.abc import Mapping

from anamnesis_libs.errors import Conflict
from anamnesis_libs.errors.not_found import MemoryNotFound
from anamnesis_memory.model.memory import Caller, Memory


def visible(memories: Mapping[str, Memory], memory_id: str, caller: Caller) -> Memory:
    """The memory of this id.

    Raises:
        MemoryNotFound: there is no such memory that the caller may see.
    """
    memory = memories.get(memory_id)
    if memory is None or not caller.sees(memory.visibility, memory.agent_id, memory.user_id):
        raise MemoryNotFound(memory_id)
    return memory


def check_etag(memory: Memory, etag: str) -> None:
    """Refuse a memory that is not as the caller knows it; an empty etag is content with any.

    Raises:
        Conflict: the memory has another etag by now.
    """
    if etag and etag != memory.etag:
        raise Conflict(
            f"memory {memory.memory_id} has changed since etag {etag}; read it again",
            metadata={"resource": "memory"},
        )
