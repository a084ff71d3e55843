"""Segmentation by a model on the test server: what is asked, and what becomes of its answers."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from anamnesis_ingestion.rendering import PROMPTS
from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.model import PROMPT_TOKENS_MAX, ModelSegmenter
from anamnesis_ingestion.segmentation.tasks import TaskCut
from anamnesis_libs.errors import AnswerMalformed, ModelUnavailable
from anamnesis_libs.models.openai_chat import OpenAIChat
from anamnesis_libs.tokens import TiktokenCounter
from tests.support import openai_server as fake
from tests.support.chat_models import chat_on
from tests.support.ledger_events import conversation
from tests.support.openai_server import OpenAIServer

EVENTS = conversation(
    "user: How do I read a CSV?",
    "assistant: With pandas.read_csv.",
    "user: Write a compose file.",
    "call: write {}",
    "tool: ok",
    "assistant: There it is.",
)
CSV = {"first": 1, "last": 2, "topic": "Reading a CSV", "summary": "pandas was named."}
COMPOSE = {"first": 3, "last": 6, "topic": "Compose file", "summary": "It was written."}


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with fake.openai_server() as listening:
        yield listening


@pytest_asyncio.fixture
async def model(server: OpenAIServer) -> AsyncIterator[OpenAIChat]:
    async with chat_on(server) as connected:
        yield connected


async def test_the_models_tasks_become_segments(
    server: OpenAIServer, model: OpenAIChat, counter: TiktokenCounter
) -> None:
    server.chat.answer("segment_tasks", {"tasks": [CSV, COMPOSE]})
    segmenter = ModelSegmenter(model)
    assert await segment(EVENTS, segmenter, 1000, counter) == (
        TaskCut(0, 1, "Reading a CSV", "pandas was named."),
        TaskCut(2, 5, "Compose file", "It was written."),
    )
    assert segmenter.name == model.name
    assert set(server.spent) == {"segment"}


async def test_the_model_reads_numbered_events_between_marks(
    server: OpenAIServer, model: OpenAIChat, counter: TiktokenCounter
) -> None:
    server.chat.answer("segment_tasks", {"tasks": [CSV, COMPOSE]})
    await segment(EVENTS, ModelSegmenter(model), 1000, counter)
    prompt = str(server.requests[0].json["messages"])
    assert "[1] user: How do I read a CSV?" in prompt
    assert "[4] assistant: -> write({})" in prompt
    assert "The conversation has 6 events." in prompt


async def test_a_server_that_fails_leaves_the_session_pending(
    server: OpenAIServer, model: OpenAIChat, counter: TiktokenCounter
) -> None:
    server.faults += [fake.status(500)] * 6
    with pytest.raises(ModelUnavailable):
        await segment(EVENTS, ModelSegmenter(model), 1000, counter)


@pytest.mark.parametrize("answer", [{"tasks": "none"}, {"tasks": [{"first": 1}]}])
async def test_an_answer_off_the_schema_is_refused_after_one_repair(
    server: OpenAIServer, model: OpenAIChat, counter: TiktokenCounter, answer: fake.Json
) -> None:
    server.chat.answer("segment_tasks", answer)
    with pytest.raises(AnswerMalformed):
        await segment(EVENTS, ModelSegmenter(model), 1000, counter)
    assert len(server.requests) == 2


def test_the_prompt_takes_no_more_than_it_says(counter: TiktokenCounter) -> None:
    texts = [file.read_text() for file in PROMPTS.glob("segment_tasks.*")]
    assert len(texts) == 2
    assert sum(map(counter.count, texts)) < PROMPT_TOKENS_MAX * 0.75
