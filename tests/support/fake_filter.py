"""Which memories pass a filter, said plainly: for the store in memory."""

from collections.abc import Collection, Iterable, Sequence

from anamnesis_memory.model.memory import Memory, MemoryFilter, Status
from anamnesis_memory.model.memory_details import Procedure
from tests.support.store_rules import owns


def passes(memory: Memory, where: MemoryFilter) -> bool:
    """Whether a memory holds to every field of a filter that is set."""
    asked: Sequence[tuple[str, Collection[str]]] = (
        (memory.kind, where.kinds),
        (memory.category, where.categories),
        (memory.session_id, where.session_ids),
        (memory.provenance.origin, where.origins),
    )
    return (
        (where.include_archived or memory.status is Status.ACTIVE)
        and all(value in allowed for value, allowed in asked if allowed)
        and where.agent_id in ("", memory.agent_id)
        and (not where.user_id or owns(where.user_id, memory.user_id))
        and memory.importance >= where.min_importance
        and (not where.tags or _share_a_name(memory.tags, where.tags))
        and (not where.triggers or _share_a_name(_triggers(memory), where.triggers))
        and (not where.entities or _share_a_name(memory.entities, where.entities))
        and _within(memory.event_time_us, where.start_time_us, where.end_time_us)
    )


def _triggers(memory: Memory) -> Sequence[str]:
    """Tags, and those of a procedure that trigger it."""
    own = memory.part.trigger_tags if isinstance(memory.part, Procedure) else ()
    return (*memory.tags, *own)


def _share_a_name(names: Iterable[str], asked: Iterable[str]) -> bool:
    """Whether two lists share a name, whatever its case."""
    return not {name.casefold() for name in names}.isdisjoint(name.casefold() for name in asked)


def _within(moment_us: int | None, start_us: int | None, end_us: int | None) -> bool:
    """Whether a time is known and in the span; a span without ends holds everything."""
    if moment_us is None:
        return start_us is None and end_us is None
    return (start_us is None or moment_us >= start_us) and (end_us is None or moment_us < end_us)
