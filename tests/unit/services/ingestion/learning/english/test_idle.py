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
        "Mindfulness has played a key role in my recovery.",
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


def test_a_plan_is_a_diet_where_it_is_of_food() -> None:
    assert any("follows_diet" in each for each in told("I'm on a low-carb meal plan."))
    for plan in ("We are on the Starter plan.", "I'm on the Enterprise plan.", "I'm on a rota."):
        assert not any("follows_diet" in each for each in told(plan)), plan


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
        "I'll use Lighthouse and WebPageTest to gather the data.",
        "I discovered that 12 pages load slowly.",
        "I'm getting a 200 OK response.",
        "I've been looking into lazy loading for Vue.",
        "I want to use the Tides API v2.",
        "I've used UUID keys so far.",
        "I've learned about it by using semantic HTML tags.",
        "I want to make sure I'm not losing 40 rows.",
        "CRUD is handled in Django.",
        "I've reached 70% line coverage as of May 3.",
        "I corrected 12 spelling errors flagged by Grammarly.",
        "I've collected 30 survey answers from Bergen.",
        "I'm integrating the tide table and the map.",
        "I'm working on sprint 4 with a deadline of May 3.",
        "I updated my LinkedIn banner on May 3.",
        "I think I'll go with Ada's workshop on May 3.",
        "I had to decide between Ada's workshop and Bo's talk.",
        "I feel proud after the course with Ada.",
        "Ada recommended the library of Oslo.",
        "I'm trying to prove it using the SAS and ASA criteria.",
        "I'm trying to detect leaks using Valgrind Massif.",
        "I've heard of using Redis, but I'm not sure how to use it.",
        "JavaScript to close the dialog.",
        "I received feedback from Ada on May 3.",
        "My answer clarity score went up by 4%.",
    ],
)
def test_what_an_agent_is_told_of_the_work_at_hand_is_idle(text: str) -> None:
    assert of_session(text) == []


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("I've been writing Python for six years.", "does"),
        ("I've scheduled a yoga class at Tidal.", "did"),
        ("I want to learn Spanish.", "wants"),
        ("We use Flask 2.3 for the shop.", "uses"),
        ("Voice notes are a must.", "requires"),
        ("I struggle with time management.", "struggles_with"),
        ("Small steps work best for me.", "prefers"),
        ("Long checklists don't work for me.", "dislikes"),
        ("I'm all about keeping our savings safe.", "values"),
        ("Hot pot is a big part of my weekends.", "values"),
        ("Do you remember that we talked about me being a foodie?", "is"),
        ("As a wheelchair user I need ramps.", "is"),
        ("It all hinges on keeping my low-carb diet.", "follows_diet"),
        ("I'm off dairy since March.", "avoids"),
        ("I tried Zig but it was messy.", "did"),
        ("I never eat after eight in the evening.", "does_not"),
        ("I swim three times a week before work.", "does"),
        ("My aim is to get rid of this knee pain.", "aim"),
        ('I loved "Piranesi" by Susanna Clarke.', "likes"),
        ("Night shifts don't agree with me.", "dislikes"),
        ("I came back from Istanbul with a cold.", "visited"),
        ("I got my boat licence in April.", "has"),
        ("I went freelance in March.", "employment_status"),
        ("Driving across Iceland last summer was amazing.", "did"),
        ("I had to have a knee surgery in May.", "did"),
        ("I've decided to use Netlify over GitHub Pages.", "did"),
        ("I've got Flask 2.3 and I'm happy.", "uses"),
        ("I have a deadline of May 3 for my talk.", "deadline"),
    ],
)
def test_what_an_agent_is_told_of_a_life_is_kept(text: str, predicate: str) -> None:
    assert predicate in of_session(text)


@pytest.mark.parametrize(
    "text",
    [
        "Is WiFi a must?",
        "I'm struggling with an error.",
        "Tuesdays work best for me.",
        "That doesn't work for me.",
        "If I broke my keto diet I would be sad.",
        "As a user, I want to log in.",
        "As an example: my wife is a doctor, how do I write that?",
    ],
)
def test_what_is_no_trait_of_the_speaker_is_not(text: str) -> None:
    assert of_session(text) == []


def test_a_hope_that_something_was_not_so_is_no_dislike_of_it() -> None:
    assert "does_not_want" not in of_session("I'm hoping I didn't mess up the interview at Tidal.")


def test_a_wish_that_something_is_not_so_is_said_as_one() -> None:
    said = "I want to make sure I'm not missing the last bus to Zelmer."
    assert not any("wants to be missing" in each.statement for each in claims_of([said]))
    [claim] = claims_of([said], to_agent=False)
    assert claim.statement.startswith("Mara does not want to be missing")


def test_what_one_has_got_is_had_since_nobody_knows_when() -> None:
    assert not any(each.begins for each in claims_of(["We've got two cats, Pepper and Nox."]))
    assert any(each.begins for each in claims_of(["We got a cat, Pepper."]))


def test_children_are_told_with_their_school() -> None:
    [claim] = claims_of(["With two kids still in high school, we are busy."])
    assert (claim.predicate, claim.object) == ("has_relative", "two kids in high school")


def test_what_nobody_loves_but_in_jest_is_no_liking() -> None:
    assert told("I just love being stuck in traffic for two hours.") == []


def test_what_is_left_at_one_time_of_the_day_is_left_then() -> None:
    [claim] = claims_of(["I never drink coffee after lunch."])
    assert (claim.predicate, claim.object) == ("avoids", "coffee after lunch")


def test_a_pronoun_said_twice_means_what_the_first_means() -> None:
    found = claims_of(["I joined a rowing club.", "It meets at dawn and it keeps me sane."])
    assert "dawn" not in {each.object for each in found}


def test_a_tool_is_called_by_its_name_and_what_stands_instead_is_none() -> None:
    app = claims_of(["I've been using the reading app Bookmoor daily for a month."])
    assert [each.object for each in app] == ["Bookmoor"]
    used = claims_of(["I'm using Postgres instead of MySQL for the shop."])
    assert [each.object for each in used if each.predicate == "uses"] == ["Postgres"]


def test_who_is_a_mentor_to_somebody_works_as_none() -> None:
    assert "works_as" not in of_session("Leslie is great, since she's been a mentor to me.")


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
