"""A chat model's answer becomes knowledge; what it invents does not."""

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest_asyncio

from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import (
    EntityKind,
    ExtractionInput,
    FactKind,
    Held,
    Precision,
    Refused,
)
from anamnesis_ingestion.learning.model import PROMPTS, UNKNOWN_KIND, ModelExtractor
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_libs.settings import WriteGate
from tests.support.chat_models import chat_on
from tests.support.openai_chat_script import Asked
from tests.support.openai_server import OpenAIServer
from tests.support.openai_server import openai_server as listening
from tests.support.talk import SAID_AT

EVENTS = (
    LedgerEvent(role=Role.SYSTEM, content="Secret rules.", index=10),
    LedgerEvent(role=Role.USER, content="I sold my boat last week.", index=11, event_time=SAID_AT),
    LedgerEvent(
        role=Role.USER,
        content='<memory_context source="anamnesis">\n- bees\n</memory_context>\nI sail.',
        index=12,
        event_time=SAID_AT,
    ),
)
BOATYARD = LedgerEvent(
    role=Role.USER,
    content="The user of <EMAIL_ADDRESS> sold the boat at Marlowe  Yard, or Marlowe.",
    index=11,
    event_time=SAID_AT,
)
FACT: dict[str, object] = {
    "statement": "The user sold their boat",
    "subject": "user",
    "predicate": "did",
    "object": "sold boat",
    "kind": "experience",
    "persons": [],
    "location": "",
    "course": "once",
    "begins": "last week",
    "ends": "",
    "replaces": "",
    "sources": [1],
    "confidence": 0.9,
    "importance": 0.6,
}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with listening() as running:
        yield running


def _answer(*facts: dict[str, object], entities: tuple[object, ...] = ()) -> dict[str, object]:
    return {"facts": list(facts), "lessons": [], "procedures": [], "entities": list(entities)}


def _entity(name: str, kind: str = "person", sources: tuple[int, ...] = (1,)) -> dict[str, object]:
    return {"name": name, "kind": kind, "aliases": [], "sources": list(sources)}


async def test_an_answer_is_mapped_and_its_time_resolved_here(server: OpenAIServer) -> None:
    asked: list[str] = []

    def answer(request: Asked) -> dict[str, object]:
        asked.append(request.prompt)
        return _answer(FACT)

    server.chat.answer("extract", answer)
    async with chat_on(server) as model:
        (fact,) = (await ModelExtractor(model).learn(ExtractionInput(events=EVENTS))).facts
    assert (fact.sources, fact.kind) == ((11,), FactKind.EXPERIENCE)
    assert (fact.time.since, fact.time.precision) == (
        datetime(2024, 3, 4, tzinfo=UTC),
        Precision.WEEK,
    )
    assert "Secret rules" not in asked[0]
    assert "bees" not in asked[0]


async def test_what_is_invented_is_refused_and_counted(server: OpenAIServer) -> None:
    server.chat.answer(
        "extract",
        _answer(
            {**FACT, "sources": [9]},
            {**FACT, "sources": []},
            {**FACT, "begins": "in 1999"},
            {**FACT, "statement": "The user sold their yacht in Bari", "object": "yacht"},
        ),
    )
    lecture = ExtractionInput(events=EVENTS)
    async with chat_on(server) as model:
        learned = await ModelExtractor(model).learn(lecture)
    assert [fact.time.since for fact in learned.facts] == [None, datetime(2024, 3, 4, tzinfo=UTC)]
    after = passed(learned, lecture, WriteGate())
    assert [fact.object for fact in after.facts] == ["sold boat"]
    assert after.refusals == {Refused.MALFORMED: 2, Refused.UNSUPPORTED: 1}


async def test_nothing_is_asked_where_nothing_may_be_learned(server: OpenAIServer) -> None:
    async with chat_on(server) as model:
        learned = await ModelExtractor(model).learn(ExtractionInput(events=EVENTS[:1]))
    assert learned.facts == ()
    assert server.unscripted == []


async def test_names_are_mapped_and_those_that_no_event_spells_are_refused(
    server: OpenAIServer,
) -> None:
    told = {**_entity("Marlowe Yard", "unknown", (1, 2)), "aliases": ["Marlowe", "Quayside"]}
    server.chat.answer(
        "extract",
        _answer(
            entities=(
                told,
                _entity("Bari", "place"),
                _entity("user"),
                _entity("Yard", sources=(7,)),
                _entity("<EMAIL_ADDRESS>"),
                _entity("Secret"),
            )
        ),
    )
    lecture = ExtractionInput(events=(EVENTS[0], BOATYARD, EVENTS[2]))
    async with chat_on(server) as model:
        learned = await ModelExtractor(model).learn(lecture)
    assert learned.refusals == {Refused.MALFORMED: 1}
    after = passed(learned, lecture, WriteGate())
    (kept,) = after.mentions
    assert (kept.name, kept.kind, kept.aliases) == (
        "Marlowe Yard",
        EntityKind.UNKNOWN,
        ("Marlowe",),
    )
    assert kept.sources == (11,)
    assert after.refusals == {
        Refused.MALFORMED: 1,
        Refused.UNSUPPORTED: 2,
        Refused.GENERALITY: 2,
    }


