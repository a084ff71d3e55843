"""A chat model as a reranker: one call with the question and numbered texts; it names the best."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import cast

from anamnesis_libs.models.budget import Accounts, NamespaceBudgets
from anamnesis_libs.models.chat import ChatModel, ChatRequest, Json
from anamnesis_libs.models.prompts import Prompt
from anamnesis_libs.tokens import TokenCounter

PROMPTS = Path(__file__).parent / "prompts"
QUERY_TOKENS_MAX, TEXT_TOKENS_MAX = 1_000, 250
"""A longer question, or text, is shown by its beginning."""
PROMPT_TOKENS = 500
"""Set aside for the words of the prompt itself."""
NUMBER_TOKENS = 8
"""Set aside, of a line, for its number."""
NAMED_MAX = 20
"""So many are told at most: more take longer, and a reader of results wants few."""
OUTPUT_TOKENS_MAX = 2_048


class ChatReranker:
    """A `Reranker` over a chat model, all in one part."""

    def __init__(
        self, chat: ChatModel, prompt: Prompt, counter: TokenCounter, input_tokens_max: int
    ) -> None:
        """`input_tokens_max` is what the model takes: texts that do not fit are not read."""
        self._chat = chat
        self._prompt = prompt
        self._counter = counter
        self._texts_tokens_max = input_tokens_max - QUERY_TOKENS_MAX - PROMPT_TOKENS

    async def scores(
        self, query: str, texts: Sequence[str]
    ) -> AsyncGenerator[Sequence[float], None]:
        """As in `Reranker`: by their place among those that the model names, 0 for the others."""
        lines = await asyncio.to_thread(self.lines, texts)
        answer = await self._chat.ask(await asyncio.to_thread(self.request, query, lines))
        yield _points(answer.data, len(lines))

    def lines(self, texts: Sequence[str]) -> list[str]:
        """The texts that the model can take, a numbered line each."""
        lines: list[str] = []
        left = self._texts_tokens_max
        for number, text in enumerate(texts, start=1):
            line = self._counter.truncate(" ".join(text.split()), TEXT_TOKENS_MAX)
            left -= self._counter.count(line) + NUMBER_TOKENS
            if left < 0:
                break
            lines.append(f"[{number}] {line}")
        return lines

    def request(self, query: str, lines: Sequence[str]) -> ChatRequest:
        """The request that asks which of the lines answer the question."""
        return self._prompt.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            most=str(NAMED_MAX),
            question=self._counter.truncate(query, QUERY_TOKENS_MAX),
            memories="\n".join(lines),
        )


class ChatRerankers:
    """A chat model as the reranker of each namespace, within the budget of each."""

    def __init__(
        self, chat: ChatModel, accounts: Accounts, counter: TokenCounter, input_tokens_max: int
    ) -> None:
        self._chat = chat
        self._chats = NamespaceBudgets(chat, accounts)
        self._counter = counter
        self._input_tokens_max = input_tokens_max
        self._prompt = load_prompt()

    async def of(self, namespace: str) -> ChatReranker:
        """The reranker of a namespace."""
        chat = await self._chats.of(namespace)
        return ChatReranker(chat, self._prompt, self._counter, self._input_tokens_max)

    async def close(self) -> None:
        """Report what was spent, and close the model."""
        await self._chats.close()
        await self._chat.close()


def load_prompt() -> Prompt:
    """The prompt, as its files have it."""
    return Prompt.load(PROMPTS, "rerank_texts")


def _points(answer: Json, count: int) -> list[float]:
    """Points of the texts from 1 down by the place that the answer gives each, 0 without one."""
    best = cast("dict[str, list[int]]", answer)["best"]
    named = [number for number in dict.fromkeys(best) if 1 <= number <= count]
    points = [0.0] * count
    for place, number in enumerate(named):
        points[number - 1] = 1.0 - place / len(named)
    return points
