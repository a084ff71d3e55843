"""Attributes of somebody: what is told in a respect, and values that go up and down."""

import pytest

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.cleaning import cleaned
from tests.support.english_talk import claims_of


def claims(text: str) -> list[Claim]:
    return claims_of([cleaned(text)])


@pytest.mark.parametrize(
    ("text", "predicate", "what"),
    [
        (
            "In terms of mental health, I am Slightly Troubled.",
            "mental_health",
            "Slightly Troubled",
        ),
        ("I have 900 euros in savings.", "savings", "900 euros"),
        ("My weekly income is 400 dollars.", "income", "400 dollars weekly"),
        ("My rent went up to 950 euros.", "rent", "950 euros"),
        ("Our team grew from 8 to 11 people.", "team", "11 people"),
        ("I switched my major from biology to physics.", "major", "physics"),
        ("My title changed from editor to senior editor.", "title", "senior editor"),
    ],
)
def test_an_attribute_has_one_value_at_a_time(text: str, predicate: str, what: str) -> None:
    (found,) = claims(text)
    assert (found.subject, found.predicate, found.object) == ("Mara", predicate, what)
    assert found.single_valued


@pytest.mark.parametrize(
    "text",
    [
        "My income is stable.",
        "In terms of time, I'm good.",
        "In terms of budget, I'm flexible.",
        "We retired the old server.",
        "My parcel moved to 5 cities.",
    ],
)
def test_what_gives_no_value_is_none(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "predicate", "what"),
    [
        ("I'm self-employed.", "employment_status", "self-employed"),
        ("I finally retired from nursing in March.", "employment_status", "retired"),
        ("We got married in June.", "marital_status", "married"),
    ],
)
def test_a_standing_is_told_by_a_state_or_by_its_beginning(
    text: str, predicate: str, what: str
) -> None:
    assert (predicate, what) in {(each.predicate, each.object) for each in claims(text)}


@pytest.mark.parametrize(
    "text",
    [
        "We're getting married in June.",
        "I'm retiring next year.",
        "I was retired, but I work again.",
    ],
)
def test_a_standing_to_come_is_none(text: str) -> None:
    assert not {"marital_status", "employment_status"} & {each.predicate for each in claims(text)}
