"""What is right and yet idle: deeds without news, objects that nobody finds again."""

import pytest

from anamnesis_ingestion.learning.english.claims import Turn
from anamnesis_ingestion.learning.english.cleaning import apart, cleaned
from anamnesis_ingestion.learning.english.reader import read
from tests.support.english_talk import claims_of


def told(text: str) -> list[str]:
    """What is learned of a sentence that Mara says to a friend."""
    claims = claims_of(apart(cleaned(text)), to_agent=False, listener="Nils")
    return [f"{each.predicate} {each.object}" for each in claims]


@pytest.mark.parametrize(
    "text",
    [
        "I'm making some progress.",
        "We put in a lot of effort on the field.",
        "I'm getting better at it.",
        "I've been getting so stressed lately.",
        "I'm doing ok.",
        "I met some lovely people.",
        "I ran into a couple who had a pony.",
        "I watched a great film.",
        "I learned that rest matters.",
        "I got to see some great spots.",
        "I challenged myself at work.",
        "I had a question about the bill.",
        "Her encouragement helped me a lot.",
        "Love the blue and gold.",
        "I love the wide river and quiet harbour.",
        "I love the way the crust turned out.",
        "I love seeing them run.",
        "I love when you sing.",
        "I like playing for fun.",
        "I named her Pip.",
        "I still have a stuffed dog.",
        "Tree II makes me feel strong.",
        "I love not being at sea.",
        "Rilke is such a gifted writer.",
        "My new boat is faster than the old one.",
        "We live in the same street.",
    ],
)
def test_what_says_nothing_by_itself_is_not_kept(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("I met my cousin at the harbour.", "did met their cousin at the harbour"),
        ("I watched the Nordic Noir series.", "did watched the Nordic Noir series"),
        ("I got a lot of seedlings for the garden.", "did got a lot of seedlings for the garden"),
        ("I love painting whales.", "likes painting whales"),
        ("I love the coast of Bergen.", "likes coast of Bergen"),
        ("I prefer vegetarian options.", "prefers vegetarian options"),
        ("I avoid places that are hard to reach.", "avoids places that are hard to reach"),
        ("I changed my name to Bo.", "is_named Bo"),
        ("I'm allergic to shellfish.", "is_allergic_to shellfish"),
        ("I follow a Mediterranean diet.", "follows_diet Mediterranean diet"),
        ("Lentil soup is one of my favorites.", "likes Lentil soup"),
        ("I'm allergic to dogs and cats with long hair.", "is_allergic_to cats with long hair"),
        (
            'I\'m reading a novel called "The Salt of the Sea" by Ruta Berg.',
            'does reading a novel called "The Salt of the Sea" by Ruta Berg',
        ),
        ("My print was picked for yesterday's concert in Oslo.", "picked for concert in Oslo"),
    ],
)
def test_what_can_be_found_again_is(text: str, held: str) -> None:
    assert any(held in each for each in told(text)), told(text)


def test_what_is_denied_beside_a_quality_is_none() -> None:
    assert told("My job is stable but not exciting.") == ["job stable"]


def of_session(text: str) -> list[str]:
    """What is learned of a sentence that Mara says to an agent."""
    return [
        each.predicate for each in read([Turn(sentences=[text], subject="Mara", shown="Mara")])[0]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I've installed the database driver.",
        "I'll open the order page and the price list.",
        "I like the sound of getting the rye loaf sorted.",
        "I waited to eat the soup.",
    ],
)
def test_what_an_agent_is_told_of_the_work_at_hand_is_idle(text: str) -> None:
    assert of_session(text) == []


def test_what_one_longs_for_is_a_wish() -> None:
    assert "wants explore the caves of Han" in told("I can't wait to explore the caves of Han.")
    assert "wants explore the caves of Han" in told("I'm so excited to explore the caves of Han.")


def test_what_one_is_excited_to_tell_is_so() -> None:
    assert told("I'm excited to tell you I started a yoga class with Ada.") == [
        "did started a yoga class with Ada"
    ]
    said = ["Been painting murals for my school."]
    turn = Turn(sentences=said, subject="Mara", shown="Mara", to_agent=False)
    (claim,) = read([turn])[0]
    assert claim.statement == "Mara has been painting murals for their school"
