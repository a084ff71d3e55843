"""What dates cover, and which intervals there are."""

from datetime import UTC, datetime

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.domain.facts.interval import DAY_US, Interval, instant_us, period, period_of
from anamnesis_memory.model.memory_details import TimePrecision as P


def _us(*parts: int) -> int:
    return instant_us(datetime(*parts, tzinfo=UTC))  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("written", "first", "after", "precision"),
    [
        ("2016", (2016, 1, 1), (2017, 1, 1), P.YEAR),
        ("2016-12", (2016, 12, 1), (2017, 1, 1), P.MONTH),
        ("2016-02", (2016, 2, 1), (2016, 3, 1), P.MONTH),
        ("2019-W10", (2019, 3, 4), (2019, 3, 11), P.WEEK),
        ("2020-W53", (2020, 12, 28), (2021, 1, 4), P.WEEK),
        ("2020-02-29", (2020, 2, 29), (2020, 3, 1), P.DAY),
        ("1899-12-31", (1899, 12, 31), (1900, 1, 1), P.DAY),
    ],
)
def test_a_date_covers_its_whole_period(
    written: str, first: tuple[int, ...], after: tuple[int, ...], precision: P
) -> None:
    read = period(written)
    assert (read.first_us, read.after_us, read.precision) == (_us(*first), _us(*after), precision)
    for inside_us in (read.first_us, read.after_us - 1):
        assert period_of(inside_us, precision) == read


def test_an_instant_is_itself_in_any_zone() -> None:
    read = period("2024-09-10T10:00:00.000001+08:00")
    assert read.first_us == read.after_us == _us(2024, 9, 10, 2) + 1
    assert read.precision is P.INSTANT
    assert period_of(read.first_us, P.INSTANT) == read
    assert period_of(5, P.NONE).after_us == 5


def test_the_last_day_has_an_end() -> None:
    assert period("9999-12-31").after_us == _us(9999, 12, 31) + DAY_US
    assert period("9999").after_us == period("9999-12").after_us == _us(9999, 12, 31) + DAY_US


@pytest.mark.parametrize(
    "written",
    ["", "soon", "2019-13", "2019-02-30", "2019-W54", "0000", "2024-09-10T10:00", "2019-1-1"],
)
def test_what_is_no_time_is_refused_by_name(written: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        period(written, "valid_to")
    assert [each.field for each in refused.value.violations] == ["valid_to"]


def test_beyond_the_calendar_there_are_no_periods() -> None:
    with pytest.raises(InvalidArgument):
        period_of(10**18, P.DAY)


@pytest.mark.parametrize(("from_us", "to_us"), [(5, 5), (6, 5)])
def test_an_empty_or_backward_interval_is_refused(from_us: int, to_us: int) -> None:
    with pytest.raises(InvalidArgument) as refused:
        Interval(from_us, to_us)
    assert [each.field for each in refused.value.violations] == ["valid_to"]


def test_a_day_may_begin_and_end_a_fact() -> None:
    day = period("2022-02-27")
    interval = Interval(day.first_us, day.after_us)
    assert interval.holds_at(day.after_us - 1)
    assert not interval.holds_at(day.after_us)


def test_without_bounds_it_always_holds() -> None:
    assert Interval().holds_at(-(10**20))
    assert Interval(None, 5).holds_at(-(10**20))
    assert not Interval(None, 5).holds_at(5)
    assert Interval(5).holds_at(10**20)
