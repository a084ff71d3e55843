"""The typed parts of memories between the wire and the model."""

from anamnesis.memory.v1 import memory_pb2, memory_service_pb2
from anamnesis_memory.api.convert.enums import FACT_KIND, PRECISION, PROCEDURE_STATUS, ROLE, STAGE
from anamnesis_memory.api.convert.values import optional_micros, to_duration, to_timestamp
from anamnesis_memory.model.memory_details import (
    Episode,
    Fact,
    JsonDocument,
    Lesson,
    Part,
    Procedure,
    ProcedureStep,
    TimePrecision,
)


def to_part(new: memory_service_pb2.NewMemory) -> Part:
    """The part of its kind, as its caller states it."""
    match new.WhichOneof("part"):
        case "fact":
            return _to_fact(new.fact)
        case "procedure":
            return _to_procedure(new.procedure)
        case "lesson":
            return _to_lesson(new.lesson)
        case _:
            return None


def _to_fact(fact: memory_pb2.Fact) -> Fact:
    valid_from_us = optional_micros(fact, "valid_from")
    valid_to_us = optional_micros(fact, "valid_to")
    timeless = valid_from_us is None and valid_to_us is None
    return Fact(
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        valid_from_us=valid_from_us,
        valid_to_us=valid_to_us,
        kind=FACT_KIND.from_pb(fact.fact_kind),
        persons=tuple(fact.persons),
        location=fact.location,
        topic=fact.topic,
        time_precision=TimePrecision.NONE if timeless else PRECISION.from_pb(fact.time_precision),
        source_memory_ids=tuple(fact.source_memory_ids),
        single_valued=fact.single_valued,
    )


def _to_procedure(procedure: memory_pb2.Procedure) -> Procedure:
    return Procedure(
        name=procedure.name,
        goal=procedure.goal,
        steps=tuple(
            ProcedureStep(
                step.action, step.spec, step.success_criteria, step.on_failure, step.retries_max
            )
            for step in procedure.steps
        ),
        avoid=tuple(procedure.avoid),
        trigger_tags=tuple(procedure.trigger_tags),
        status=PROCEDURE_STATUS.from_pb(procedure.status),
        source_memory_ids=tuple(procedure.source_memory_ids),
    )


def _to_lesson(lesson: memory_pb2.Lesson) -> Lesson:
    return Lesson(
        title=lesson.title,
        context=lesson.context,
        resolution=lesson.resolution,
        impact=lesson.impact,
        evidence_memory_ids=tuple(lesson.evidence_memory_ids),
    )


def add_part(message: memory_pb2.Memory, part: Part) -> None:
    """Put the part of its kind into a message."""
    match part:
        case Episode():
            message.episode.CopyFrom(_from_episode(part))
        case Fact():
            message.fact.CopyFrom(_from_fact(part))
        case Procedure():
            message.procedure.CopyFrom(_from_procedure(part))
        case Lesson():
            message.lesson.CopyFrom(_from_lesson(part))
        case JsonDocument():
            message.document.CopyFrom(from_document(part))
        case None:
            return


def _from_episode(part: Episode) -> memory_pb2.Episode:
    return memory_pb2.Episode(
        role=ROLE.to_pb(part.role),
        name=part.name,
        event_index=part.event_index,
        stage=STAGE.to_pb(part.stage),
    )


def _from_fact(part: Fact) -> memory_pb2.Fact:
    return memory_pb2.Fact(
        subject=part.subject,
        predicate=part.predicate,
        object=part.object,
        valid_from=to_timestamp(part.valid_from_us),
        valid_to=to_timestamp(part.valid_to_us),
        fact_kind=FACT_KIND.to_pb(part.kind),
        persons=part.persons,
        location=part.location,
        topic=part.topic,
        time_precision=PRECISION.to_pb(part.time_precision),
        source_memory_ids=part.source_memory_ids,
        single_valued=part.single_valued,
        superseded=part.superseded,
        contradicted=part.contradicted,
        retracted=part.retracted,
    )


def _from_procedure(part: Procedure) -> memory_pb2.Procedure:
    return memory_pb2.Procedure(
        name=part.name,
        goal=part.goal,
        steps=[
            memory_pb2.ProcedureStep(
                action=step.action,
                spec=step.spec,
                success_criteria=step.success_criteria,
                on_failure=step.on_failure,
                retries_max=step.retries_max,
            )
            for step in part.steps
        ],
        avoid=part.avoid,
        trigger_tags=part.trigger_tags,
        status=PROCEDURE_STATUS.to_pb(part.status),
        runs=part.runs,
        success_rate=part.success_rate,
        source_memory_ids=part.source_memory_ids,
        review_note=part.review_note,
    )


def _from_lesson(part: Lesson) -> memory_pb2.Lesson:
    return memory_pb2.Lesson(
        title=part.title,
        context=part.context,
        resolution=part.resolution,
        impact=part.impact,
        evidence_memory_ids=part.evidence_memory_ids,
        applications=part.applications,
        validated=part.validated,
    )


def from_document(part: JsonDocument) -> memory_pb2.Document:
    """The part of a document, for the wire."""
    return memory_pb2.Document(
        path=part.path,
        key=part.key,
        value=part.value,
        search_fields=part.search_fields,
        unsearchable=part.unsearchable,
        ttl=None if part.ttl_us is None else to_duration(part.ttl_us),
    )
