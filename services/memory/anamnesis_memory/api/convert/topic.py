"""Topics and attempts to make skills of them, between the wire and the model."""

from collections.abc import Sequence

from anamnesis.memory.v1 import topic_pb2, topic_service_pb2
from anamnesis_libs.errors import invalid_field
from anamnesis_memory.api.convert.enums import CRYSTALLIZATION_OUTCOME
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.model.crystallizations import Crystallization
from anamnesis_memory.model.memory import Namespace, Topic
from anamnesis_memory.ports import TopicLabel
from anamnesis_memory.runtime.revisions import revision_token


def from_topic(
    topic: Topic,
    namespace: Namespace,
    attempts: Sequence[Crystallization],
    *,
    with_centroid: bool,
) -> topic_pb2.Topic:
    """A topic as it is kept, with what came of making a skill of it."""
    return topic_pb2.Topic(
        topic_id=topic.topic_id,
        label=topic.label,
        member_count=topic.member_count,
        centroid=topic.centroid.tolist() if with_centroid else (),
        scope=topic.scope,
        create_time=to_timestamp(topic.create_time_us),
        update_time=to_timestamp(topic.update_time_us),
        revision=revision_token(namespace, topic.revision),
        crystallizations=map(from_crystallization, attempts),
        label_model=topic.label_model,
        label_member_count=topic.label_member_count,
    )


def to_label(told: topic_service_pb2.TopicLabel) -> TopicLabel:
    """The label of a topic, and who worded it."""
    return TopicLabel(told.label, told.model, told.member_count)


def from_crystallization(one: Crystallization) -> topic_pb2.Crystallization:
    """An attempt as it is kept."""
    return topic_pb2.Crystallization(
        attempt=one.attempt,
        outcome=CRYSTALLIZATION_OUTCOME.to_pb(one.outcome),
        reason=one.reason,
        member_count=one.member_count,
        model=one.model,
        grounded_share=one.grounded_share,
        structure_score=one.structure_score,
        model_tokens=one.model_tokens,
        skill_memory_id=one.skill_memory_id,
        create_time=to_timestamp(one.create_time_us),
    )


def to_crystallization(request: topic_service_pb2.RecordCrystallizationRequest) -> Crystallization:
    """The attempt that a request tells.

    Raises:
        InvalidArgument: a skill was made and is not there, or is there and was not made.
    """
    told = request.crystallization
    outcome = CRYSTALLIZATION_OUTCOME.from_pb(told.outcome)
    if outcome.makes_skill and not request.skill.procedure.source_memory_ids:
        raise invalid_field("skill.procedure.source_memory_ids", f"required for {outcome.name}")
    if request.HasField("skill") and not outcome.makes_skill:
        raise invalid_field("skill", f"must not be set for {outcome.name}")
    return Crystallization(
        attempt=told.attempt,
        outcome=outcome,
        reason=told.reason,
        member_count=told.member_count,
        model=told.model,
        grounded_share=told.grounded_share,
        structure_score=told.structure_score,
        model_tokens=told.model_tokens,
    )
