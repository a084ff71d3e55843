"""Facts, lessons and tasks off the wire as parts of views, and views for the wire."""

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.cluster.v1 import projection_pb2 as pb
from anamnesis.memory.v1 import (
    entity_pb2,
    event_pb2,
    knowledge_pb2,
    memory_pb2,
    segment_pb2,
)
from anamnesis_cluster.convert.topics import scope_of
from anamnesis_cluster.view_model import (
    FactFlag,
    FactKind,
    KnowledgePage,
    LessonLine,
    Line,
    Precision,
    Procedure,
    Profile,
    Section,
    Source,
    Task,
    TaskPattern,
    ToolFailure,
    ToolUse,
    Visibility,
)
from anamnesis_libs.rpc.enums import EnumCodec, enum_value, enum_word

_KIND = EnumCodec(memory_pb2.FactKind, FactKind, default=FactKind.OTHER)
_PRECISION = EnumCodec(memory_pb2.TimePrecision, Precision, default=Precision.NONE)
_VISIBILITY = EnumCodec(event_pb2.Visibility, Visibility)
_FLAG = EnumCodec(knowledge_pb2.FactFlag, FactFlag)


def to_line(known: knowledge_pb2.KnownFact) -> Line:
    """A fact as a line by itself."""
    memory, fact = known.memory, known.memory.fact
    parts = f"{fact.subject} {fact.predicate.replace('_', ' ')} {fact.object}"
    return Line(
        text=memory.content or memory.summary or parts,
        memory_ids=(memory.memory_id,),
        scope=scope_of(memory),
        visibility=_VISIBILITY.from_pb(memory.visibility),
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        kind=_KIND.from_pb(fact.fact_kind),
        since=_moment(fact, "valid_from"),
        until=_moment(fact, "valid_to"),
        precision=_PRECISION.from_pb(fact.time_precision),
        told=_moment(memory, "event_time") or _moment(memory, "create_time"),
        confidence=memory.confidence,
        importance=memory.importance,
        sources=tuple(fact.source_memory_ids),
        flags=frozenset(map(_FLAG.from_pb, known.flags)),
        utc_offset_minutes=_offset(memory),
    )


def to_lesson(memory: memory_pb2.Memory) -> LessonLine:
    """A lesson as a line: its title, and what to do."""
    lesson = memory.lesson
    said = ": ".join(filter(None, (lesson.title, lesson.resolution)))
    line = Line(
        text=said or memory.summary or memory.content,
        memory_ids=(memory.memory_id,),
        scope=scope_of(memory),
        visibility=_VISIBILITY.from_pb(memory.visibility),
        told=_moment(memory, "event_time") or _moment(memory, "create_time"),
        confidence=memory.confidence,
        importance=memory.importance,
        sources=tuple(lesson.evidence_memory_ids),
        utc_offset_minutes=_offset(memory),
    )
    return LessonLine(line, memory.provenance.segment_id)


def to_procedure(memory: memory_pb2.Memory) -> Procedure:
    """A procedure by its name and how it went."""
    part = memory.procedure
    return Procedure(
        memory_id=memory.memory_id,
        name=part.name,
        segment_id=memory.provenance.segment_id,
        runs=part.runs,
        success_rate=part.success_rate,
        status=enum_word(memory_pb2.ProcedureStatus, part.status),
        visibility=_VISIBILITY.from_pb(memory.visibility),
    )


def to_task(segment: segment_pb2.Segment) -> Task:
    """A measured segment."""
    return Task(
        segment_id=segment.segment_id,
        session_id=segment.session_id,
        task_type=segment.task_type,
        topic=segment.topic,
        score=segment.score,
        time=segment.create_time.ToDatetime(UTC),
        tools=tuple(_tools(segment.metrics_json)),
    )


def to_source(memory: memory_pb2.Memory) -> Source:
    """A drawer as a source."""
    return Source(
        memory.memory_id,
        memory.pointer,
        memory.session_id,
        memory.summary,
        _moment(memory, "event_time"),
        _offset(memory),
    )


