"""Matching procedures and lessons to a task by tags: a bounded read, then the order of proof."""

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_memory.domain.lifecycle.proving import (
    lesson_rank,
    matchable,
    procedure_rank,
    tag_share,
)
from anamnesis_memory.model.memory import Caller, Kind, Memory, MemoryFilter
from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStatus
from anamnesis_memory.ports.memories import MemoryReads

LOOKED_AT_MAX = 2_000
"""Memories with one of the tags that are ranked; more than so many are not looked at."""
LIMIT_DEFAULT = 10


@dataclass(frozen=True, slots=True)
class Match:
    """A memory that fits: by how it has proved itself, and the share of the tags that it has."""

    memory: Memory
    score: float
    overlap: float


async def match_procedures(
    store: MemoryReads,
    tags: Sequence[str],
    caller: Caller,
    limit: int,
    success_rate_min: float = 0.0,
) -> list[Match]:
    """Procedures that have one of the tags or trigger tags, but for DEPRECATED ones, best first.

    With a least success rate, in [0, 1], only those that were run and reach it.
    """
    found: list[Match] = []
    for memory in await _tagged(store, Kind.PROCEDURAL, tags, caller):
        part = memory.part if isinstance(memory.part, Procedure) else Procedure("")
        proven = part.runs > 0 and part.success_rate >= success_rate_min
        if part.status is not ProcedureStatus.DEPRECATED and (proven or not success_rate_min):
            overlap = tag_share(tags, (*memory.tags, *part.trigger_tags))
            found.append(Match(memory, procedure_rank(part.runs, part.success_rate), overlap))
    return _best(found, limit)


async def match_lessons(
    store: MemoryReads,
    tags: Sequence[str],
    caller: Caller,
    limit: int,
    categories: Sequence[str] = (),
    confidence_min: float = 0.0,
) -> list[Match]:
    """Lessons of some categories that have one of the tags and are sure enough, best first."""
    found: list[Match] = []
    for memory in await _tagged(store, Kind.LEARNING, tags, caller, categories):
        impact = memory.part.impact if isinstance(memory.part, Lesson) else 0.0
        if matchable(memory.confidence) and memory.confidence >= confidence_min:
            rank = lesson_rank(memory.confidence, impact)
            found.append(Match(memory, rank, tag_share(tags, memory.tags)))
    return _best(found, limit)


async def _tagged(
    store: MemoryReads,
    kind: Kind,
    tags: Sequence[str],
    caller: Caller,
    categories: Sequence[str] = (),
) -> Sequence[Memory]:
    where = MemoryFilter(kinds=(kind,), triggers=tuple(tags), categories=tuple(categories))
    return (await store.list_memories(where, caller, 0, LOOKED_AT_MAX)).items


def _best(found: list[Match], limit: int) -> list[Match]:
    """Share of the tags first, then proof, then the newest."""
    found.sort(key=lambda one: (one.overlap, one.score, one.memory.memory_id), reverse=True)
    return found[: limit or LIMIT_DEFAULT]
