"""Time phrases in sentences: what each rule finds, what it must leave alone, and its edges."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.timephrases.find import find_times
from anamnesis_libs.timephrases.model import Bound, Precision

BEIJING = timezone(timedelta(hours=8))
WEDNESDAY = datetime(2023, 11, 8, 15, 30, tzinfo=BEIJING)


def told(text: str, reference: datetime = WEDNESDAY) -> list[str]:
    """Each phrase as `words: since..until precision bound`, on the reference's clock."""
    return [
        f"{each.text}: {_short(each.since, reference)}..{_short(each.until, reference)}"
        f" {each.precision} {each.bound}"
        for each in find_times(text, reference)
    ]


def _short(moment: datetime, reference: datetime) -> str:
    return f"{moment.astimezone(reference.tzinfo):%Y-%m-%d %H:%M}".removesuffix(" 00:00")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yesterday", "yesterday: 2023-11-07..2023-11-08 day at"),
        ("the day after tomorrow", "the day after tomorrow: 2023-11-10..2023-11-11 day at"),
        ("the week before last", "the week before last: 2023-10-23..2023-10-30 week at"),
        ("next Wednesday", "next Wednesday: 2023-11-15..2023-11-16 day at"),
        ("last Wednesday", "last Wednesday: 2023-11-01..2023-11-02 day at"),
        ("Friday of last week", "Friday of last week: 2023-11-03..2023-11-04 day at"),
        ("next week on Friday", "next week on Friday: 2023-11-17..2023-11-18 day at"),
        ("two Fridays ago", "two Fridays ago: 2023-10-27..2023-10-28 day at"),
        ("two weekends ago", "two weekends ago: 2023-10-28..2023-10-30 day at"),
        ("August 15-20, 2022", "August 15-20, 2022: 2022-08-15..2022-08-21 day at"),
        ("today at 8 pm PST", "today: 2023-11-08..2023-11-09 day at"),
        ("昨天起飞", "昨天: 2023-11-07..2023-11-08 day at"),
        ("从去年九月开始学", "去年九月: 2022-09-01..2022-10-01 month since"),
        ("从去年就搬了", "去年: 2022-01-01..2023-01-01 year since"),
        ("下週五後續更新", "下週五: 2023-11-17..2023-11-18 day at"),
        ("a week ago today", "a week ago today: 2023-11-01..2023-11-02 day at"),
        ("half an hour ago", "half an hour ago: 2023-11-08 15:00..2023-11-08 15:01 instant at"),
        ("a year and a half ago", "a year and a half ago: 2022-05-01..2022-06-01 month at"),
        ("in the past week", "the past week: 2023-11-01..2023-11-09 week at"),
        ("I leave. I will go in 3 days", "in 3 days: 2023-11-11..2023-11-12 day at"),
        ("at 3pm yesterday", "at 3pm yesterday: 2023-11-07 15:00..2023-11-07 15:01 instant at"),
        ("tomorrow at 3", "tomorrow: 2023-11-09..2023-11-10 day at"),
        ("last November", "last November: 2022-11-01..2022-12-01 month at"),
        ("the 7th of July 2021", "7th of July 2021: 2021-07-07..2021-07-08 day at"),
        ("25/12/2022", "25/12/2022: 2022-12-25..2022-12-26 day at"),
        ("5/7/23", "5/7/23: 2023-05-07..2023-05-08 day at"),
        ("Last Christmas", "Last Christmas: 2022-12-25..2022-12-26 day at"),
        (
            "the Sunday before 25 May 2023",
            "the Sunday before 25 May 2023: 2023-05-21..2023-05-22 day at",
        ),
        (
            "three days after Halloween 2022",
            "three days after Halloween 2022: 2022-11-03..2022-11-04 day at",
        ),
        (
            "the third quarter of last year",
            "the third quarter of last year: 2022-07-01..2022-10-01 month at",
        ),
        ("2019-2021 as in 2019-2021", "2019-2021: 2019-01-01..2022-01-01 year at"),
        ("ready by the end of this month", "this month: 2023-11-01..2023-12-01 month until"),
        ("it was better before 2008", "2008: 2008-01-01..2009-01-01 year before"),
        ("we met on Friday evening", "Friday evening: 2023-11-03..2023-11-04 day at"),
        ("I will see her on Friday", "Friday: 2023-11-10..2023-11-11 day at"),
        ("周五我们见了面", "周五: 2023-11-03..2023-11-04 day at"),
        ("周五会见面", "周五: 2023-11-10..2023-11-11 day at"),
        ("上周三", "上周三: 2023-11-01..2023-11-02 day at"),
        ("上周一起吃饭", "上周: 2023-10-30..2023-11-06 week at"),
        ("這個禮拜五", "這個禮拜五: 2023-11-10..2023-11-11 day at"),
        ("98年5月", "98年5月: 1998-05-01..1998-06-01 month at"),
        ("两年半前", "两年半前: 2021-05-01..2021-06-01 month at"),
        ("两个半小时前", "两个半小时前: 2023-11-08 13:00..2023-11-08 13:01 instant at"),
        ("昨晚十点半", "昨晚十点半: 2023-11-07 22:30..2023-11-07 22:31 instant at"),
        ("昨天三点", "昨天: 2023-11-07..2023-11-08 day at"),
        ("２０２４年３月", "２０２４年３月: 2024-03-01..2024-04-01 month at"),
        ("上世纪八十年代", "上世纪八十年代: 1980-01-01..1990-01-01 year at"),
        ("2019年以前", "2019年: 2019-01-01..2020-01-01 year before"),
        ("直到昨天", "昨天: 2023-11-07..2023-11-08 day until"),
        ("昨天之后", "昨天: 2023-11-07..2023-11-08 day after"),
    ],
)
def test_a_phrase_is_resolved(text: str, expected: str) -> None:
    assert told(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "more than three years ago",
        "two or three weeks ago",
        "a couple of months ago",
        "1.5 years ago",
        "I finished it in 3 days",
        "31 February 2023",
        "2023-02-31",
        "CVE-2023-2019, 555-2023-0507, v2023.5.7, 2019%, $2,019",
        "April called June about the Christmas tree",
        "You may march on; just a second, the sun is out.",
        "class of 2019, in 2000 dollars, a total of 2000",
        "every Friday, on Mondays, the next day",
        "I work on Friday; the talk of Monday; I was told on Monday of that week",
        "每年五月,每年国庆,每周五",
        "周一到周五都上班了,周日程排好了",
        "李国庆看国庆节目",
        "三天前后,两三年前,十几年前,不到三年前,三年多前",
        "手术三天后出院",
        "网上周转,然后天气,以前年轻",
        "2000年前,2000年的历史",
    ],
)
def test_what_is_no_time_or_not_certain_is_left_out(text: str) -> None:
    assert told(text) == []


