"""Things that do something for the speaker, in English: they matter, help, inspire, are a hobby."""

import pytest

from anamnesis_ingestion.learning.english.claims import Claim, Turn
from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.english.reader import read
from tests.support.english_talk import claims_of


def claims(text: str) -> list[Claim]:
    return claims_of([cleaned(text)], to_agent=False)


@pytest.mark.parametrize(
    ("text", "predicate", "held"),
    [
        ("Sunday breakfast with the twins matters to me.", "values", "Sunday breakfast"),
        ("Keeping my word is important to me.", "values", "keeping their word"),
        ("Rowing is a big part of my life.", "values", "rowing"),
        ("Knitting helps me forget the office.", "helped_by", "knitting"),
        ("My grandmother inspires me.", "inspired_by", "grandmother"),
        ("Cooking is therapy for me.", "helped_by", "cooking"),
        ("Singing in a choir gives me joy.", "helped_by", "singing in a choir"),
        ("Old maps fire up my creativity.", "inspired_by", "old maps"),
        ("I'm inspired by old maps.", "inspired_by", "old maps"),
        ("Chess is my main hobby.", "main_hobby", "chess"),
        ("Middlemarch is my favourite novel.", "favourite_novel", "Middlemarch"),
        ("Rowing across the lake is my biggest dream.", "dream", "rowing across the lake"),
        ('"Solveig" by Grieg has a lot of meaning for me.', "values", "Solveig by Grieg"),
        ("My parrots always cheer me up.", "helped_by", "parrots"),
        ("I'm thankful for my aunts and cousins; they motivate me.", "inspired_by", "aunts and c"),
        ("I treasure mornings with my aunt.", "values", "mornings with their aunt"),
        ("Knitting is what gets me through the winter.", "helped_by", "knitting"),
        ("I believe in honest work.", "believes_in", "honest work"),
    ],
)
def test_it_is_told_of_the_speaker(text: str, predicate: str, held: str) -> None:
    found = [(each.subject, each.predicate, each.object) for each in claims(text)]
    assert [each for each in found if each[:2] == ("Mara", predicate) and held in each[2]], found


@pytest.mark.parametrize(
    "text",
    [
        "Sharing is important.",
        "Your advice helps me a lot.",
        "This helps me relax.",
        "Being with them keeps me going.",
        "Rowing used to be important to me.",
        "Your kindness gives me hope.",
        "This is a way to help me.",
        "Coffee keeps me awake.",
        "Knitting doesn't help me relax.",
    ],
)
def test_an_opinion_and_what_both_see_are_not(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    ("before", "text", "held"),
    [
        ("I signed up for a bakery course.", "It's like therapy for me.", ["bakery course"]),
        ("I love old maps.", "They inspire me.", ["old maps"]),
        ("I love old maps.", "It inspires me.", []),
        ("My aunt visited Gent.", "It means a lot to me.", []),
        ("I made it with plum jam.", "It helps me relax.", []),
        ("We opened a bakery.", "It's important to me to be on time.", []),
    ],
)
def test_it_may_be_what_was_told_of_before(before: str, text: str, held: list[str]) -> None:
    turn = Turn(sentences=[before, text], subject="Mara", shown="Mara", to_agent=False)
    told = [each for each in read([turn])[0] if each.predicate in {"helped_by", "inspired_by"}]
    told += [each for each in read([turn])[0] if each.predicate == "values"]
    assert [each.object for each in told] == held


def test_the_statement_tells_what_it_does() -> None:
    (claim,) = claims("Cold showers help me calm my nerves.")
    assert claim.statement == "Cold showers help Mara calm their nerves"


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I visited Gent in May and met the mayor.", "Mara visited Gent and met the mayor"),
        (
            "I went to a choir camp and it was lovely.",
            "Mara went to a choir camp and it was lovely",
        ),
        ("I got bitten by the dog of my landlord.", "Mara got bitten by the dog of their landlord"),
        (
            "I want to make sure I'm handling the Norvik errors.",
            "Mara wants to be handling the Norvik errors",
        ),
        ("I used to sing in a church choir.", "Mara used to sing in a church choir"),
    ],
)
def test_a_deed_is_told_with_what_belongs_to_it(text: str, statement: str) -> None:
    assert statement in [each.statement for each in claims(text)], claims(text)
