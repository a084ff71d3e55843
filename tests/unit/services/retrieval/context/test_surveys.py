"""Contexts for a question of one word that asks for much of a life: "my family", "my hobbies"."""

import pytest

from anamnesis_libs.talk.topics import relations_asked, wide_relations
from tests.support.small_memory import ASKED_AT, Said, SmallMemory

WORK = [
    Said(text, f"2026-04-{1 + at % 28:02}", session=f"w{at // 6}")
    for at, text in enumerate(
        [
            "Can you help me write a sorting function?",
            "How does a heat pump work?",
            "Write a limerick about the sea",
            "Finished Children of Gold, what comes next?",
        ]
        * 40
    )
]
LIFE = [
    Said("My knee hurts after climbing, the physio told me to rest it.", "2026-05-02"),
    Said("I climb on Tuesdays at the Depot.", "2026-05-03"),
    Said("My son Max broke a tooth.", "2026-05-04"),
    Said("My brother Sam got married in Porto.", "2026-05-05"),
    Said("Omar got a new job, he drives a tram now.", "2026-05-06"),
    Said("我弟弟在厦门结婚，我去致辞。", "2026-05-07"),
    Said("攀岩完腰肌劳损，不能搬重物。", "2026-05-08"),
]
TIES = [
    Said("Max is Ada's son", "", role="", fact="ada has_relative", value="Max"),
    Said("Omar is Ada's husband", "2026-01-01", role="", fact="ada married_to", value="Omar"),
    Said("Sam is Ada's brother", "", role="", fact="ada has_relative", value="Sam"),
]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Do I have any health problems?", "My knee hurts"),
        ("What sport do I do?", "I climb on Tuesdays"),
        ("What are my hobbies?", "I climb on Tuesdays"),
        ("Tell me about my family", "My son Max"),
        ("我身体有什么问题吗？", "腰肌劳损"),
        ("介绍一下我的家人", "我弟弟"),
    ],
)
async def test_lines_of_all_that_the_word_stands_for_are_told(question: str, told: str) -> None:
    text = await SmallMemory(*WORK, *LIFE).text(question, 200, ASKED_AT)
    assert told in text
    assert "limerick" not in text


@pytest.mark.parametrize(
    "question", ["Give me an overview of my family", "What do you know about my family?"]
)
async def test_all_who_were_learned_of_are_told_first(question: str) -> None:
    text = await SmallMemory(*WORK, *LIFE, *TIES).text(question, 300, ASKED_AT)
    assert text.startswith("Known\n")
    for tie in TIES:
        assert tie.text in text


async def test_a_tie_is_not_over_because_somebody_else_married_or_a_book_was_finished() -> None:
    text = await SmallMemory(*WORK, *LIFE, *TIES).text("How many kids do I have?", 200, ASKED_AT)
    assert "- Max is Ada's son" in text
    text = await SmallMemory(*WORK, *LIFE, *TIES).text("Who is my husband?", 200, ASKED_AT)
    assert "Omar is Ada's husband" in text


async def test_who_asks_about_a_relative_hears_what_was_said_of_them_by_name() -> None:
    text = await SmallMemory(*WORK, *LIFE, *TIES).text("What does my husband do?", 200, ASKED_AT)
    assert "he drives a tram now" in text


@pytest.mark.parametrize(
    "question",
    ["How could VR help my sports academy?", "Where does my doctor work?", "What is in a haiku?"],
)
def test_the_word_in_passing_stands_for_nothing_more(question: str) -> None:
    assert not wide_relations(question)


def test_a_phrase_says_one_thing() -> None:
    assert relations_asked("What do I do for a living?") == {"work.job"}
