"""A chat model's lines for what is kept in mind of a session, and its word on what matters.

How many episodes are promoted is a rule (`compressing`); which of them, and in which words, is the
model's. It is asked behind everything that somebody waits for, and within the namespace's budget.
A line with a name or a number that its event does not have is not used: the event's own first
words stand there instead.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from anamnesis_ingestion import rendering
from anamnesis_ingestion.learning.support import missing
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.pipeline.compressing import (
    SUMMARY_TOKENS_MAX,
    episodes_of,
    first_words,
    kept_count,
)
from anamnesis_libs.models.chat import ChatModel, ChatRequest, Json
from anamnesis_libs.models.prompts import Prompt
from anamnesis_libs.tokens import TokenCounter

PROMPT_NAME = "summarise_events"
EVENTS_MAX = 40
"""Most events of one question, so that the answer has room for a line each."""
ANSWER_TOKENS_MAX = 8192


@dataclass(frozen=True, slots=True)
class _Line:
    """The words of a model about an event."""

    summary: str
    importance: float


class ModelSummarizer:
    """A Summarizer that asks a chat model."""

    def __init__(self, chat: ChatModel, counter: TokenCounter, budget_tokens: int) -> None:
        """Read the prompt; `budget_tokens` is what the events of one question may take.

        Raises:
            SetupInvalid: the prompt's files are missing or broken.
        """
        self._chat = chat
        self._counter = counter
        self._budget_tokens = budget_tokens
        self._prompt = Prompt.load(rendering.PROMPTS, PROMPT_NAME)

    async def summaries(self, events: Sequence[LedgerEvent]) -> Mapping[str, str]:
        """Return a line for each drawer that is promoted, in the order of the events.

        Raises:
            ModelUnavailable, ModelRefused, AnswerMalformed, PromptTooLong: see `ChatModel.ask`.
        """
        episodes = episodes_of(events)
        lines: dict[str, _Line] = {}
        for first in range(0, len(episodes), EVENTS_MAX):
            lines |= await self._asked(episodes[first : first + EVENTS_MAX])
        best = sorted(lines, key=lambda one: -lines[one].importance)[: kept_count(episodes)]
        return {
            event.memory_id: self._line(event, lines[event.memory_id].summary)
            for event in episodes
            if event.memory_id in best
        }

    def request(self, events: Sequence[LedgerEvent]) -> ChatRequest:
        """Return what the model is asked about events, each cut to its part of the budget."""
        tokens_max = max(1, self._budget_tokens // len(events))
        return self._prompt.request(
            output_tokens_max=ANSWER_TOKENS_MAX,
            count=str(len(events)),
            events="\n".join(
                rendering.cut_line(self._counter, number, rendering.body(event), tokens_max)
                for number, event in enumerate(events, 1)
            ),
        )

    async def _asked(self, events: Sequence[LedgerEvent]) -> dict[str, _Line]:
        answer = await self._chat.ask(self.request(events))
        return {
            events[number - 1].memory_id: line
            for number, line in _lines(answer.data)
            if 1 <= number <= len(events) and line.summary
        }

    def _line(self, event: LedgerEvent, summary: str) -> str:
        evidence = f"{event.name} {event.content}"
        told = summary if not any(missing(summary, evidence, ())) else first_words(event)
        return self._counter.truncate(told, SUMMARY_TOKENS_MAX)


def _lines(data: Json) -> Iterator[tuple[int, _Line]]:
    """Read what fits `summarise_events.schema.json`."""
    if not isinstance(data, dict) or not isinstance(rows := data["events"], list):
        raise TypeError("the answer does not fit the schema that it was checked against")
    for row in rows:
        match row:
            case {"event": int(event), "summary": str(said), "importance": int() | float() as much}:
                yield event, _Line(" ".join(said.split()), min(max(float(much), 0.0), 1.0))
            case _:
                raise TypeError("an event does not fit the schema that it was checked against")
