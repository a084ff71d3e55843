"""Reads of the pipeline: segments, activities, work, and what models cost."""

from collections.abc import Mapping, Sequence

from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.segments import Activity, Segment, TaskTypeStats
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, WorkKey, WorkState
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.pipeline_rows import (
    EVER_US,
    activity_of,
    caller_row,
    segment_filter_row,
    segment_of,
    task_type_of,
    usage_of,
    work_of,
)
from anamnesis_memory.storage.reads.source import Parameter, RowSource, some


class PipelineReader(RowSource):
    """Implements `PipelineReads`."""

    async def list_segments(
        self,
        where: SegmentFilter,
        caller: Caller | None,
        after: tuple[str, int] | None,
        limit: int,
    ) -> Sequence[Segment]:
        """See `PipelineReads.list_segments`."""
        name = where.session_id
        if name and after is not None:
            after = max(after, (name, -1))
            if after[0] != name:
                return []
        statement = "list_segments_of_session" if name else "list_segments"
        found = await self._rows(statement, **segment_filter_row(where, caller, after, limit))
        return [segment_of(row) for row in found]

    async def list_activities(
        self, session_id: str, caller: Caller, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Activity]:
        """See `PipelineReads.list_activities`."""
        before_revision, before_segment = before or (EVER_US, "")
        found = await self._rows(
            "list_activities_of_session" if session_id else "list_activities",
            **caller_row(caller),
            session_id=session_id,
            before_revision=before_revision,
            before_segment=before_segment,
            limit=limit,
        )
        activities = [activity_of(row, rows.texts(row["memory_ids"])) for row in found]
        return sorted(activities, key=lambda one: (one.revision, one.segment_id), reverse=True)

    async def list_work(
        self, where: WorkFilter, after: WorkKey | None, limit: int
    ) -> Sequence[WorkItem]:
        """See `PipelineReads.list_work`: kind by kind, each on from its place."""
        if where.session_id:
            held = await self._work_of_session(where)
            return [item for item in held if after is None or item.key > after][:limit]
        items: list[WorkItem] = []
        for kind in sorted(where.kinds or Work):
            if after is None or kind >= after[0]:
                place = after[1] if after is not None and kind == after[0] else None
                found = await self._rows(
                    "list_work",
                    kind=kind.value,
                    states=some(where.states),
                    first=place or "",
                    after=place,
                    limit=limit - len(items),
                )
                items += map(work_of, found)
        return items

    async def count_work(self, where: WorkFilter) -> Mapping[tuple[Work, WorkState], int]:
        """See `PipelineReads.count_work`."""
        if where.session_id:
            return {(item.kind, item.state): 1 for item in await self._work_of_session(where)}
        found = await self._rows("count_work", **_work_filter(where))
        return {
            (Work(rows.text(row["kind"])), WorkState(rows.text(row["state"]))): rows.number(
                row["count"]
            )
            for row in found
        }

    async def task_types(
        self, caller: Caller, lessons_from: float, sft_from: float
    ) -> Sequence[TaskTypeStats]:
        """See `PipelineReads.task_types`."""
        found = await self._rows(
            "count_task_types", **caller_row(caller), lessons_from=lessons_from, sft_from=sft_from
        )
        return sorted(map(task_type_of, found), key=lambda one: one.task_type)

    async def usage(self, since_us: int) -> Sequence[HourUsage]:
        """See `PipelineReads.usage`."""
        found = map(usage_of, await self._rows("list_usage", since_us=since_us))
        return sorted(found, key=lambda one: (-one.hour_us, one.purpose))

    async def _work_of_session(self, where: WorkFilter) -> list[WorkItem]:
        """The work of a session, at most one item of each kind, by the kind's name."""
        found = await self._rows(
            "work_of_session", **_work_filter(where), session_id=where.session_id
        )
        return sorted(map(work_of, found), key=lambda item: item.kind)


def _work_filter(where: WorkFilter) -> dict[str, Parameter]:
    return {"kinds": list(where.kinds or Work), "states": some(where.states)}
