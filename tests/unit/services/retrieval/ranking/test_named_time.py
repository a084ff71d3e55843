"""Dates that a question names, and how near a moment is to them."""

from datetime import UTC, datetime, timedelta

import pytest

from anamnesis_retrieval.ranking.named_time import (
    AFTER_WORTH,
    named_times,
    nearness,
    time_asked_of,
    window_of,
    without_dates,
)


def _at(*parts: int) -> int:
    return int(datetime(*parts, tzinfo=UTC).timestamp() * 1_000_000)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("query", "then", "elsewhere"),
    [
        ("What did Nate win on 8 May 2022?", (2022, 5, 8, 23), (2023, 5, 8)),
        ("What did Nate win on May 8th?", (2024, 5, 8, 1), (2024, 5, 7, 23)),
        ("Where was I in June?", (2023, 6, 30), (2023, 5, 31)),
        ("What did we plan in December 2023?", (2023, 12, 31), (2024, 12, 1)),
        ("What happened in 2021?", (2021, 7, 1), (2020, 12, 31)),
        ("我在5月2号为什么事烦恼？", (2023, 5, 2, 18), (2023, 5, 1)),
    ],
)
def test_what_was_said_at_a_named_time_is_near(
    query: str, then: tuple[int, ...], elsewhere: tuple[int, ...]
) -> None:
    times = named_times(query)
    assert nearness(times, _at(*then)) == 1.0
    assert nearness(times, _at(*elsewhere)) == 0.0


def test_what_is_told_soon_after_is_nearly_as_near_over_the_turn_of_a_year_too() -> None:
    times = named_times("What did I do on 31 December?")
    assert nearness(times, _at(2024, 1, 3)) == AFTER_WORTH
    assert nearness(times, _at(2024, 1, 20)) == 0.0


ASKED = datetime(2026, 11, 25, 9, tzinfo=UTC)  # a Wednesday


@pytest.mark.parametrize(
    ("query", "then", "elsewhere"),
    [
        ("What did I do yesterday?", (2026, 11, 24, 23), (2025, 11, 24)),
        ("Where did we go last week?", (2026, 11, 16), (2026, 11, 15)),
        ("我上个月去了哪里？", (2026, 10, 31, 12), (2026, 9, 30)),
        ("What did I win on May 8th?", (2024, 5, 8, 1), (2024, 5, 7, 23)),
    ],
)
def test_past_times_that_lean_on_the_moment_of_asking_are_read_from_it(
    query: str, then: tuple[int, ...], elsewhere: tuple[int, ...]
) -> None:
    times = named_times(query, ASKED)
    assert nearness(times, _at(*then)) == 1.0
    assert nearness(times, _at(*elsewhere)) == 0.0


@pytest.mark.parametrize(
    "query",
    ["What should I do today?", "What is due tomorrow?", "这个月我要做什么", "What did I do?"],
)
def test_what_is_not_over_is_no_past_time(query: str) -> None:
    assert not named_times(query, ASKED)


@pytest.mark.parametrize(
    ("query", "then", "elsewhere"),
    [
        ("What did I earn from Jul 15 to Nov 30, 2023?", (2023, 9, 1), (2023, 7, 14)),
        ("What had I planned by Oct 20, 2023?", (2023, 10, 20, 9), (2023, 10, 19)),
        ("三月到五月我去了哪里？", (2023, 4, 8), (2023, 2, 28)),
    ],
)
def test_a_range_is_one_time_and_by_a_day_is_on_it(
    query: str, then: tuple[int, ...], elsewhere: tuple[int, ...]
) -> None:
    (time,) = named_times(query)
    assert nearness([time], _at(*then)) == 1.0
    assert nearness([time], _at(*elsewhere)) == 0.0


@pytest.mark.parametrize("year", [1, 9999])
def test_any_moment_may_be_asked_at(year: int) -> None:
    assert len(named_times("What was said last week, a century ago?", ASKED.replace(year=year))) < 3


@pytest.mark.parametrize(
    "query",
    ["What did I do yesterday?", "Where did I go last week?", "How old am I?", "What may I?"],
)
def test_without_a_moment_of_asking_they_name_no_date(query: str) -> None:
    assert not [one for one in named_times(query) if one.until - one.since < timedelta(days=360)]


def test_a_leap_day_is_the_last_of_february_elsewhere_and_no_time_is_never_near() -> None:
    times = named_times("What happened on 29 February 2020?")
    assert nearness(times, _at(2020, 2, 29)) == 1.0
    assert nearness(times, None) == 0.0
    assert nearness((), _at(2020, 2, 29)) == 0.0


DAY, WEEK, SECOND = timedelta(days=1), timedelta(days=7), timedelta(seconds=1)
ASKED_ON = [
    datetime(2026, 11, 25, 9, tzinfo=UTC),
    datetime(2024, 3, 1, 0, 30, tzinfo=UTC),
    datetime(2025, 1, 1, 23, 59, tzinfo=UTC),
]


def on(year: int, month: int, day: int) -> datetime:
    """A day's first instant."""
    return datetime(year, month, day, tzinfo=UTC)


