"""Facts as somebody states them: dates cover their periods, parts make a sentence."""

import pytest

from anamnesis_libs.errors import InvalidArgument
from anamnesis_memory.knowledge.fact_input import stated, worded
from anamnesis_memory.model.memory_details import Fact, TimePrecision
from tests.support.facts_told import us


def dated(since: str, until: str, exact: TimePrecision) -> Fact:
    """A fact with these dates."""
    begins, ends = us(since) if since else None, us(until) if until else None
    return Fact("Nadia", "lives_in", "Utrecht", begins, ends, time_precision=exact)


@pytest.mark.parametrize(
    ("exact", "since", "until"),
    [
        (TimePrecision.YEAR, "2021-01-01", "2022-01-01"),
        (TimePrecision.MONTH, "2021-05-01", "2021-06-01"),
        (TimePrecision.WEEK, "2021-05-10", "2021-05-17"),
        (TimePrecision.DAY, "2021-05-12", "2021-05-13"),
    ],
)
def test_a_date_covers_its_period(exact: TimePrecision, since: str, until: str) -> None:
    within = "2021-05-12T07:30Z"
    told = stated(dated(within, within, exact))
    assert (told.valid_from_us, told.valid_to_us) == (us(since), us(until))
    assert told.time_precision is exact


@pytest.mark.parametrize("exact", [TimePrecision.INSTANT, TimePrecision.NONE])
def test_instants_stay_as_they_are(exact: TimePrecision) -> None:
    fact = dated("2021-05-12T07:30Z", "2021-05-12T07:31Z", exact)
    assert stated(fact) == fact


def test_an_open_side_stays_open() -> None:
    assert stated(dated("", "", TimePrecision.DAY)) == dated("", "", TimePrecision.DAY)
    ends = stated(dated("", "2021", TimePrecision.YEAR))
    assert (ends.valid_from_us, ends.valid_to_us) == (None, us("2022"))


def test_the_last_day_that_can_be_written_is_no_end() -> None:
    assert stated(dated("2021", "9999-12-31", TimePrecision.DAY)).valid_to_us is None
    assert stated(dated("2021", "9998", TimePrecision.YEAR)).valid_to_us == us("9999")


@pytest.mark.parametrize(
    ("since", "until", "exact"),
    [
        ("2021-05-12", "2021-05-12", TimePrecision.INSTANT),
        ("2021-05-12", "2021-05-11", TimePrecision.DAY),
        ("2021", "2020", TimePrecision.YEAR),
    ],
)
def test_an_end_before_the_beginning_is_refused(
    since: str, until: str, exact: TimePrecision
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        stated(dated(since, until, exact))
    assert [one.field for one in refused.value.violations] == ["valid_to"]


def test_a_sentence_is_made_of_the_parts() -> None:
    assert worded(dated("", "", TimePrecision.NONE)) == "Nadia lives in Utrecht"
