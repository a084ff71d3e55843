"""The clustering of the cluster service on labelled lessons: as they come, and grouped anew."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

from anamnesis_cluster.clusters.assign import assign
from anamnesis_cluster.clusters.follow import Rules
from anamnesis_cluster.clusters.regroup import regroup
from anamnesis_cluster.clusters.thresholds import Thresholds
from anamnesis_cluster.model import Topic
from anamnesis_libs.settings import Clusters
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


def as_served(labelled: Labelled, order: Sequence[int], thresholds: Thresholds) -> list[str]:
    """The topic of each lesson where they come one by one, and all are grouped as they grow."""
    rules = Rules(Clusters(assign_batch_max=len(order)))
    homes: dict[int, str] = {}
    joined = 0
    for count, place in enumerate(order, start=1):
        topics = _topics(labelled, homes)
        (decided,) = assign(topics, [labelled.lesson(place)], thresholds.join)
        homes[place], joined = decided.topic_id, joined + 1
        if rules.outgrown(count, joined):
            lessons = [labelled.lesson(one) for one in homes]
            for one in regroup(lessons, topics, thresholds):
                homes[int(one.memory_id)] = one.topic_id
            joined = 0
    return [homes[place] for place in range(len(order))]


def _topics(labelled: Labelled, homes: Mapping[int, str]) -> list[Topic]:
    """The topics with their centroids, as the store would keep them."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for place, topic_id in homes.items():
        members[topic_id].append(place)
    return [
        Topic(topic_id, "", "shared", len(each), labelled.vectors[each].mean(axis=0))
        for topic_id, each in members.items()
    ]


def grouped_anew(labelled: Labelled, order: Sequence[int], thresholds: Thresholds) -> list[str]:
    """The topic of each lesson after RunInitialClustering."""
    lessons = [labelled.lesson(place) for place in order]
    decided = regroup(lessons, (), thresholds)
    topics = {one.memory_id: one.topic_id for one in decided}
    return [topics[f"{place:04}"] for place in range(len(order))]
