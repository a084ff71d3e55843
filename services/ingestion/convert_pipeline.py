"""The pipeline's nouns between the wire of the memory service and ingestion's own."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from anamnesis.memory.v1 import ledger_service_pb2, memory_pb2, memory_service_pb2, segment_pb2
from anamnesis.memory.v1 import work_pb2 as pb
from libs.errors import Internal
from services.ingestion.convert_ledger import from_time, to_time
from services.ingestion.learning.knowledge import (
    Knowledge,
    LearnedFact,
    LearnedLesson,
    LearnedProcedure,
)
from services.ingestion.pipeline.work import Claim, Segment, Stage, StageState, WorkItem
from services.ingestion.segmentation.tasks import Earlier
from services.ingestion.trajectory.measures import Measures

_SOURCES_MAX = 100
_ItemTime = Literal["due_time", "update_time"]


def from_stage(stage: Stage) -> "pb.WorkKind.ValueType":
    """A stage for the wire."""
    return pb.WorkKind.Value(f"WORK_KIND_{stage.name}")


def to_stage(kind: "pb.WorkKind.ValueType") -> Stage:
    """A stage of the pipeline.

    Raises:
        Internal: the ledger speaks of work that is not the pipeline's.
    """
    name = pb.WorkKind.Name(kind).removeprefix("WORK_KIND_")
    if name not in Stage.__members__:
        raise Internal(f"{name} is no stage of the pipeline")
    return Stage[name]


def from_state(state: StageState) -> "pb.WorkState.ValueType":
    """A state for the wire."""
    return pb.WorkState.Value(f"WORK_STATE_{state.name}")


def to_state(state: "pb.WorkState.ValueType") -> StageState:
    """Where the work stands."""
    return StageState[pb.WorkState.Name(state).removeprefix("WORK_STATE_")]


def to_claim(item: pb.WorkItem) -> Claim:
    """Work that was claimed."""
    return Claim(
        item.namespace,
        to_stage(item.kind),
        item.session_id,
        item.token,
        item.session_etag,
        item.attempts,
    )


def from_claim(claim: Claim) -> pb.Lease:
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
    claim: Claim, segments: Sequence[Earlier], segmenter: str
) -> ledger_service_pb2.ReplaceSegmentsRequest:
    """How a session is cut."""
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
    claim: Claim, segment_id: str, measures: Measures, labeller: str
) -> ledger_service_pb2.UpdateSegmentRequest:
    """How a segment went."""
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
    claim: Claim,
    segment: Segment,
    knowledge: Knowledge,
    drawers: Mapping[int, str],
    extractor: str,
) -> ledger_service_pb2.RecordLearnedRequest:
    """What a segment teaches; `drawers` names the memory of each event."""
    writer = _Writer(drawers, extractor)
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
    )


class _Writer:
    """From what was learned to memories, with where each comes from."""

    def __init__(self, drawers: Mapping[int, str], extractor: str) -> None:
        self._drawers = drawers
        self._extractor = extractor

    def fact(self, fact: LearnedFact) -> memory_service_pb2.NewMemory:
        """A fact; its category is its kind."""
        return memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_SEMANTIC,
            category=fact.kind.value,
            content=fact.statement,
            entities=list(dict.fromkeys([*fact.persons, fact.subject]))[:100],
            importance=fact.importance,
            confidence=fact.confidence,
            event_time=from_time(fact.time.since),
            provenance=self._provenance(fact.sources),
            tags=_tags(type=fact.kind.value, topic=fact.topic),
            fact=memory_pb2.Fact(
                subject=fact.subject,
                predicate=fact.predicate,
                object=fact.object,
                valid_from=from_time(fact.time.since),
                fact_kind=memory_pb2.FactKind.Value(f"FACT_KIND_{fact.kind.name}"),
                persons=fact.persons,
                location=fact.location,
                topic=fact.topic,
                time_precision=_precision(fact),
                source_memory_ids=self._cited(fact.sources),
            ),
        )

    def lesson(self, lesson: LearnedLesson) -> memory_service_pb2.NewMemory:
        """A lesson; its text is what happened and what helped."""
        return memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_LEARNING,
            category=lesson.category,
            content="\n".join(filter(None, (lesson.title, lesson.context, lesson.resolution))),
            tags=[*_tags(type=lesson.category), *lesson.tags][:9],
            importance=lesson.importance,
            confidence=lesson.confidence,
            provenance=self._provenance(lesson.sources),
            lesson=memory_pb2.Lesson(
                title=lesson.title,
                context=lesson.context,
                resolution=lesson.resolution,
                impact=lesson.impact,
                evidence_memory_ids=self._cited(lesson.sources),
            ),
        )

    def procedure(self, procedure: LearnedProcedure) -> memory_service_pb2.NewMemory:
        """A procedure; its text is its goal and its steps."""
        numbered = enumerate(procedure.steps, start=1)
        steps = [f"{place}. {step.action}: {step.spec}" for place, step in numbered]
        return memory_service_pb2.NewMemory(
            kind=memory_pb2.MEMORY_KIND_PROCEDURAL,
            category="procedure",
            content="\n".join([procedure.name, procedure.goal, *steps]),
            tags=[*_tags(type="procedure"), *procedure.trigger_tags][:9],
            importance=procedure.importance,
            confidence=procedure.confidence,
            provenance=self._provenance(procedure.sources),
            procedure=memory_pb2.Procedure(
                name=procedure.name,
                goal=procedure.goal,
                steps=[
                    memory_pb2.ProcedureStep(
                        action=step.action,
                        spec=step.spec,
                        success_criteria=step.success_criteria,
                        on_failure=step.on_failure,
                    )
                    for step in procedure.steps
                ],
                avoid=procedure.avoid,
                trigger_tags=procedure.trigger_tags,
            ),
        )

    def _provenance(self, sources: Sequence[int]) -> memory_pb2.Provenance:
        """Rules pick out what was said, which is observed; a chat model writes."""
        local = self._extractor == "local"
        return memory_pb2.Provenance(
            origin=memory_pb2.ORIGIN_OBSERVED if local else memory_pb2.ORIGIN_GENERATED,
            first_event_index=min(sources),
            last_event_index=max(sources),
            model="" if local else self._extractor,
        )

    def _cited(self, sources: Sequence[int]) -> list[str]:
        cited = (self._drawers.get(index, "") for index in sources)
        return [memory_id for memory_id in cited if memory_id][:_SOURCES_MAX]


def _precision(fact: LearnedFact) -> "memory_pb2.TimePrecision.ValueType":
    name = fact.time.precision.name
    if fact.time.since is None or name == "NONE":
        return memory_pb2.TIME_PRECISION_UNSPECIFIED
    return memory_pb2.TimePrecision.Value(f"TIME_PRECISION_{name}")


def _tags(**labels: str) -> list[str]:
    """Tags such as `type:preference`; what is empty is left out."""
    return [f"{label}:{value}"[:128] for label, value in labels.items() if value]


def _time_of(item: pb.WorkItem, field: _ItemTime) -> datetime | None:
    return to_time(getattr(item, field), field) if item.HasField(field) else None
