"""Deeds in English: what somebody did or has on hand, and what is idle talk."""

import pytest

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.cleaning import apart, cleaned
from tests.support.english_talk import claims_of


def claims(text: str) -> list[Claim]:
    return claims_of(apart(cleaned(text)))


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "held"),
    [
        ("Took a short trip last week to Bergen.", "Mara", "did", "took a short trip to Bergen"),
        ("I've finished another bread course - want a slice?", "Mara", "did", "finished another"),
        ("I broke down when my son got into an accident.", "Mara's son", "did", "got into an acc"),
        ("Nils and I went to a pottery course.", "Mara", "did", "went to a pottery course"),
        ("Our app has about 15K monthly users.", "Mara's app", "has", "about 15K monthly users"),
        ("Our phone bill hit $900 last month.", "Mara's phone bill", "did", "hit $900"),
        ("I'm a beekeeper.", "Mara", "works_as", "beekeeper"),
        ("I'm a night owl.", "Mara", "is", "night owl"),
        ("I've been promoted to senior editor at Norvik.", "Mara", "works_as", "senior editor"),
        ("We run everything on AWS.", "Mara", "uses", "AWS"),
        ("My Mother was born on 1962-09-14.", "Mara's mother", "born_on", "1962-09-14"),
        ("My income was NGN 150,000.", "Mara", "income", "NGN 150,000"),
        ("Been only to Bergen once.", "Mara", "visited", "Bergen"),
        ("My left knee is a bit sore.", "Mara", "left_knee", "a bit sore"),
        ("I'm recovering from a bad flu.", "Mara", "recovers_from", "flu"),
        (
            "My whole company runs on voice notes, you know?",
            "Mara",
            "company_runs_on",
            "voice notes",
        ),
        ("My aunt called. She lives in Bergen.", "Mara's aunt", "lives_in", "Bergen"),
        ("My son is doing much better now.", "Mara's son", "health", "better"),
        ("Blogging lets me share my love of rowing.", "Mara", "likes", "rowing"),
        ("I hate not being at sea.", "Mara", "dislikes", "not being at sea"),
        ("I work on my bakery and some new bread recipes.", "Mara", "works_on", "new bread rec"),
        ("I enjoy reading, watching birds, and baking bread.", "Mara", "likes", "baking bread"),
        ("I called Pip, my guinea pig.", "Mara", "has_pet", "Pip"),
        ("I had a blast at the Grieg festival.", "Mara", "did", "had a blast at the Grieg fest"),
        ("I'm drawn to old maps.", "Mara", "likes", "old maps"),
        ("I'm getting ready for a choir competition.", "Mara", "prepares_for", "choir comp"),
        ("The flu got me, I can't work.", "Mara", "has", "flu"),
        ("I'm learning the cello.", "Mara", "learns", "cello"),
        ("Call me before I drop the kids off.", "Mara", "has_relative", "kids"),
        ("With two kids at school, we are tied to the holidays.", "Mara", "has_relative", "two k"),
        ("How about someone like me, a busy office worker?", "Mara", "is", "busy office worker"),
    ],
)
def test_what_matters_is_told(text: str, subject: str, predicate: str, held: str) -> None:
    found = [(each.subject, each.predicate, each.object) for each in claims(text)]
    assert [one for one in found if one[:2] == (subject, predicate) and held in one[2]], found


@pytest.mark.parametrize(
    "text",
    [
        "Robots can paint whole houses.",
        "My phone can't hold a charge.",
        "I had a great time.",
        "Thanks for helping me with the move to Postgres.",
        "Make the header blue and add a footer with our address.",
        "I must have mentioned the Nordic tour.",
        "Good job on the Berlin plan is crucial.",
        "Should I enter the baking contest - what do you think?",
        "My aunt met a girl. She lives in Bergen.",
        "My uncle called. She lives in Bergen.",
        "The kids in the class were asleep.",
        "I mentor somebody just like me, a busy baker.",
        "I'm getting better at it.",
        "Searching for the perfect bakery's a tough job.",
        "I got this new puppy for you.",
        "You know Bergen, my brother.",
        "I've added the Norvik header to my page.",
        "I've tried using the Norvik plugin.",
        "I'm having trouble with the Norvik gallery.",
        "I'm still experiencing Norvik performance issues.",
        "I've never used Norvik.",
    ],
)
def test_idle_talk_and_orders_are_not(text: str) -> None:
    assert claims(text) == []


def test_what_is_done_by_the_way_of_a_plan_is_planned_too() -> None:
    found = claims("I plan to open a bakery in Bergen, using music from Norway.")
    assert {each.predicate for each in found} == {"plans"}


def test_what_is_used_by_the_way_is_no_tool() -> None:
    found = claims("I'm considering lessons in Bergen, using food as a way to teach Danish.")
    assert "uses" not in {each.predicate for each in found}


def test_the_speakers_own_mother_needs_no_pronoun() -> None:
    (found,) = claims("Mom is a nurse.")
    assert (found.subject, found.predicate, found.object) == ("Mara's mom", "works_as", "nurse")


def test_a_list_of_one_attribute_keeps_all_of_it() -> None:
    found = claims("Our stack is Postgres, Redis and Kafka.")
    assert not any(each.single_valued for each in found)
