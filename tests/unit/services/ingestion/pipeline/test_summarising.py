"""A model's lines on the test server: which events are kept in mind, and in which words."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role
from anamnesis_ingestion.pipeline.summarising import EVENTS_MAX, ModelSummarizer
from anamnesis_libs.errors import ModelUnavailable
from tests.support import openai_server as fake
from tests.support.chat_models import chat_on
from tests.support.openai_chat_script import Asked, Given
from tests.support.openai_server import OpenAIServer
from tests.support.pipeline_bench import counter

EVENTS = [
    LedgerEvent(role=Role.USER, content=said, index=at, memory_id=f"m{at}")
    for at, said in enumerate(
        [
            "Ada moved to Lisbon in March and likes it",
            "lovely weather",
            "hm, the bees",
            "我对花生过敏",
        ]
    )
]
SUMMARISE = "summarise_events"


def line(event: int, summary: str, importance: float) -> dict[str, object]:
    return {"event": event, "summary": summary, "importance": importance}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with fake.openai_server() as listening:
        yield listening


@pytest_asyncio.fixture
async def summarizer(server: OpenAIServer) -> AsyncIterator[ModelSummarizer]:
    async with chat_on(server) as connected:
        yield ModelSummarizer(connected, counter(), 4000)


async def test_the_model_says_what_is_kept_and_in_which_words(
    server: OpenAIServer, summarizer: ModelSummarizer
) -> None:
    told = [line(4, "对花生过敏", 0.9), line(1, "Ada moved to Lisbon", 0.8)]
    server.chat.answer(SUMMARISE, {"events": told})
    assert await summarizer.summaries(EVENTS) == {"m0": "Ada moved to Lisbon", "m3": "对花生过敏"}


async def test_of_more_than_fits_the_least_important_go(
    server: OpenAIServer, summarizer: ModelSummarizer
) -> None:
    told = [line(at, EVENTS[at - 1].content, 1 - at / 10) for at in (1, 2, 3, 4)]
    server.chat.answer(SUMMARISE, {"events": told})
    assert list(await summarizer.summaries(EVENTS)) == ["m0", "m1", "m2"]


async def test_a_line_that_its_event_does_not_support_is_its_first_words(
    server: OpenAIServer, summarizer: ModelSummarizer
) -> None:
    told = [line(1, "Ada moved to Porto in 2019", 0.9), line(9, "nobody said it", 1.0)]
    server.chat.answer(SUMMARISE, {"events": told})
    assert await summarizer.summaries(EVENTS) == {"m0": EVENTS[0].content}


async def test_a_long_session_is_asked_about_in_parts(
    server: OpenAIServer, summarizer: ModelSummarizer
) -> None:
    def last(asked: Asked) -> Given:
        return {"events": [line(1, "note", 0.5)] if "note 40" in asked.prompt else []}

    server.chat.answer(SUMMARISE, last)
    notes = [
        LedgerEvent(role=Role.USER, content=f"note {at}", index=at, memory_id=f"m{at}")
        for at in range(EVENTS_MAX + 1)
    ]
    assert list(await summarizer.summaries(notes)) == ["m40"]


async def test_a_server_that_fails_promotes_nothing(
    server: OpenAIServer, summarizer: ModelSummarizer
) -> None:
    server.chat.fail(SUMMARISE, *[fake.status(500)] * 9)
    with pytest.raises(ModelUnavailable):
        await summarizer.summaries(EVENTS)
