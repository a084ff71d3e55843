"""What people say becomes facts; what they only ask, guess, repeat or play does not."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from anamnesis_ingestion.learning.knowledge import ExtractionInput, Knowledge, Precision
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from tests.support.talk import said

TOLD = [
    ("I'm allergic to wasps.", "constraint", "user", "is_allergic_to", "wasps"),
    ("我对芒果过敏。", "constraint", "user", "is_allergic_to", "芒果"),
    ("I live in Malmö.", "identity", "user", "lives_in", "Malmö"),
    ("我住在宁波。", "identity", "user", "lives_in", "宁波"),
    ("I work as a glazier.", "identity", "user", "works_as", "glazier"),
    ("I can't stand liquorice.", "preference", "user", "dislikes", "liquorice"),
    ("我讨厌榴莲。", "preference", "user", "dislikes", "榴莲"),
    ("I really like rye bread.", "preference", "user", "likes", "rye bread"),
    ("我特别喜欢爬山。", "preference", "user", "likes", "爬山"),
    ("I don't eat pork.", "preference", "user", "does_not_eat", "pork"),
    ("我不吃羊肉。", "preference", "user", "does_not_eat", "羊肉"),
    ("My cousin Bea is a welder.", "identity", "Bea", "works_as", "welder"),
    ("Our supervisor is Ottoline.", "relationship", "user", "reports_to", "Ottoline"),
    ("我儿子叫豆豆。", "relationship", "user", "has_relative", "豆豆"),
    ("I speak Catalan.", "skill", "user", "speaks", "Catalan"),
    ("以后都用表格回答。", "preference", "user", "prefers", "用表格回答"),
]
TELLS_NOTHING = [
    "Do I live in Malmö?",
    "If I lived in Malmö I would cycle.",
    "Maybe I'll move to Malmö.",
    "Apparently my neighbour moved to Malmö.",
    "My aunt thinks I should like golf.",
    "Pretend you are a pirate who loves rum. I am the captain.",
    "Translate this: 'I am a nurse and I live in Malmö.'",
    "> I am a nurse",
    "Oh great, I love it when the train is late.",
    "Book me a table for two.",
    "I'd love to check them out.",
    "I want to help make that happen.",
    "I chose them 'cause they were cheap.",
    "I'm obsessed with those!",
    "I'm so thankful, making a real difference.",
    "Marrying my partner was easy.",
    "I will always remember our trip last year.",
    "I need to install numpy.",
    "I ran the tests.",
    "我住在宁波吗？",
    "如果我住在宁波就好了。",
    "听说我同事要辞职。",
    "假设我是医生，住在宁波。",
    "帮我订一张票。",
    "翻译：我是护士，住在宁波。",
]


async def _learned(*contents: str, **how: object) -> Knowledge:
    return await LocalExtractor().learn(said(*contents, **how))  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "kind", "subject", "predicate", "held"), TOLD)
async def test_a_clause_is_read(
    text: str, kind: str, subject: str, predicate: str, held: str
) -> None:
    facts = (await _learned(text)).facts
    found = [(each.kind, each.subject, each.predicate) for each in facts if held in each.object]
    assert (kind, subject, predicate) in found


@pytest.mark.parametrize("text", TELLS_NOTHING)
async def test_what_is_not_told_is_not_learned(text: str) -> None:
    assert (await _learned(text)).facts == ()


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("I have never smoked a pipe.", None),
        ("I don't drink milk.", "Mara doesn't drink milk"),
        ("I love my garden.", "Mara loves their garden"),
        ("I'm a glazier.", "Mara is a glazier"),
        ("My dad lives in Malmö.", "Mara's dad lives in Malmö"),
        ("我不吃羊肉。", "Mara不吃羊肉"),
    ],
)
async def test_a_statement_reads_by_itself(text: str, statement: str | None) -> None:
    facts = (await _learned(text, name="Mara")).facts
    assert [each.statement for each in facts] == ([statement] if statement else [])


async def test_a_list_gives_a_fact_for_each_item() -> None:
    facts = (await _learned("I'm allergic to wasps, latex and peanuts.")).facts
    assert [each.object for each in facts] == ["wasps", "latex", "peanuts"]
    assert {each.predicate for each in facts} == {"is_allergic_to"}


async def test_an_assistant_without_a_name_says_nothing_about_itself() -> None:
    claim = "I live in Malmö."
    assert (await _learned(claim, role=Role.ASSISTANT)).facts == ()
    named = (await _learned(claim, role=Role.ASSISTANT, name="Ida")).facts
    assert [each.subject for each in named] == ["Ida"]


async def test_facts_and_names_are_left_out_where_they_are_not_wanted() -> None:
    event = LedgerEvent(role=Role.USER, content="My sister Petra lives in Graz.", index=0)
    learned = await LocalExtractor().learn(
        ExtractionInput(events=[event], facts=False, lessons=True)
    )
    assert (learned.facts, learned.mentions) == ((), ())


@pytest.mark.parametrize(
    ("text", "since", "precision"),
    [
        ("I bought a boat yesterday.", datetime(2024, 3, 11, tzinfo=UTC), Precision.DAY),
        ("I moved to Porto in 2018.", datetime(2018, 1, 1, tzinfo=UTC), Precision.YEAR),
        ("我昨天买了一条船。", datetime(2024, 3, 11, tzinfo=UTC), Precision.DAY),
        ("I bought a boat some time ago.", None, Precision.NONE),
    ],
)
async def test_times_are_those_of_the_event(
    text: str, since: datetime | None, precision: Precision
) -> None:
    (fact,) = (await _learned(text)).facts
    assert (fact.time.since, fact.time.precision) == (since, precision)


async def test_an_event_without_a_time_gives_no_date() -> None:
    (fact,) = (await _learned("I bought a boat yesterday.", at=None)).facts
    assert fact.time.since is None


OTHERWISE_TOLD = [
    ("我对足球没什么兴趣。", "preference", "user", "足球"),
]


@pytest.mark.parametrize(("text", "kind", "subject", "words"), OTHERWISE_TOLD)
async def test_a_fact_is_told_in_many_ways(text: str, kind: str, subject: str, words: str) -> None:
    facts = (await _learned(text)).facts
    assert [(each.kind, each.subject) for each in facts] == [(kind, subject)]
    assert words in facts[0].statement


@pytest.mark.parametrize(
    "text",
    [
        "Mara is allergic to no hazelnuts.",
        "We can't bake without an oven.",
        "Let's keep going.",
        "Strong support really helps.",
        "我看看啊。",
        "我有个问题想请教。",
    ],
)
async def test_what_only_looks_like_a_fact_is_none(text: str) -> None:
    assert (await _learned(text)).facts == ()


async def test_a_file_tells_of_others_and_has_no_speaker() -> None:
    text = "Ines Duarte leads the harbour team. I like tea. Orders close at 18:00."
    facts = (await _learned(text, role=Role.FILE)).facts
    assert [each.subject for each in facts] == ["Ines Duarte"]


async def test_what_the_agent_says_by_its_own_name_is_nobodys() -> None:
    lecture = said("I moved to Porto in 2018.", role=Role.ASSISTANT, name="Juno")
    of_a_person = await LocalExtractor().learn(lecture)
    of_the_agent = await LocalExtractor().learn(replace(lecture, agent="juno"))
    assert [fact.subject for fact in of_a_person.facts] == ["Juno"]
    assert not of_the_agent.facts


async def test_what_somebody_is_said_to_have_said_is_not_the_speakers() -> None:
    knowledge = await LocalExtractor().learn(said("林悦说她怕冷，也不喝咖啡。", name="Mara"))
    assert not [fact for fact in knowledge.facts if fact.subject == "Mara"]


async def test_nobody_is_allergic_to_nothing() -> None:
    knowledge = await LocalExtractor().learn(said("I'm allergic to walnuts, so no walnuts."))
    assert [fact.object for fact in knowledge.facts] == ["walnuts"]
