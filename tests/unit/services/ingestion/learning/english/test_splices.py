"""Tests of sentences that a comma joins, as people type them (english/splices.py)."""

import pytest

from anamnesis_ingestion.learning.english.cleaning import apart
from anamnesis_ingestion.learning.english.splices import unspliced, with_new_employer


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        (
            "I drive an old Volvo and the clutch slips, what would a repair cost?",
            ["I drive an old Volvo and the clutch slips.", "what would a repair cost?"],
        ),
        (
            "my daughter Ada turns six in May, any ideas?",
            ["my daughter Ada turns six in May.", "any ideas?"],
        ),
        (
            "We use pnpm in this house, can you set it up?",
            ["We use pnpm in this house.", "can you set it up?"],
        ),
        (
            "I'm colourblind so avoid red and green in charts.",
            ["I'm colourblind.", "avoid red and green in charts."],
        ),
        (
            "what can I cook for Omar tonight, he's vegan and hates beets",
            ["what can I cook for Omar tonight?", "he's vegan and hates beets"],
        ),
        ("I'm Ana, a baker at Veltrix.", ["I'm Ana.", "I'm a baker at Veltrix."]),
    ],
)
def test_a_statement_and_a_question_are_two_sentences(typed: str, parts: list[str]) -> None:
    assert unspliced(typed) == parts
    assert apart(typed) == parts


@pytest.mark.parametrize(
    "typed",
    [
        "If I move to Oslo, what do I have to know?",
        "As a nurse who works nights, what should I eat?",
        "I live in Oslo, don't I?",
        "Hey, what's my name?",
        "I bought tea, milk and bread.",
        "Is the shop open, or is it closed today?",
    ],
)
def test_what_leans_on_the_rest_stays_with_it(typed: str) -> None:
    assert unspliced(typed) == [typed]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            ["I don't work at Halden anymore.", "I'm at Veltrix now."],
            ["I don't work at Halden anymore.", "I work at Veltrix."],
        ),
        (["I switched jobs, I'm at Veltrix now."], ["I switched jobs, I work at Veltrix."]),
        (
            ["I left the party.", "I'm at Heathrow now."],
            ["I left the party.", "I'm at Heathrow now."],
        ),
        (["I'm at Veltrix now."], ["I'm at Veltrix now."]),
    ],
)
def test_who_left_a_job_and_is_somewhere_works_there(said: list[str], told: list[str]) -> None:
    assert list(with_new_employer(said)) == told
