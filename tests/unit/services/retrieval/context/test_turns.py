"""Contexts for a prompt that asks what changed in a life (ranking/turns.py)."""

import pytest

from anamnesis_libs.talk.asking import asks_for_changes
from tests.support.small_memory import ASKED_AT, Said, SmallMemory

TALK = [
    Said(text, f"2026-0{1 + at % 5}-11", session=f"t{at // 6}")
    for at, text in enumerate(
        ["How do I center a div?", "Explain compound interest", "We changed the test runner."] * 40
    )
]
LIFE = [
    Said("I live in Leeds.", "2025-03-02"),
    Said("We moved to Headingley, it is bigger.", "2026-04-04"),
    Said("I gave up the cello, no time.", "2026-03-22"),
    Said("I'm going to move to Rome one day.", "2026-03-23"),
    Said("I teach chemistry.", "2026-02-01"),
    Said("我们搬到高新区了。", "2026-04-05"),
]
FACTS = [
    Said("Ada lives in Headingley", "2026-04-04", role="", fact="ada lives_in"),
    Said("Ada lived in Leeds", "2025-03-02", role="", fact="ada lives_in", until="2026-04-04"),
    Said("Ada got a dog", "2026-02-10", role="", fact="ada has_pet"),
    Said("Ada works at Halden", "2020-01-01", role="", fact="ada works_at"),
]


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("What changed in my life this year?", "We moved to Headingley"),
        ("Hey, what's changed for me since March?", "We moved to Headingley"),
        ("How has my life changed?", "I gave up the cello"),
        ("What's changed this year?", "We moved to Headingley"),
        ("今年我的生活有什么变化？", "高新区"),
    ],
)
async def test_lines_that_tell_of_a_turn_are_told(prompt: str, told: str) -> None:
    text = await SmallMemory(*TALK, *LIFE).text(prompt, 200, ASKED_AT)
    assert told in text
    assert "Rome" not in text
    assert "test runner" not in text


async def test_what_began_or_ended_then_is_told_the_last_first() -> None:
    memory = SmallMemory(*TALK, *LIFE, *FACTS)
    text = await memory.text("What changed in my life this year?", 300, ASKED_AT)
    known = text.partition("Known\n")[2].splitlines()[:3]
    assert "until 2026-04-04: Ada lived in Leeds" in known[0] + known[1]
    assert "since 2026-04-04: Ada lives in Headingley" in known[0] + known[1]
    assert known[2] == "since 2026-02-10: Ada got a dog"
    assert "Halden" not in text


async def test_where_nothing_changed_nothing_is_told() -> None:
    assert await SmallMemory(*TALK).text("What changed in my life?", 200, ASKED_AT) == ""


@pytest.mark.parametrize(
    "prompt", ["What changed in the API?", "What's new?", "What changed?", "我们的接口有什么变化？"]
)
def test_changes_of_other_things_are_no_turns_of_a_life(prompt: str) -> None:
    assert not asks_for_changes(prompt)
