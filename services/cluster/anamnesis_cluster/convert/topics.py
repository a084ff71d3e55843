"""Lessons, topics and changes between the wire and the model."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from anamnesis.cluster.v1 import cluster_pb2, cluster_service_pb2
from anamnesis.memory.v1 import (
    event_pb2,
    memory_pb2,
    memory_service_pb2,
    topic_pb2,
    topic_service_pb2,
    work_pb2,
)
from anamnesis_cluster.convert.skills import STATE, to_skill_topic
from anamnesis_cluster.leases import Lease
from anamnesis_cluster.model import (
    Assignment,
    Label,
    Lesson,
    LessonChange,
    Progress,
    Summary,
    Topic,
)
from anamnesis_cluster.readiness import readiness
from anamnesis_libs.participants import is_of_several, participants, together
from anamnesis_libs.scopes import SHARED_SCOPE, agent_scope, user_scope


def to_lesson(memory: memory_pb2.Memory) -> Lesson:
    """A LEARNING memory, with its vector if it has one."""
    vector = memory.embedding.vector
    return Lesson(
        memory_id=memory.memory_id,
        scope=scope_of(memory),
        text=memory.content,
        title=memory.lesson.title,
        vector=np.array(vector, dtype=np.float32) if vector else None,
        model=memory.embedding.model,
    )


def scope_of(memory: memory_pb2.Memory) -> str:
    """The scope of a memory as one word, in the words in which memory keeps a topic's scope."""
    match memory.visibility:
        case event_pb2.VISIBILITY_PRIVATE_TO_AGENT:
            return agent_scope(memory.agent_id)
        case event_pb2.VISIBILITY_PRIVATE_TO_USER:
            return user_scope(memory.user_id or together(memory.participants))
        case _:
            return SHARED_SCOPE


def to_topic(topic: topic_pb2.Topic) -> Topic:
    """A topic with its centroid."""
    return Topic(
        topic_id=topic.topic_id,
        label=topic.label,
        scope=topic.scope,
        member_count=topic.member_count,
        centroid=np.array(topic.centroid, dtype=np.float32),
        label_model=topic.label_model,
        label_asked_of=topic.label_member_count,
    )


def to_change(told: memory_service_pb2.WatchMemoriesResponse) -> LessonChange:
    """One item of a watch."""
    return LessonChange(
        revision=told.revision,
        memory_id="" if told.bookmark else told.memory_id,
        gone=told.change_type == memory_service_pb2.CHANGE_TYPE_DELETED,
    )


def from_lease(lease: Lease) -> work_pb2.Lease:
    """The claim of a namespace's clustering, for the wire."""
    return work_pb2.Lease(kind=work_pb2.WORK_KIND_CLUSTER, token=lease.token)


def from_assignments(
    assignments: Sequence[Assignment],
) -> list[topic_service_pb2.TopicAssignment]:
    """Decisions for the wire."""
    return [
        topic_service_pb2.TopicAssignment(
            memory_id=one.memory_id, topic_id=one.topic_id, label=one.label, held=one.held
        )
        for one in assignments
    ]


def from_labels(labels: Mapping[str, Label]) -> list[topic_service_pb2.TopicLabel]:
    """Names of topics for the wire."""
    return [
        topic_service_pb2.TopicLabel(
            topic_id=topic_id, label=label.text, model=label.model, member_count=label.asked_of
        )
        for topic_id, label in labels.items()
    ]


def from_topic(topic: topic_pb2.Topic, namespace: str) -> cluster_pb2.Cluster:
    """A topic as callers see it."""
    skill_topic = to_skill_topic(topic)
    visibility, owner = _seen_by(topic.scope)
    is_users = visibility == event_pb2.VISIBILITY_PRIVATE_TO_USER
    shared_by = participants(owner) if is_users and is_of_several(owner) else ()
    return cluster_pb2.Cluster(
        cluster_id=topic.topic_id,
        namespace=namespace,
        label=topic.label,
        member_count=topic.member_count,
        create_time=topic.create_time,
        update_time=topic.update_time,
        revision=topic.revision,
        state=STATE.to_pb(readiness(skill_topic)),
        skill_memory_id=skill_topic.last.skill_id if skill_topic.last else "",
        visibility=visibility,
        agent_id="" if is_users else owner,
        user_id=owner if is_users and not shared_by else "",
        participants=shared_by,
        label_model=topic.label_model,
    )


def from_told(told: Progress | Summary) -> cluster_service_pb2.RunInitialClusteringResponse:
    """A step of a clustering, or its end."""
    if isinstance(told, Progress):
        return cluster_service_pb2.RunInitialClusteringResponse(
            progress=cluster_service_pb2.ClusteringProgress(**asdict(told))
        )
    return cluster_service_pb2.RunInitialClusteringResponse(
        summary=cluster_service_pb2.ClusteringSummary(**asdict(told))
    )


def _seen_by(scope: str) -> tuple[event_pb2.Visibility.ValueType, str]:
    """A scope as a visibility and its owner; the owner is empty where it is shared."""
    for visibility, prefix in (
        (event_pb2.VISIBILITY_PRIVATE_TO_AGENT, agent_scope("")),
        (event_pb2.VISIBILITY_PRIVATE_TO_USER, user_scope("")),
    ):
        if scope.startswith(prefix):
            return visibility, scope.removeprefix(prefix)
    return event_pb2.VISIBILITY_SHARED, ""
