"""What a change of visibility reaches: found by a few bounded reads before the write."""

from services.memory.edges import EdgeType, source_ids
from services.memory.editing.update import Relatives
from services.memory.model import Memory
from services.memory.ports import NamespaceStore

DERIVED_MAX = 1_000
EDGES_MAX = 2_000


async def relatives_of(store: NamespaceStore, memory: Memory) -> Relatives:
    """What a memory was taken from, and all that was taken from it, however far."""
    derived: dict[str, None] = {}
    frontier = [memory.memory_id]
    while frontier and len(derived) < DERIVED_MAX:
        edges = await store.edges_of(frontier, (EdgeType.DERIVED_FROM,), EDGES_MAX)
        beginnings = (edge.source_id for edge in edges if edge.target_id in set(frontier))
        frontier = [one for one in dict.fromkeys(beginnings) if one not in derived]
        derived.update(dict.fromkeys(frontier))
    return Relatives(source_ids(memory), tuple(derived))
