"""Tests of context/then.py: all that was said at a time, where all of it is asked for."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from anamnesis_retrieval.context.then import recalls
from anamnesis_retrieval.ranking.named_time import time_recalled
from tests.support.small_memory import ASKED_AT, Said, SmallMemory

CHATTER = [
    Said(f"We talked about what to discuss yesterday, part {at}", "2026-05-01", session="old")
    for at in range(120)
]
YESTERDAY = [
    Said("The boiler makes a knocking sound.", "2026-05-31", session="a"),
    Said("Knocking is often air in the pipes.", "2026-05-31", session="a", role="assistant"),
    Said("I bled two radiators and it is quiet.", "2026-05-31", session="a"),
    Said("The quay at Ouddorp floods at spring tide.", "2026-05-31", session="b"),
]


@pytest.mark.parametrize(
    "query",
    [
        "What did we talk about yesterday?",
        "Summarize our conversation of 31 May 2026",
        "What did I tell you on Sunday?",
        "昨天我们聊了什么？",
        "5月31号我们聊了很多，我们聊了哪些话题？",
    ],
)
async def test_all_of_a_day_is_told_and_nothing_else(query: str) -> None:
    memory = SmallMemory(*CHATTER, *YESTERDAY)
    text = await memory.text(query, 200, ASKED_AT)
    for one in YESTERDAY:
        assert one.text in text
    assert "part" not in text


async def test_a_small_budget_is_spread_over_all_sessions_people_first() -> None:
    text = await SmallMemory(*CHATTER, *YESTERDAY).text("What did we do yesterday?", 55, ASKED_AT)
    assert "boiler" in text
    assert "Ouddorp" in text
    assert "air in the pipes" not in text


async def test_of_a_long_talk_the_first_the_middle_and_the_halves_are_told() -> None:
    said = [Said(f"Point number {at} of the plan", "2026-05-31") for at in range(64)]
    text = await SmallMemory(*CHATTER, *said).text("What did we discuss yesterday?", 60, ASKED_AT)
    for at in (0, 32, 16):
        assert f"Point number {at} of" in text


async def test_where_nothing_was_said_then_nothing_is_told() -> None:
    quiet = SmallMemory(*CHATTER, *(replace(one, day="2026-05-20") for one in YESTERDAY))
    assert await quiet.text("What did we talk about yesterday?", 200, ASKED_AT) == ""


async def test_what_a_time_holds_is_found_by_none_of_its_words() -> None:
    memory = SmallMemory(*CHATTER, *YESTERDAY)
    text = await memory.text("What did I repair yesterday?", 100, ASKED_AT)
    assert "radiators" in text


@pytest.mark.parametrize(
    "query",
    [
        "What did we talk about?",
        "What did we say about the boiler yesterday?",
        "What shall we do tomorrow?",
        "昨天我们聊了什么电影？",
    ],
)
def test_something_of_a_time_or_no_time_is_not_all_of_it(query: str) -> None:
    assert time_recalled(query, ASKED_AT) is None


def test_today_is_asked_for_as_far_as_it_has_gone() -> None:
    today = time_recalled("What did we talk about today?", ASKED_AT)
    assert today is not None
    assert today.since == datetime(2026, 6, 1, tzinfo=UTC)


LAST = [
    replace(one, day=f"2026-05-31 1{at}:00", session="last") for at, one in enumerate(YESTERDAY)
]
NOW_SAID = Said("Hello again, what is the weather?", "2026-06-01", session="now")


@pytest.mark.parametrize(
    "query",
    [
        "What did we talk about last time?",
        "Do you remember what we discussed last time?",
        "Summarize our last conversation",
        "Where did we leave off?",
        "Let's pick up where we left off",
        "我们上次聊到哪了？",
        "总结一下上次的对话",
    ],
)
async def test_all_of_the_last_talk_is_told_and_nothing_else(query: str) -> None:
    memory = SmallMemory(*CHATTER, *LAST, NOW_SAID)
    context = await memory.context(query, 200, asked_at=ASKED_AT, own_session="now")
    for one in LAST:
        assert one.text in context.text
    assert "part" not in context.text
    assert "weather" not in context.text


async def test_where_it_ended_is_told_by_the_last_words() -> None:
    memory = SmallMemory(*CHATTER, *LAST)
    text = await memory.text("Where did we leave off?", 45, ASKED_AT)
    assert "Ouddorp" in text
    assert "boiler" not in text


@pytest.mark.parametrize(
    "query",
    [
        "What did the doctor say last time?",
        "Where did we leave the keys?",
        "What did I pay last time?",
        "Where were we in 2019?",
        "上次我去哪了",
    ],
)
def test_a_question_about_one_thing_recalls_nothing_whole(query: str) -> None:
    assert not recalls(query, None)
