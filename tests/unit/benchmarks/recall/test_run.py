"""Answers are told by their places; the benchmark turns them into turns again."""

from datetime import UTC, datetime

import pytest

from benchmarks.recall.client import Place
from benchmarks.recall.conversations import Conversation, Session, Turn
from benchmarks.recall.loading import RunFailed
from benchmarks.recall.run import ranking_of

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
CONVERSATION = Conversation(
    "c",
    [
        Session("s1", [Turn("a", "one", "user", NOON), Turn("b", "two", "assistant", NOON)]),
        Session("s2", [Turn("c", "three", "user", NOON)]),
    ],
    [],
)


def test_a_place_is_a_session_and_an_index() -> None:
    assert ranking_of(CONVERSATION, [Place("s2", 0), Place("s1", 1)]) == ["c", "b"]


@pytest.mark.parametrize("places", [[Place("s2", 1)], [Place("s1", 0), Place("s1", 0)]])
def test_what_was_never_put_in_or_comes_twice_fails_the_run(places: list[Place]) -> None:
    with pytest.raises(RunFailed):
        ranking_of(CONVERSATION, places)
