"""Patience: what is tried again, how often, and for how long."""

import pytest

from anamnesis.retrieval.v1.retrieval_service_pb2 import SearchRequest, SearchResponse
from anamnesis_client.errors import (
    AnamnesisError,
    Conflict,
    DeadlineExceeded,
    Internal,
    ResourceExhausted,
    Unavailable,
)
from anamnesis_client.methods import SEARCH
from anamnesis_client.steps import Patience
from tests.unit.client.flows import driven

ANSWER = SearchResponse(revision="a-1")


class Clock:
    """A clock that each look at moves on."""

    def __init__(self, step_s: float) -> None:
        self.now_s = 0.0
        self._step_s = step_s

    def __call__(self) -> float:
        """The time."""
        self.now_s += self._step_s
        return self.now_s


def patience(retries: int = 3, step_s: float = 0.0, timeout_s: float = 30.0) -> Patience:
    return Patience(timeout_s, retries, Clock(step_s), lambda: 0.5)


@pytest.mark.parametrize(
    "passing",
    [
        Unavailable("starting", reason="PEER_UNAVAILABLE"),
        ResourceExhausted("full", reason="QUEUE_FULL"),
        ResourceExhausted("too fast", reason="QUOTA_EXCEEDED"),
    ],
    ids=lambda error: error.reason,
)
def test_what_may_pass_is_tried_again(passing: AnamnesisError) -> None:
    answer, calls, pauses = driven(patience().ask(SEARCH, SearchRequest()), [passing, ANSWER])
    assert (answer, len(calls), pauses) == (ANSWER, 2, [0.1])


@pytest.mark.parametrize(
    "lasting",
    [
        ResourceExhausted("too long", reason="TOO_LARGE"),
        Unavailable("no room", reason="STORE_FULL"),
        Conflict("changed", reason="CONFLICT"),
        DeadlineExceeded("late"),
        Internal("a fault"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_will_not_pass_is_told_at_once(lasting: AnamnesisError) -> None:
    with pytest.raises(type(lasting)):
        driven(patience().ask(SEARCH, SearchRequest()), [lasting])


def test_pauses_grow_and_the_last_error_is_raised() -> None:
    gone = Unavailable("gone")
    flow = patience(retries=2).ask(SEARCH, SearchRequest())
    with pytest.raises(Unavailable):
        driven(flow, [gone, gone, gone])
    grown = [patience().pause_s(gone, failures) for failures in (1, 2, 3, 9)]
    assert grown == [0.1, 0.2, 0.4, 3.0]


def test_a_server_that_says_when_is_believed() -> None:
    later = ResourceExhausted("full", reason="QUEUE_FULL", retry_after_s=2.0)
    _, _, pauses = driven(patience().ask(SEARCH, SearchRequest()), [later, ANSWER])
    assert pauses == [2.0]


def test_no_pause_is_longer_than_the_time_that_is_left() -> None:
    later = ResourceExhausted("full", reason="QUEUE_FULL", retry_after_s=60.0)
    with pytest.raises(ResourceExhausted):
        driven(patience().ask(SEARCH, SearchRequest()), [later])


def test_each_try_has_the_time_that_is_left() -> None:
    gone = Unavailable("gone")
    flow = patience(step_s=1.0, timeout_s=10.0).ask(SEARCH, SearchRequest())
    _, calls, _ = driven(flow, [gone, ANSWER])
    assert [call.timeout_s for call in calls] == [9.0, 7.0]
