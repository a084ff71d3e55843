"""Tests of assign.py: who joins whom, and that scopes stay apart."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_cluster.clusters.assign import assign
from anamnesis_cluster.model import Lesson, Topic

JOIN = 0.75


def lesson(memory_id: str, *vector: float, scope: str = "shared") -> Lesson:
    numbers = np.array(vector, np.float32) if vector else None
    return Lesson(memory_id, scope, f"text of {memory_id}", title=memory_id, vector=numbers)


def topic(topic_id: str, *centroid: float, scope: str = "shared", members: int = 1) -> Topic:
    return Topic(topic_id, f"label {topic_id}", scope, members, np.array(centroid, np.float32))


def homes(topics: list[Topic], *lessons: Lesson) -> list[str]:
    return [one.topic_id for one in assign(topics, lessons, JOIN)]


def test_the_nearest_topic_is_joined() -> None:
    near, far = topic("a", 0.8, 0.6), topic("b", 1, 0.1)
    assert homes([near, far], lesson("m", 1, 0)) == ["b"]


@pytest.mark.parametrize(("x", "y", "home"), [(0.75, 0.6614, "a"), (0.74, 0.6726, "t-m")])
def test_the_threshold_decides(x: float, y: float, home: str) -> None:
    assert homes([topic("a", 1, 0)], lesson("m", x, y)) == [home]


def test_a_founded_topic_is_seen_by_the_rest_of_the_batch() -> None:
    assert homes([], lesson("m", 1, 0), lesson("n", 0.99, 0.1), lesson("o", 0, 1)) == [
        "t-m",
        "t-m",
        "t-o",
    ]


def test_a_centroid_moves_with_its_members() -> None:
    """The third is near the mean of the first two, and too far from the first alone."""
    first, second = lesson("m", 1, 0), lesson("n", 0.76, 0.65)
    third = lesson("o", 0.62, 0.785)
    assert homes([], first, third) == ["t-m", "t-o"]
    assert homes([], first, second, third) == ["t-m", "t-m", "t-m"]


def test_a_large_topic_hardly_moves() -> None:
    large = topic("a", 1, 0, members=1000)
    assert homes([large], lesson("n", 0.76, 0.65), lesson("o", 0.62, 0.785)) == ["a", "t-o"]


def test_scopes_never_mix() -> None:
    topics = [topic("a", 1, 0, scope="agent:x"), topic("u", 1, 0, scope="user:x")]
    lessons = [
        lesson("m", 1, 0),
        lesson("n", 1, 0, scope="agent:x"),
        lesson("o", 1, 0, scope="agent:y"),
        lesson("p", 1, 0, scope="user:x"),
    ]
    assert homes(topics, *lessons) == ["t-m", "a", "t-o", "u"]


def test_labels_come_along() -> None:
    given_, founded = assign([topic("a", 1, 0)], [lesson("m", 1, 0), lesson("n", 0, 1)], JOIN)
    assert (given_.label, founded.label) == ("label a", "n")


def test_an_id_that_is_taken_is_not_given_again() -> None:
    assert homes([topic("t-m", 1, 0), topic("t-m-2", -1, 0)], lesson("m", 0, 1)) == ["t-m-3"]


def test_lessons_without_a_vector_are_left_out() -> None:
    assert homes([], lesson("m"), lesson("n", 1, 0)) == ["t-n"]


def test_vectors_of_another_dimension_are_never_compared() -> None:
    assert homes([topic("a", 1, 0, 0)], lesson("m", 1, 0)) == ["t-m"]


def test_equally_near_topics_go_by_id() -> None:
    assert homes([topic("b", 1, 0), topic("a", 2, 0)], lesson("m", 1, 0)) == ["a"]


numbers = st.integers(-3, 3).map(float)
vectors = st.tuples(numbers, numbers, numbers).filter(any)
scopes = st.sampled_from(["shared", "agent:a", "user:u"])
lessons_ = st.lists(st.tuples(vectors, scopes), max_size=20).map(
    lambda some: [lesson(f"m{n}", *vector, scope=scope) for n, (vector, scope) in enumerate(some)]
)
topics_ = st.lists(st.tuples(vectors, scopes), max_size=5).map(
    lambda some: [topic(f"k{n}", *vector, scope=scope) for n, (vector, scope) in enumerate(some)]
)


@given(topics=topics_, lessons=lessons_, data=st.data())
def test_invariants(topics: list[Topic], lessons: list[Lesson], data: st.DataObject) -> None:
    decided = assign(topics, lessons, JOIN)
    assert [one.memory_id for one in decided] == [one.memory_id for one in lessons]
    shuffled = data.draw(st.permutations(topics))
    assert assign(shuffled, lessons, JOIN) == decided, "the order of topics does not matter"
    scope_of = {one.topic_id: one.scope for one in topics}
    founders = {f"t-{one.memory_id}": one for one in lessons}
    for one, mine in zip(decided, lessons, strict=True):
        home = scope_of.get(one.topic_id) or founders[one.topic_id].scope
        assert home == mine.scope
    for split in range(len(lessons)):
        assert assign(topics, lessons[:split], JOIN) == decided[:split], "a prefix decides alike"
