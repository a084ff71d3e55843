"""Tests of ranking/speakers.py."""

import pytest

from anamnesis_retrieval.ranking.speakers import named_speaker

NAMES = ("Caroline Smith", "Mel", "宜庭")


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("When did Caroline move?", "Caroline Smith"),
        ("When did CAROLINE's mother move?", "Caroline Smith"),
        ("When did Caroline and Mel move?", None),
        ("What is in the caramel?", None),
        ("Where is Melanie?", None),
        ("宜庭昨天去了哪裡？", "宜庭"),
        ("Who moved?", None),
    ],
)
def test_a_question_names_one_speaker_or_none(question: str, named: str | None) -> None:
    assert named_speaker(question, NAMES) == named


def test_blank_names_are_nobody() -> None:
    assert named_speaker("Who moved?", ["", " "]) is None


def test_two_speakers_of_one_first_name_are_not_told_apart() -> None:
    assert named_speaker("Where is Ann?", ["Ann Lee", "Ann Ray"]) is None
    assert named_speaker("Is Ann R. ill?", ["Ann L.", "Ann R."]) == "Ann R."
    assert named_speaker("Where is Ann Ray?", ["Ann Lee", "Ann Ray"]) == "Ann Ray"
    assert named_speaker("Where are Ann Ray and Bo Lee?", ["Ann Ray", "Bo Lee"]) is None
