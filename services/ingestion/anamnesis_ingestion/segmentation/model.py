"""Segmentation by a chat model: one prompt a window."""

from anamnesis_ingestion import rendering
from anamnesis_ingestion.segmentation.tasks import Task
from anamnesis_ingestion.segmentation.windows import Window
from anamnesis_libs.models.chat import ChatModel, ChatRequest, Json
from anamnesis_libs.models.prompts import Prompt

PROMPT_NAME = "segment_tasks"
PROMPT_TOKENS_MAX = 2048
"""Tokens of the prompt besides the window, its schema included: a window's budget is the
model's, less this."""
ANSWER_TOKENS_MAX = 8192


class ModelSegmenter:
    """A Segmenter that asks a chat model."""

    def __init__(self, chat: ChatModel) -> None:
        """Read the prompt. Raises SetupInvalid if its files are missing or broken."""
        self._chat = chat
        self._prompt = Prompt.load(rendering.PROMPTS, PROMPT_NAME)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._chat.name

    async def tasks(self, window: Window) -> tuple[Task, ...]:
        """Return the model's tasks as it gave them: they fit the schema, and no more is known.

        Raises:
            ModelUnavailable, ModelRefused, AnswerMalformed, PromptTooLong: see `ChatModel.ask`.
        """
        answer = await self._chat.ask(self.request(window))
        return _tasks(answer.data)

    def request(self, window: Window) -> ChatRequest:
        """Return what the model is asked about a window."""
        return self._prompt.request(
            output_tokens_max=ANSWER_TOKENS_MAX,
            count=str(len(window.events)),
            events=window.text,
        )


def _tasks(data: Json) -> tuple[Task, ...]:
    """Read what fits `segment_tasks.schema.json`."""
    match data:
        case {"tasks": list(rows)}:
            return tuple(map(_task, rows))
    raise TypeError("the answer does not fit the schema that it was checked against")


def _task(row: Json) -> Task:
    match row:
        case {"first": int(first), "last": int(last), "topic": str(topic), "summary": str(summary)}:
            return Task(first, last, topic, summary)
    raise TypeError("a task does not fit the schema that it was checked against")
