"""Tests of contexts for a prompt that asks what lies ahead (ranking/agenda.py)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from anamnesis_retrieval.ranking.agenda import due, time_ahead
from tests.support.small_memory import Said, SmallMemory, remembered

NOW = datetime(2026, 9, 19, 8, tzinfo=UTC)
CHATTER = [
    Said(f"How do I plan and schedule task {at} of the app?", f"2026-09-{1 + at % 18:02}")
    for at in range(150)
]
PLANS = [
    Said("I have a dentist appointment on September 24th at 9am.", "2026-09-04"),
    Said("I need to hand in my tax return by the end of September.", "2026-09-09"),
    Said("We're flying to Lisbon on October 3rd.", "2026-09-11"),
    Said("I'm going to see a play with Karen tomorrow evening.", "2026-09-19"),
    Said("Mia starts school on September 21st.", "2026-09-15"),
    Said("I saw the match on September 5th.", "2026-09-06"),
]
MOVED = Said("The dentist moved my appointment to the 28th.", "2026-09-18")


async def asked(prompt: str, *said: Said) -> str:
    return await SmallMemory(*CHATTER, *said).text(prompt, 300, NOW)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("What's coming up?", ["dentist", "tax", "Lisbon", "Karen", "Mia"]),
        ("Do I have any appointments coming up?", ["dentist", "tax", "Lisbon", "Karen", "Mia"]),
        ("What are my plans for next week?", ["dentist", "Mia"]),
        ("What am I doing tomorrow?", ["Karen"]),
        ("Do I have anything on Thursday?", ["dentist"]),
        ("What's planned for October?", ["Lisbon"]),
    ],
)
async def test_what_names_a_time_ahead_is_told_and_nothing_else(
    prompt: str, told: list[str]
) -> None:
    text = await asked(prompt, *PLANS)
    every = ["dentist", "tax", "Lisbon", "Karen", "Mia", "match", "task"]
    assert [word for word in every if word in text] == told


async def test_a_plan_that_was_moved_is_told_for_its_new_day_alone() -> None:
    month = await asked("What's on my calendar this month?", *PLANS, MOVED)
    assert "28th" in month
    assert "24th" not in month
    assert "dentist" not in await asked("What are my plans for next week?", *PLANS, MOVED)


async def test_a_plan_that_was_called_off_is_not_told() -> None:
    gone = Said("Our flight to Lisbon was cancelled.", "2026-09-17")
    assert "October" not in await asked("What's planned for October?", *PLANS, gone)


async def test_a_chinese_life_has_plans() -> None:
    said = [
        Said("我9月24号上午要去看牙医。", "2026-09-04"),
        Said("下周三公司开会。", "2026-09-18"),
        Said("10月去西安。", "2026-09-10"),
    ]
    text = await asked("我下周有什么安排？", *said)
    assert "牙医" in text
    assert "开会" in text
    assert "西安" not in text


async def test_a_plan_for_a_far_month_is_found_among_what_was_said_of_late() -> None:
    wedding = Said("Nora's wedding is on June 12th 2027.", "2026-09-02")
    assert "wedding" in await asked("What's planned for June?", *PLANS, wedding)


@pytest.mark.parametrize("year", [1, 9999])
def test_at_the_ends_of_the_calendar_nothing_lies_ahead_or_fails(year: int) -> None:
    edge = datetime(year, 12 if year > 1 else 1, 31 if year > 1 else 1, tzinfo=UTC)
    for prompt in ("What's coming up?", "What do I have on Friday?", "Plans for next week?"):
        time_ahead(prompt, edge)


def test_a_day_is_that_of_who_said_it() -> None:
    east = remembered(0, Said("I have a call tomorrow.", "2026-09-18T20:00:00+00:00"))
    told = replace(east, utc_offset_minutes=480)
    day = time_ahead("What do I have tomorrow?", NOW)
    assert day is not None
    assert due(told, day) == datetime(2026, 9, 19, 16, tzinfo=UTC)


async def test_where_nothing_lies_ahead_nothing_is_told() -> None:
    assert await asked("What's coming up?") == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "What should I do about the boiler?",
        "What plans did the landlord have?",
        "What do I have in my pantry?",
        "What's up?",
        "Do I have any pets?",
        "Do I have anything?",
        "What meetings did I have last week?",
        "What are my goals?",
        "我有什么爱好",
        "有什么推荐的吗",
    ],
)
def test_another_question_asks_for_nothing_ahead(prompt: str) -> None:
    assert time_ahead(prompt, NOW) is None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Dentist on Friday at 9.", "2026-09-25"),
        ("The report is due Friday.", "2026-09-25"),
        ("I need to hand in the essay by Wednesday.", "2026-09-23"),
        ("In two weeks we move.", "2026-10-03"),
        ("周五下午三点开会。", "2026-09-25"),
        ("三天后考试。", "2026-09-22"),
        ("They moved it to the 28th.", "2026-09-28"),
    ],
)
async def test_a_day_that_is_named_without_a_date_is_the_next_one(line: str, day: str) -> None:
    ahead = time_ahead("What's coming up?", NOW)
    assert ahead is not None
    found = due(remembered(0, Said(line, "2026-09-19")), ahead)
    assert found is not None
    assert found.date().isoformat() == day


@pytest.mark.parametrize(
    "line",
    [
        "We met on Friday.",
        "I run every Friday.",
        "I'm off on Fridays.",
        "Two weeks ago we moved.",
        "每周五跑步。",
        "周五去看了牙。",
        "How was your last Friday?",
    ],
)
async def test_what_is_over_or_recurs_names_no_day_ahead(line: str) -> None:
    ahead = time_ahead("What's coming up?", NOW)
    assert ahead is not None
    assert due(remembered(0, Said(line, "2026-09-19")), ahead) is None


async def test_a_day_is_known_by_its_number_in_chinese_too() -> None:
    line = "26号下午家长会，数学老师姓欧"
    meeting = Said(line, "2026-09-17")
    shop = Said("去了26号楼下的店", "2026-09-17")
    text = await asked("我接下来有什么安排？", meeting, shop)
    assert line in text
    assert "26号楼" not in text
