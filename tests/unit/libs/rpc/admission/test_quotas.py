"""Tests of rpc/admission/quotas.py, on a clock of their own."""

from dataclasses import dataclass

import pytest

from anamnesis_libs.errors import QuotaExceeded
from anamnesis_libs.rpc.admission.principal import Limits, Principal
from anamnesis_libs.rpc.admission.quotas import DAY_S, Quotas

MIB = 1024 * 1024
ADA, BO = Principal(name="ada"), Principal(name="bo")


@dataclass
class Clock:
    """A clock that stands until it is turned."""

    now_s: float = 1000.0

    def __call__(self) -> float:
        return self.now_s


def quotas(clock: Clock, limits: Limits, namespaces_max: int = 2) -> Quotas:
    return Quotas(limits, namespaces_max=namespaces_max, now_s=clock)


def call(counted: Quotas, principal: Principal) -> None:
    with counted.call(principal):
        pass


def test_calls_come_at_the_rate_that_is_given_and_each_has_its_own() -> None:
    clock = Clock()
    counted = quotas(clock, Limits(calls_per_s=5))
    for _ in range(10):  # what two seconds give
        call(counted, ADA)
    with pytest.raises(QuotaExceeded) as refused:
        call(counted, ADA)
    assert refused.value.retry_after_s == pytest.approx(0.2)
    assert refused.value.metadata == {"quota": "calls_per_s", "limit": "5"}
    call(counted, BO)
    clock.now_s += 0.2
    call(counted, ADA)
    with pytest.raises(QuotaExceeded):
        call(counted, ADA)


def test_a_limit_of_its_own_goes_before_the_default() -> None:
    counted = quotas(Clock(), Limits(calls_per_s=1))
    eager = Principal(name="eager", limits=Limits(calls_per_s=50))
    for _ in range(100):
        call(counted, eager)
    with pytest.raises(QuotaExceeded):
        call(counted, eager)


def test_calls_at_once_are_bounded_and_end() -> None:
    counted = quotas(Clock(), Limits(calls_at_once=1))
    with counted.call(ADA):
        with pytest.raises(QuotaExceeded, match="calls_at_once"):
            call(counted, ADA)
        call(counted, BO)
    call(counted, ADA)


def test_bytes_are_counted_by_the_day() -> None:
    clock = Clock()
    counted = quotas(clock, Limits(mib_per_day=2))
    counted.took(ADA, 2 * MIB, "", writes=False)
    clock.now_s += 3600
    with pytest.raises(QuotaExceeded, match="mib_per_day") as refused:
        counted.took(ADA, 1, "", writes=False)
    assert refused.value.retry_after_s == DAY_S - 3600
    counted.took(BO, 1, "", writes=False)
    clock.now_s += DAY_S
    counted.took(ADA, 2 * MIB, "", writes=False)


def test_nobody_makes_any_number_of_namespaces() -> None:
    counted = quotas(Clock(), Limits())
    for name in ("a", "b", "a"):
        counted.took(ADA, 1, name, writes=True)
    with pytest.raises(QuotaExceeded, match="namespaces") as refused:
        counted.took(ADA, 1, "c", writes=True)
    assert refused.value.retry_after_s == 0
    counted.took(ADA, 1, "c", writes=False)
    named = Principal(name="named", namespaces=frozenset("abc"))
    for name in "abc":
        counted.took(named, 1, name, writes=True)
