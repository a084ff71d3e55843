"""One lesson moved by a person: to a topic that is named, to its nearest, or to one of its own.

Pure. A lesson that is named a place, or gets one of its own, is held there; one that goes to its
nearest is free, and decided as if it were new: its own topic counts without it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from anamnesis_cluster.clusters.assign import assign, founded
from anamnesis_cluster.model import Assignment, Lesson, Topic, Vector
from anamnesis_libs.errors import MemoryNotAssignable


@dataclass(frozen=True, slots=True)
class Home:
    """Where a lesson is: the topics there are, and the id of its own; empty for none."""

    topics: Sequence[Topic]
    topic_id: str


def to_topic(lesson: Lesson, topic: Topic) -> Assignment:
    """The move into a topic.

    Raises:
        MemoryNotAssignable: others see the lesson than see the topic's members.
    """
    if topic.scope != lesson.scope:
        raise MemoryNotAssignable(
            lesson.memory_id,
            "visibility",
            f"memory {lesson.memory_id!r} is seen by others than the members of cluster "
            f"{topic.topic_id!r}; give it their visibility with UpdateMemory first, or name a "
            "cluster of its own visibility",
        )
    return Assignment(lesson.memory_id, topic.topic_id, topic.label, held=True)


def to_own_topic(lesson: Lesson, vector: Vector, home: Home) -> Assignment:
    """The move into a new topic; a lesson that is alone in its topic stays there."""
    for topic in home.topics:
        if topic.topic_id == home.topic_id and topic.member_count == 1:
            return Assignment(lesson.memory_id, topic.topic_id, topic.label, held=True)
    new = founded(lesson, vector, {topic.topic_id for topic in home.topics})
    return Assignment(lesson.memory_id, new.topic_id, new.label, held=True)


def to_nearest(lesson: Lesson, vector: Vector, home: Home, join_cosine_min: float) -> Assignment:
    """The move to where the lesson would go if it were new."""
    (decided,) = assign(list(_without(home, vector)), [lesson], join_cosine_min)
    return replace(decided, held=False)


def _without(home: Home, vector: Vector) -> Iterator[Topic]:
    """The topics as they were without the lesson."""
    for topic in home.topics:
        if topic.topic_id != home.topic_id:
            yield topic
        elif topic.member_count > 1:
            total = topic.centroid.astype(np.float64) * topic.member_count - vector
            rest = topic.member_count - 1
            mean = (total / rest).astype(np.float32)
            yield replace(topic, member_count=rest, centroid=mean)
