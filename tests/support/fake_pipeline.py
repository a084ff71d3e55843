"""What the fake store tells of the pipeline, from plain dicts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean

from anamnesis_memory.model.memory import Caller, Work
from anamnesis_memory.model.segments import Activity, Segment, SegmentState, TaskTypeStats
from anamnesis_memory.model.usage import HourUsage
from anamnesis_memory.model.work import WorkItem, WorkKey, WorkState
from anamnesis_memory.ports.pipeline import SegmentFilter, WorkFilter
from tests.support.fake_records import Records


class FakePipeline:
    """Implements `PipelineReads`; a part of `FakeNamespace`."""

    _records: Records

    async def list_segments(
        self,
        where: SegmentFilter,
        caller: Caller | None,
        after: tuple[str, int] | None,
        limit: int,
    ) -> Sequence[Segment]:
        """See `PipelineReads.list_segments`."""
        found = [
            one
            for one in self._segments_seen_by(caller)
            if where.session_id in ("", one.session_id)
            and where.task_type in ("", one.task_type)
            and (not where.min_score or (one.score is not None and one.score >= where.min_score))
            and (after is None or (one.session_id, one.first_index) > after)
        ]
        return sorted(found, key=lambda one: (one.session_id, one.first_index))[:limit]

    async def list_activities(
        self, session_id: str, caller: Caller, before: tuple[int, str] | None, limit: int
    ) -> Sequence[Activity]:
        """See `PipelineReads.list_activities`."""
        found = [
            one
            for one in self._records.pipeline.activities
            if session_id in ("", one.session_id)
            and self._sees_session(caller, one.session_id)
            and (before is None or (one.revision, one.segment_id) < before)
        ]
        found.sort(key=lambda one: (one.revision, one.segment_id), reverse=True)
        return [self._shown(one, caller) for one in found[:limit]]

    def _shown(self, activity: Activity, caller: Caller) -> Activity:
        held = (self._records.memories[one] for one in activity.memory_ids)
        seen = (one for one in held if caller.sees(one.visibility, one.agent_id, one.user_id))
        return replace(activity, memory_ids=tuple(one.memory_id for one in seen))

    async def list_work(
        self, where: WorkFilter, after: WorkKey | None, limit: int
    ) -> Sequence[WorkItem]:
        """See `PipelineReads.list_work`."""
        found = [item for item in self._work(where) if after is None or item.key > after]
        return sorted(found, key=lambda item: item.key)[:limit]

    async def count_work(self, where: WorkFilter) -> Mapping[tuple[Work, WorkState], int]:
        """See `PipelineReads.count_work`."""
        return Counter((item.kind, item.state) for item in self._work(where))

    async def task_types(
        self, caller: Caller, lessons_from: float, sft_from: float
    ) -> Sequence[TaskTypeStats]:
        """See `PipelineReads.task_types`."""
        by_type: dict[str, list[Segment]] = {}
        for one in self._segments_seen_by(caller):
            by_type.setdefault(one.task_type, []).append(one)
        return [
            _stats_of(task_type, by_type[task_type], lessons_from, sft_from)
            for task_type in sorted(by_type)
        ]

    async def usage(self, since_us: int) -> Sequence[HourUsage]:
        """See `PipelineReads.usage`."""
        found = [one for one in self._records.pipeline.usages.values() if one.hour_us >= since_us]
        return sorted(found, key=lambda one: (-one.hour_us, one.purpose))

    def _work(self, where: WorkFilter) -> list[WorkItem]:
        return [
            item
            for item in self._records.pipeline.work.values()
            if (not where.kinds or item.kind in where.kinds)
            and (not where.states or item.state in where.states)
            and where.session_id in ("", item.session_id)
        ]

    def _segments_seen_by(self, caller: Caller | None) -> list[Segment]:
        held = self._records.pipeline.segments.values()
        return [one for one in held if self._sees_session(caller, one.session_id)]

    def _sees_session(self, caller: Caller | None, session_id: str) -> bool:
        session = self._records.sessions[session_id]
        return caller is None or caller.sees(session.visibility, session.agent_id, session.user_id)


def _stats_of(
    task_type: str, segments: Sequence[Segment], lessons_from: float, sft_from: float
) -> TaskTypeStats:
    measured = [one.score for one in segments if one.score is not None]
    states = [one.state for one in segments]
    return TaskTypeStats(
        task_type,
        segments=len(segments),
        mean_score=fmean(measured) if measured else 0.0,
        eligible_for_lessons=sum(score >= lessons_from for score in measured),
        eligible_for_sft=sum(score >= sft_from for score in measured),
        labelled=len(states) - states.count(SegmentState.NEW),
        extracted=states.count(SegmentState.EXTRACTED),
    )
