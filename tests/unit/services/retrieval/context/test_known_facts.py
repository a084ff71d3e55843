"""Tests of context/known_facts.py: facts about whom one asks stand before what ranking finds."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from anamnesis_retrieval.context.known_facts import told_first
from anamnesis_retrieval.model import KnownFact
from anamnesis_retrieval.ranking.facts_asked import facts_asked_for
from tests.support.small_memory import Said, SmallMemory, remembered

CHATTER = [Said(f"The job of module {at} is done, what a title", "2026-05-01") for at in range(200)]


def fact(text: str, predicate: str, since: str = "", until: str = "") -> Said:
    """A fact about who asks."""
    return Said(text, since, role="", fact=f"ada {predicate}", until=until)


JOBS = (
    fact("Ada works at Halden as a consultant", "works_as", "2024-01-01", "2025-03-01"),
    fact("Ada is a senior advisor", "works_as", "2025-03-01"),
)


@pytest.mark.parametrize(
    ("query", "predicates"),
    [
        ("What is my job title?", {"works_as", "works_at"}),
        ("Where do I live?", {"lives_in"}),
        ("我住在哪里？", {"lives_in"}),
        ("我家的猫叫什么名字？", {"has_pet"}),
        ("我最近在学什么？", {"studies"}),
        ("我平时喜欢做什么？", {"likes"}),
        ("我推荐过一部科幻电影，它的名字是？", set()),
        ("What is the name of that hotel of mine?", set()),
        ("Write a poem about my job", set()),
        ("Sing me a song", set()),
        ("How does my deploy script work?", set()),
        ("Thanks!", set()),
    ],
)
def test_a_question_of_ones_own_life_asks_for_predicates(query: str, predicates: set[str]) -> None:
    asked = set(facts_asked_for(query).predicates)
    assert predicates <= asked
    assert bool(asked) is bool(predicates)


async def test_the_fact_that_was_asked_for_stands_first_among_thousands_of_lines() -> None:
    text = await SmallMemory(*CHATTER, *JOBS).text("What is my job title?", 150)
    assert text.split("\n")[:2] == ["Known", "since 2025-03-01: Ada is a senior advisor"]


def test_a_question_names_whom_it_is_about() -> None:
    assert facts_asked_for("Where do I live?").subjects == ("",)
    assert facts_asked_for("Where does Mara live?").subjects == ("Mara",)
    assert not facts_asked_for("Where is the airport?").subjects


async def test_what_was_learned_of_somebody_by_name_stands_first() -> None:
    mara = replace(fact("Mara lives in Delft", "lives_in"), fact="mara lives_in")
    own = fact("Ada lives in Porto", "lives_in")
    text = await SmallMemory(*CHATTER, own, mara).text("Where does Mara live?", 150)
    assert text.split("\n")[1] == "- Mara lives in Delft"


async def test_what_was_learned_in_the_session_that_asks_is_not_told_to_it() -> None:
    memory = SmallMemory(*CHATTER, replace(JOBS[1], session="now"))
    assert "Known" not in (await memory.context("What is my job?", own_session="now")).text
    assert "Known" in (await memory.context("What is my job?", own_session="then")).text


async def test_who_asks_is_known_by_the_one_name_of_their_lines() -> None:
    lines = [replace(one, name="Mara") for one in CHATTER]
    mara = replace(fact("Mara lives in Delft", "lives_in", "2026-01-01"), fact="mara lives_in")
    assert "Delft" in await SmallMemory(*lines, mara).text("Where do I live?", 150)
    others = [replace(one, name="Omar") for one in CHATTER[:20]]
    assert "Known" not in await SmallMemory(*lines, *others, mara).text("Where do I live?", 150)


def test_a_fact_that_held_at_the_time_asked_for_is_told() -> None:
    held = [
        KnownFact(remembered(0, JOBS[0]), "works_as", until_us=1_700_000_000_000_000),
        KnownFact(remembered(1, JOBS[1]), "works_as", from_us=1_700_000_000_000_000),
    ]
    for year, said in ((2020, "Halden"), (2026, "advisor")):
        (told,) = told_first(held, "What is my job?", datetime(year, 6, 1, tzinfo=UTC))
        assert said in told.content


async def test_what_was_replaced_is_folded_under_what_holds() -> None:
    memory = SmallMemory(*CHATTER, replace(JOBS[0], superseded=True), JOBS[1])
    lines = (await memory.text("What is my job title?", 200)).split("\n")
    assert lines[1] == "since 2025-03-01: Ada is a senior advisor"
    assert lines[2] == "  before, until 2025-03-01: Ada works at Halden as a consultant"


async def test_what_is_over_comes_first_where_the_past_is_asked_about() -> None:
    text = await SmallMemory(*CHATTER, *JOBS).text("What was my job title before that?", 200)
    lines = text.split("\n")
    assert lines[1] == "2024-01-01 until 2025-03-01: Ada works at Halden as a consultant"
    assert lines[2] == "since 2025-03-01: Ada is a senior advisor"


HOMES = (
    fact("Ada lives in Rotterdam", "lives_in", "2018-01-01", "2019-06-01"),
    fact("Ada lives in Delft", "lives_in", "2019-06-01", "2019-09-01"),
    fact("Ada lives in Utrecht", "lives_in", "2021-03-01"),
)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("Where did I live in July 2019?", ["Delft"]),
        ("Where did I live on 3 August 2019?", ["Delft"]),
        ("Where did I live in 2018?", ["Rotterdam"]),
        ("Where did I live in 2019?", ["Delft", "Rotterdam"]),
        ("2018年我住在哪里？", ["Rotterdam"]),
        ("Where did I live in 2020?", ["Utrecht", "Delft"]),
        ("Where have I lived?", ["Utrecht", "Delft", "Rotterdam"]),
        ("Where did I live before that?", ["Delft", "Rotterdam", "Utrecht"]),
        ("我都在哪里住过？", ["Utrecht", "Delft", "Rotterdam"]),
    ],
)
async def test_what_held_at_the_time_that_is_named_stands_first(
    query: str, told: list[str]
) -> None:
    later = Said("We moved to a new flat in Utrecht.", "2026-04-01")
    lines = (await SmallMemory(*CHATTER, *HOMES, later).text(query, 400)).split("\n")
    assert [line.split()[-1] for line in lines[1 : len(told) + 1]] == told
    assert not lines[len(told) + 1 :] or "lives in" not in lines[len(told) + 1]


async def test_what_is_over_is_told_where_nothing_holds_any_more() -> None:
    text = await SmallMemory(*CHATTER, JOBS[0]).text("What is my job?", 150)
    assert "until 2025-03-01: Ada works at Halden as a consultant" in text


async def test_a_fact_makes_a_context_speak_that_would_be_empty() -> None:
    chats = [Said(f"Version {at} of the parser is out", "2026-05-01") for at in range(200)]
    pet = fact("A cat named Momo is Ada's pet", "has_pet")
    assert "Momo" in await SmallMemory(*chats, pet).text("Do I have a dog?")
    assert not await SmallMemory(*chats).text("Do I have a dog?")


def test_of_a_relative_only_facts_that_name_one_are_told() -> None:
    held = [
        KnownFact(remembered(0, JOBS[1]), "works_as"),
        KnownFact(remembered(1, fact("Lena is Ada's sister", "has_relative")), "has_relative"),
    ]
    told = told_first(held, "What is my sister's job?", datetime(2026, 6, 1, tzinfo=UTC))
    assert [one.content for one in told] == ["Lena is Ada's sister"]


async def test_a_fact_is_not_told_first_where_a_later_line_tells_a_change() -> None:
    later = Said("I quit my job there, I'm freelancing now.", "2026-04-01")
    earlier = replace(later, day="2025-01-01")
    assert "Known" not in await SmallMemory(*CHATTER, JOBS[1], later).text("What is my job?", 150)
    assert "Known" in await SmallMemory(*CHATTER, JOBS[1], earlier).text("What is my job?", 150)


async def test_a_fact_that_no_day_of_telling_leads_is_told_by_when_it_held() -> None:
    stated = Said("The gate opens at 4", role="", fact="gate opens", caveats=("since 2026-03-01",))
    text = await SmallMemory(stated).text("When does the gate open?")
    assert text.split("\n") == ["Facts", "since 2026-03-01: The gate opens at 4"]


async def test_the_line_that_told_a_fact_is_no_later_change_of_it() -> None:
    told = Said("We moved to a flat in Utrecht in March.", "2026-04-01")
    home = replace(HOMES[2], sources=("m000",))
    text = await SmallMemory(told, home, *CHATTER).text("Where do I live?", 200)
    assert "since 2021-03-01: Ada lives in Utrecht" in text
    after = replace(told, text="We moved to a flat in Ghent.", day="2026-04-02")
    later = await SmallMemory(told, home, after, *CHATTER).text("Where do I live?", 200)
    assert "Known" not in later


async def test_two_facts_of_one_line_are_told_once() -> None:
    again = replace(HOMES[2], fact="ada moved_to")
    unsettled = replace(again, day="", fact="ada other")
    memory = SmallMemory(*HOMES, again, unsettled, *CHATTER)
    assert (await memory.text("Where do I live?", 300)).count("Ada lives in Utrecht") == 1


def known(text: str, predicate: str, value: str, since: str = "", until: str = "") -> KnownFact:
    """A fact with its object, as memory answers it."""
    told = remembered(0, fact(text, predicate, since, until))
    return KnownFact(told, predicate, _us(since), _us(until), value)


def _us(day: str) -> int | None:
    return int(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp() * 1e6) if day else None


def test_what_is_said_again_is_told_from_its_beginning() -> None:
    facts = [
        known("Ada works in consulting", "works_in", "consulting", "2031-04-28"),
        known("Ada still works in consulting", "works_in", "Consulting", "2033-11-30"),
    ]
    (told,) = told_first(facts, "What is my job?", datetime(2034, 1, 1, tzinfo=UTC))
    assert told.caveats == ("since 2031-04-28",)


def test_a_line_of_several_things_holds_as_long_as_all_of_them() -> None:
    text = "Ada is employed, working in technology"
    facts = [
        known(text, "employment_status", "Employed", "2025-09-05", "2025-12-20"),
        known(text, "works_in", "technology"),
        known("Ada retired", "employment_status", "retired", "2025-12-20"),
    ]
    (told,) = told_first(facts, "What was my job on 3 December 2025?", None)
    assert (told.content, told.caveats) == (text, ("2025-09-05 until 2025-12-20",))
    now = told_first(facts, "What is my job?", datetime(2026, 1, 1, tzinfo=UTC))
    assert now[0].content == "Ada retired"


def test_what_held_before_a_day_is_told_where_it_is_asked_for() -> None:
    facts = [
        known("Ada is a senior advisor", "works_as", "senior advisor", "2029-05-24", "2031-04-28"),
        known("Ada retired", "employment_status", "retired", "2025-12-20", "2027-09-14"),
        known("Ada is freelance", "employment_status", "freelance", "2031-04-28"),
    ]
    (before,) = told_first(facts, "What was my job before April 28, 2031?", None)
    assert before.content == "Ada is a senior advisor"
    (after,) = told_first(facts, "What was my job after April 28, 2031?", None)
    assert after.content == "Ada is freelance"


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("Ada is retired; it has been quite a journey", "retired", "Ada is retired"),
        ("Ada works for two; one is Halden", "Halden", "Ada works for two; one is Halden"),
    ],
)
def test_the_answering_fact_is_told_in_few_words(text: str, value: str, told: str) -> None:
    (one,) = told_first([known(text, "employment_status", value)], "What is my job?", None)
    assert one.content == told


async def test_the_answering_fact_is_told_in_the_smallest_budget() -> None:
    text = await SmallMemory(*CHATTER, *HOMES).text("Where did I live in July 2019?", 40)
    assert text.split("\n") == ["Known", "2019-06-01 until 2019-09-01: Ada lives in Delft"]


async def test_known_facts_leave_room_for_what_was_said() -> None:
    pets = [
        fact(f"Cat number {at} is one of Ada's many pets", "has_pet", "2026-01-01")
        for at in range(30)
    ]
    said = Said("My cat Momo had kittens again last night", "2026-05-02")
    text = await SmallMemory(*pets, said).text("What is my cat's name?", 120)
    known, _, others = text.partition("2 May")
    assert known.count("many pets") <= 4
    assert "Momo" in others


async def test_what_was_told_as_over_did_not_stop_being_told() -> None:
    stopped = Said(
        "Ada has stopped working at Halden",
        "2025-03-01",
        role="",
        fact="ada works_at",
        until="2025-03-01",
    )
    fact = KnownFact(remembered(0, stopped), "works_at", None, _us("2025-03-01"))
    (line,) = told_first([fact], "Where do I work?", None)
    assert line.caveats == ("over by 2025-03-01",)
    (line,) = told_first([replace(fact, until_us=_us("2025-02-01"))], "Where do I work?", None)
    assert line.caveats == ("until 2025-02-01",)


@pytest.mark.parametrize(
    "query", ["When is my birthday?", "What is my date of birth?", "我的生日是哪天？"]
)
async def test_a_birthday_is_told_whatever_was_moved_since(query: str) -> None:
    born = fact("Ada was born on 1984-09-14", "born_on", "1984-09-14")
    moved = [Said("The launch date was moved to May, and the meeting too.", "2026-05-20")]
    text = await SmallMemory(*CHATTER, *moved, born).text(query, 150)
    assert "- Ada was born on 1984-09-14" in text


def test_a_relative_and_what_is_asked_of_them_are_two_relations() -> None:
    asked = facts_asked_for("When is my mother's birthday?")
    assert "born_on" in asked.predicates
