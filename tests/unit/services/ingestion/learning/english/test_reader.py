"""English sentences: what they state, and what they do not."""

from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.english.claims import Claim, Turn
from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.english.reader import read

TOLD_AT = datetime(2024, 5, 15, 12, tzinfo=UTC)
UNTOLD = [
    "I do not live in Paris.",
    "I'm not married.",
    "I don't have a dog.",
    "I never lived in Lisbon, people just assume that.",
    "Do you think I live in Leeds?",
    "Should I switch to Postgres?",
    "If I lived in Berlin I would cycle everywhere.",
    "Unless I move to Ghent, the commute stays awful.",
    "We might get a second dog next year.",
    "I would have taken the job at Nestlé.",
    "I wouldn't say I live in Rome.",
    "I take April off.",
    "My boss keeps me going to meetings.",
    "I almost married a dentist from Cork.",
    "My boss thinks I work for Deloitte.",
    "I heard that Lena moved to Oslo.",
    "They say Priya is allergic to shellfish.",
    "Apparently Jonas works at Volvo now.",
    "Imagine I had a twin sister.",
    "Let's pretend I'm a vegan for this recipe.",
    "Translate this: my name is Pierre and I live in Lyon.",
    "Nobody in my family plays the piano.",
    "Mara is allergic to no hazelnuts.",
    "I'm leaving Google next month.",
    "She is coming from Hangzhou next week.",
    "New oven arrives on 9 April.",
    "Write a story about a man who lives in Prague and owns a bakery.",
    "I thought I was allergic to nuts, but I'm not.",
    "We never use tabs at my old job.",
    "I clicked the blue button on the order page.",
    "I said I hate jazz, but I was joking.",
    "I'm trying to be a manager, a cook and a mother.",
    "I'd rather stay home tonight.",
    "The shop is closed on Monday.",
    "I stopped working on it before lunch.",
    "That was Leslie calling again to see what went on.",
    "Our names are Ada and Bo.",
    "God, Ben said so.",
    "We're eating breakfast.",
    "I know Anna well.",
    "I know Paris really well.",
    "We're 34.",
    "I'm one.",
    "I'm 5 minutes away.",
    "I weigh my options.",
    "Don't call me Zed.",
    "My boyfriend left me a note.",
]
STATED = [
    ("We're closed on Sunday and Monday.", "closed_on", "Monday"),
    ("I've stopped drinking coffee after lunch.", "avoids", "coffee after lunch"),
    ("We studied together in Lund.", "studies_in", "Lund"),
    ("My cat is called Tilly.", "has_pet", "Tilly"),
    ("My dog's name is Rex.", "has_pet", "Rex"),
    ("I live in Lisbon now.", "lives_in", "Lisbon"),
    ("I live in Bremen with my sister.", "lives_in", "Bremen"),
    ("I moved to Porto last week.", "lives_in", "Porto"),
    ("I work at Halden Labs as a data engineer.", "works_at", "Halden Labs"),
    ("I work at Halden Labs as a data engineer.", "works_as", "data engineer"),
    ("I have lived in Hangzhou since August 2024.", "lives_in", "Hangzhou"),
    ("I'm allergic to penicillin, so remember that.", "is_allergic_to", "penicillin"),
    ("I tend to avoid caffeine.", "avoids", "caffeine"),
    ("As someone who tends to avoid dairy, I need ideas.", "avoids", "dairy"),
    ("I can't stand the smell of lavender.", "dislikes", "smell of lavender"),
    ("I've developed an appreciation for golf.", "likes", "golf"),
    ("I don't enjoy being near the ocean.", "dislikes", "being near the ocean"),
    ("I prefer tea over coffee.", "does_not_prefer", "coffee"),
    ("We hit 2000 beta users.", "did", "hit 2000 beta users"),
    ("My monthly income is 11800 USD.", "income", "11800 USD monthly"),
    ("I'm a software engineer based in New York City.", "lives_in", "New York City"),
    ("My boss, Ada, left early.", "reports_to", "Ada"),
    ("I no longer live in Chicago, I moved back to Duluth.", "lives_in", "Duluth"),
    ("I have two kids, Mia and Theo.", "has_relative", "Theo"),
    ("I was diagnosed with celiac disease in 2021.", "has", "celiac disease"),
    ("I work part-time at a bakery.", "works_at", "bakery"),
    ("I quit smoking three years ago.", "gave_up", "smoking"),
    ("I'm allergic to nuts, so if you cook for us, no nuts.", "is_allergic_to", "nuts"),
    ("I joined a small startup called Fernwood.", "works_at", "Fernwood"),
    ("I got a new job at Datadog.", "works_at", "Datadog"),
    ("I changed my name to Robin.", "is_named", "Robin"),
    ("I play padel.", "plays", "padel"),
    ("Our deadline is now June 15th instead of March 1st.", "deadline", "June 15th"),
    ("My birthday is on May 4th.", "born_on", "May 4th"),
    ("I'm a student at Brunn College.", "studies_at", "Brunn College"),
    ("I'd rather take the tram.", "prefers", "take the tram"),
    ("My goal is to read forty books this year.", "goal", "read forty books"),
    ("I smoke.", "does", "smoke"),
    ("I don't smoke.", "does_not", "smoke"),
    ("I make 85k a year.", "income", "85k a year"),
    ("We're scientists.", "works_as", "scientist"),
    ("I know Python well.", "skilled_in", "Python"),
    ("I'm proficient in Rust.", "skilled_in", "Rust"),
    ("I speak fluent German.", "speaks", "German"),
    ("I'm 34.", "is_aged", "34"),
    ("I turned 40 last week.", "is_aged", "40"),
    ("I can't eat gluten.", "does_not_eat", "gluten"),
    ("I'm left-handed.", "is", "left-handed"),
    ("I'm lactose intolerant.", "is", "lactose intolerant"),
    ("I got engaged to Noor.", "has_partner", "Noor"),
    ("I'm doing a PhD in linguistics.", "studies", "linguistics"),
    ("My blood type is O negative.", "blood_type", "O negative"),
    ("I wear hearing aids.", "uses", "hearing aids"),
    ("I work from home on Fridays.", "does", "work from home on Fridays"),
    ("We adopted a greyhound named Moss.", "has_pet", "Moss"),
    ("I drive a Skoda.", "owns", "Skoda"),
    ("My mother tongue is Tamil.", "mother_tongue", "Tamil"),
    ("I live with my parents.", "lives_with", "parents"),
    ("I weigh 70 kilos.", "weight", "70 kilos"),
    ("I'm 180 cm tall.", "height", "180 cm"),
    ("I'm on a keto diet.", "follows_diet", "keto diet"),
    ("I'm married to Ada.", "married_to", "Ada"),
    ("I have high blood pressure.", "has", "high blood pressure"),
    ("I was born in 1988.", "born_on", "1988"),
    ("You can call me Zed.", "goes_by", "Zed"),
    ("I want to learn Spanish.", "wants", "learn Spanish"),
    ("I'm working on a machine learning model.", "works_on", "machine learning model"),
]
TOLD_AS = [
    ("I'm Maria, a baker in Gent.", "Mara is a baker in Gent"),
    ("I'm Bo, a mobile developer at a startup.", "Mara is a mobile developer at a startup"),
    ("Deadline is June 15th.", "Mara's deadline is June 15th"),
    ("We're closed on Sunday.", "Mara's place of work is closed on Sunday"),
    ("My discipline has been a force, helping me stay calm.", "Mara is helped by their discipline"),
]


