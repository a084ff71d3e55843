"""Standing things told in everyday grammar: habits, what lasts, what one uses or lives with."""

import pytest

from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.local.sentences import sentences
from tests.support.english_talk import claims_of


def held(text: str) -> set[tuple[str, str, str]]:
    found = claims_of([cleaned(each) for each in sentences(text)])
    return {(each.subject, each.predicate, each.object) for each in found}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I mend clocks.", ("does", "mend clocks")),
        ("I test water samples for the council.", ("does", "test water samples for the council")),
        ("I deliver newspapers in my village.", ("does", "deliver newspapers in their village")),
        ("I manage a warehouse in Leipzig.", ("does", "manage a warehouse in Leipzig")),
        ("I drive a van and mend old boats.", ("does", "mend old boats")),
        ("I want to be a rock singer.", ("wants", "be a rock singer")),
        ("I train on Sundays.", ("does", "train on Sundays")),
        ("I don't wear perfume.", ("does_not", "wear perfume")),
        ("I keep a spare key under the mat.", ("does", "keep a spare key under the mat")),
        (
            "We've been fostering teenagers since our own kids left.",
            ("does", "fostering teenagers"),
        ),
        ("I've had a stammer for thirty years.", ("has", "stammer")),
        ("The laptop I use for mixing is a ThinkPad X1.", ("uses", "ThinkPad X1")),
        ("The car I drive is a Saab.", ("owns", "Saab")),
        ("What I do is clean swimming pools.", ("does", "clean swimming pools")),
        ("My job is basically to inspect bridges.", ("does", "inspect bridges")),
        ("My mum lives with us.", ("lives_with", "mum")),
        ("My dissertation is on medieval tax law.", ("dissertation", "medieval tax law")),
        ("I'm in a brass band in Graz.", ("member_of", "brass band")),
    ],
)
def test_it_is_learned_of_the_speaker(text: str, told: tuple[str, str]) -> None:
    assert ("Mara", *told) in held(text)


@pytest.mark.parametrize(
    "text",
    [
        "I got a temp job while I look for investors.",
        "Get it done before I head out for a surf.",
        "I tackle the rest of the week now.",
        "I plan to start small and incorporate new spices.",
        "I want to be a good friend.",
        "I want this to be a clean module.",
        "I keep an eye on their activity.",
        "I get the tech stuff.",
        "I don't see errors.",
        "I'm on board with the plan.",
        "The reason I ask is a bug.",
        "The problem I have is a leak.",
        "I've had no luck for months.",
        "I'd use my platform to make the most of the chances I get and leave a legacy.",
    ],
)
def test_what_is_of_the_moment_is_no_habit(text: str) -> None:
    kept = {"does", "does_not", "wants", "has", "member_of", "owns"}
    assert not {each for each in held(text) if each[1] in kept}
