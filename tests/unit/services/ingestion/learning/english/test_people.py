"""Of whom something is told in English: he and she, somebody else instead, left-out speakers."""

import pytest

from anamnesis_ingestion.learning.english.cleaning import apart, cleaned
from anamnesis_ingestion.learning.local.sentences import sentences
from tests.support.english_talk import claims_of


def told(text: str) -> list[tuple[str, str, str]]:
    parts = [part for each in sentences(text) for part in apart(cleaned(each))]
    claims = (each for each in claims_of(parts) if not each.ends_only)
    return [(each.subject, each.predicate, each.object) for each in claims]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I met Viktor, he's my partner now.", ("Mara", "has_partner", "Viktor")),
        ("Work is fine. Irina moved in, so she lives in Gent now.", ("Irina", "lives_in", "Gent")),
        ("I'm not allergic to eggs, that is my brother Milo.", ("Milo", "is_allergic_to", "eggs")),
        ("Did I ever mention that I joined the Bergen Chess Club?", ("Mara", "member_of", "Berg")),
        (
            "My sister Lena came, and her birthday is on 21 March.",
            ("Lena", "born_on", "21 March"),
        ),
        ("My sister Lena came. Her birthday is on 21 March.", ("Lena", "born_on", "21 March")),
        ("Ask Tom's sister Lena.", ("Tom", "has_relative", "Lena")),
        ("This is my husband Chandler.", ("Mara", "married_to", "Chandler")),
        ("This is my half-brother Frank.", ("Mara", "has_relative", "Frank")),
        ("My father died last year.", ("Mara's father", "is", "deceased")),
        ("I lost my mom to cancer.", ("Mara's mom", "is", "deceased")),
        ("Cancelled Netflix at last.", ("Mara", "uses", "Netflix")),
        ("I'm taking losartan instead.", ("Mara", "uses", "losartan")),
        ("I fed my cat. I prefer making fresh food for her.", ("Mara", "prefers", "their cat")),
        ("I pay for Spotify and Mubi.", ("Mara", "uses", "Mubi")),
    ],
)
def test_it_is_told_of_the_one_who_is_meant(text: str, fact: tuple[str, str, str]) -> None:
    assert [each for each in told(text) if each[:2] == fact[:2] and fact[2] in each[2]], told(text)


@pytest.mark.parametrize(
    "text",
    [
        "She has a boyfriend named Clark.",
        "My father would have died.",
        "Ursula's cousin is really sweet! He's a teacher.",
        "My dad nearly died.",
        "I thought my father died.",
        "I'm 2 for 2.",
        "Oslo fell through.",
        "School started a chess club.",
        "Ben called. Tim answered, and he lives in Gent.",
        "I'm not allergic to eggs, that is a rumour.",
        "Did I ever say that we should move?",
        "I'm taking the bus instead.",
    ],
)
def test_nobody_is_guessed(text: str) -> None:
    assert told(text) == []


def test_a_birthday_of_one_of_two_is_nobodys() -> None:
    facts = told("My sister Lena rang my mother. Her birthday is on 21 March.")
    assert "born_on" not in {predicate for _, predicate, _ in facts}
