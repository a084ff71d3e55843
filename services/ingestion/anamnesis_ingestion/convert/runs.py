"""Requests and responses of the pipeline's rpcs between the wire and their verbs."""

from anamnesis.ingestion.v1 import ingestion_service_pb2 as pb
from anamnesis.memory.v1 import work_pb2
from anamnesis_ingestion.convert.ledger import (
    from_time,
    from_visibility,
    to_caller,
    to_offset,
    to_time,
    to_visibility,
)
from anamnesis_ingestion.convert.pipeline import from_stage, from_state
from anamnesis_ingestion.convert.values import from_observed
from anamnesis_ingestion.intake.files.archiving import Archived
from anamnesis_ingestion.intake.ingest_text import IngestedText, Text
from anamnesis_ingestion.intake.observe_stream import StreamObserved
from anamnesis_ingestion.pipeline.export_sft import ExportedRow, SftFilter
from anamnesis_ingestion.pipeline.progress import PipelineStep, Status
from anamnesis_ingestion.pipeline.work import StageState, WorkItem


def to_text(request: pb.IngestTextRequest) -> Text:
    """A text, who read it, and when it was written."""
    has_time = request.HasField("event_time")
    return Text(
        namespace=request.namespace,
        text=request.text,
        agent_id=request.agent_id,
        user_id=request.user_id,
        label=request.label,
        event_time=to_time(request.event_time, "event_time") if has_time else None,
        utc_offset_minutes=to_offset(request),
        server_time=request.use_server_time,
        visibility=to_visibility(request.visibility),
        project=request.project,
    )


def from_text(done: IngestedText, archived: Archived) -> pb.IngestTextResponse:
    """The answer to an ingested text: its session, its counts and its upload."""
    return pb.IngestTextResponse(
        session_id=done.session_id,
        appended=done.appended,
        unchanged=done.unchanged,
        revision=done.revision,
        upload_id=archived.upload_id,
        not_archived=archived.not_archived,
        visibility=from_visibility(done.visibility),
        user_id=done.user_id,
    )


def from_stream_observed(answer: StreamObserved) -> pb.ObserveStreamResponse:
    """The answer to one observation of a stream."""
    observed = from_observed(answer.session_id, answer.observed)
    return pb.ObserveStreamResponse(observed=observed, overrun=answer.overrun)


def from_status(status: Status) -> pb.GetPipelineStatusResponse:
    """The answer to a status request: the number of sessions in each state of each stage."""
    return pb.GetPipelineStatusResponse(
        stages=[
            pb.StageStatus(
                stage=from_stage(stage),
                pending=states[StageState.PENDING],
                running=states[StageState.CLAIMED],
                done=states[StageState.DONE],
                failed=states[StageState.FAILED],
                dead=states[StageState.DEAD],
            )
            for stage, states in status.stages.items()
        ],
        idle=status.idle,
    )


def from_item(item: WorkItem, namespace: str) -> work_pb2.WorkItem:
    """A failure for an operator; its token is nobody's business."""
    return work_pb2.WorkItem(
        namespace=namespace,
        kind=from_stage(item.stage),
        session_id=item.session_id,
        state=from_state(item.state),
        holder=item.holder,
        due_time=from_time(item.due_time),
        attempts=item.attempts,
        reason=item.reason,
        update_time=from_time(item.update_time),
    )


def from_step(step: PipelineStep) -> pb.RunPipelineResponse:
    """One piece of work that was tried."""
    finished, outcome = step.finished, step.finished.outcome
    return pb.RunPipelineResponse(
        stage=from_stage(finished.claim.stage),
        session_id=finished.claim.session_id,
        failure="LEASE_LOST: somebody else has it" if finished.lost else finished.failure,
        segments=outcome.segments,
        facts=outcome.facts,
        lessons=outcome.lessons,
        procedures=outcome.procedures,
        refused=outcome.refused,
        left=step.left,
    )


def to_sft_filter(request: pb.ExportSftRequest, min_score: float) -> SftFilter:
    """The filter for exported rows; `min_score` applies if the request names no score."""
    has_since = request.HasField("since")
    return SftFilter(
        namespace=request.namespace,
        min_score=request.min_score if request.HasField("min_score") else min_score,
        task_type=request.task_type,
        since=to_time(request.since, "since") if has_since else None,
        limit=request.limit,
        render_tools=request.render_tools,
        caller=to_caller(request.caller),
    )


def from_row(exported: ExportedRow) -> pb.ExportSftResponse:
    """One training row."""
    segment = exported.segment
    return pb.ExportSftResponse(
        row_json=exported.row.as_json(),
        session_id=segment.session_id,
        segment_id=segment.segment_id,
        task_type=segment.task_type,
        score=segment.score or 0.0,
    )