def claims(text: str, subject: str = "Mara") -> list[Claim]:
    turn = Turn(sentences=(cleaned(text),), subject=subject, shown=subject, said_at=TOLD_AT)
    return read([turn])[0]


def triples(text: str) -> list[tuple[str, str, str]]:
    told = (claim for claim in claims(text) if not claim.ends_only)
    return [(claim.subject, claim.predicate, claim.object) for claim in told]


@pytest.mark.parametrize("text", UNTOLD)
def test_what_is_denied_asked_or_supposed_is_no_fact(text: str) -> None:
    assert triples(text) == []


@pytest.mark.parametrize(("text", "predicate", "held"), STATED)
def test_a_statement_gives_a_clean_triple(text: str, predicate: str, held: str) -> None:
    assert ("Mara", predicate, held) in triples(text)


def test_a_list_gives_several_objects() -> None:
    found = triples("Our stack is Postgres, Redis and Kafka.")
    assert [held for _, _, held in found] == ["Postgres", "Redis", "Kafka"]


def test_who_is_told_to_have_said_it_is_the_subject() -> None:
    assert triples("Omar said he lives in Cairo.") == [("Omar", "lives_in", "Cairo")]


@pytest.mark.parametrize(
    ("text", "predicate", "held"),
    [
        ("I no longer live in Utrecht.", "lives_in", "Utrecht"),
        ("I don't work at Bosch any more.", "works_at", "Bosch"),
        ("I quit my job at Deloitte.", "works_at", "Deloitte"),
        ("I left Siemens in February.", "works_at", "Siemens"),
        ("I have left Hamburg.", "lives_in", "Hamburg"),
        ("I'm no longer vegetarian.", "is", "vegetarian"),
        ("We sold the Volvo last week.", "owns", "Volvo"),
        ("I used to work for Nokia.", "works_at", "Nokia"),
        ("I stopped drinking coffee two years ago.", "drinks", "coffee"),
        ("I switched from Vim to Helix in April.", "uses", "Vim"),
        ("I no longer use Vim for work.", "uses", "Vim"),
        ("I used to play tennis, but now I play padel.", "plays", "tennis"),
    ],
)
def test_an_end_is_told_as_one(text: str, predicate: str, held: str) -> None:
    ended = {(claim.predicate, claim.object) for claim in claims(text) if claim.ended}
    assert ended == {(predicate, held)}


