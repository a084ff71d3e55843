"""What others call somebody, what is over by a noun alone, and what a pronoun means."""

import pytest

from anamnesis_ingestion.learning.english.claims import Claim
from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.english.learned import turn_of
from anamnesis_ingestion.learning.knowledge import ExtractionInput
from anamnesis_ingestion.learning.local.sentences import sentences
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from tests.support.english_talk import TOLD_AT, claims_of


def claims(text: str) -> list[Claim]:
    return claims_of([cleaned(each) for each in sentences(text)])


def held(text: str, *, ended: bool = False) -> set[tuple[str, str]]:
    return {(each.predicate, each.object) for each in claims(text) if each.ended is ended}


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("It differs a lot from my former role at Quarrybank.", ("works_at", "Quarrybank")),
        ("My move from Boston to Austin went well.", ("lives_in", "Boston")),
        ("Our switch from Slack to Zulip was easy.", ("uses", "Slack")),
        ("We moved off Jenkins last week.", ("uses", "Jenkins")),
        ("I've retired from my post as a nurse at Quarrybank.", ("works_at", "Quarrybank")),
        ("I'm a former teacher.", ("works_as", "teacher")),
        ("I dropped Todoist.", ("uses", "Todoist")),
        ("My flatmate Joe moved out, so I live alone.", ("knows", "Joe")),
        ("My boss Oliver left.", ("reports_to", "Oliver")),
        ("Paula and Steve got divorced in July.", ("married_to", "Steve")),
        ("As a retired nurse, I like quiet.", ("works_as", "nurse")),
        ("I'm a retired nurse.", ("works_as", "nurse")),
        ("My sister is an ex-dancer.", ("works_as", "dancer")),
        ("I'm no longer a member of the choir.", ("member_of", "choir")),
        ("Operas used to seem so boring to me.", ("dislikes", "operas")),
        ("Initially, I was skeptical about fencing.", ("dislikes", "fencing")),
        ("I've started to appreciate ballet for its discipline.", ("dislikes", "ballet")),
    ],
)
def test_what_is_over_is_ended(text: str, over: tuple[str, str]) -> None:
    assert over in held(text, ended=True)


def test_a_freelance_career_is_told_unless_it_is_only_meant() -> None:
    assert ("employment_status", "freelance") in held("My freelance design career goes well.")
    assert not held("I hope to start my freelance design career.")


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("I started at Quarrybank as a lens technician.", ("works_as", "lens technician")),
        ("I quit the buses, starting as dispatcher at Quarrybank.", ("works_at", "Quarrybank")),
        ("We moved to a flat in Zelmer in May.", ("lives_in", "Zelmer")),
        ("I'm retired now.", ("employment_status", "retired")),
        ("My aunt is a retired nurse.", ("employment_status", "retired")),
        ("I'm a hobby beekeeper.", ("is", "hobby beekeeper")),
        ("I'm an amateur photographer and a nurse.", ("works_as", "nurse")),
        ("I'm not a big cook.", ("is_not", "big cook")),
        ("I volunteer at the food bank on Saturdays.", ("works_at", "food bank")),
        ("I love my new job at Quarrybank.", ("works_at", "Quarrybank")),
        ("I became a vegetarian in April.", ("is", "vegetarian")),
        ("I drive an old Skoda Fabia.", ("owns", "Skoda Fabia")),
        ("We adopted a dog, she's called Pepper.", ("has_pet", "Pepper")),
        ("My marathon goal is now 3:50.", ("marathon_goal", "3:50")),
        ("My motivation is to help my neighbours.", ("motivation", "to help their neighbours")),
        ("I'm down to 86 kg now!", ("weight", "86 kg")),
        ("I take 50 mg of sertraline every morning.", ("uses", "sertraline")),
        ("I really like sushi, we order it every Friday.", ("likes", "sushi")),
        ("My car's a Saab 900, bought it second-hand.", ("car", "Saab 900")),
        ("I don't eat beef any more.", ("does_not_eat", "beef")),
        ("I have no interest in opera.", ("uninterested_in", "opera")),
        (
            "I took up tennis. It's like I've found a new appreciation for the game.",
            ("likes", "tennis"),
        ),
    ],
)
def test_what_holds_now_is_told_in_many_words(text: str, fact: tuple[str, str]) -> None:
    assert fact in held(text)


def test_a_turn_tells_what_began_too() -> None:
    assert ("lives_in", "Austin") in held("My move from Boston to Austin went well.")
    assert ("uses", "Zulip") in held("Our switch from Slack to Zulip was easy.")


