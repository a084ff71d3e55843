"""Reads of the pipeline in Neo4j: segments, what they taught, work, and its cost."""

from collections.abc import Mapping, Sequence

from anamnesis_libs.storage.neo4j import Row, Value
from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.segments import Activity, Segment, TaskTypeStats
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, WorkKey, WorkState
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import node, texts
from anamnesis_memory.storage.neo4j.scope import NamespaceGraph
from anamnesis_memory.storage.neo4j.work import EVER_US
from anamnesis_memory.storage.pipeline_rows import (
    activity_of,
    caller_row,
    segment_filter_row,
    segment_of,
    task_type_of,
    usage_of,
    work_of,
)


class Neo4jPipeline:
    """Implements `PipelineReads`; a part of `Neo4jNamespace`."""

    _scope: NamespaceGraph

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
        query = "list_segments_of_session" if name else "list_segments"
        found = await self._scope.read(query, **segment_filter_row(where, caller, after, limit))
        return [segment_of(node(row)) for row in found]

    async def list_activities(
        self, session_id: str, caller: Caller, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Activity]:
        """See `PipelineReads.list_activities`."""
        before_revision, before_segment = before or (EVER_US, "")
        found = await self._scope.read(
            "list_activities_of_session" if session_id else "list_activities",
            **caller_row(caller),
            session_id=session_id,
            before_revision=before_revision,
            before_segment=before_segment,
            limit=limit,
        )
        activities = [activity_of(node(row), texts(row["memory_ids"])) for row in found]
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
                parameters: Row = {
                    "kind": kind.value,
                    "states": _states(where),
                    "from": place or "",
                    "after": place,
                    "limit": limit - len(items),
                }
                found = await self._scope.read("list_work", **parameters)
                items += map(work_of, map(node, found))
        return items

    async def count_work(self, where: WorkFilter) -> Mapping[tuple[Work, WorkState], int]:
        """See `PipelineReads.count_work`."""
        if where.session_id:
            return {(item.kind, item.state): 1 for item in await self._work_of_session(where)}
        found = await self._scope.read("count_work", kinds=_kinds(where), states=_states(where))
        return {
            (Work(rows.text(row["kind"])), WorkState(rows.text(row["state"]))): rows.number(
                row["count"]
            )
            for row in map(node, found)
        }

    async def task_types(
        self, caller: Caller, lessons_from: float, sft_from: float
    ) -> Sequence[TaskTypeStats]:
        """See `PipelineReads.task_types`."""
        found = await self._scope.read(
            "count_task_types",
            **caller_row(caller),
            lessons_from=lessons_from,
            sft_from=sft_from,
        )
        stats = [task_type_of(node(row)) for row in found]
        return sorted(stats, key=lambda one: one.task_type)

    async def usage(self, since_us: int) -> Sequence[HourUsage]:
        """See `PipelineReads.usage`."""
        found = map(node, await self._scope.read("list_usage", since_us=since_us))
        return sorted(map(usage_of, found), key=lambda one: (-one.hour_us, one.purpose))

    async def _work_of_session(self, where: WorkFilter) -> list[WorkItem]:
        """The work of a session, at most one item of each kind, by the kind's name."""
        found = await self._scope.read(
            "work_of_session",
            kinds=_kinds(where),
            states=_states(where),
            session_id=where.session_id,
        )
        return sorted(map(work_of, map(node, found)), key=lambda item: item.kind)


def _kinds(where: WorkFilter) -> list[Value]:
    return [kind.value for kind in where.kinds or Work]


def _states(where: WorkFilter) -> list[Value] | None:
    return [state.value for state in where.states] or None
