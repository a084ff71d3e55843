"""The port for the pipeline's lists: segments, what they taught, work, and its cost.

Part of `NamespaceStore`. Lists give at most `limit` records that sort behind a place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.segments import Activity, Segment, TaskTypeStats
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, WorkKey, WorkState


@dataclass(frozen=True, slots=True)
class SegmentFilter:
    """Narrows a list of segments; every set field must hold."""

    session_id: str = ""
    task_type: str = ""
    min_score: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkFilter:
    """Narrows a list of work; every set field must hold."""

    kinds: tuple[Work, ...] = ()
    states: tuple[WorkState, ...] = ()
    session_id: str = ""


class PipelineReads(Protocol):
    """The part of `NamespaceStore` that tells what the pipeline has done and has to do."""

    async def list_segments(
        self,
        where: SegmentFilter,
        caller: Caller | None,
        after: tuple[str, int] | None,
        limit: int,
    ) -> Sequence[Segment]:
        """List segments by session and first event; None as caller sees all."""
        ...

    async def list_activities(
        self, session_id: str, caller: Caller, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Activity]:
        """List what was learned, the newest first, by revision and segment.

        Empty as session means all. Memories deleted since, and those that the caller
        may not see any more, are left out of `memory_ids`.
        """
        ...

    async def list_work(
        self, where: WorkFilter, after: WorkKey | None, limit: int
    ) -> Sequence[WorkItem]:
        """List work by the kind's name and session."""
        ...

    async def count_work(self, where: WorkFilter) -> Mapping[tuple[Work, WorkState], int]:
        """Count work by kind and state; what does not occur is left out."""
        ...

    async def task_types(
        self, caller: Caller, lessons_from: float, sft_from: float
    ) -> Sequence[TaskTypeStats]:
        """Count segments by task type, and those that reach the two scores."""
        ...

    async def usage(self, since_us: int) -> Sequence[HourUsage]:
        """The usage of models in the hours from one on, the newest first, then by purpose."""
        ...
