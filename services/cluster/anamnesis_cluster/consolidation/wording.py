"""A chat model's word on two lessons: one or two, and the text for both, checked by a second call.

What the model says of the text is not the last word: memory compares numbers, names, negations and
sentences before it takes it.
"""

import re
from pathlib import Path
from typing import Protocol

from anamnesis_cluster.consolidation.model import Duplicate, MergeOutcome, Verdict
from anamnesis_libs.errors import AnswerMalformed, ModelRefused, PromptTooLong
from anamnesis_libs.models.chat import ChatModel, ChatRequest, ChatUsage, Json, usage_of
from anamnesis_libs.models.prompts import Prompt

PROMPTS = Path(__file__).parent / "prompts"
ANSWER_TOKENS_MAX = 4096
REASON_CHARS_MAX = 400
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
_OUTCOMES = {"different": MergeOutcome.KEPT_APART, "contradicts": MergeOutcome.CONTRADICTS}


class Judge(Protocol):
    """Says what two lessons are."""

    @property
    def usage(self) -> ChatUsage:
        """The cost so far."""
        ...

    async def verdict(self, duplicate: Duplicate) -> Verdict:
        """Say whether two lessons are one, and word the text of both.

        Raises:
            ModelUnavailable, BudgetExhausted: nobody can be asked now.
        """
        ...


class ModelJudge:
    """A Judge that asks a chat model."""

    def __init__(self, chat: ChatModel) -> None:
        """Read the prompts.

        Raises:
            SetupInvalid: a file of a prompt is missing or broken.
        """
        self._chat = chat
        self._merge = Prompt.load(PROMPTS, "merge_lessons")
        self._check = Prompt.load(PROMPTS, "merge_check")
        self._usage = ChatUsage()

    @property
    def usage(self) -> ChatUsage:
        """The cost so far."""
        return self._usage

    async def verdict(self, duplicate: Duplicate) -> Verdict:
        """Say whether two lessons are one; what the model cannot word is refused with its reason.

        Raises:
            ModelUnavailable, BudgetExhausted: nobody can be asked now.
        """
        try:
            return await self._verdict(duplicate)
        except (AnswerMalformed, ModelRefused, PromptTooLong) as error:
            return Verdict(MergeOutcome.REFUSED, f"the model gave no answer to use: {error.reason}")

    def merge_request(self, duplicate: Duplicate) -> ChatRequest:
        """The question about two lessons."""
        return self._merge.request(
            output_tokens_max=ANSWER_TOKENS_MAX,
            first=duplicate.known.content,
            second=duplicate.other.content,
        )

    def check_request(self, duplicate: Duplicate, text: str) -> ChatRequest:
        """The question about the text for both."""
        numbered = sentences(text)
        return self._check.request(
            output_tokens_max=ANSWER_TOKENS_MAX,
            first=duplicate.known.content,
            second=duplicate.other.content,
            count=str(len(numbered)),
            sentences="\n".join(f"[{at}] {one}" for at, one in enumerate(numbered, 1)),
        )

    async def _verdict(self, duplicate: Duplicate) -> Verdict:
        said, reason, text = _merge_answer(await self._ask(self.merge_request(duplicate)))
        if said in _OUTCOMES:
            return Verdict(_OUTCOMES[said], reason, model=self._chat.name)
        known = duplicate.known.content.strip()
        answer = await self._ask(self.check_request(duplicate, text or known))
        fault = _check_answer(answer, sentences(text or known))
        if fault:
            return Verdict(MergeOutcome.REFUSED, fault, text, self._chat.name)
        worded = "" if text == known else text
        return Verdict(MergeOutcome.MERGED, reason, worded, self._chat.name)

    async def _ask(self, request: ChatRequest) -> Json:
        try:
            answer = await self._chat.ask(request)
        except BaseException as error:
            self._usage += usage_of(error)
            raise
        self._usage += answer.usage
        return answer.data


def sentences(text: str) -> list[str]:
    """The sentences of a text, and its lines."""
    return [found.strip() for found in _SENTENCE.split(text) if found.strip()]


def _merge_answer(data: Json) -> tuple[str, str, str]:
    """Read what fits `merge_lessons.schema.json`."""
    match data:
        case {"verdict": str(said), "reason": str(reason), "text": str(text)}:
            return said, " ".join(reason.split())[:REASON_CHARS_MAX], text.strip()
        case _:
            raise TypeError("the answer does not fit the schema that it was checked against")


def _check_answer(data: Json, told: list[str]) -> str:
    """The fault of a text, as `merge_check.schema.json` tells it; empty if it has none."""
    match data:
        case {"sentences": list(rows), "lost": list(lost)}:
            borne = dict(map(_borne, rows))
        case _:
            raise TypeError("the answer does not fit the schema that it was checked against")
    for number, sentence in enumerate(told, 1):
        if borne.get(number, "none") == "none":
            return f"neither lesson says: {sentence}"[:REASON_CHARS_MAX]
    missing = [str(one).strip() for one in lost if str(one).strip()]
    return f"it loses: {missing[0]}"[:REASON_CHARS_MAX] if missing else ""


def _borne(row: Json) -> tuple[int, str]:
    match row:
        case {"number": int(number), "borne_by": str(by)}:
            return number, by
        case _:
            raise TypeError("a sentence does not fit the schema that it was checked against")
