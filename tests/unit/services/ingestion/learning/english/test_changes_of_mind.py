"""Changes of mind in ordinary words, comparisons, examples, and introductions without a verb."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.english.claims import Claim, Turn
from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.english.reader import read


def claims(text: str) -> list[Claim]:
    told_at = datetime(2024, 5, 15, 12, tzinfo=UTC)
    turn = Turn(sentences=[cleaned(text)], subject="Ada", shown="Ada", said_at=told_at)
    return read([turn])[0]


def held(text: str, *, ended: bool = False) -> set[tuple[str, str]]:
    return {(each.predicate, each.object) for each in claims(text) if each.ended is ended}


@pytest.mark.parametrize(
    ("text", "begun", "over"),
    [
        (
            "I can't stand brass bands anymore.",
            {("dislikes", "brass bands")},
            ("likes", "brass bands"),
        ),
        ("I switched from coffee to tea.", {("uses", "tea")}, ("uses", "coffee")),
        (
            "I've switched to herbal tea instead of espresso.",
            {("uses", "herbal tea")},
            ("uses", "espresso"),
        ),
        ("I used to find opera boring.", set(), ("dislikes", "opera")),
        ("I traded my camera in for a Fuji.", {("owns", "Fuji")}, ("owns", "camera")),
        ("I've finished training.", set(), ("does", "training")),
        ("We gave the tortoise away in spring.", set(), ("has_pet", "tortoise")),
    ],
)
def test_a_change_begins_one_thing_and_ends_another(
    text: str, begun: set[tuple[str, str]], over: tuple[str, str]
) -> None:
    assert held(text) == begun
    assert held(text, ended=True) == {over}


def test_what_pronouns_stood_for_is_said_where_it_ended() -> None:
    (end,) = [
        each
        for each in claims("I cook strong curries, though I used to find them overwhelming.")
        if each.ended
    ]
    assert (end.predicate, end.object) == ("dislikes", "strong curries")
    assert end.statement == "Ada used to dislike strong curries"


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            "I find podcasts easier than books.",
            {("prefers", "podcasts"), ("does_not_prefer", "books")},
        ),
        ("I always choose the aisle seat.", {("prefers", "aisle seat")}),
        ("I do better with written instructions.", {("prefers", "written instructions")}),
        ("Open offices are a dealbreaker for me.", {("dislikes", "open offices")}),
        ("I avoid chains such as Lidl.", {("avoids", "chains"), ("avoids", "Lidl")}),
        (
            "I prefer trains over those planes that feel cramped and stressful.",
            {("prefers", "trains"), ("dislikes", "planes")},
        ),
        ("Married, two kids.", {("marital_status", "married"), ("has_relative", "two kids")}),
        ("I work as a sommelier at Albion.", {("works_as", "sommelier"), ("works_at", "Albion")}),
        ("Our illness has affected my health.", {("health", "affected by illness")}),
        ("My main email client is Thunderbird.", {("main_email_client", "Thunderbird")}),
    ],
)
def test_more_forms_state_what_is_preferred_and_had(
    text: str, stated: set[tuple[str, str]]
) -> None:
    assert held(text) == stated


@pytest.mark.parametrize(
    "text",
    [
        "I used to tolerate cilantro.",
        "I usually choose the recipe on Sunday.",
        "I prefer people like him.",
        "Divorced, two kids is what he said.",
        "Is it true that single, two kids gets a tax break?",
        "The bus had one child, two kids, a married couple.",
        "I'd switch from Slack to Teams.",
        "We work as a team.",
    ],
)
def test_what_says_none_of_that_states_nothing(text: str) -> None:
    taught = {"prefers", "dislikes", "marital_status", "has_relative", "uses", "works_as"}
    assert {each.predicate for each in claims(text)}.isdisjoint(taught - {"prefers"})
    assert ("prefers", "him") not in held(text)
    assert ("prefers", "recipe on Sunday") not in held(text)
