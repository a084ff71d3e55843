"""The topic of a lesson: the nearest one by cosine if it is near enough, else a new one.

Pure and deterministic: the same topics and lessons in the same order give the same answer. A batch
sees the topics that it founded and the centroids that it moved. A topic never mixes who may see
its members: only topics of the lesson's own scope are looked at.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from anamnesis_cluster.model import Assignment, Lesson, Topic, Vector
from anamnesis_libs.topic_labels import topic_label

_GROWTH_MIN = 16


def assign(
    topics: Sequence[Topic], lessons: Sequence[Lesson], join_cosine_min: float
) -> list[Assignment]:
    """A topic for each lesson that has a vector, in order; the others are left out."""
    taken = {topic.topic_id for topic in topics}
    scopes: defaultdict[tuple[str, int], _Centroids] = defaultdict(_Centroids)
    for topic in sorted(topics, key=lambda topic: topic.topic_id):
        scopes[topic.scope, len(topic.centroid)].add(topic)
    assignments = []
    for lesson in lessons:
        if lesson.vector is None:
            continue
        near = scopes[lesson.scope, len(lesson.vector)]
        found = near.nearest(lesson.vector, join_cosine_min)
        if found is None:
            found = near.add(founded(lesson, lesson.vector, taken))
            taken.add(near.ids[found])
        else:
            near.join(found, lesson.vector)
        assignments.append(Assignment(lesson.memory_id, near.ids[found], near.labels[found]))
    return assignments


def founded(lesson: Lesson, vector: Vector, taken: Collection[str]) -> Topic:
    """A topic named after its founder, so that trying again founds no second one."""
    topic_id, tries = f"t-{lesson.memory_id}", 1
    while topic_id in taken:
        tries += 1
        topic_id = f"t-{lesson.memory_id}-{tries}"
    return Topic(topic_id, topic_label(lesson.title, lesson.text), lesson.scope, 1, vector)


class _Centroids:
    """The topics of one scope and dimension: means of their members, and as unit vectors."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.labels: list[str] = []
        self._counts: list[int] = []
        self._means: list[NDArray[np.float64]] = []
        self._units: NDArray[np.float64] = np.zeros((0, 0))

    def add(self, topic: Topic) -> int:
        """Takes in a topic; gives its position."""
        position = len(self.ids)
        self.ids.append(topic.topic_id)
        self.labels.append(topic.label)
        self._counts.append(topic.member_count)
        self._means.append(topic.centroid.astype(np.float64))
        self._make_room(len(topic.centroid))
        self._units[position] = _unit(self._means[position])
        return position

    def nearest(self, vector: Vector, cosine_min: float) -> int | None:
        """The position of the closest topic, the first of equals; None where none is close."""
        if not self.ids:
            return None
        cosines = self._units[: len(self.ids)] @ _unit(vector.astype(np.float64))
        best = int(np.argmax(cosines))
        return best if cosines[best] >= cosine_min else None

    def join(self, position: int, vector: Vector) -> None:
        """Moves a mean by one more member."""
        self._counts[position] += 1
        mean = self._means[position]
        mean += (vector - mean) / self._counts[position]
        self._units[position] = _unit(mean)

    def _make_room(self, dimension: int) -> None:
        if len(self.ids) > len(self._units):
            room = np.zeros((max(_GROWTH_MIN, 2 * len(self._units)), dimension))
            room[: len(self._units)] = self._units.reshape(-1, dimension)
            self._units = room


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm > 0 else vector
