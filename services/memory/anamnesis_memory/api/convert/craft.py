"""Procedures and lessons between the wire and the model."""

from anamnesis.memory.v1 import (
    lesson_service_pb2,
    memory_pb2,
    memory_service_pb2,
    procedure_service_pb2,
)
from anamnesis_libs.errors import invalid_field
from anamnesis_memory.api.convert.memory import from_memory
from anamnesis_memory.api.convert.parts import to_part
from anamnesis_memory.memories.craft.matching import Match
from anamnesis_memory.memories.craft.wording import lesson_text, procedure_text
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.model.memory_details import Lesson, Procedure


def new_procedure(new: procedure_service_pb2.NewProcedure) -> memory_service_pb2.NewMemory:
    """A procedure as a memory: its text is made of its parts."""
    stated = memory_service_pb2.NewMemory(
        kind=memory_pb2.MEMORY_KIND_PROCEDURAL,
        procedure=new.procedure,
        tags=new.tags,
        visibility=new.visibility,
        agent_id=new.agent_id,
        user_id=new.user_id,
        importance=new.importance if new.HasField("importance") else None,
        expire_time=new.expire_time if new.HasField("expire_time") else None,
    )
    part = to_part(stated)
    assert isinstance(part, Procedure)
    stated.content = procedure_text(part)
    return stated


def new_lesson(new: lesson_service_pb2.NewLesson) -> memory_service_pb2.NewMemory:
    """A lesson as a memory: its text is what is said, else made of its parts.

    Raises:
        InvalidArgument: the lesson says nothing at all.
    """
    stated = memory_service_pb2.NewMemory(
        kind=memory_pb2.MEMORY_KIND_LEARNING,
        lesson=new.lesson,
        category=new.category,
        content=new.content,
        tags=new.tags,
        visibility=new.visibility,
        agent_id=new.agent_id,
        user_id=new.user_id,
        confidence=new.confidence if new.HasField("confidence") else None,
        importance=new.importance if new.HasField("importance") else None,
        expire_time=new.expire_time if new.HasField("expire_time") else None,
    )
    if not stated.content.strip():
        part = to_part(stated)
        assert isinstance(part, Lesson)
        stated.content = lesson_text(part)
    if not stated.content.strip():
        raise invalid_field("lesson.content", "must not be blank where the lesson has no parts")
    return stated


def from_procedure_match(
    match: Match, namespace: Namespace, now_us: int
) -> procedure_service_pb2.ProcedureMatch:
    """A procedure that fits."""
    return procedure_service_pb2.ProcedureMatch(
        memory=from_memory(match.memory, namespace, None, now_us),
        score=match.score,
        overlap=match.overlap,
    )


def from_lesson_match(
    match: Match, namespace: Namespace, now_us: int
) -> lesson_service_pb2.LessonMatch:
    """A lesson that fits."""
    return lesson_service_pb2.LessonMatch(
        memory=from_memory(match.memory, namespace, None, now_us),
        score=match.score,
        overlap=match.overlap,
    )
