"""Segments, and what they teach, between the wire and the model."""

import json
from collections.abc import Callable, Iterable

from anamnesis.memory.v1 import ledger_service_pb2, segment_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_memory.api.convert.enums import SEGMENT_STATE
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.api.convert.work import to_lease
from anamnesis_memory.ledger.cut import CutResult, SegmentPiece, UpdateSegment
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.model.segments import Activity, Segment, TaskTypeStats
from anamnesis_memory.ports.pipeline import SegmentFilter
from anamnesis_memory.runtime.revisions import revision_token


def to_pieces(segments: Iterable[segment_pb2.NewSegment]) -> list[SegmentPiece]:
    """Segments as their cutter states them."""
    return [
        SegmentPiece(
            first_index=one.first_event_index,
            last_index=one.last_event_index,
            fingerprint=one.fingerprint,
            topic=one.topic,
            summary=one.summary,
        )
        for one in segments
    ]


def to_segment_filter(request: ledger_service_pb2.ListSegmentsRequest) -> SegmentFilter:
    """The filter for listing segments."""
    return SegmentFilter(request.session_id, request.task_type, request.min_score)


def to_update(
    request: ledger_service_pb2.UpdateSegmentRequest, clean: Callable[[str], str]
) -> UpdateSegment:
    """The measures of one segment; `clean` makes their document ready to be stored.

    Raises:
        InvalidArgument: the measures are no JSON object, or the lease is of other work.
    """
    lease = to_lease(request.lease, kind=Work.LABEL)
    _check_object(request.metrics_json)
    return UpdateSegment(
        lease=lease,
        segment_id=request.segment_id,
        task_type=request.task_type,
        score=request.score,
        metrics_json=clean(request.metrics_json),
        labeller=request.labeller,
    )


def _check_object(text: str) -> None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise invalid_field("metrics_json", "must be a JSON object")


def to_summaries(episodes: Iterable[ledger_service_pb2.PromotedEpisode]) -> dict[str, str]:
    """Summaries by drawer; the last one counts where a drawer comes twice."""
    return {one.memory_id: one.summary for one in episodes}


def from_segment(segment: Segment, namespace: Namespace) -> segment_pb2.Segment:
    """A segment for the wire."""
    return segment_pb2.Segment(
        segment_id=segment.segment_id,
        session_id=segment.session_id,
        first_event_index=segment.first_index,
        last_event_index=segment.last_index,
        fingerprint=segment.fingerprint,
        topic=segment.topic,
        summary=segment.summary,
        state=SEGMENT_STATE.to_pb(segment.state),
        task_type=segment.task_type,
        score=segment.score,
        metrics_json=segment.metrics_json,
        segmenter=segment.segmenter,
        labeller=segment.labeller,
        create_time=to_timestamp(segment.create_time_us),
        update_time=to_timestamp(segment.update_time_us),
        revision=revision_token(namespace, segment.revision),
    )


def from_cut(
    cut: CutResult, revision: int, namespace: Namespace
) -> ledger_service_pb2.ReplaceSegmentsResponse:
    """The outcome of a cut."""
    return ledger_service_pb2.ReplaceSegmentsResponse(
        segments=[from_segment(one, namespace) for one in cut.segments],
        kept=cut.kept,
        added=len(cut.segments) - cut.kept,
        removed=cut.removed,
        archived_memories=len(cut.archived),
        revision=revision_token(namespace, revision),
    )


def from_activity(activity: Activity, namespace: Namespace) -> segment_pb2.Activity:
    """One lesson taken, for the wire."""
    return segment_pb2.Activity(
        time=to_timestamp(activity.time_us),
        session_id=activity.session_id,
        segment_id=activity.segment_id,
        topic=activity.topic,
        memory_ids=activity.memory_ids,
        facts=activity.facts,
        lessons=activity.lessons,
        procedures=activity.procedures,
        refusals=[
            segment_pb2.Refusal(reason=reason, count=count) for reason, count in activity.refusals
        ],
        extractor=activity.extractor,
        revision=revision_token(namespace, activity.revision),
    )


def from_task_type(stats: TaskTypeStats) -> segment_pb2.TaskTypeStats:
    """The statistics of the tasks of one type, for the wire."""
    return segment_pb2.TaskTypeStats(
        task_type=stats.task_type,
        segments=stats.segments,
        mean_score=stats.mean_score,
        eligible_for_lessons=stats.eligible_for_lessons,
        eligible_for_sft=stats.eligible_for_sft,
        labelled=stats.labelled,
        extracted=stats.extracted,
    )
