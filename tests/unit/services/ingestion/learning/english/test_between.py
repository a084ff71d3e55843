"""The ties of two who talk, in English: what they say to each other's face."""

import pytest

from anamnesis_ingestion.learning.english.claims import Turn
from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.english.reader import read


def told(text: str, listener: str = "Viktor") -> list[tuple[str, str, str]]:
    turn = Turn(sentences=[cleaned(text)], subject="Mara", shown="Mara", listener=listener)
    return [(each.subject, each.predicate, each.object) for each in read([turn])[0]]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("You're my best friend.", ("Mara", "knows", "Viktor")),
        ("You're such a great friend!", ("Mara", "knows", "Viktor")),
        ("I'm your sister!", ("Viktor", "has_relative", "Mara")),
        ("I am still your wife.", ("Viktor", "married_to", "Mara")),
        ("Oskar just dumped me.", ("Mara", "has_partner", "Oskar")),
        ("My boyfriend left me.", ("Mara", "has_partner", "boyfriend")),
        ("Hi, Dad, what are you doing here?", ("Mara", "has_relative", "Viktor")),
        ("We're roommates!", ("Mara", "knows", "Viktor")),
        ("We're-we're roomies!", ("Mara", "knows", "Viktor")),
        ("I told you we're Joan's two assistants.", ("Mara", "knows", "Joan")),
        ("I'm one of Ross's best friends.", ("Mara", "knows", "Ross")),
        ("I'm a friend of Monica and Chandler's!", ("Mara", "knows", "Chandler")),
        ("Monica and I are engaged.", ("Mara", "has_partner", "Monica")),
        ("When you and I broke up, I cried.", ("Mara", "has_partner", "Viktor")),
        ("Oh, and Mom, don't bite your nails.", ("Mara", "has_relative", "Viktor")),
        ("My boyfriend and I broke up.", ("Mara", "has_partner", "boyfriend")),
        ("Tom isn't my manager any more.", ("Mara", "reports_to", "Tom")),
        ("My ex-husband Dan lives in Tampa.", ("Mara", "married_to", "Dan")),
    ],
)
def test_what_two_are_to_each_other_is_told(text: str, fact: tuple[str, str, str]) -> None:
    assert fact in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "Are you my friend?",
        "You're not my boss.",
        "If you're my friend, help me.",
        "You were my best friend.",
        "You're a friend of Tim's.",
        "We've been trying to have a baby.",
        "Emma left her stuffed t-rex at my house.",
        "If I quit Feedzai, I can rest.",
        "You must be my cousin.",
        "If you see Dad, tell him.",
        "Monica and I were not dating.",
        "We broke up two years ago.",
        "When we were kids, you know.",
    ],
)
def test_no_tie_is_guessed(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "My boyfriend and I broke up.",
        "Tom isn't my manager any more.",
        "My ex-husband Dan lives in Tampa.",
    ],
)
def test_a_tie_that_is_over_is_told_as_ended(text: str) -> None:
    turn = Turn(sentences=[cleaned(text)], subject="Mara", shown="Mara")
    assert [each.ended for each in read([turn])[0] if each.subject == "Mara"] == [True]


def test_an_agent_is_nobodys_friend() -> None:
    assert told("You're my best friend.", listener="") == []
