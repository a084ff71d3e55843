"""Tests of routing.py: the ways that a query takes are those that the search takes."""

from datetime import UTC, datetime, timedelta

import pytest

from anamnesis_retrieval.model import Mode
from anamnesis_retrieval.ranking.named_time import Window
from anamnesis_retrieval.routing import Route, routes_of

NOW = datetime(2026, 11, 25, 9, tzinfo=UTC)


def routes(query: str, mode: Mode = Mode.AUTO) -> dict[str, Route]:
    return {one.name: one for one in routes_of(query, mode, NOW)}


@pytest.mark.parametrize(
    ("query", "taken"),
    [
        ("Where is the spare key?", set()),
        ("What did we decide yesterday?", {"temporal"}),
        ("Where did I live before?", {"past", "relations", "facts"}),
        ("Where do I live now?", {"present", "relations", "facts"}),
        ("Install a date library.", {"standing", "steps", "likings"}),
        ("Which film should I watch?", {"standing", "likings", "relations"}),
        ("What is the user allergic to?", {"asker", "relations", "facts"}),
        ("How do we deploy the page?", {"steps", "relations"}),
        ("发布订单页 1.9 版", {"standing", "steps", "likings"}),
        ("Can I eat these cookies?", {"standing", "relations", "facts"}),
        ("What changed in my life this year?", {"changes", "facts"}),
        ("What rules did we lay down?", {"rules"}),
        ("Thanks!", {"small_talk"}),
        ("Do you remember me?", {"portrait", "facts"}),
        ("What's coming up next week?", {"agenda"}),
        ("Where did we leave off?", {"temporal"}),
        ("我姐姐上个月去了哪里？", {"temporal", "relations", "facts"}),
    ],
)
def test_ways_are_added_to_words_and_meaning(query: str, taken: set[str]) -> None:
    assert set(routes(query)) == {"text", "dense", "window"} | taken


def test_vectors_alone_take_no_other_way() -> None:
    assert set(routes("What did we decide yesterday?", Mode.SEMANTIC)) == {"dense", "window"}


def test_a_route_tells_what_decided() -> None:
    found = routes("What did my sister say yesterday?")
    assert "family.sisters" in found["relations"].words
    day = datetime(2026, 11, 24, tzinfo=UTC), datetime(2026, 11, 25, tzinfo=UTC)
    assert found["temporal"].times == [Window(*day)]
    assert all(one.reason for one in found.values())


def test_the_facts_of_a_time_are_told_with_it() -> None:
    found = routes("Where did I live in July 2019?")["facts"]
    july = datetime(2019, 7, 1, tzinfo=UTC), datetime(2019, 8, 1, tzinfo=UTC)
    assert found.times == [Window(*july)]
    assert not routes("Where do I live?")["facts"].times


def test_in_temporal_mode_the_window_that_is_searched_is_told() -> None:
    found = routes("What was said before 1 May 2026?", Mode.TEMPORAL)
    assert found["temporal"].times == [Window(None, datetime(2026, 5, 1, tzinfo=UTC))]


@pytest.mark.parametrize(
    ("query", "since"),
    [
        ("What did Joel do on 13 December?", datetime(2025, 12, 13, tzinfo=UTC)),
        ("What did Joel do on 3 March?", datetime(2026, 3, 3, tzinfo=UTC)),
    ],
)
def test_a_day_of_no_year_is_told_as_the_last_one(query: str, since: datetime) -> None:
    temporal = routes(query)["temporal"]
    assert temporal.times == [Window(since, since + timedelta(days=1))]
    assert "in whatever year" in temporal.reason
