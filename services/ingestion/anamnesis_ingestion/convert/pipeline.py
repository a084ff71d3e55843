"""The pipeline's nouns between the wire of the memory service and ingestion's own."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from anamnesis.memory.v1 import ledger_service_pb2, segment_pb2
from anamnesis.memory.v1 import work_pb2 as pb
from anamnesis_ingestion.convert.enums import STAGE, STATE
from anamnesis_ingestion.convert.learned import Writer
from anamnesis_ingestion.convert.ledger import to_time
from anamnesis_ingestion.convert.links import from_links
from anamnesis_ingestion.learning.knowledge import Knowledge
from anamnesis_ingestion.learning.links.model import LearnedLink
from anamnesis_ingestion.pipeline.work import (
    PipelineStage,
    Segment,
    StageClaim,
    StageState,
    WorkItem,
)
from anamnesis_ingestion.segmentation.tasks import PreviousCut
from anamnesis_ingestion.trajectory.measures import Measures
from anamnesis_libs.errors import Internal, invalid_field
from anamnesis_libs.rpc.enums import enum_word

_ItemTime = Literal["due_time", "update_time"]


def from_stage(stage: PipelineStage) -> "pb.WorkKind.ValueType":
    """A stage for the wire."""
    return STAGE.to_pb(stage)


def to_stage(kind: "pb.WorkKind.ValueType") -> PipelineStage:
    """A stage of the pipeline.

    Raises:
        Internal: the ledger speaks of work that is not the pipeline's.
    """
    if not STAGE.knows(kind):
        raise Internal(f"{enum_word(pb.WorkKind, kind).upper()} is no stage of the pipeline")
    return STAGE.from_pb(kind)


def to_asked_stages(kinds: Sequence["pb.WorkKind.ValueType"]) -> list[PipelineStage]:
    """The stages that a request names.

    Raises:
        InvalidArgument: one is work that is not the pipeline's.
    """
    for position, kind in enumerate(kinds):
        if not STAGE.knows(kind):
            name = enum_word(pb.WorkKind, kind).upper()
            known = ", ".join(PipelineStage.__members__)
            raise invalid_field(f"stages[{position}]", f"{name} is none of the pipeline's: {known}")
    return [to_stage(kind) for kind in kinds]


def from_state(state: StageState) -> "pb.WorkState.ValueType":
    """A state for the wire."""
    return STATE.to_pb(state)


def to_state(state: "pb.WorkState.ValueType") -> StageState:
    """The state of a piece of work, from the wire."""
    return STATE.from_pb(state)


def to_claim(item: pb.WorkItem) -> StageClaim:
    """Work that was claimed."""
    return StageClaim(
        item.namespace,
        to_stage(item.kind),
        item.session_id,
        item.token,
        item.session_etag,
        item.attempts,
    )


def from_claim(claim: StageClaim) -> pb.Lease:
    """The claim under which a result is sent."""
    return pb.Lease(kind=from_stage(claim.stage), session_id=claim.session_id, token=claim.token)


def to_item(item: pb.WorkItem) -> WorkItem:
    """Work as operators see it."""
    return WorkItem(
        stage=to_stage(item.kind),
        session_id=item.session_id,
        state=to_state(item.state),
        attempts=item.attempts,
        reason=item.reason,
        holder=item.holder,
        due_time=_time_of(item, "due_time"),
        update_time=_time_of(item, "update_time"),
    )


def to_segment(segment: segment_pb2.Segment) -> Segment:
    """A segment as the ledger has it."""
    return Segment(
        segment_id=segment.segment_id,
        session_id=segment.session_id,
        first_index=segment.first_event_index,
        last_index=segment.last_event_index,
        fingerprint=segment.fingerprint,
        topic=segment.topic,
        summary=segment.summary,
        measured=segment.state != segment_pb2.SEGMENT_STATE_NEW,
        taught=segment.state == segment_pb2.SEGMENT_STATE_EXTRACTED,
        task_type=segment.task_type,
        score=segment.score if segment.HasField("score") else None,
    )


def from_cut(
    claim: StageClaim, segments: Sequence[PreviousCut], segmenter: str
) -> ledger_service_pb2.ReplaceSegmentsRequest:
    """The request that replaces a session's segments by this cut."""
    return ledger_service_pb2.ReplaceSegmentsRequest(
        namespace=claim.namespace,
        lease=from_claim(claim),
        session_etag=claim.session_etag,
        segments=[
            segment_pb2.NewSegment(
                first_event_index=one.cut.first_index,
                last_event_index=one.cut.last_index,
                fingerprint=one.fingerprint,
                topic=one.cut.topic,
                summary=one.cut.summary,
            )
            for one in segments
        ],
        segmenter=segmenter,
    )


def from_measures(
    claim: StageClaim, segment_id: str, measures: Measures, labeller: str
) -> ledger_service_pb2.UpdateSegmentRequest:
    """The request that stores a segment's type, score and measures."""
    return ledger_service_pb2.UpdateSegmentRequest(
        namespace=claim.namespace,
        lease=from_claim(claim),
        segment_id=segment_id,
        task_type=measures.task_type.value,
        score=measures.score,
        metrics_json=json.dumps(measures.document, ensure_ascii=False),
        labeller=labeller,
    )


def from_knowledge(
    claim: StageClaim,
    segment: Segment,
    knowledge: Knowledge,
    drawers: Mapping[int, str],
    extractor: str,
    links: Sequence[LearnedLink] = (),
) -> ledger_service_pb2.RecordLearnedRequest:
    """The request that records what a segment teaches; `drawers` maps events to their memories."""
    writer = Writer(drawers, extractor, knowledge.mentions)
    return ledger_service_pb2.RecordLearnedRequest(
        namespace=claim.namespace,
        lease=from_claim(claim),
        segment_id=segment.segment_id,
        memories=[
            *map(writer.fact, knowledge.facts),
            *map(writer.lesson, knowledge.lessons),
            *map(writer.procedure, knowledge.procedures),
        ],
        refusals=[
            segment_pb2.Refusal(reason=reason.value, count=count)
            for reason, count in sorted(knowledge.refusals.items())
            if count > 0
        ],
        extractor=extractor,
        mentions=writer.mentions(),
        edges=from_links(links, knowledge, drawers),
    )


def _time_of(item: pb.WorkItem, field: _ItemTime) -> datetime | None:
    return to_time(getattr(item, field), field) if item.HasField(field) else None
