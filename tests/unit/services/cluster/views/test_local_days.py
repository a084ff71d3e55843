"""Facts of a day hold from its first hour where they were told, and their times are told so."""

from dataclasses import replace
from datetime import UTC, datetime

from anamnesis_cluster.view_model import Precision
from anamnesis_cluster.views.lines import holds, is_over
from anamnesis_cluster.views.wording import date_of
from tests.unit.services.cluster.views.told import fact

SHANGHAI, NEW_YORK = 480, -300
SEVEN_IN_SHANGHAI = datetime(2026, 1, 5, 23, tzinfo=UTC)


def test_what_began_today_holds_in_the_morning_and_what_it_replaced_is_over() -> None:
    new = replace(fact("lives_in", "成都", since="2026-01-06"), utc_offset_minutes=SHANGHAI)
    old = replace(fact("lives_in", "杭州", until="2026-01-06"), utc_offset_minutes=SHANGHAI)
    assert holds(new, SEVEN_IN_SHANGHAI)
    assert is_over(old, SEVEN_IN_SHANGHAI)
    assert not holds(replace(new, utc_offset_minutes=None), SEVEN_IN_SHANGHAI)
    assert not is_over(replace(old, utc_offset_minutes=None), SEVEN_IN_SHANGHAI)


def test_a_moment_that_has_passed_has_passed_west_of_utc_too() -> None:
    began = fact("works_at", "Halden")
    told = replace(began, since=SEVEN_IN_SHANGHAI, utc_offset_minutes=NEW_YORK)
    assert holds(told, SEVEN_IN_SHANGHAI)


def test_a_time_is_told_as_the_day_of_its_clock() -> None:
    assert date_of(SEVEN_IN_SHANGHAI, Precision.INSTANT, SHANGHAI) == "2026-01-06"
    day = datetime(2026, 1, 6, tzinfo=UTC)
    assert date_of(day, Precision.DAY, NEW_YORK) == "2026-01-06"
