"""Answers that a reader model takes out of contexts, marked by a judge model against the reference.

Each answer is marked twice, strictly and leniently (`prompts/`); a question that cannot be answered
is marked once, right where the reader says that it does not know. What strictness asks of a type of
question follows LongMemEval's own evaluation, in words of ours: figures of other prompts and other
judges are not comparable. A call that fails leaves the question without a mark, and is told.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from anamnesis_cli.output import note
from anamnesis_libs.errors import AnamnesisError
from anamnesis_libs.models.chat import ChatModel, ChatRequest
from anamnesis_libs.models.factory import load_chat
from anamnesis_libs.models.prompts import Prompt
from anamnesis_libs.settings import Models
from benchmarks.longmemeval.dataset import ABSTENTION, Case

PROMPTS = Path(__file__).parent / "prompts"
STRICT, LENIENT = "strict", "lenient"
MARKS = (STRICT, LENIENT)
# Models that think write it among the tokens of their answer.
ANSWER_TOKENS_MAX = 4096
MARK_TOKENS_MAX = 2048

_NOTHING = "(nothing is remembered)"
_RULES = {
    "temporal-reasoning": "A number of days, weeks or months that is off by one is right.",
    "knowledge-update": (
        "An answer that also tells what held before is right, as long as it says that what the "
        "reference names holds now."
    ),
    "single-session-preference": (
        "Here the reference describes a good answer: right is one that makes use of what it says "
        "of the person; it need not touch every point."
    ),
}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model on an OpenAI-compatible server; without a key file no key is sent."""

    base_url: str
    model: str
    key_file: Path | None = None

    def load(self, calls_at_once_max: int) -> ChatModel:
        """The model; nothing is sent yet.

        Raises:
            SetupInvalid: its key cannot be read, or the server is known to want one.
        """
        settings = Models(
            chat_base_url=self.base_url,
            chat_model=self.model,
            chat_api_key_file=self.key_file,
            chat_calls_max=calls_at_once_max,
        )
        model = load_chat(settings)
        assert model is not None  # since it has a name
        return model


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer with its marks; `failure` says why marks are missing."""

    answer: str = ""
    marks: Mapping[str, bool] = field(default_factory=dict)
    failure: str = ""


class Examiner:
    """A reader and a judge."""

    def __init__(self, reader: ChatModel, judge: ChatModel) -> None:
        self._reader = reader
        self._judge = judge
        self._answer = Prompt.load(PROMPTS, "extract_answer")
        self._abstention = Prompt.load(PROMPTS, "label_abstention")
        self._marks = {name: Prompt.load(PROMPTS, f"label_{name}") for name in MARKS}

    @property
    def names(self) -> tuple[str, str]:
        """The names of reader and judge."""
        return self._reader.name, self._judge.name

    async def examine(self, case: Case, context: str) -> Answered:
        """Let the reader answer from the context, and the judge mark it."""
        answer, marks = "", dict[str, bool]()
        try:
            answer = await self._read(case, context)
            await self._mark(case, answer, marks)
        except AnamnesisError as failed:
            failure = f"{failed.reason}: {failed}"
            note(f"{case.question_id} has no mark: {failure}")
            return Answered(answer, marks, failure)
        return Answered(answer, marks)

    async def close(self) -> None:
        """Let go of both."""
        await self._reader.close()
        await self._judge.close()

    async def _read(self, case: Case, context: str) -> str:
        request = self._answer.request(
            output_tokens_max=ANSWER_TOKENS_MAX,
            now=f"{case.asked_at:%A, %Y-%m-%d %H:%M}",
            memory=context or _NOTHING,
            question=case.question.text,
        )
        return str((await _told(self._reader, request))["answer"])

    async def _mark(self, case: Case, answer: str, marks: dict[str, bool]) -> None:
        """Enter the marks, each as it comes."""
        told = {
            "question": case.question.text,
            "reference": case.question.answer,
            "answer": answer,
        }
        if case.question.category == ABSTENTION:
            request = self._abstention.request(output_tokens_max=MARK_TOKENS_MAX, **told)
            right = await self._is_right(request)
            marks.update(dict.fromkeys(MARKS, right))
            return
        rule = _RULES.get(case.question.category, "")
        for name, prompt in self._marks.items():
            request = prompt.request(output_tokens_max=MARK_TOKENS_MAX, rule=rule, **told)
            marks[name] = await self._is_right(request)

    async def _is_right(self, request: ChatRequest) -> bool:
        return bool((await _told(self._judge, request))["right"])


async def _told(model: ChatModel, request: ChatRequest) -> Mapping[str, object]:
    """The object that a model answers."""
    data = (await model.ask(request)).data
    assert isinstance(data, dict)  # as the schema says
    return data