def test_the_speakers_clock_decides_which_day_it_is() -> None:
    moment = datetime(2023, 11, 7, 23, 0, tzinfo=UTC)
    in_utc, in_beijing = (
        find_times("yesterday", each)[0] for each in (moment, moment.astimezone(BEIJING))
    )
    assert in_utc.since == datetime(2023, 11, 6, tzinfo=UTC)
    assert in_beijing.since == datetime(2023, 11, 6, 16, tzinfo=UTC)


def test_a_moment_with_its_own_zone_ignores_the_speakers() -> None:
    (found,) = find_times("at 2023-05-07T14:30:00+02:00 it failed", WEDNESDAY)
    assert found.since == datetime(2023, 5, 7, 12, 30, tzinfo=UTC)
    assert found.precision is Precision.INSTANT


@pytest.mark.parametrize("text", ["from 2015 to 2018", "between 2015 and 2018", "2015年到2018年"])
def test_two_ends_make_a_range(text: str) -> None:
    assert [each.bound for each in find_times(text, WEDNESDAY)] == [Bound.SINCE, Bound.UNTIL]


def test_the_year_at_the_end_of_a_range_holds_for_its_start() -> None:
    found = find_times("between December 28 and January 3, 2022", WEDNESDAY)
    assert [each.since.astimezone(BEIJING).year for each in found] == [2021, 2022]


