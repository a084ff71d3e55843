"""Reads of the pipeline in SQLite: segments, what they taught, work, and its cost."""

import json
from collections.abc import Mapping, Sequence

from anamnesis_libs.storage.sqlite import Database
from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.segments import Activity, Segment, TaskTypeStats
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, WorkKey, WorkState
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.pipeline_rows import (
    activity_of,
    caller_row,
    segment_filter_row,
    segment_of,
    task_type_of,
    usage_of,
    work_of,
)
from anamnesis_memory.storage.sqlite.queries import QUERIES
from anamnesis_memory.storage.sqlite.work import EVER_US


class SqlitePipeline:
    """Implements `PipelineReads`; a part of `SqliteNamespace`."""

    _database: Database

    async def list_segments(
        self,
        where: SegmentFilter,
        caller: Caller | None,
        after: tuple[str, int] | None,
        limit: int,
    ) -> Sequence[Segment]:
        """See `PipelineReads.list_segments`."""
        query = "list_segments_of_session" if where.session_id else "list_segments"
        found = await self._records(query, segment_filter_row(where, caller, after, limit))
        return [segment_of(row) for row in found]

    async def list_activities(
        self, session_id: str, caller: Caller, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Activity]:
        """See `PipelineReads.list_activities`."""
        before_revision, before_segment = before or (EVER_US, "")
        bindings = caller_row(caller) | {
            "session_id": session_id,
            "before_revision": before_revision,
            "before_segment": before_segment,
            "limit": limit,
        }
        query = "list_activities_of_session" if session_id else "list_activities"
        found = await self._records(query, bindings)
        return [activity_of(row, json.loads(rows.text(row["memory_ids"]))) for row in found]

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
                bindings: rows.Bindings = {
                    "kind": kind.value,
                    "states": _json_or_null(where.states),
                    "from": place or "",
                    "after": place,
                    "limit": limit - len(items),
                }
                items += map(work_of, await self._records("list_work", bindings))
        return items

    async def count_work(self, where: WorkFilter) -> Mapping[tuple[Work, WorkState], int]:
        """See `PipelineReads.count_work`."""
        if where.session_id:
            return {(item.kind, item.state): 1 for item in await self._work_of_session(where)}
        found = await self._records("count_work", _work_filter_row(where))
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
        bindings = caller_row(caller) | {"lessons_from": lessons_from, "sft_from": sft_from}
        return [task_type_of(row) for row in await self._records("count_task_types", bindings)]

    async def usage(self, since_us: int) -> Sequence[HourUsage]:
        """See `PipelineReads.usage`."""
        return [usage_of(row) for row in await self._records("list_usage", {"since_us": since_us})]

    async def _work_of_session(self, where: WorkFilter) -> list[WorkItem]:
        """The work of a session, at most one item of each kind, by the kind's name."""
        bindings = _work_filter_row(where) | {"session_id": where.session_id}
        return [work_of(row) for row in await self._records("work_of_session", bindings)]

    async def _records(self, query: str, bindings: rows.Bindings) -> list[rows.Record]:
        return await self._database.read(
            lambda connection: rows.records(connection.execute(QUERIES[query], bindings))
        )


def _work_filter_row(where: WorkFilter) -> rows.Bindings:
    kinds = [kind.value for kind in where.kinds or Work]
    return {"kinds": json.dumps(kinds), "states": _json_or_null(where.states)}


def _json_or_null(states: Sequence[WorkState]) -> str | None:
    return json.dumps([state.value for state in states]) if states else None
