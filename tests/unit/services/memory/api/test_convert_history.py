"""Pairs that were kept apart, as each of the two sees them."""

import json

from anamnesis.memory.v1 import memory_pb2
from anamnesis_memory.api.convert.history import from_similar
from anamnesis_memory.model.edges import Edge, EdgeType

DETAIL = json.dumps([["number", "7 days", "8 days"]])
EDGE = Edge("a", "b", EdgeType.SIMILAR_TO, 0.9, 1, 1, DETAIL)


def told(pair: memory_pb2.SimilarPair) -> tuple[str, str, str, str]:
    """Both ends, each with its text."""
    (difference,) = pair.differences
    return pair.memory_id, difference.here, pair.other_memory_id, difference.there


def test_a_pair_is_turned_to_the_one_that_was_asked_for() -> None:
    assert told(from_similar(EDGE, "a")) == ("a", "7 days", "b", "8 days")
    assert told(from_similar(EDGE, "b")) == ("b", "8 days", "a", "7 days")
    assert told(from_similar(EDGE)) == told(from_similar(EDGE, "a"))


def test_a_pair_without_differences_has_none() -> None:
    pair = from_similar(Edge("a", "b", EdgeType.MAY_DUPLICATE, 0.5, 1, 1), "a")
    assert (pair.similarity, len(pair.differences)) == (0.5, 0)
