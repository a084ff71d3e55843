"""A chat model's judgement beside the measures by rules.

The rules always measure, and their measures stay in the document as they are. The model's stand
beside them under `judge`, each with its reason. The overall score is the mean of both scores, so
that neither a lenient model nor a task that merely looks tidy passes a threshold alone; the task
type is the model's. Where the model fails nothing is measured: rules are no silent stand-in.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_ingestion import rendering
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.trajectory.measures import (
    Measure,
    Measures,
    TaskType,
    listed,
    overall,
    summary,
    tool_uses,
)
from anamnesis_ingestion.trajectory.rules import measured
from anamnesis_ingestion.trajectory.steps import steps
from anamnesis_libs.errors import AnswerMalformed
from anamnesis_libs.models.chat import ChatModel, ChatRequest, Json
from anamnesis_libs.models.prompts import Prompt
from anamnesis_libs.tokens import TokenCounter

PROMPT_NAME = "label_trajectory"
ANSWER_TOKENS_MAX = 2048
EVENT_SHARE_MAX = 4
"""No event takes more than this part of the budget."""

_WEIGHTS = {
    "goal_reached": 0.40,
    "tool_use": 0.15,
    "error_handling": 0.15,
    "user_alignment": 0.20,
    "efficiency": 0.10,
}


@dataclass(frozen=True, slots=True)
class _Judgement:
    task_type: TaskType
    measures: tuple[Measure, ...]
    reasons: dict[str, str]


class ModelJudge:
    """A Labeller that asks a chat model, and measures by rules."""

    def __init__(self, chat: ChatModel, counter: TokenCounter, budget_tokens: int) -> None:
        """Read the prompt; `budget_tokens` is what the events of a task may take.

        Raises:
            SetupInvalid: the prompt's files are missing or broken.
        """
        self._chat = chat
        self._counter = counter
        self._budget_tokens = budget_tokens
        self._prompt = Prompt.load(rendering.PROMPTS, PROMPT_NAME)

    @property
    def name(self) -> str:
        """The model's name."""
        return self._chat.name

    async def measure(self, events: Sequence[LedgerEvent]) -> Measures:
        """Return both measures of one segment.

        Raises:
            ModelUnavailable, ModelRefused, AnswerMalformed, PromptTooLong: see `ChatModel.ask`.
        """
        answer = await self._chat.ask(self.request(events))
        judged = _judgement(answer.data, events)
        return _beside(measured(events), judged, self.name, tool_uses(steps(events)))

    def request(self, events: Sequence[LedgerEvent]) -> ChatRequest:
        """Return what the model is asked about a segment."""
        return self._prompt.request(
            output_tokens_max=ANSWER_TOKENS_MAX,
            count=str(len(events)),
            events=shown(events, self._counter, self._budget_tokens),
        )


def shown(events: Sequence[LedgerEvent], counter: TokenCounter, budget_tokens: int) -> str:
    """Return the numbered events, without those in the middle that the budget does not hold.

    How a task begins and how it ends says most, so events are taken from both ends in turn.
    """
    lines = [_line(event, at, counter, budget_tokens) for at, event in enumerate(events, 1)]
    kept: set[int] = set()
    used = 0
    for at in _from_both_ends(len(lines)):
        used += counter.count(lines[at])
        if used > budget_tokens and kept:
            break
        kept.add(at)
    return "".join(line for at, line in enumerate(lines) if at in kept)


def _line(event: LedgerEvent, number: int, counter: TokenCounter, budget_tokens: int) -> str:
    body = rendering.body(event)
    tokens_max = max(1, budget_tokens // EVENT_SHARE_MAX)
    return rendering.cut_line(counter, number, body, tokens_max) + "\n"


def _from_both_ends(count: int) -> list[int]:
    return [at // 2 if at % 2 == 0 else count - 1 - at // 2 for at in range(count)]


def _beside(
    rules: Sequence[Measure], judged: _Judgement, model: str, tools: list[Json]
) -> Measures:
    by_rules, by_model = overall(rules), overall(judged.measures)
    score = (by_rules + by_model) / 2
    reasons: dict[str, Json] = {**judged.reasons}
    document: dict[str, Json] = {
        "summary": {
            **summary(score, judged.task_type, model),
            "rules_score": round(by_rules, 4),
            "judge_score": round(by_model, 4),
        },
        "measures": listed(rules),
        "tools": tools,
        "judge": {"measures": listed(judged.measures), "reasons": reasons},
    }
    return Measures(score, judged.task_type, document)


def _judgement(data: Json, events: Sequence[LedgerEvent]) -> _Judgement:
    """Read what fits `label_trajectory.schema.json`; numbers of no event are no evidence."""
    if not isinstance(data, dict):
        raise TypeError("the answer does not fit the schema that it was checked against")
    found = {name: _measure(name, data[name], events) for name in _WEIGHTS}
    if all(measure is None for measure, _ in found.values()):
        raise AnswerMalformed("the model gave no measure a value")
    return _Judgement(
        TaskType(str(data["task_type"])),
        tuple(measure for measure, _ in found.values() if measure is not None),
        {name: reason for name, (measure, reason) in found.items() if measure is not None},
    )


def _measure(name: str, data: Json, events: Sequence[LedgerEvent]) -> tuple[Measure | None, str]:
    match data:
        case {"value": None, "reason": str(reason)}:
            return None, reason
        case {"value": int() | float() as value, "evidence": list(numbers), "reason": str(reason)}:
            inside = {n for n in numbers if isinstance(n, int) and 1 <= n <= len(events)}
            indices = tuple(events[number - 1].index or 0 for number in sorted(inside))
            return Measure(name, float(value), _WEIGHTS[name], indices), reason
    raise TypeError("a measure does not fit the schema that it was checked against")
