"""Asking a chat model about memories: one question for several, all of one owner.

What it says is used where it fits: a number from 0 to 1 once for each memory that was asked about.
Summary and overview are for memory to compare with the text.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from anamnesis_cluster.refinement.model import Refined, Unrefined
from anamnesis_libs.models.budget import NamespaceBudgets
from anamnesis_libs.models.chat import ChatModel, ChatRequest, ChatUsage, Json, usage_of
from anamnesis_libs.models.prompts import Prompt
from anamnesis_libs.tokens import TokenCounter

PROMPTS = Path(__file__).parent / "prompts"
PROMPT_NAME = "summarise_memories"
ANSWER_TOKENS_MAX = 8192
BATCH_MAX = 12
"""Memories of one question, so that the answer has room for each."""
BATCH_TOKENS_MAX = 12_000
TEXT_TOKENS_MAX = 3_000
"""What is shown of a text of which summary and overview are wanted."""
WEIGHED_TOKENS_MAX = 400
"""What is shown of one that is only to be weighed."""
REASON_CHARS_MAX = 120


class Asker:
    """Asks in the course of one run, and counts what that costs."""

    def __init__(self, chat: ChatModel, counter: TokenCounter, readable_tokens: int) -> None:
        """Read the prompt; no question has more texts than `readable_tokens` allow.

        Raises:
            SetupInvalid: a file of the prompt is missing or broken.
        """
        self._chat = chat
        self._counter = counter
        self._batch_tokens = min(BATCH_TOKENS_MAX, readable_tokens)
        self._prompt = Prompt.load(PROMPTS, PROMPT_NAME)
        self.usage = ChatUsage()

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._chat.name

    def batches(self, memories: Sequence[Unrefined]) -> Iterator[Sequence[Unrefined]]:
        """The memories in parts that one question takes, none with words of two owners."""
        batch: list[Unrefined] = []
        tokens = 0
        for one in sorted(memories, key=lambda one: one.owner):
            its = self._counter.count(self._line(1, one))
            full = len(batch) >= BATCH_MAX or tokens + its > self._batch_tokens
            if batch and (full or batch[0].owner != one.owner):
                yield batch
                batch, tokens = [], 0
            batch.append(one)
            tokens += its
        if batch:
            yield batch

    async def refined(self, batch: Sequence[Unrefined]) -> list[Refined]:
        """Return what the model says of each, in order; nothing of those it leaves out.

        Raises:
            ModelUnavailable, ModelRefused, AnswerMalformed, PromptTooLong: see `ChatModel.ask`.
            BudgetExhausted: the namespace has spent its budget of the hour.
        """
        try:
            answer = await self._chat.ask(self.request(batch))
        except BaseException as error:
            self.usage += usage_of(error)
            raise
        self.usage += answer.usage
        return refined_of(answer.data, batch)

    def request(self, batch: Sequence[Unrefined]) -> ChatRequest:
        """Return the question about memories."""
        return self._prompt.request(
            output_tokens_max=ANSWER_TOKENS_MAX,
            count=str(len(batch)),
            texts="\n".join(self._line(number, one) for number, one in enumerate(batch, 1)),
        )

    def _line(self, number: int, one: Unrefined) -> str:
        wants = ("importance",) * one.importance + ("summary and overview",) * one.levels
        said = f"{one.speaker}: " if one.speaker else ""
        wanted = TEXT_TOKENS_MAX if one.levels else WEIGHED_TOKENS_MAX
        tokens_max = min(wanted, self._batch_tokens // 2)
        text = self._counter.truncate(" ".join(one.text.split()), tokens_max)
        return f"[{number}] ({', '.join(wants)}) {said}{text}"


class Askers:
    """Gives each run an asker of its own, which counts what the run costs."""

    def __init__(
        self, chats: NamespaceBudgets, counter: TokenCounter, readable_tokens: int
    ) -> None:
        self._chats = chats
        self._counter = counter
        self._readable_tokens = readable_tokens

    async def of(self, namespace: str) -> Asker:
        """The asker of a run in a namespace, within its budget."""
        return Asker(await self._chats.of(namespace), self._counter, self._readable_tokens)


def refined_of(data: Json, batch: Sequence[Unrefined]) -> list[Refined]:
    """Read what fits `summarise_memories.schema.json`, of each memory that it names once."""
    match data:
        case {"texts": list(rows)}:
            read = [_row(row) for row in rows]
        case _:
            raise TypeError("the answer does not fit the schema that it was checked against")
    numbers = [number for number, _ in read]
    said = {number: row for number, row in read if numbers.count(number) == 1}
    return [
        _refined(one, said[number]) if number in said else Refined(one)
        for number, one in enumerate(batch, 1)
    ]


_Row = tuple[float | None, str, str, str]


def _row(row: Json) -> tuple[int, _Row]:
    match row:
        case {
            "text": int(number),
            "importance": None | int() | float() as importance,
            "reason": str(reason),
            "summary": str(summary),
            "overview": str(overview),
        }:
            return number, (
                None if importance is None else float(importance),
                " ".join(reason.split())[:REASON_CHARS_MAX],
                " ".join(summary.split()),
                overview.strip(),
            )
        case _:
            raise TypeError("a text does not fit the schema that it was checked against")


def _refined(one: Unrefined, said: _Row) -> Refined:
    """The words of a model as far as they were asked for and may be used."""
    importance, reason, summary, overview = said
    if not one.importance or importance is None or not _is_share(importance):
        importance, reason = None, ""
    if not one.levels:
        summary, overview = "", ""
    return Refined(one, importance, reason, summary, overview)


def _is_share(number: float) -> bool:
    return math.isfinite(number) and 0.0 <= number <= 1.0
