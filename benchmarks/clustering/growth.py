"""A large topic and many topics: assignments a second, and centroids after many moves."""

import time

import numpy as np
from numpy.typing import NDArray

from anamnesis_cluster.clusters.assign import assign
from anamnesis_cluster.model import Lesson, Topic
from anamnesis_memory.storage.centroids import joined, left

DIMENSION = 384


def assignments_a_second(members: int, topics: int, batch: int = 256, batches: int = 8) -> float:
    """The rate of deciding for lessons that come when there are so many members already."""
    chance = np.random.default_rng(16)
    centres = _units(chance, topics)
    known = [
        Topic(f"t-{place}", "a topic", "shared", members // topics, centre)
        for place, centre in enumerate(centres)
    ]
    drawn = centres[chance.integers(topics, size=batch * batches)]
    noisy = drawn + chance.normal(scale=0.03, size=drawn.shape)
    lessons = [
        Lesson(f"m-{place}", "shared", "text", vector=row.astype(np.float32))
        for place, row in enumerate(noisy)
    ]
    began = time.perf_counter()
    for start in range(0, len(lessons), batch):
        assign(known, lessons[start : start + batch], 0.45)
    return len(lessons) / (time.perf_counter() - began)


def worst_centroid(moves: int, topics: int = 20, members: int = 2_000) -> tuple[float, int, int]:
    """The largest error of any centroid at any time while members join and leave at random.

    Also how many removals there were, and how many of them had to read the members.
    """
    chance = np.random.default_rng(16)
    vectors = _units(chance, members)
    homes = np.full(members, -1)
    centroids = np.zeros((topics, DIMENSION), np.float32)
    counts = [0] * topics
    worst, removals, read = 0.0, 0, 0
    for _ in range(moves):
        member = int(chance.integers(members))
        topic = int(homes[member])
        if topic < 0:
            topic = int(chance.integers(topics))
            centroids[topic] = joined(centroids[topic], counts[topic], vectors[member])
            homes[member], counts[topic] = topic, counts[topic] + 1
        else:
            removals += 1
            moved = left(centroids[topic], counts[topic], [vectors[member]])
            homes[member], counts[topic] = -1, counts[topic] - 1
            read += moved is None
            centroids[topic] = _exact(vectors[homes == topic]) if moved is None else moved
        worst = max(worst, float(np.abs(centroids[topic] - _exact(vectors[homes == topic])).max()))
    return worst, removals, read


def _exact(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    if not len(rows):
        return np.zeros(DIMENSION, np.float32)
    return np.asarray(rows.mean(axis=0, dtype=np.float64), dtype=np.float32)


def _units(chance: np.random.Generator, count: int) -> NDArray[np.float32]:
    rows = chance.normal(size=(count, DIMENSION))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)
