"""The clustering of the cluster service on labelled lessons: as they come, and grouped anew."""

import random
from collections.abc import Sequence

from anamnesis_cluster.clusters.assign import assign
from anamnesis_cluster.clusters.regroup import Known, regroup
from anamnesis_cluster.clusters.thresholds import Thresholds
from benchmarks.clustering.lessons import Labelled

SHUFFLES = 10


def orders(count: int) -> list[list[int]]:
    """The same shuffles of so many lessons at each call."""
    chance = random.Random(20261126)
    return [chance.sample(range(count), count) for _ in range(SHUFFLES)]


def as_they_come(labelled: Labelled, order: Sequence[int], join_cosine_min: float) -> list[str]:
    """The topic of each lesson where they come one by one in an order."""
    decided = assign([], [labelled.lesson(place) for place in order], join_cosine_min)
    topics = {one.memory_id: one.topic_id for one in decided}
    return [topics[f"{place:04}"] for place in range(len(order))]


def grouped_anew(labelled: Labelled, order: Sequence[int], thresholds: Thresholds) -> list[str]:
    """The topic of each lesson after RunInitialClustering."""
    lessons = [labelled.lesson(place) for place in order]
    decided = regroup(lessons, Known((), {}), thresholds)
    topics = {one.memory_id: one.topic_id for one in decided}
    return [topics[f"{place:04}"] for place in range(len(order))]
