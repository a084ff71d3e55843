"""Tests of contexts for a prompt that asks who its asker is (ranking/portrait.py)."""

import pytest

from anamnesis_libs.talk.asking import asks_for_portrait
from tests.support.small_memory import ASKED_AT, Said, SmallMemory

WORK = [
    Said(text, f"2026-04-{1 + at % 28:02}", session=f"w{at // 6}")
    for at, text in enumerate(
        [
            "Can you help me write a sorting function?",
            "What do you know about CSV files?",
            "Remember that the build runs on Linux",
            "Write a limerick about the sea for my sister",
        ]
        * 40
    )
]
LIFE = [
    Said("My sister Nora visits next week, and our cat Miso hates visitors.", "2026-05-30"),
    Said("I started a new job at Feedzai last month.", "2026-05-30"),
    Said("I see, your sister Nora and your cat.", "2026-05-30", role="assistant"),
]


def fact(text: str, predicate: str, since: str = "", until: str = "") -> Said:
    """A fact about who asks."""
    return Said(text, since, role="", fact=f"ada {predicate}", until=until)


FACTS = (
    *(fact(f"Ada has a {animal}", "has_pet", "2026-02-01") for animal in ("dog", "cat", "fish")),
    fact("Ada has an owl", "has_pet", "2026-01-01"),
    fact("Ada lived in Lisbon", "lives_in", "2024-01-01", "2026-03-01"),
    fact("Ada lives in Porto", "lives_in", "2026-03-01"),
    fact("Ada was born on 1990-02-03", "born_on", "1990-02-03"),
    fact("Ada works at Feedzai", "works_at", "2026-05-01"),
)


@pytest.mark.parametrize(
    "prompt",
    [
        "Who am I?",
        "Hey, what do you know about me?",
        "Tell me everything you know about me!",
        "Do you remember me?",
        "Summarize what you have learned about me.",
        "What kind of person am I?",
        "Write a short bio for my LinkedIn",
        "Help me write an introduction of myself.",
        "我是谁？",
        "关于我你都知道些什么？",
        "介绍一下我自己",
    ],
)
async def test_the_asker_is_told_by_lines_that_tell_of_a_life(prompt: str) -> None:
    text = await SmallMemory(*WORK, *LIFE).text(prompt, 200, ASKED_AT)
    if prompt.isascii():
        assert "Nora" in text
        assert "Feedzai" in text
    assert "limerick" not in text
    assert "CSV" not in text


async def test_a_chinese_life_is_told_in_chinese() -> None:
    chinese = Said("我在宝马上班，女儿今年五岁。", "2026-05-30")
    assert "宝马" in await SmallMemory(*WORK, chinese).text("你还记得我是谁吗？", 200, ASKED_AT)


async def test_what_was_learned_comes_first_in_the_order_of_its_weight() -> None:
    text = await SmallMemory(*WORK, *LIFE, *FACTS).text("Who am I?", 200, ASKED_AT)
    assert text.splitlines()[:4] == [
        "Known",
        "- Ada was born on 1990-02-03",
        "since 2026-03-01: Ada lives in Porto",
        "since 2026-05-01: Ada works at Feedzai",
    ]


async def test_of_one_thing_a_few_are_told_and_nothing_that_is_over() -> None:
    text = await SmallMemory(*WORK, *LIFE, *FACTS).text("What do you know about me?", 300, ASKED_AT)
    assert text.count("Ada has a") == 3
    assert "owl" not in text
    assert "Lisbon" not in text


async def test_where_nothing_tells_of_a_life_nothing_is_told() -> None:
    assert await SmallMemory(*WORK).text("Who am I?", 200, ASKED_AT) == ""


@pytest.mark.parametrize(
    "prompt",
    [
        "Who am I meeting tomorrow?",
        "What do you know about my sister?",
        "Tell me about my job",
        "Describe me the boiler",
        "Write a bio of Ada Lovelace",
        "Write a profile page in React",
        "Write an introduction for my essay",
        "你知道我的猫叫什么吗",
        "介绍一下我的公司",
    ],
)
def test_a_question_about_one_thing_asks_for_no_portrait(prompt: str) -> None:
    assert not asks_for_portrait(prompt)
