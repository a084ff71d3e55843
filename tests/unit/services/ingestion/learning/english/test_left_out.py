"""Sentences that leave out their speaker, as people type them."""

import pytest

from anamnesis_ingestion.learning.english.left_out import with_speaker


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("Based in Graz, so use CET.", "I'm based in Graz, so use CET."),
        ("Been a nurse since 2010.", "I've been a nurse since 2010."),
        ("Not a fan of westerns.", "I'm not a fan of westerns."),
        ("Big Norvik fan here.", "I'm a fan of Norvik."),
        ("Two dogs here, Bo and Pip.", "I have two dogs, Bo and Pip."),
        ("Night nurse here, on shifts.", "I'm a night nurse, on shifts."),
        ("also allergic to nuts", "also I'm allergic to nuts"),
        ("Born in Graz, raised in Linz.", "I was born in Graz, raised in Linz."),
    ],
)
def test_the_speaker_is_put_back(typed: str, whole: str) -> None:
    assert with_speaker(typed) == whole


@pytest.mark.parametrize(
    "typed",
    [
        "Been a while!",
        "Been a long road, but fine.",
        "Right here, yes.",
        "Two dogs were barking.",
        "Based in Graz, the firm sells hats.",
        "Born in 1950, my father remembers it.",
        "Allergic to nuts?",
        "Live a little!",
    ],
)
def test_remarks_orders_and_what_is_said_of_others_stay(typed: str) -> None:
    assert with_speaker(typed) == typed
