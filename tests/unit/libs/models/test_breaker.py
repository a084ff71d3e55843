"""Tests of models/breaker.py against a clock that is set by hand."""

import pytest

from anamnesis_libs.errors import ModelUnavailable
from anamnesis_libs.models.breaker import Breaker


class Hand:
    """A clock moved by hand."""

    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def breaker(clock: Hand) -> Breaker:
    return Breaker(2, 10.0, clock, "the model")


def test_it_opens_after_failures_in_a_row_only(breaker: Breaker) -> None:
    breaker.failed()
    breaker.succeeded()
    breaker.failed()
    breaker.check()
    breaker.failed()
    with pytest.raises(ModelUnavailable, match="the model failed 2 times in a row") as caught:
        breaker.check()
    assert caught.value.retry_after_s == 10


def test_one_call_tries_when_the_time_is_over(breaker: Breaker, clock: Hand) -> None:
    breaker.failed()
    breaker.failed()
    clock.now_s += 10
    breaker.check()
    with pytest.raises(ModelUnavailable):
        breaker.check()


def test_the_try_closes_it_or_opens_it_again(breaker: Breaker, clock: Hand) -> None:
    breaker.failed()
    breaker.failed()
    clock.now_s += 10
    breaker.check()
    breaker.failed()
    with pytest.raises(ModelUnavailable):
        breaker.check()
    clock.now_s += 10
    breaker.check()
    breaker.succeeded()
    breaker.check()
    breaker.check()
