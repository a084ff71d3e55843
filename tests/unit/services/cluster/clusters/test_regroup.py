"""Tests of regroup.py and linkage.py: the same groups in every order, and ids that stay."""

import random

import numpy as np
import pytest

from anamnesis_cluster.clusters import regroup as module
from anamnesis_cluster.clusters.linkage import linked
from anamnesis_cluster.clusters.regroup import regroup
from anamnesis_cluster.clusters.thresholds import Thresholds
from anamnesis_cluster.model import Lesson, Topic, Vector

THRESHOLDS = Thresholds(join=0.9, link=0.5)


def around(seed: int, topics: int, each: int, dimension: int = 24) -> list[tuple[int, Vector]]:
    """Unit vectors around centres that are nearly at right angles, with the topic of each."""
    chance = np.random.default_rng(seed)
    centres = np.eye(dimension)[:topics]
    found = []
    for topic in range(topics):
        for _ in range(each):
            vector = centres[topic] + chance.normal(scale=0.1, size=dimension)
            found.append((topic, (vector / np.linalg.norm(vector)).astype(np.float32)))
    return found


def lessons(seed: int = 3, topics: int = 6, each: int = 8) -> list[Lesson]:
    return [
        Lesson(f"{place:03}-{topic}", "shared", f"text {place}", vector=vector)
        for place, (topic, vector) in enumerate(around(seed, topics, each))
    ]


def groups(found: list[Lesson]) -> set[frozenset[str]]:
    decided = regroup(found, (), THRESHOLDS)
    ids = {one.topic_id for one in decided}
    return {frozenset(one.memory_id for one in decided if one.topic_id == each) for each in ids}


def test_topics_are_found_in_every_order() -> None:
    found = lessons()
    ids = [one.memory_id for one in found]
    wanted = {frozenset(one for one in ids if one.endswith(f"-{topic}")) for topic in range(6)}
    for seed in range(10):
        shuffled = random.Random(seed).sample(found, len(found))
        assert groups(shuffled) == wanted


def test_lessons_that_are_too_many_to_compare_begin_in_groups(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = groups(lessons())
    monkeypatch.setattr(module, "ROWS_MAX", 20)
    assert groups(lessons()) == whole


def test_a_group_keeps_the_id_of_the_topic_whose_founder_is_in_it() -> None:
    found = lessons(topics=2, each=3)
    centre = np.ones(24, np.float32)
    topics = [
        Topic("t-001-0", "small", "shared", 1, centre),
        Topic("t-002-0-2", "large", "shared", 2, centre),
        Topic("t-005-1", "another scope", "agent:x", 5, centre),
    ]
    decided = regroup(found, topics, THRESHOLDS)
    assert {(one.topic_id, one.label) for one in decided if one.memory_id[-1] == "0"} == {
        ("t-002-0-2", "large")
    }
    assert {one.topic_id for one in decided if one.memory_id[-1] == "1"} == {"t-003-1"}


def test_scopes_are_grouped_apart() -> None:
    same = np.array([1, 0], np.float32)
    found = [
        Lesson("a", "shared", "a", vector=same),
        Lesson("b", "user:x", "b", vector=same),
        Lesson("c", "user:x", "c", vector=same),
        Lesson("d", "shared", "d"),
    ]
    assert groups(found) == {frozenset("a"), frozenset("bc")}


def test_lessons_of_one_form_are_told_apart_by_what_they_have_besides() -> None:
    """All are as near as 0.8; what tells the topics is nearer than that."""
    vectors = [vector[1] * 0.5 + np.eye(24)[23] for vector in around(5, 3, 5, 24)]
    found = [
        Lesson(f"{place:02}-{place // 5}", "shared", f"{place}", vector=vector.astype(np.float32))
        for place, vector in enumerate(vectors)
    ]
    assert {frozenset(one[-1] for one in group) for group in groups(found)} == {
        frozenset("0"),
        frozenset("1"),
        frozenset("2"),
    }


def test_average_linkage_merges_as_all_pairs_do() -> None:
    chance = np.random.default_rng(1)
    for _ in range(20):
        rows = chance.normal(size=(30, 5))
        units = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
        assert linked(units, [1] * 30, 0.3) == _by_all_pairs(units, 0.3)


def _by_all_pairs(units: Vector, cosine_min: float) -> list[int]:
    """The nearest pair of all is merged, again and again."""
    parts = [[row] for row in range(len(units))]
    near = units @ units.T
    while len(parts) > 1:
        pairs = [
            (float(near[np.ix_(a, b)].mean()), i, j)
            for i, a in enumerate(parts)
            for j, b in enumerate(parts[:i])
        ]
        best, i, j = max(pairs)
        if best < cosine_min:
            break
        parts[j] += parts.pop(i)
    root = {row: min(part) for part in parts for row in part}
    return [root[row] for row in range(len(units))]
