"""Reach of a change of visibility: found by a few bounded reads before the write."""

from collections.abc import Sequence
from dataclasses import replace

from anamnesis_libs.errors import invalid_field
from anamnesis_memory.knowledge.change_visibility import Move, lines_of_moves
from anamnesis_memory.memories.editing.update import Relatives, as_narrow_as
from anamnesis_memory.memories.policy import POLICY_KEY, policy_of
from anamnesis_memory.model.edges import EdgeType, source_ids
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.knowledge import LineWanted
from anamnesis_memory.ports.life import LifeReads

DERIVED_MAX = 1_000
EDGES_MAX = 2_000


async def relatives_of(store: NamespaceStore, memory: Memory, wanted: Visibility) -> Relatives:
    """The sources of a memory and, if it becomes private, all that was derived from it.

    Raises:
        InvalidArgument: these are more memories than one write may change.
    """
    session_id = memory.session_id if memory.provenance.segment_id else ""
    shared = wanted is Visibility.SHARED
    derived = () if shared else await _derived(store, memory.memory_id)
    lines = await _lines(store, memory, wanted, derived)
    return Relatives(source_ids(memory), derived, session_id, lines)


async def _lines(
    store: NamespaceStore, memory: Memory, wanted: Visibility, derived: Sequence[str]
) -> tuple[LineWanted, ...]:
    """The lines of facts that move, and those to which they come."""
    after = replace(memory, visibility=wanted)
    below = await store.memories(derived, None) if derived else ()
    moves = [Move(memory, after), *(Move(one, as_narrow_as(one, after)) for one in below)]
    policy = policy_of(await store.document(POLICY_KEY))
    return lines_of_moves(moves, policy.predicates)


async def _derived(store: LifeReads, memory_id: str) -> tuple[str, ...]:
    """All that was taken from a memory, however far."""
    derived: dict[str, None] = {}
    frontier = [memory_id]
    while frontier:
        edges = await store.edges_of(frontier, (EdgeType.DERIVED_FROM,), EDGES_MAX)
        beginnings = (edge.source_id for edge in edges if edge.target_id in set(frontier))
        frontier = [one for one in dict.fromkeys(beginnings) if one not in derived]
        derived.update(dict.fromkeys(frontier))
        if len(edges) == EDGES_MAX or len(derived) > DERIVED_MAX:
            raise invalid_field(
                "change.visibility",
                f"cannot be narrowed: more than {DERIVED_MAX} memories were derived from this one, "
                "and others would go on seeing them",
            )
    return tuple(derived)