@pytest.mark.parametrize(
    "text",
    [
        "I'm nervous about my move from Rome to Paris next month.",
        "If my move from Rome to Paris was easy, I would do it.",
        "My upcoming move from Rome to Paris scares me.",
        "My move from Rome to Paris is in June.",
        "My move from Rome to Paris would have been hard.",
        "My move from Rome to Paris was cancelled.",
        "We moved the piano to a flat in Paris.",
        "I sold the house in Rome, she moved to Paris.",
        "I cancelled my move from Rome to Paris.",
        "My move from Rome to Paris fell through.",
        "After my move from Rome to Paris I'll learn French.",
        "We are planning our switch from Slack to Zulip.",
    ],
)
def test_a_turn_that_has_not_happened_ends_and_begins_nothing(text: str) -> None:
    turned = {"lives_in", "uses"}
    assert not turned & {each.predicate for each in claims(text)}


def test_a_turn_that_something_came_after_has_happened() -> None:
    assert ("uses", "Zulip") in held("Things are calmer since our switch from Slack to Zulip.")
    assert ("lives_in", "Paris") in held("After my move from Rome to Paris I learned French.")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My friends call me Bo.", ("goes_by", "Bo")),
        ("People describe me as a stubborn optimist.", ("is_described_as", "stubborn optimist")),
        ("My advisor is Prof. Lena Ortiz.", ("knows", "Prof Lena Ortiz")),
        ("Tomas is my neighbour.", ("knows", "Tomas")),
        ("Donald is my Neighbor.", ("knows", "Donald")),
        ("Hey! I'm Nils, a game designer at a small studio.", ("works_as", "game designer")),
        ("My goal is to open a bakery.", ("goal", "open a bakery")),
        ("I have a paper deadline on March 1st.", ("deadline", "March 1st")),
        ("I prefer vans with at least 7 seats.", ("prefers", "vans with at least 7 seats")),
        ("I tried pottery last month and I love it.", ("likes", "pottery")),
    ],
)
def test_what_is_told_of_the_speaker(text: str, told: tuple[str, str]) -> None:
    assert told in held(text)


def test_objects_of_a_list_with_purposes() -> None:
    text = "We use Terraform for setup, ArgoCD for rollouts, and Datadog for alerts."
    used = {what.split(" for ")[0] for predicate, what in held(text) if predicate == "uses"}
    assert used == {"Terraform", "ArgoCD", "Datadog"}


@pytest.mark.parametrize(
    "text",
    [
        "I never thought I'd like sushi, but I do.",
        "I bought the book and I hate it.",
        "I'm thinking of starting at Quarrybank.",
        "I quit the bus company.",
        "The RN in Victoria BC was kind.",
        "Is Tomas my neighbour?",
        "Tomas was my neighbour.",
        "Jazz used to seem boring to my sister.",
        "I'm keen to see how fencing works.",
        "I'm considering adding trips to my program, using food as a way in.",
    ],
)
def test_what_is_not_said_is_not_learned(text: str) -> None:
    unsaid = {"does_not_want", "dislikes", "knows", "uses"}
    assert not unsaid & {predicate for predicate, _ in held(text)}


def test_the_job_that_somebody_denies_beside_a_name_is_not_theirs() -> None:
    told = held("I'm Nils, not a lawyer.")
    assert "works_as" not in {predicate for predicate, _ in told}


def test_a_state_in_some_respect_is_no_name() -> None:
    told = claims("In terms of mood, I am Mildly Down.")
    assert "is_named" not in {each.predicate for each in told}


def test_an_announcement_is_told() -> None:
    text = "I just wanted to let you know I joined a travel club."
    assert ("member_of", "travel club") in held(text)


def test_a_time_leaves_no_preposition_behind() -> None:
    assert ("does", "learning Dart") in held("I've been learning Dart for the past month.")


@pytest.mark.parametrize(
    "text", ["That's what I like to hear!", "I'm doing fine.", "The colors make me feel calm."]
)
def test_what_is_of_the_moment_is_not_learned(text: str) -> None:
    assert claims(text) == []


@pytest.mark.parametrize(
    "text", ["Hey Nate, my favourite treat is marzipan.", "My favourite treat is marzipan, Nate!"]
)
def test_the_name_of_a_listener_only_calls(text: str) -> None:
    said = LedgerEvent(role=Role.USER, content=text, index=0, name="Joanna", event_time=TOLD_AT)
    heard = LedgerEvent(
        role=Role.USER, content="Oh!", index=1, name="Nate Hill", event_time=TOLD_AT
    )
    lecture = ExtractionInput(events=[said, heard])
    turn = turn_of(said, lecture, to_agent=False)
    assert not any("Nate" in each for each in turn.sentences)