def test_a_span_that_is_over_has_both_ends() -> None:
    (claim,) = claims("I worked at Airbus from 2015 to 2019.")
    assert claim.ended
    assert (claim.since, claim.until) == (
        datetime(2015, 1, 1, tzinfo=UTC),
        datetime(2020, 1, 1, tzinfo=UTC),
    )


def test_the_statement_is_in_the_third_person() -> None:
    statements = [claim.statement for claim in claims("I'm moving my servers to Hetzner.")]
    assert statements == ["Mara is moving their servers to Hetzner"]


def test_a_sentence_behind_a_dash_is_not_mixed_with_the_one_before() -> None:
    found = triples("Also I'm switching from Obsidian to Notion — I need better collaboration.")
    assert ("Mara", "uses", "Notion") in found
    assert not [held for _, _, held in found if "Obsidian" in held and "Notion" in held]


def test_of_two_who_are_named_each_is_told() -> None:
    told = [each.statement for each in claims("Tom and Ana live in Rome.")]
    assert told == ["Tom lives in Rome", "Ana lives in Rome"]


@pytest.mark.parametrize(("text", "told"), TOLD_AS)
def test_a_statement_reads_by_itself(text: str, told: str) -> None:
    assert told in [each.statement for each in claims(text)]


def test_who_is_driven_is_not_owned() -> None:
    assert triples("I drive Tom to school.") == [("Mara", "does", "drive Tom to school")]


def test_a_first_version_is_a_deed_and_no_taste_that_is_over() -> None:
    assert triples("Bo wrote a first version in Flask.") == [
        ("Bo", "did", "wrote a first version in Flask")
    ]


def test_what_is_going_to_be_done_is_a_plan_alone() -> None:
    found = triples("I'm going to switch from Vim to Helix.")
    assert found == [("Mara", "plans", "switch from Vim to Helix")]


def test_an_irony_about_trains_is_no_preference() -> None:
    assert triples("Oh great, I love it when the train is late.") == []


def test_what_both_can_see_is_not_worth_keeping() -> None:
    assert triples("I love the color.") == []
    assert triples("I love your creations.") == []
