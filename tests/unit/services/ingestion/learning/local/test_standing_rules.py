"""Rules that a person lays down for work are learned; orders, reactions and questions are none."""

import pytest

from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import ExtractionInput, FactKind
from anamnesis_ingestion.learning.local.extractor import knowledge_of
from anamnesis_ingestion.learning.local.standing_rules import standing_rules_of
from anamnesis_libs.settings import WriteGate
from tests.support.ledger_events import conversation


def learned(said: str, *, at_work: bool = True) -> list[str]:
    work = ("call: bash {}", "tool: fine") if at_work else ()
    events = conversation(f"user: {said}", *work, "assistant: Done.")
    return [fact.object for fact in standing_rules_of(ExtractionInput(events=events, user="mara"))]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (
            "Broken configs must NEVER crash the editor!",
            "Broken configs must NEVER crash the editor",
        ),
        ("no debug prints!", "no debug prints"),
        ("Never push to main without a review.", "Never push to main without a review"),
        ("ok, we always squash before merging", "we always squash before merging"),
        (
            "loadConfig should return an error, not exit",
            "loadConfig should return an error, not exit",
        ),
        ("use tabs in the templates, not spaces", "use tabs in the templates, not spaces"),
        (
            "it breaks the rule that every handler must close its file",
            "every handler must close its file",
        ),
        (
            "make sure to run the linter before every commit",
            "make sure to run the linter before every commit",
        ),
        ("所有接口都必须返回 JSON。", "所有接口都必须返回 JSON"),
        ("omg, use pixels in the margins, no inches!", "use pixels in the margins, no inches"),
        (
            "the gauge should be red if the tank is over 90% so the cook sees it",
            "the gauge should be red if the tank is over 90%",
        ),
    ],
)
def test_a_rule_is_kept_as_it_was_written(said: str, rule: str) -> None:
    assert learned(said) == [rule]


def test_what_is_announced_as_rules_is_learned_as_rules() -> None:
    said = "Good. A few rules before we start: always run the tests with uv. Don't touch the "
    said += "importer without asking me. And commit messages in the imperative. Now fix it."
    assert learned(said) == [
        "always run the tests with uv",
        "Don't touch the importer without asking me",
        "commit messages in the imperative",
    ]
    assert learned("New rule: times are UTC inside. Look at the parser.") == [
        "times are UTC inside"
    ]


@pytest.mark.parametrize(
    "said",
    [
        "it should be blue",
        "bullets should be the same as links",
        "that must never happen",
        "Should the list be sorted?",
        "no problem",
        "no, the other one",
        "no thanks",
        "make sure it compiles",
        "the footer should be dimmer now",
        "It must have been the cache.",
        "fix the tests",
        "> every handler must close its file",
        "I read this page:\nAll users must sign in again.",
    ],
)
def test_what_lays_down_nothing_is_no_rule(said: str) -> None:
    assert learned(said) == []


def test_rules_are_read_where_an_agent_works() -> None:
    assert not learned("All guests must bring their own chairs.", at_work=False)


def test_a_rule_is_a_constraint_of_who_wrote_it() -> None:
    events = conversation("user: no debug prints!", "call: bash {}", "tool: ok", "assistant: Ok.")
    (fact,) = [
        fact
        for fact in knowledge_of(ExtractionInput(events=events, user="mara")).facts
        if fact.predicate == "requires"
    ]
    assert (fact.subject, fact.kind, fact.sources) == ("mara", FactKind.CONSTRAINT, (0,))


@pytest.mark.parametrize(
    "said", ["no debug prints!", "use pixels in the margins, no inches", "we always squash"]
)
def test_a_rule_passes_the_gate(said: str) -> None:
    events = conversation(f"user: {said}", "call: bash {}", "tool: fine", "assistant: Done.")
    lecture = ExtractionInput(events=events, user="mara")
    (fact,) = passed(knowledge_of(lecture), lecture, WriteGate()).facts
    assert fact.statement == f"Rule: {said.rstrip('!')}"


@pytest.mark.parametrize(
    ("said", "rules"),
    [
        ("And keep your answers short.", ["keep your answers short"]),
        ("From now on answer in Danish, please.", ["From now on answer in Danish, please"]),
        ("Never call me sir.", ["Never call me sir"]),
        ("From now on Sundays, when I'm home.", []),
        (
            "From now on stop the page first, every time.",
            ["From now on stop the page first, every time"],
        ),
        ("From now on it is a holiday.", []),
        ("Keep the change.", []),
        ("Answer in one word: is it open?", []),
        ("My coach says: never give up.", []),
        ("Always answer me in French, my teacher used to say.", []),
        ("Please stop opening every reply with thanks.", ["stop opening every reply with thanks"]),
        ("When you write code for me, use tabs.", ["When you write code for me, use tabs"]),
        ("never suggest gyms to me, I run outdoors", ["never suggest gyms to me"]),
        ("Always cite sources when I ask about law.", ["Always cite sources when I ask about law"]),
        ("No emojis please.", ["No emojis please"]),
        ("Use metric units.", ["Use metric units"]),
        ("I'd rather you gave me dates.", ["I'd rather you gave me dates"]),
        ("Treat me like an expert.", ["Treat me like an expert"]),
        ("When you write me, do I answer?", []),
        ("Stop asking and just do it.", []),
        ("Never mind.", []),
    ],
)
def test_elsewhere_a_rule_says_how_an_agent_is_to_talk(said: str, rules: list[str]) -> None:
    assert learned(said, at_work=False) == rules


def test_what_people_did_at_work_is_of_the_day() -> None:
    events = conversation(
        "user: I restarted the server. I prefer tabs.",
        "call: bash {}",
        "tool: ok",
        "assistant: Ok.",
    )
    facts = knowledge_of(ExtractionInput(events=events, user="mara")).facts
    assert [fact.predicate for fact in facts] == ["prefers"]


def test_what_people_are_is_learned_where_an_agent_uses_tools() -> None:
    events = conversation(
        "user: I live in Delft, and I'm allergic to wasps. Will it rain?",
        "call: weather {}",
        "tool: 12 degrees, rain",
        "assistant: It rains.",
    )
    facts = knowledge_of(ExtractionInput(events=events, user="mara")).facts
    assert {fact.predicate for fact in facts} == {"lives_in", "is_allergic_to"}
