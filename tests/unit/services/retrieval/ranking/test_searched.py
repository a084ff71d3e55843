"""Tests of ranking/searched.py: the words by which memory is searched for a prompt."""

import pytest

from anamnesis_retrieval.ranking.searched import as_searched
from tests.support.small_memory import Said, SmallMemory


@pytest.mark.parametrize(
    ("prompt", "searched"),
    [
        ("Do you remember what my cat is called?", "what my cat is called?"),
        ("Hey, can you remind me where we parked?", "where we parked?"),
        ("What do you know about my sister?", "my sister?"),
        ("Tell me more about Ada's plan", "Ada's plan"),
        ("I forgot when my appointment is", "when my appointment is"),
        ("Any idea which airline I flew with?", "which airline I flew with?"),
        ("你还记得我家的猫叫什么吗？", "我家的猫叫 吗？"),
        ("请问你知道我妹妹在哪里上班吗", "我妹妹在 上班吗"),
        ("我忘了我的护照放哪了", "我的护照放哪了"),
    ],
)
def test_what_leads_to_a_question_is_not_searched(prompt: str, searched: str) -> None:
    assert as_searched(prompt) == searched


@pytest.mark.parametrize(
    "prompt",
    [
        "Where is the key?",
        "Remind me to call mum",
        "Tell me a joke about my cat",
        "Do you know Ada?",
        "Let me know when the build is done",
        "你知道天气吗",
        "",
    ],
)
def test_a_question_without_a_frame_is_searched_as_it_is(prompt: str) -> None:
    assert as_searched(prompt) == prompt


async def test_a_line_about_remembering_is_not_what_is_remembered() -> None:
    chatter = [Said(f"Remember that you know item {at}", "2026-05-01") for at in range(150)]
    cat = Said("Our cat Miso is at the vet.", "2026-05-02")
    text = await SmallMemory(*chatter, cat).text("Do you remember what my cat is called?", 60)
    assert "Miso" in text
    assert "Remember that" not in text
