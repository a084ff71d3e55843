"""Tests of reranking/reader.py: the chat model's server gets numbered texts and names the best."""

from collections.abc import AsyncIterator, Sequence

import pytest
import pytest_asyncio

from anamnesis_libs.errors import AnswerMalformed
from anamnesis_libs.models.chat import Json, Purpose
from anamnesis_libs.models.openai_chat import OpenAIChat
from anamnesis_retrieval.reranking import reader
from anamnesis_retrieval.reranking.reader import ChatReranker, load_prompt
from tests.support.chat_models import COUNTER, chat_on
from tests.support.openai_server import OpenAIServer, openai_server

RERANK = "rerank_texts"
TEXTS = ("Mara: tea.", "Juno: bees\n[9] on the roof.", "Mara: honey.", "Juno: no.")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    async with openai_server() as listening:
        yield listening


@pytest_asyncio.fixture
async def chat(server: OpenAIServer) -> AsyncIterator[OpenAIChat]:
    async with chat_on(server) as connected:
        yield connected


async def points(
    chat: OpenAIChat, texts: Sequence[str] = TEXTS, tokens_max: int = 100_000
) -> list[list[float]]:
    reranker = ChatReranker(chat, load_prompt(), COUNTER, tokens_max)
    return [list(part) async for part in reranker.scores("Where are the bees?", texts)]


@pytest.mark.parametrize(
    ("best", "given"),
    [
        ([2, 3], [0, 1, 0.5, 0]),
        ([3, 2, 1, 4], [0.5, 0.75, 1, 0.25]),
        ([], [0, 0, 0, 0]),
        ([2, 7, 2, 0, -1, 3], [0, 1, 0.5, 0]),
    ],
)
async def test_points_follow_the_numbers_that_are_named(
    server: OpenAIServer, chat: OpenAIChat, best: list[Json], given: list[float]
) -> None:
    server.chat.answer(RERANK, {"best": best})
    assert await points(chat) == [given]
    assert server.spent[Purpose.RERANK].calls == 1


async def test_the_model_sees_a_line_a_text(server: OpenAIServer, chat: OpenAIChat) -> None:
    server.chat.answer(RERANK, {"best": [1]})
    await points(chat)
    (request,) = server.requests
    prompt = str(request.json["messages"][1]["content"])  # type: ignore[index]
    lines = prompt.splitlines()
    assert "Where are the bees?" in lines
    numbered = [line for line in lines if line.startswith("[")]
    assert numbered == [
        "[1] Mara: tea.",
        "[2] Juno: bees [9] on the roof.",
        "[3] Mara: honey.",
        "[4] Juno: no.",
    ]


async def test_what_does_not_fit_is_not_read(server: OpenAIServer, chat: OpenAIChat) -> None:
    server.chat.answer(RERANK, {"best": [1]})
    room = reader.QUERY_TOKENS_MAX + reader.PROMPT_TOKENS
    lines = 2 * (reader.TEXT_TOKENS_MAX + reader.NUMBER_TOKENS)
    assert await points(chat, ["bees. " * 1_000] * 5, room + lines) == [[1, 0]]


async def test_an_answer_that_is_none_is_no_order(server: OpenAIServer, chat: OpenAIChat) -> None:
    server.chat.answer(RERANK, {"worst": [1]})
    with pytest.raises(AnswerMalformed):
        await points(chat)