@pytest.mark.parametrize(
    ("text", "year"),
    [("We met in December.", 2022), ("We will meet in December.", 2023), ("in December", 2023)],
)
def test_a_month_without_its_year_follows_the_sentence(text: str, year: int) -> None:
    (found,) = find_times(text, datetime(2023, 11, 8, tzinfo=UTC))
    assert found.since.year == year


@pytest.mark.parametrize(
    ("text", "since"),
    [
        ("We decided on the larger plan, starting 1 December.", "2023-12-01"),
        ("I was promoted, effective 1 October.", "2023-10-01"),
        ("We moved, beginning on 3 May.", "2023-05-03"),
        ("I met her on 1 December.", "2022-12-01"),
    ],
)
def test_what_was_decided_may_begin_later(text: str, since: str) -> None:
    (phrase,) = find_times(text, WEDNESDAY)
    assert _short(phrase.since, WEDNESDAY) == since


def test_a_month_as_near_before_as_after_stays_out() -> None:
    assert find_times("in May", datetime(2023, 11, 8, tzinfo=UTC)) == ()


def test_a_time_of_day_between_two_days_belongs_to_the_first() -> None:
    first, second = find_times("yesterday 14:30 today", WEDNESDAY)
    assert (first.text, second.text) == ("yesterday 14:30", "today")


def test_a_reference_without_an_offset_is_refused() -> None:
    with pytest.raises(ValueError, match="offset"):
        find_times("yesterday", datetime(2023, 11, 8))  # noqa: DTZ001


PHRASES = (
    *(
        "yesterday",
        "last Friday",
        "next month",
        "three years ago",
        "the week before 9 June",
        "in May",
    ),
    *("999 years ago", "the last 400 years", "from 2015 to 2018", "2023-05-07", "at 3pm tomorrow"),
    *(
        "昨天",
        "上周五",
        "前年",
        "三年前",
        "两周后",
        "五月七日",
        "下午三点",
        "国庆",
        "400年前",
        "最近三天",
    ),
    *(
        " before ",
        " after ",
        " since ",
        "到",
        "以前",
        ", ",
        "the day ",
        "two weeks ",
        " 12:30",
        "9999年",
    ),
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PHRASES), max_size=8).map("".join))
MOMENTS = st.datetimes(timezones=st.integers(-23, 23).map(lambda h: timezone(timedelta(hours=h))))


@given(TEXTS, MOMENTS)
def test_phrases_lie_in_the_text_in_order_and_are_intervals(text: str, moment: datetime) -> None:
    end = 0
    for each in find_times(text, moment):
        assert end <= each.start < each.end <= len(text)
        assert text[each.start : each.end] == each.text
        assert each.since < each.until
        assert each.since.utcoffset() == timedelta(0)
        end = each.end


WEEKLY = st.sampled_from(
    [
        *("last Friday", "next Monday", "this Sunday", "Tuesday last week", "two Mondays ago"),
        *("last week", "next weekend", "yesterday", "two weeks ago", "the day before last Friday"),
        *("上周五", "下下周三", "这周末", "昨天", "两周后", "上上周", "大前天"),
    ]
)


@given(WEEKLY, st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)), st.integers(-999, 999))  # noqa: DTZ001
def test_weekday_phrases_move_with_the_reference(text: str, naive: datetime, weeks: int) -> None:
    moment, shift = naive.replace(tzinfo=BEIJING), timedelta(weeks=weeks)
    (here,), (there,) = find_times(text, moment), find_times(text, moment + shift)
    assert (there.since, there.until) == (here.since + shift, here.until + shift)


@pytest.mark.parametrize(
    "moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
)
@pytest.mark.parametrize("offset_h", [-12, 0, 12])
@pytest.mark.parametrize("text", [*PHRASES, "9999-12-31", "0001-01-01", "the day after 9999-12-31"])
def test_the_edges_of_the_calendar_do_not_raise(text: str, offset_h: int, moment: datetime) -> None:
    zone = timezone(timedelta(hours=offset_h))
    for each in find_times(text, moment.replace(tzinfo=zone)):
        assert each.since < each.until
