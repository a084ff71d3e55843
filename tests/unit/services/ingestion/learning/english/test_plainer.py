"""Ways of saying that go round about, made plain."""

import pytest

from anamnesis_ingestion.learning.english.plainer import is_tagged, made_plain


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("What I really want is to open a bookshop.", "I want to open a bookshop."),
        ("What I can't stand is cold soup.", "I can't stand cold soup."),
        ("Clear checklists are what I like best.", "I like clear checklists."),
        (
            "I'm tired, so short steps are exactly what I need.",
            "I'm tired, so I prefer short steps.",
        ),
        ("Green Day is what I love.", "I love Green Day."),
        ("My shop runs on Square, you know?", "My shop runs on Square."),
        ("I'm a baker, remember?", "I'm a baker."),
        ("My son's allergic to nuts.", "My son is allergic to nuts."),
        ("It turns out I'm allergic to nuts.", "I'm allergic to nuts."),
        ("We have a nanny called Bea.", "my nanny is called Bea."),
        ("We've got a new neighbour, name's Tom.", "my new neighbour is called Tom."),
        ("My dad's got asthma.", "My dad has asthma."),
        ("My son won't touch broccoli.", "My son doesn't eat broccoli."),
        ("We're getting a divorce.", "We're getting divorced."),
    ],
)
def test_what_goes_round_about_is_made_plain(said: str, plain: str) -> None:
    assert made_plain(said) == plain


@pytest.mark.parametrize(
    "said",
    [
        "What I want is this, right?",
        "That is exactly what I need.",
        "Do you remember?",
        "My son's allergy is bad.",
        "Is tea what I like?",
        "My dad's got to go.",
        "I have a startup called Fernwood.",
        "My son won't eat unless I sit with him.",
    ],
)
def test_what_is_plain_or_asks_stays(said: str) -> None:
    assert made_plain(said) == said
    assert not is_tagged(said)