async def test_facts_and_names_that_are_not_wanted_are_left_out(server: OpenAIServer) -> None:
    asked: list[str] = []

    def answer(request: Asked) -> dict[str, object]:
        asked.append(request.prompt)
        return _answer(FACT, entities=(_entity("Marlowe Yard"),))

    server.chat.answer("extract", answer)
    async with chat_on(server) as model:
        lecture = ExtractionInput(events=EVENTS, facts=False, lessons=True)
        learned = await ModelExtractor(model).learn(lecture)
    assert (learned.facts, learned.mentions) == ((), ())
    assert "Facts and entities are wanted: no" in asked[0]


def _predicates(name: str) -> set[str]:
    """What the local readers say, by their data."""
    lines = (PROMPTS.parent / name).read_text().splitlines()
    return {line.split("\t")[0] for line in lines if line.strip() and not line.startswith("#")}


def test_the_schema_knows_our_predicates_and_kinds() -> None:
    schema = json.loads((PROMPTS / "extract.schema.json").read_text())
    fact = schema["properties"]["facts"]["items"]["properties"]
    assert _predicates("english/frames.tsv") <= set(fact["predicate"]["enum"])
    assert _predicates("chinese/predicates.tsv") <= set(fact["predicate"]["enum"])
    assert fact["kind"]["enum"] == [each.value for each in FactKind]
    entity = schema["properties"]["entities"]["items"]["properties"]
    assert entity["kind"]["enum"] == [each.value or UNKNOWN_KIND for each in EntityKind]


SAID = (
    LedgerEvent(role=Role.USER, content="I left Halden last week.", index=0, event_time=SAID_AT),
    LedgerEvent(role=Role.USER, content="I write in Zed now.", index=1, event_time=SAID_AT),
    LedgerEvent(
        role=Role.USER,
        content="I'm not allergic to nuts after all, and I was never in Bari.",
        index=2,
        event_time=SAID_AT,
    ),
)
HELD = (Held("user", "uses", "Positron"), Held("user", "is_allergic_to", "nuts"))


def _told(
    statement: str, predicate: str, thing: str, course: str, source: int
) -> dict[str, object]:
    said = {"statement": statement, "predicate": predicate, "object": thing, "course": course}
    return {**FACT, "begins": "", **said, "sources": [source]}


async def test_what_a_model_says_to_have_ended_begun_or_be_denied_is_so(
    server: OpenAIServer,
) -> None:
    asked: list[str] = []
    left = _told("The user left Halden", "works_at", "Halden", "ended", 1)
    zed = _told("The user writes in Zed now", "uses", "Zed", "began", 2)
    nuts = _told("The user is not allergic to nuts", "is_allergic_to", "nuts", "denied", 3)
    bari = _told("The user was never in Bari", "lives_in", "Bari", "denied", 3)

    def answer(request: Asked) -> dict[str, object]:
        asked.append(request.prompt)
        return _answer({**left, "ends": "last week"}, {**zed, "replaces": "Positron"}, nuts, bari)

    server.chat.answer("extract", answer)
    lecture = ExtractionInput(events=SAID, held=HELD)
    async with chat_on(server) as model:
        learned = passed(await ModelExtractor(model).learn(lecture), lecture, WriteGate())
    assert "user | uses | Positron" in asked[0]
    told = {(one.object, one.ended): (one.time.since, one.time.until) for one in learned.facts}
    assert told == {
        ("Halden", True): (None, datetime(2024, 3, 11, tzinfo=UTC)),
        ("Zed", False): (SAID_AT, None),
        ("Positron", True): (None, SAID_AT),
        ("nuts", True): (None, None),
    }
    assert not learned.refusals


async def test_what_a_model_says_to_replace_is_refused_where_nobody_said_it(
    server: OpenAIServer,
) -> None:
    zed = _told("The user writes in Zed now", "uses", "Zed", "began", 2)
    server.chat.answer("extract", _answer({**zed, "replaces": "Vim"}))
    lecture = ExtractionInput(events=SAID, held=HELD)
    async with chat_on(server) as model:
        learned = passed(await ModelExtractor(model).learn(lecture), lecture, WriteGate())
    assert [one.object for one in learned.facts] == ["Zed"]
    assert learned.refusals == {Refused.UNSUPPORTED: 1}


async def test_a_beginning_in_words_that_nobody_resolves_is_not_when_it_was_told(
    server: OpenAIServer,
) -> None:
    zed = _told("The user writes in Zed now", "uses", "Zed", "began", 2)
    server.chat.answer("extract", _answer({**zed, "begins": "when the moon was full"}))
    async with chat_on(server) as model:
        (fact,) = (await ModelExtractor(model).learn(ExtractionInput(events=SAID))).facts
    assert fact.time.since is None
