"""The typed parts of memories between the wire and the model."""

from anamnesis.memory.v1 import memory_pb2, memory_service_pb2
from anamnesis_memory.api.convert.values import from_role, optional_micros, to_timestamp
from anamnesis_memory.model.memory_details import (
    Episode,
    Fact,
    FactKind,
    Lesson,
    Part,
    Procedure,
    ProcedureStatus,
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
        kind=to_fact_kind(fact.fact_kind),
        persons=tuple(fact.persons),
        location=fact.location,
        topic=fact.topic,
        time_precision=TimePrecision.NONE if timeless else to_precision(fact.time_precision),
        source_memory_ids=tuple(fact.source_memory_ids),
        single_valued=fact.single_valued,
    )


def to_fact_kind(kind: "memory_pb2.FactKind.ValueType") -> FactKind:
    """UNSPECIFIED is OTHER."""
    if not kind:
        return FactKind.OTHER
    return FactKind(memory_pb2.FactKind.Name(kind).removeprefix("FACT_KIND_").lower())


def to_precision(precision: "memory_pb2.TimePrecision.ValueType") -> TimePrecision:
    """UNSPECIFIED is NONE."""
    if not precision:
        return TimePrecision.NONE
    name = memory_pb2.TimePrecision.Name(precision).removeprefix("TIME_PRECISION_")
    return TimePrecision(name.lower())


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
        status=_to_status(procedure.status),
    )


def _to_status(status: "memory_pb2.ProcedureStatus.ValueType") -> ProcedureStatus:
    """UNSPECIFIED is DRAFT."""
    if not status:
        return ProcedureStatus.DRAFT
    name = memory_pb2.ProcedureStatus.Name(status).removeprefix("PROCEDURE_STATUS_")
    return ProcedureStatus(name.lower())


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
        case None:
            return


def _from_episode(part: Episode) -> memory_pb2.Episode:
    return memory_pb2.Episode(
        role=from_role(part.role.value),
        name=part.name,
        event_index=part.event_index,
        stage=memory_pb2.Stage.Value(f"STAGE_{part.stage.name}"),
    )


def _from_fact(part: Fact) -> memory_pb2.Fact:
    precision = part.time_precision.name if part.time_precision else "UNSPECIFIED"
    return memory_pb2.Fact(
        subject=part.subject,
        predicate=part.predicate,
        object=part.object,
        valid_from=to_timestamp(part.valid_from_us),
        valid_to=to_timestamp(part.valid_to_us),
        fact_kind=memory_pb2.FactKind.Value(f"FACT_KIND_{part.kind.name}"),
        persons=part.persons,
        location=part.location,
        topic=part.topic,
        time_precision=memory_pb2.TimePrecision.Value(f"TIME_PRECISION_{precision}"),
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
        status=memory_pb2.ProcedureStatus.Value(f"PROCEDURE_STATUS_{part.status.name}"),
        runs=part.runs,
        success_rate=part.success_rate,
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
