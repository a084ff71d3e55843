"""Likings that come unasked where advice is wanted, and the asker in the third person."""

import pytest

from anamnesis_libs.talk.standing import LIKING, PREFERENCE
from anamnesis_retrieval.context.likings import as_near_as_facts
from anamnesis_retrieval.model import Candidate, CandidateSet
from tests.support.small_memory import Said, SmallMemory

TRAINS = Said(
    "Work is fine. I usually take the train on holiday, I hate flying. Any news?", "2026-01-05", "a"
)
TEA = Said("I usually drink green tea in the morning.", "2026-01-06", "b")
FILMS = Said("We both can't stand horror films.", "2026-01-07", "c")
CHATTER = [Said(f"The concert of choir {at} was loud.", "2026-02-01", "d") for at in range(120)]
MEMORY = SmallMemory(TRAINS, TEA, FILMS, *CHATTER)


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("Plan a holiday by train for us.", "2026-01-05: I usually take the train"),
        ("What are some good films for tonight?", "2026-01-07: We both can't stand horror films."),
        ("Suggest a tea for a cold morning.", "2026-01-06: I usually drink green tea"),
    ],
)
async def test_advice_hears_the_likings_of_its_matter_with_their_day(
    prompt: str, told: str
) -> None:
    lines = (await MEMORY.text(prompt)).split("\n")
    assert lines[0] == "Standing"
    standing = [line for line in lines if line.startswith("user, ")]
    assert [told in line for line in standing] == [True]


async def test_of_a_liking_only_its_sentence_is_told() -> None:
    text = await MEMORY.text("Plan a holiday by train for us.")
    assert "Work is fine" not in text
    assert "Any news" not in text


@pytest.mark.parametrize("prompt", ["Thanks for the tea!", "What is a train?", "Sing me a song"])
async def test_without_a_wish_for_advice_no_liking_comes_unasked(prompt: str) -> None:
    assert "Standing" not in await MEMORY.text(prompt)


async def test_an_asker_who_is_spoken_of_as_the_user_hears_what_they_would() -> None:
    home = SmallMemory(Said("We moved to Porto in March.", "2026-03-20", "a"), *CHATTER[:9])
    own = await home.text("Where do I live?")
    assert "Porto" in own
    assert await home.text("Where does the user live?") == own


def test_a_liking_is_as_near_as_the_nearest_fact_of_it_that_holds() -> None:
    def fact(number: int, cosine: float, *, ended: bool = False) -> Candidate:
        return Candidate(
            f"f{number}", cosine=cosine, source_ids=("a",), category=PREFERENCE, ended=ended
        )

    lines = Candidate("a", cosine=0.1, category=LIKING), Candidate("b", cosine=0.2, category=LIKING)
    facts = fact(0, 0.3), fact(1, 0.4), fact(2, 0.9, ended=True)
    near = as_near_as_facts(CandidateSet((*lines, *facts))).candidates
    assert [one.cosine for one in near] == [0.4, 0.2, 0.3, 0.4, 0.9]
