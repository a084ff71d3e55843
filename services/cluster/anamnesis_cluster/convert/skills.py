"""Topics, lessons, ways and skills between the wire and the model.

A skill is a procedure. Its steps come first; what it knows of failures and rules follows as steps
whose action is `recover` or `remember`.
"""

from anamnesis.cluster.v1 import cluster_pb2
from anamnesis.memory.v1 import memory_pb2, procedure_service_pb2, topic_pb2
from anamnesis_cluster.readiness import Readiness
from anamnesis_cluster.skill_model import (
    SKILL_TAG,
    Advice,
    Attempt,
    Evidence,
    KeptSkill,
    Path,
    Skill,
    SkillOutcome,
    SkillTopic,
    Step,
)
from anamnesis_libs.rpc.enums import EnumCodec

_OUTCOME = EnumCodec(topic_pb2.CrystallizationOutcome, SkillOutcome)
STATE = EnumCodec(cluster_pb2.ClusterState, Readiness)
_RECOVER, _REMEMBER = "recover", "remember"
SOURCES_MAX = 100
TEXT_CHARS_MAX = 4_000
"""So much of each text of a lesson is read for a skill."""
_TAGS_MAX = 32


def to_skill_topic(topic: topic_pb2.Topic) -> SkillTopic:
    """A topic with its attempts."""
    return SkillTopic(
        topic_id=topic.topic_id,
        label=topic.label,
        scope=topic.scope,
        members=topic.member_count,
        attempts=tuple(map(to_attempt, topic.crystallizations)),
    )


def to_attempt(told: topic_pb2.Crystallization) -> Attempt:
    """An attempt as memory keeps it."""
    return Attempt(
        number=told.attempt,
        outcome=_OUTCOME.from_pb(told.outcome),
        reason=told.reason,
        members=told.member_count,
        model=told.model,
        grounded_share=told.grounded_share,
        structure=told.structure_score,
        tokens=told.model_tokens,
        skill_id=told.skill_memory_id,
        create_time_us=told.create_time.ToMicroseconds(),
    )


def from_attempt(attempt: Attempt) -> topic_pb2.Crystallization:
    """An attempt for the wire; one to be recorded has neither skill nor time."""
    made = topic_pb2.Crystallization(
        attempt=attempt.number,
        outcome=_OUTCOME.to_pb(attempt.outcome),
        reason=attempt.reason,
        member_count=attempt.members,
        model=attempt.model,
        grounded_share=attempt.grounded_share,
        structure_score=attempt.structure,
        model_tokens=attempt.tokens,
        skill_memory_id=attempt.skill_id,
    )
    if attempt.create_time_us:
        made.create_time.FromMicroseconds(attempt.create_time_us)
    return made


def to_evidence(memory: memory_pb2.Memory) -> Evidence:
    """A lesson."""
    lesson = memory.lesson
    return Evidence(
        memory_id=memory.memory_id,
        text=memory.content[:TEXT_CHARS_MAX],
        title=lesson.title,
        context=lesson.context[:TEXT_CHARS_MAX],
        resolution=lesson.resolution[:TEXT_CHARS_MAX],
        category=memory.category,
        segment_id=memory.provenance.segment_id,
    )


def to_path(memory: memory_pb2.Memory) -> Path:
    """A procedure; each of its steps rests on it."""
    part = memory.procedure
    return Path(
        memory_id=memory.memory_id,
        name=part.name,
        goal=part.goal,
        steps=tuple(_to_step(one, (memory.memory_id,)) for one in part.steps),
        segment_id=memory.provenance.segment_id,
    )


def to_kept_skill(memory: memory_pb2.Memory) -> KeptSkill:
    """A skill as memory keeps it; all of its sources stand behind each of its statements."""
    part = memory.procedure
    sources = tuple(part.source_memory_ids)
    advice = (one for one in part.steps if one.action in (_RECOVER, _REMEMBER))
    skill = Skill(
        name=part.name,
        title=part.name,
        trigger=part.goal,
        steps=tuple(
            _to_step(one, sources) for one in part.steps if one.action not in (_RECOVER, _REMEMBER)
        ),
        advice=tuple(
            Advice(one.spec, one.on_failure, one.action == _RECOVER, sources) for one in advice
        ),
        avoid=tuple(part.avoid),
        terms=tuple(part.trigger_tags),
        model=memory.provenance.model,
    )
    return KeptSkill(memory.memory_id, skill, memory.content)


def from_skill(skill: Skill) -> procedure_service_pb2.NewProcedure:
    """A skill for memory to keep."""
    part = memory_pb2.Procedure(
        name=skill.name,
        goal=skill.trigger,
        steps=[*map(_from_step, skill.steps), *map(_from_advice, skill.advice)],
        avoid=skill.avoid,
        trigger_tags=skill.terms[:_TAGS_MAX],
        source_memory_ids=skill.source_ids[:SOURCES_MAX],
    )
    return procedure_service_pb2.NewProcedure(procedure=part, tags=[SKILL_TAG])


def _to_step(step: memory_pb2.ProcedureStep, sources: tuple[str, ...]) -> Step:
    done = " ".join(filter(None, (step.action and f"{step.action}:", step.spec)))
    return Step(done, step.success_criteria, step.on_failure, sources)


def _from_step(step: Step) -> memory_pb2.ProcedureStep:
    return memory_pb2.ProcedureStep(
        spec=step.do, success_criteria=step.done_when, on_failure=step.on_failure
    )


def _from_advice(advice: Advice) -> memory_pb2.ProcedureStep:
    return memory_pb2.ProcedureStep(
        action=_RECOVER if advice.is_failure else _REMEMBER,
        spec=advice.when,
        on_failure=advice.do,
    )