def from_line(line: Line) -> pb.ProjectionLine:
    """A line."""
    return pb.ProjectionLine(
        text=line.text,
        memory_ids=line.memory_ids,
        subject=line.subject,
        predicate=line.predicate,
        object=line.object,
        fact_kind=_KIND.to_pb(line.kind) if line.subject else memory_pb2.FACT_KIND_UNSPECIFIED,
        valid_from=_stamp(line.since),
        valid_to=_stamp(line.until),
        time_precision=_PRECISION.to_pb(line.precision),
        told_time=_stamp(line.told),
        confidence=line.confidence,
        visibility=_VISIBILITY.to_pb(line.visibility),
        source_memory_ids=line.sources,
        flags=sorted(map(_FLAG.to_pb, line.flags)),
    )


def from_profile(profile: Profile) -> pb.UserProfile:
    """A profile."""
    return pb.UserProfile(
        subject=profile.subject,
        sections=from_sections(profile.sections),
        text=profile.text,
        token_count=profile.token_count,
        left_out=profile.left_out,
    )


def from_sections(sections: Iterable[Section]) -> list[pb.ProjectionSection]:
    """Sections with their lines."""
    return [
        pb.ProjectionSection(
            title=section.title,
            lines=map(from_line, section.lines),
            left_out=section.left_out,
        )
        for section in sections
    ]


def from_page(page: KnowledgePage, entity: entity_pb2.Entity, markdown: str) -> pb.KnowledgePage:
    """A page of an entity, as memory told of it."""
    return pb.KnowledgePage(
        entity=entity,
        sections=from_sections(page.sections),
        sources=[
            pb.ProjectionSource(
                memory_id=source.memory_id,
                pointer=source.pointer,
                session_id=source.session_id,
                time=_stamp(source.time),
                summary=source.summary,
            )
            for source in page.sources
        ],
        markdown=markdown,
    )


def from_pattern(pattern: TaskPattern) -> pb.TaskPattern:
    """A kind of task."""
    return pb.TaskPattern(
        task_type=pattern.task_type,
        tasks=pattern.tasks,
        mean_score=pattern.mean_score,
        last_time=_stamp(pattern.last),
        topics=pattern.topics,
        procedures=map(_procedure, pattern.procedures),
    )


def from_tool_failure(failure: ToolFailure) -> pb.ToolFailure:
    """A tool that failed."""
    return pb.ToolFailure(
        tool=failure.tool,
        calls=failure.calls,
        failures=failure.failures,
        last_time=_stamp(failure.last),
        errors=[
            pb.ToolError(
                kind=error.kind,
                count=error.count,
                example=error.example,
                session_id=error.session_id,
            )
            for error in failure.errors
        ],
        remedies=map(from_line, failure.remedies),
    )


def names_of(entity: entity_pb2.Entity) -> tuple[str, ...]:
    """All names of an entity, its own first."""
    return (entity.name, *entity.aliases)


def is_person(entity: entity_pb2.Entity) -> bool:
    """True for a person, and for what nobody has said the kind of."""
    return entity.kind in (entity_pb2.ENTITY_KIND_UNSPECIFIED, entity_pb2.ENTITY_KIND_PERSON)


def _procedure(procedure: Procedure) -> pb.LearnedProcedure:
    return pb.LearnedProcedure(
        memory_id=procedure.memory_id,
        name=procedure.name,
        runs=procedure.runs,
        success_rate=procedure.success_rate,
        status=enum_value(memory_pb2.ProcedureStatus, procedure.status),
        visibility=_VISIBILITY.to_pb(procedure.visibility),
    )


def _tools(metrics_json: str) -> Iterator[ToolUse]:
    """The tools that the measures of a task name; none of measures that name no tools."""
    document = json.loads(metrics_json) if metrics_json else {}
    told = document.get("tools") if isinstance(document, dict) else None
    for tool in told if isinstance(told, list) else ():
        yield ToolUse(
            str(tool.get("name", "")),
            int(tool.get("calls", 0)),
            tuple(map(str, tool.get("failures", ()))),
        )


def _offset(memory: memory_pb2.Memory) -> int | None:
    return memory.utc_offset_minutes if memory.HasField("utc_offset_minutes") else None


def _moment(message: memory_pb2.Fact | memory_pb2.Memory, field: str) -> datetime | None:
    if not message.HasField(field):  # type: ignore[arg-type]  # a name of one of its fields
        return None
    stamp: Timestamp = getattr(message, field)
    return stamp.ToDatetime(UTC)


def _stamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
