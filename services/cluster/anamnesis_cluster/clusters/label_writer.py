"""A chat model's label for a topic: one call, checked by rule before it is taken."""

from collections.abc import Sequence
from pathlib import Path

from anamnesis_cluster.clusters.label_check import fault_of
from anamnesis_cluster.model import Lesson
from anamnesis_libs.errors import AnswerMalformed, ModelRefused, PromptTooLong
from anamnesis_libs.models.budget import NamespaceBudgets
from anamnesis_libs.models.chat import ChatModel, ChatRequest, ChatUsage, Json, usage_of
from anamnesis_libs.models.prompts import Prompt

PROMPTS = Path(__file__).parent / "prompts"
OUTPUT_TOKENS_MAX = 512
LESSON_CHARS_MAX = 400
"""So much of each lesson is shown: its beginning says what it is about."""


class LabelWriter:
    """Words labels in one namespace, and counts what that costs; the model's owner closes it."""

    def __init__(self, chat: ChatModel) -> None:
        """Read the prompt.

        Raises:
            SetupInvalid: a file of the prompt is missing or broken.
        """
        self._chat = chat
        self._prompt = Prompt.load(PROMPTS, "label_topic")
        self._usage = ChatUsage()

    @property
    def name(self) -> str:
        """The model's."""
        return self._chat.name

    @property
    def tokens(self) -> int:
        """Tokens that the model took so far."""
        return self._usage.tokens

    async def label(self, lessons: Sequence[Lesson], terms: str) -> str:
        """A label that passed the check; empty where the model gave none that does.

        Raises:
            ModelUnavailable, BudgetExhausted: nobody can be asked now.
        """
        try:
            answer = await self._ask(self.request(lessons, terms))
        except (AnswerMalformed, ModelRefused, PromptTooLong):
            return ""
        label = _told(answer)
        return "" if fault_of(label, [*map(_shown, lessons)]) else label

    def request(self, lessons: Sequence[Lesson], terms: str) -> ChatRequest:
        """The question about a topic."""
        numbered = (f"[{number}] {_shown(one)}" for number, one in enumerate(lessons, 1))
        return self._prompt.request(
            output_tokens_max=OUTPUT_TOKENS_MAX,
            count=str(len(lessons)),
            lessons="\n\n".join(numbered),
            terms=terms,
        )

    async def _ask(self, request: ChatRequest) -> Json:
        try:
            answer = await self._chat.ask(request)
        except BaseException as error:
            self._usage += usage_of(error)
            raise
        self._usage += answer.usage
        return answer.data


class LabelWriters:
    """Gives each run a writer of its own."""

    def __init__(self, chats: NamespaceBudgets | None) -> None:
        self._chats = chats

    async def of(self, namespace: str) -> LabelWriter | None:
        """The writer of a run in a namespace; None where no chat model is configured."""
        return None if self._chats is None else LabelWriter(await self._chats.of(namespace))


def _shown(lesson: Lesson) -> str:
    said = dict.fromkeys((lesson.title, lesson.text[:LESSON_CHARS_MAX]))
    return "\n".join(filter(None, said))


def _told(answer: Json) -> str:
    """Read what fits `label_topic.schema.json`."""
    match answer:
        case {"label": str(label)}:
            return label.strip()
        case _:
            raise TypeError("the answer does not fit the schema that it was checked against")