def _windows(asked: datetime) -> dict[str, tuple[datetime | None, datetime | None]]:
    """Questions, and the windows that they mean for who asks then."""
    today = asked.replace(hour=0, minute=0)
    monday = today - timedelta(days=today.weekday())
    month = today.replace(day=1)
    month_before = (month - DAY).replace(day=1)
    year = month.replace(month=1)

    return {
        "What did I eat yesterday?": (today - DAY, today),
        "我昨天去了哪里？": (today - DAY, today),
        "Which bugs did we fix last week?": (monday - WEEK, monday),
        "上周开会说了什么？": (monday - WEEK, monday),
        "Whom did I meet last month?": (month_before, month),
        "上个月花了多少钱？": (month_before, month),
        "Where did we travel last year?": (year.replace(year=year.year - 1), year),
        "去年我们去哪儿玩了？": (year.replace(year=year.year - 1), year),
        "What was decided on 8 May 2023?": (on(2023, 5, 8), on(2023, 5, 9)),
        "What was said on 2023-05-08?": (on(2023, 5, 8), on(2023, 5, 9)),
        "2023年5月8日发生了什么？": (on(2023, 5, 8), on(2023, 5, 9)),
        "Who joined in June 2022?": (on(2022, 6, 1), on(2022, 7, 1)),
        "2022年6月谁来了？": (on(2022, 6, 1), on(2022, 7, 1)),
        "What happened in 2021?": (on(2021, 1, 1), on(2022, 1, 1)),
        "What did I write before 1 May 2022?": (None, on(2022, 5, 1)),
        "What broke after 3 March 2023?": (on(2023, 3, 4), None),
        "What has changed since June 2022?": (on(2022, 6, 1), None),
        "What did we try from May 2022 to July 2022?": (on(2022, 5, 1), on(2022, 8, 1)),
        "What was I told between 3 March 2023 and 9 March 2023?": (on(2023, 3, 3), on(2023, 3, 10)),
        "What did she say two days ago?": (today - 2 * DAY, today - DAY),
    }


@pytest.mark.parametrize("asked", ASKED_ON)
@pytest.mark.parametrize("query", list(_windows(ASKED_ON[0])))
def test_the_window_of_a_question(query: str, asked: datetime) -> None:
    window = window_of(query, asked)
    assert window is not None
    assert (window.since, window.until) == _windows(asked)[query]


@pytest.mark.parametrize("query", ["What happened?", "Where is the key?", "谁来了？"])
def test_a_question_without_a_time_has_no_window(query: str) -> None:
    assert window_of(query, ASKED_ON[0]) is None


@pytest.mark.parametrize(
    ("query", "left"),
    [
        ("What was my job title on May 24, 2029?", "What was my job title?"),
        ("As of Sep 05, 2025, am I unemployed?", "am I unemployed?"),
        ("In June, who came?", "who came?"),
        ("我5月3日去了哪里？", "我去了哪里？"),
        ("What was my title before April 28, 2031?", "What was my title?"),
        ("What did I earn from Jul 15 to Nov 30, 2033?", "What did I earn?"),
        ("What changed between April and August 2031?", "What changed?"),
        ("Where did I live from November to February?", "Where did I live?"),
        ("2023年5月之前我住在哪里？", "我住在哪里？"),
        ("三月到五月我去了哪里？", "我去了哪里？"),
        ("Who came yesterday?", "Who came yesterday?"),
        ("2024-05-06", "2024-05-06"),
    ],
)
def test_a_question_is_left_without_its_dates(query: str, left: str) -> None:
    assert without_dates(query) == left


@pytest.mark.parametrize(
    ("query", "asked_of"),
    [
        ("Where did I live in May 2029?", (on(2029, 5, 1), on(2029, 6, 1))),
        ("Where did I work in 2018?", (on(2018, 1, 1), on(2019, 1, 1))),
        ("Where did I live in July?", (on(2026, 7, 1), on(2026, 8, 1))),
        ("Where did I live last year?", (on(2025, 1, 1), on(2026, 1, 1))),
        ("去年我住在哪里？", (on(2025, 1, 1), on(2026, 1, 1))),
        ("Where did I work from May to July?", (on(2026, 5, 1), on(2026, 8, 1))),
        ("Where did I work from November to February?", (on(2025, 11, 1), on(2026, 3, 1))),
        ("What changed between 3 May 2019 and 5 May 2019?", (on(2019, 5, 3), on(2019, 5, 6))),
        ("What was my title before 2019?", (on(2019, 1, 1) - SECOND, on(2019, 1, 1))),
        ("What was my title after 8 May 2019?", (on(2019, 5, 9) - SECOND, None)),
        ("Where have I lived since 2019?", (on(2019, 1, 1), None)),
        ("2019年之前我住在哪里？", (on(2019, 1, 1) - SECOND, on(2019, 1, 1))),
    ],
)
def test_one_time_may_be_asked_of(query: str, asked_of: tuple[datetime, datetime | None]) -> None:
    window = time_asked_of(query, on(2026, 11, 27))
    assert window is not None
    assert (window.since, window.until) == asked_of


def test_of_a_day_its_end_is_asked_of() -> None:
    window = time_asked_of("Where did I live as of May 24, 2029?")
    assert window is not None
    assert window.since == on(2029, 5, 25) - timedelta(seconds=1)


@pytest.mark.parametrize(
    "query",
    [
        "Where do I live?",
        "Where do I live this year?",
        "Did I live there in 2019 or in 2021?",
    ],
)
def test_no_time_or_several_are_not_asked_of(query: str) -> None:
    assert time_asked_of(query, on(2026, 11, 27)) is None
