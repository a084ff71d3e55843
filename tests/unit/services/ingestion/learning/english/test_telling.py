"""What is told on of a deed in English, and the deeds that stand behind a judgement."""

import pytest

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.cleaning import apart, cleaned
from tests.support.english_talk import claims_of


def claims(*texts: str) -> list[Claim]:
    parts = [part for text in texts for part in apart(cleaned(text))]
    return claims_of(parts, to_agent=False, listener="Ole")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (
            ["I joined the Tromso rowing club last week to get fit for summer."],
            "Mara joined the Tromso rowing club to get fit for summer",
        ),
        (
            ["I signed up for a pottery class.", "It was like therapy for me yesterday."],
            "Mara signed up for a pottery class; it was like therapy for them",
        ),
        (
            ["We pitched the novel to a publisher in Bergen, and they really liked it."],
            "Mara pitched the novel to a publisher in Bergen, and they really liked it",
        ),
        (
            ["My sons and I built a kayak for the fjord race."],
            "Mara and their sons built a kayak for the fjord race",
        ),
        (
            ["I joined a choir.", "It's a warm and friendly bunch.", "They sing in the old mill."],
            "Mara joined a choir; it's a warm and friendly bunch; they sing in the old mill",
        ),
        (
            ["started running in January, did my first half marathon in Ghent last Sunday."],
            "Mara did their first half marathon in Ghent",
        ),
    ],
)
def test_a_statement_tells_on_of_its_deed(texts: list[str], said: str) -> None:
    assert said in [each.statement for each in claims(*texts)]


@pytest.mark.parametrize(
    "after",
    [
        "It wasn't my idea.",
        "It suits you.",
        "It was fun, right?",
        "I hope it lasts.",
        "It may be fun if it stays dry.",
        "My brother Nils lives in Oslo.",
    ],
)
def test_what_is_denied_asked_or_of_another_matter_is_none_of_it(after: str) -> None:
    found = claims("I signed up for a pottery class.", after)
    assert found[0].statement == "Mara signed up for a pottery class"


def test_a_small_deed_is_kept_only_where_it_is_told_on_at_length() -> None:
    small = "We had a blast at a concert hall."
    assert claims(small) == []
    found = claims(small, "Seeing the whole village dance in the rain was lovely.")
    assert [each.predicate for each in found] == ["did"]


@pytest.mark.parametrize(
    ("text", "predicate", "held"),
    [
        ("Organizing a chess camp for kids in Narvik was great.", "did", "organizing a chess camp"),
        ("It was lovely to paint the harbour of Bergen.", "did", "paint the harbour of Bergen"),
        ("It's been a dream to open a bakery in Lund.", "wants", "open a bakery in Lund"),
        ("It's fun making up riddles for my nieces.", "likes", "making up riddles"),
        ("It's important to me to teach my sons songs.", "values", "teach their sons songs"),
        ("We had to sell the boathouse in Narvik.", "did", "sell the boathouse in Narvik"),
        ("I had the chance to sing at the Lofoten festival.", "did", "sing at the Lofoten"),
        ("I decided to run for the school board.", "did", "decided to run for the school board"),
        ("I've been to Lisbon twice.", "visited", "Lisbon"),
        ("I graduated last week!", "did", "graduated"),
        ("I went skiing with Nils.", "did", "went skiing with Nils"),
        ("I've got a set of chisels in the shed.", "has", "set of chisels"),
        ("I'm not a morning person.", "is_not", "morning person"),
        ("I can't have dairy.", "does_not_eat", "dairy"),
        ("As an accountant, I like clear figures.", "works_as", "accountant"),
        ("My kids are out playing.", "has_relative", "kids"),
    ],
)
def test_what_was_done_is_read_however_it_is_told(text: str, predicate: str, held: str) -> None:
    found = [(each.predicate, each.object) for each in claims(text)]
    assert [one for one in found if one[0] == predicate and held in one[1]], found


@pytest.mark.parametrize(
    "text",
    [
        "Learning an instrument is really cool.",
        "It's great that you paint boats.",
        "Raising money for the harbour is crucial.",
        "Winning the regatta is awesome - congrats!",
        "I didn't have to sell the boathouse.",
        "It would be great to open a bakery in Lund.",
        "If my wife were here, she'd know.",
        "As a teacher, you know the rules.",
        "Our kids are our future.",
    ],
)
def test_a_nod_to_the_other_is_no_deed(text: str) -> None:
    assert claims(text) == []
