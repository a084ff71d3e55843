"""All lessons grouped anew: the same lessons in whatever order give the same groups.

Each scope by itself: lessons are taken in the order of their texts and joined by average linkage
(`linkage.py`). Where there are too many for that, lessons that are much alike stand together from
the start. Two groups are one from the model's threshold on, and at the least as near as two lessons
of the scope are on average: lessons of one form, such as failed commands, are all near one another,
and what they have in common then tells no topic.

A group keeps the id and label of a topic whose founder is in it, the one with most members where
there are several; others are founded by their oldest lesson.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from anamnesis_cluster.clusters.assign import assign, founded
from anamnesis_cluster.clusters.linkage import linked
from anamnesis_cluster.clusters.thresholds import Thresholds
from anamnesis_cluster.model import Assignment, Lesson, Topic

ROWS_MAX = 6_000
"""Lessons that are compared each with each, at 4 bytes a pair."""
_ALIKE = 0.8
_ROUNDING = 1e-6


def regroup(
    lessons: Sequence[Lesson], topics: Sequence[Topic], thresholds: Thresholds
) -> list[Assignment]:
    """The topic of every lesson that has a vector, those that stay where they are included."""
    scopes: defaultdict[tuple[str, int], list[Lesson]] = defaultdict(list)
    for lesson in sorted(lessons, key=_by_content):
        if lesson.vector is not None:
            scopes[lesson.scope, len(lesson.vector)].append(lesson)
    names = _Names(topics)
    return [
        assignment
        for _, members in sorted(scopes.items(), key=lambda item: item[0])
        for group in _groups(members, thresholds)
        for assignment in names.named(group)
    ]


def _by_content(lesson: Lesson) -> tuple[str, str, bytes, str]:
    packed = b"" if lesson.vector is None else lesson.vector.tobytes()
    return lesson.text, lesson.title, packed, lesson.memory_id


def _groups(lessons: Sequence[Lesson], thresholds: Thresholds) -> Iterator[list[Lesson]]:
    """The groups of one scope, in the order of their first lessons."""
    units = np.stack([_unit(lesson) for lesson in lessons])
    starts = _starts(lessons, thresholds)
    rows: defaultdict[str, list[int]] = defaultdict(list)
    for row, start in enumerate(starts):
        rows[start].append(row)
    means = np.stack([units[each].mean(axis=0) for each in rows.values()])
    counts = [len(each) for each in rows.values()]
    cosine_min = max(thresholds.link, _mean_cosine(units) - _ROUNDING)
    groups: defaultdict[int, list[Lesson]] = defaultdict(list)
    for group, each in zip(linked(means, counts, cosine_min), rows.values(), strict=True):
        groups[group] += (lessons[row] for row in each)
    yield from groups.values()


def _starts(lessons: Sequence[Lesson], thresholds: Thresholds) -> list[str]:
    """A name for each lesson; those that begin in one group have the same."""
    cosine_min = max(thresholds.join, _ALIKE)
    if len(lessons) <= ROWS_MAX:
        return [lesson.memory_id for lesson in lessons]
    while True:
        starts = [one.topic_id for one in assign([], lessons, cosine_min)]
        if len(set(starts)) <= ROWS_MAX:
            return starts
        cosine_min *= 0.9


def _mean_cosine(units: NDArray[np.float32]) -> float:
    """The mean over all pairs of two."""
    count = len(units)
    if count < 2:
        return 0.0
    total = units.sum(axis=0, dtype=np.float64)
    return float((total @ total - count) / (count * (count - 1)))


def _unit(lesson: Lesson) -> NDArray[np.float32]:
    assert lesson.vector is not None, "only lessons with a vector are grouped"
    norm = float(np.linalg.norm(lesson.vector))
    return lesson.vector / np.float32(norm) if norm > 0 else lesson.vector


class _Names:
    """The ids and labels that groups keep or are given."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self._taken = {topic.topic_id for topic in topics}
        self._by_founder: defaultdict[str, list[Topic]] = defaultdict(list)
        for topic in topics:
            for founder in _founders(topic.topic_id):
                self._by_founder[founder].append(topic)

    def named(self, group: Sequence[Lesson]) -> Iterator[Assignment]:
        """The assignments of one group."""
        topic = self._kept(group) or self._new(group)
        for lesson in group:
            yield Assignment(lesson.memory_id, topic.topic_id, topic.label)

    def _kept(self, group: Sequence[Lesson]) -> Topic | None:
        scope = group[0].scope
        found = [
            topic
            for lesson in group
            for topic in self._by_founder[lesson.memory_id]
            if topic.scope == scope
        ]
        return min(found, key=lambda topic: (-topic.member_count, topic.topic_id), default=None)

    def _new(self, group: Sequence[Lesson]) -> Topic:
        oldest = min(group, key=lambda lesson: lesson.memory_id)
        assert oldest.vector is not None, "only lessons with a vector are grouped"
        topic = founded(oldest, oldest.vector, self._taken)
        self._taken.add(topic.topic_id)
        return topic


def _founders(topic_id: str) -> tuple[str, str]:
    """The ids of lessons after which a topic may be named; see `founded`."""
    founder = topic_id.removeprefix("t-")
    return founder, founder.rpartition("-")[0]
